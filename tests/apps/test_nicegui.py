"""NiceGUI, with the widgets of Quasar: a select, a slider, a date, a table, a dialog."""

import json

import pytest

from support.cli import until

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]
APP = """
import json, pathlib, sys
from nicegui import ui

kept = {}

def keep(**facts):
    kept.update(facts)
    pathlib.Path("kept.json").write_text(json.dumps(kept))

@ui.page("/garden")
def garden():
    with ui.header():
        ui.label("Garden")
        with ui.button(icon="menu"), ui.menu():
            ui.menu_item("Water all", lambda: keep(watered=True))
            ui.menu_item("Mow", lambda: keep(mowed=True))
    with ui.tabs() as tabs:
        beds, plants = ui.tab("Beds"), ui.tab("Plants")
    with ui.tab_panels(tabs, value=beds):
        with ui.tab_panel(beds):
            herbs = [{"id": "Mint"}, {"id": "Thyme"}]
            nodes = [{"id": "Herbs", "children": herbs}, {"id": "Roses"}]
            tree = ui.tree(nodes, label_key="id", tick_strategy="leaf")
            tree.on_tick(lambda it: keep(beds=it.value))
            ui.radio(["sun", "shade"], value="sun", on_change=lambda it: keep(place=it.value))
            ui.upload(label="Plan", auto_upload=True, on_upload=lambda it: keep(plan=it.file.name))
        with ui.tab_panel(plants):
            rows = [{"id": n, "name": f"Plant {n}", "height": n * 37 % 101} for n in range(40)]
            columns = [{"name": key, "label": key.title(), "field": key, "sortable": True}
                for key in ("name", "height")]
            table = ui.table(rows=rows, columns=columns, row_key="id", pagination=10,
                selection="single")
            ui.input("Search").bind_value_to(table, "filter")
            ui.button("Dig up", on_click=lambda: keep(dug=[it["name"] for it in table.selected]))

@ui.page("/")
def desk():
    cities = ["Aachen", "Berlin", "Bremen", "Dresden", "Essen", "Hamburg", "Kassel", "Leipzig"]
    ui.select(cities, label="City", with_input=True, on_change=lambda it: keep(city=it.value))
    ui.label("Volume")
    volume = ui.slider(min=0, max=100, value=50).props("aria-label=Volume label-always")
    day = ui.date_input("Day", on_change=lambda it: keep(day=it.value))

    def save():
        keep(volume=volume.value)
        ui.notify("The settings are saved")

    ui.button("Save", on_click=save)
    rows = [{"id": n, "name": name, "age": 20 + n} for n, name in enumerate(["Ada", "Ben", "Cid"])]
    columns = [{"name": key, "label": key.title(), "field": key, "sortable": True}
        for key in ("name", "age")]
    table = ui.table(rows=rows, columns=columns, row_key="id", selection="multiple", title="People")

    def delete():
        gone = {row["id"] for row in table.selected}
        table.rows = [row for row in table.rows if row["id"] not in gone]
        table.selected = []
        keep(people=[row["name"] for row in table.rows])
        dialog.close()

    with ui.dialog() as dialog, ui.card():
        ui.label("Delete the selected people?")
        ui.button("Yes", on_click=delete)
        ui.button("No", on_click=dialog.close)
    ui.button("Delete people", on_click=dialog.open)

ui.run(host="127.0.0.1", port=int(sys.argv[1]), reload=False, show=False)
"""


@pytest.fixture(scope="module")
def desk(application, serve, tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk")
    (folder / "app.py").write_text(APP)
    return serve(application.python, "app.py", "{port}", folder=folder)


def kept(desk):
    return json.loads((desk.folder / "kept.json").read_text())


def open_desk(job, desk):
    job("goto", desk.url, "--wait", "text=People")
    job("snapshot", "-i")


@pytest.mark.job("Choose Hamburg as the city.")
def test_an_option_of_a_select_is_chosen(job, desk):
    open_desk(job, desk)
    job("select", job.ref("combobox", "City"), "Hamburg")

    assert kept(desk)["city"] == "Hamburg"


@pytest.mark.job("Set the volume to 73 and save; did it say so?")
def test_a_slider_is_set_and_a_notification_read(job, desk):
    open_desk(job, desk)
    job("fill", job.ref("slider", "Volume"), "73")
    said = job("click", job.ref("button", "SAVE"), "--expect", "text=The settings are saved")

    assert "The settings are saved" in said.out
    assert kept(desk)["volume"] == 73


@pytest.mark.job("Set the day to Christmas Eve 2026.")
def test_a_date_is_filled_in(job, desk):
    open_desk(job, desk)
    job("fill", job.ref("textbox", "Day"), "2026-12-24")
    job("press", "Tab")

    assert kept(desk)["day"] == "2026-12-24"


@pytest.mark.job("Set the day to the 15th of this month with the calendar.")
def test_a_day_is_picked_in_the_calendar(job, desk):
    open_desk(job, desk)
    job("click", job.ref("button", near="hint=edit_calendar"), "--snapshot")
    job("click", job.ref("button", "15"))

    assert kept(desk)["day"].endswith("-15")


@pytest.mark.job("Delete Ben from the people.")
def test_a_row_is_selected_and_deleted(job, desk):
    open_desk(job, desk)
    job("check", job.ref("checkbox", near="Ben"))
    job("click", job.ref("button", "DELETE PEOPLE"), "--snapshot")
    job("click", job.ref("button", "YES"), "--expect", "gone=text=Ben")

    assert kept(desk)["people"] == ["Ada", "Cid"]


def open_garden(job, desk):
    job("goto", f"{desk.url}/garden")
    job("snapshot", "-i")


@pytest.mark.job("In the garden, tick the mint, which is one of the herbs.")
def test_an_item_of_a_tree_is_ticked(job, desk):
    open_garden(job, desk)
    job("expand", "Herbs")
    job("find", "mint", "--role", "checkbox")
    job("check", job.ref("checkbox", near="Mint"))

    assert kept(desk)["beds"] == ["Mint"]


@pytest.mark.job("Water the whole garden; that is in its menu.")
def test_a_menu_behind_an_icon(job, desk):
    open_garden(job, desk)
    job("click", job.ref("button", near="hint=menu"), "--snapshot")
    job("click", "text=Water all")

    assert kept(desk)["watered"] is True


@pytest.mark.job("Upload plan.txt to the garden.")
def test_a_file_is_uploaded(job, desk, browser):
    (browser.root / "plan.txt").write_text("beds and paths")
    open_garden(job, desk)
    job(
        "upload",
        job.ref("button", "Choose File", near='in "'),
        "plan.txt",
        "--expect",
        "text=plan.txt",
    )

    assert until(lambda: kept(desk).get("plan"), what="the plan") == "plan.txt"


@pytest.mark.job("Dig up the tallest plant.")
def test_a_table_is_sorted_and_a_row_is_taken(job, desk):
    open_garden(job, desk)
    job("click", job.ref("tab", "PLANTS"), "--snapshot")
    job("chain", "click text=Height | click text=Height")
    said = job("table").page
    tallest = said.splitlines()[2].split("|")[2].strip()
    job("find", *tallest.split(), "--role", "checkbox")
    job("check", job.ref("checkbox", near=tallest))
    job("click", "text=Dig up")

    heights = {f"Plant {n}": n * 37 % 101 for n in range(40)}
    assert kept(desk)["dug"] == [max(heights, key=heights.__getitem__)]


@pytest.mark.job("Dig up Plant 17; search for it.")
def test_a_table_is_filtered(job, desk):
    open_garden(job, desk)
    job("click", job.ref("tab", "PLANTS"), "--snapshot")
    job("fill", job.ref("textbox", "Search"), "Plant 17", "--snapshot")
    job("check", job.ref("checkbox"))
    job("click", "text=Dig up")

    assert kept(desk)["dug"] == ["Plant 17"]
