"""JupyterLab: notebooks that a person writes, runs, renames and searches."""

import json

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]
CODE = """def add_up(n):
    if n:
        return n + add_up(n - 1)
    return 0

for n in (3, 10):
    print("sum", add_up(n))"""


@pytest.fixture(scope="module")
def lab(application, serve, tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebooks")
    words = ("--no-browser", "--allow-root", "--ip=127.0.0.1", "--port={port}")
    open_to_all = ("--IdentityProvider.token=", f"--ServerApp.root_dir={folder}")
    silent = "--LabApp.news_url=None"
    return serve(
        *(application.python, "-m", "jupyterlab", *words, *open_to_all, silent),
        folder=folder,
        ready="/api",
    )


@pytest.fixture
def notebook(lab):
    """Make a notebook with cells of Python, without the browser."""

    def make(name: str, *cells: str) -> None:
        made = [
            {"cell_type": "code", "id": f"c{number}", "metadata": {}, "outputs": []}
            | {"execution_count": None, "source": text}
            for number, text in enumerate(cells)
        ]
        kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
        about = {"metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
        (lab.folder / name).write_text(json.dumps({"cells": made, **about}))

    return make


def saved(lab, name):
    return json.loads((lab.folder / name).read_text())["cells"]


def open_lab(job, lab, path=""):
    """Start without what an earlier job left open."""
    job("goto", f"{lab.url}/lab{path}?reset", "--wait", "role=button[name='Upload Files']")


@pytest.mark.job("Make a new notebook that adds up the numbers to 10, run it and save it as sums.")
def test_a_notebook_is_written_run_and_saved(job, lab):
    open_lab(job, lab)
    job("wait", "role=tab[name='Launcher']")
    job("snapshot", "-i")
    job("click", job.ref("button", "Python 3 (ipykernel)", near='in "Notebook"'))
    job("wait", "text=/ipykernel. . Idle/")
    job("snapshot", "-i")
    job("fill", job.ref("textbox", near="cm-content"), CODE)
    job("press", "Shift+Enter", "--expect", "text=sum 55", "--within", "60s")
    job("press", "Control+s", "--snapshot")
    job("fill", job.ref("textbox", "File name"), "sums.ipynb")
    job("click", job.ref("button", "Rename and Save"), "--expect", "role=tab[name='sums.ipynb']")

    first = saved(lab, "sums.ipynb")[0]
    assert "".join(first["source"]) == CODE
    assert "".join(first["outputs"][0]["text"]) == "sum 6\nsum 55\n"


@pytest.mark.job("Type a function into the empty cell of draft and run it.")
def test_python_is_typed_into_a_cell(job, lab, notebook):
    notebook("draft.ipynb", "")
    open_lab(job, lab, "/tree/draft.ipynb")
    job("wait", "text=/ipykernel. . Idle/")
    job("snapshot", "-i")
    job("type", job.ref("textbox", near="cm-content"), CODE)
    job("press", "Shift+Enter", "--expect", "text=sum 55", "--within", "60s")
    job("press", "Control+s", "--expect", "text=Saving completed")

    assert "".join(saved(lab, "draft.ipynb")[0]["source"]) == CODE


@pytest.mark.job("Rename old to new in the file browser.")
def test_a_file_is_renamed(job, lab, notebook):
    notebook("old.ipynb", "1")
    open_lab(job, lab)
    job("click", "text=old.ipynb", "--right", "--snapshot")
    job("click", job.ref("menuitem", "Rename"), "--snapshot")
    job("fill", job.ref("textbox"), "new.ipynb")
    job("press", "Enter", "--expect", "text=new.ipynb")

    names = {it["name"] for it in lab.json("/api/contents")["content"]}
    assert "new.ipynb" in names
    assert "old.ipynb" not in names


@pytest.mark.job("Duplicate the notebook plan, then delete the original.")
def test_a_file_is_copied_and_deleted(job, lab, notebook):
    notebook("plan.ipynb", "1")
    open_lab(job, lab)
    job("click", "text=plan.ipynb", "--right", "--snapshot")
    job("click", job.ref("menuitem", "Duplicate"), "--expect", "text=plan-Copy1.ipynb")
    job("click", "text=plan.ipynb", "--right", "--snapshot")
    job("click", job.ref("menuitem", "Move to Trash"), "--snapshot")
    job("click", job.ref("button", "Move to Trash"), "--expect", "gone=text='plan.ipynb'")

    names = {it["name"] for it in lab.json("/api/contents")["content"]}
    assert "plan-Copy1.ipynb" in names
    assert "plan.ipynb" not in names


@pytest.mark.job("In words, replace tea by coffee everywhere with the Edit menu.")
def test_words_are_found_and_replaced(job, lab, notebook):
    notebook("words.ipynb", "a = 'tea'", "b = 'tea with milk'")
    open_lab(job, lab, "/tree/words.ipynb")
    job("wait", "text=tea with milk")
    job("snapshot", "-i")
    job("click", job.ref("menuitem", "Edit"), "--snapshot")
    job("click", job.ref("menuitem", "Find and Replace…"), "--snapshot")
    job("fill", job.ref("textbox", "Find"), "tea")
    job("fill", job.ref("textbox", "Replace"), "coffee")
    job("snapshot", "-i")
    job("click", job.ref("button", "Replace All"), "--expect", "text=coffee with milk")
    job("press", "Control+s", "--expect", "text=Saving completed")

    sources = ["".join(cell["source"]) for cell in saved(lab, "words.ipynb")]
    assert sources == ["a = 'coffee'", "b = 'coffee with milk'"]
