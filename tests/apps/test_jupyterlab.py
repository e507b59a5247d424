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
    job("fill", job.ref("textbox", near="Code Cell Content"), CODE)
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
    job("type", job.ref("textbox", near="Code Cell Content"), CODE)
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
    job("fill", job.ref("textbox", "Find"), "tea", "--expect", "text=/[12].2/")
    job("fill", job.ref("textbox", "Replace"), "coffee")
    job("snapshot", "-i")
    job("click", job.ref("button", "Replace All"), "--expect", "text=coffee with milk")
    job("press", "Control+s", "--expect", "text=Saving completed")

    sources = ["".join(cell["source"]) for cell in saved(lab, "words.ipynb")]
    assert sources == ["a = 'coffee'", "b = 'coffee with milk'"]


@pytest.mark.job("Run all of stats with the Run menu and tell me what b is.")
def test_all_cells_are_run(job, lab, notebook):
    notebook("stats.ipynb", "a = 2", "b = a * 21\nprint('b is', b)", "print('the end')")
    open_lab(job, lab, "/tree/stats.ipynb")
    job("wait", "text=/ipykernel. . Idle/")
    job("click", "role=menuitem[name='Run']", "--snapshot")
    job(
        "click", job.ref("menuitem", "Run All Cells"), "--expect", "text=b is 42", "--within", "60s"
    )
    assert "b is 42" in job("text", "role=main").page
    job("press", "Control+s", "--expect", "text=Saving completed")

    assert "".join(saved(lab, "stats.ipynb")[1]["outputs"][0]["text"]) == "b is 42\n"


@pytest.mark.job("Rename the notebook draws to numbers, with the File menu.")
def test_an_open_notebook_is_renamed(job, lab, notebook):
    notebook("draws.ipynb", "1")
    open_lab(job, lab, "/tree/draws.ipynb")
    job("wait", "text=/ipykernel. . Idle/")
    job("click", "role=menuitem[name='File']", "--snapshot")
    job("click", job.ref("menuitem", "Rename Notebook"), "--snapshot")
    job("fill", job.ref("textbox", near="New Name"), "numbers.ipynb")
    job("click", job.ref("button", "Rename File"), "--expect", "role=tab[name='numbers.ipynb']")

    names = {it["name"] for it in lab.json("/api/contents")["content"]}
    assert "numbers.ipynb" in names
    assert "draws.ipynb" not in names


@pytest.mark.job("Make the first cell of notes a heading: My notes.")
def test_a_cell_becomes_a_heading(job, lab, notebook):
    notebook("notes.ipynb", "", "1 + 1")
    open_lab(job, lab, "/tree/notes.ipynb")
    job("wait", "text=1 + 1")
    job("snapshot", "-i")
    job("click", job.ref("textbox", near="(1 of 2)"))
    job("select", job.ref("combobox", "Cell type"), "Markdown", "--snapshot")
    job("fill", job.ref("textbox", near="active"), "# My notes")
    job("press", "Shift+Enter", "--expect", "role=heading[name=/My notes/]")
    job("press", "Control+s", "--expect", "text=Saving completed")

    first = saved(lab, "notes.ipynb")[0]
    assert (first["cell_type"], "".join(first["source"])) == ("markdown", "# My notes")
