"""Node-RED: flows that a person draws, edits, deploys and tries."""

import json
import shutil
import urllib.request

import pytest

from support.cli import CALL_S, until

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]
SETTINGS = """module.exports = {
  flowFile: "flows.json", credentialSecret: false, telemetry: { enabled: false },
  editorTheme: { tours: false }, functionExternalModules: false
}"""
TAB = {"id": "tab", "type": "tab", "label": "Orders"}
INJECT = {"id": "start", "type": "inject", "z": "tab", "name": "start", "x": 200, "y": 100}
INJECT |= {"props": [{"p": "payload"}], "payload": "tea", "payloadType": "str", "wires": [[]]}
INJECT |= {"repeat": "", "crontab": "", "once": False, "onceDelay": 0.1, "topic": ""}
SHOW = {"id": "show", "type": "debug", "z": "tab", "name": "show", "x": 500, "y": 100, "wires": []}
SHOW |= {
    "active": True,
    "tosidebar": True,
    "console": False,
    "tostatus": False,
    "complete": "payload",
    "targetType": "msg",
}
WORK = {"id": "work", "type": "function", "z": "tab", "name": "work", "x": 350, "y": 200}
WORK |= {"func": "return msg;", "outputs": 1, "timeout": 0, "wires": [["show"]]}
KEEP = {"id": "keep", "type": "file", "z": "tab", "name": "keep", "x": 500, "y": 200}
KEEP |= {"filename": "kept.txt", "filenameType": "str", "appendNewline": False}
KEEP |= {"overwriteFile": "true", "createDir": False, "encoding": "none", "wires": [[]]}
CODE = """if (msg.payload === "tea") {
    msg.payload = "with milk";
}
return msg;"""


@pytest.fixture(scope="module")
def editor(application, serve, tmp_path_factory):
    folder = tmp_path_factory.mktemp("flows")
    (folder / "settings.js").write_text(SETTINGS)
    program = application.modules / "node-red" / "red.js"
    words = ("--userDir", folder, "--settings", folder / "settings.js", "--port={port}")
    return serve(shutil.which("node"), program, *words, folder=folder)


@pytest.fixture
def flows(editor):
    """Deploy a flow without the browser."""

    def deploy(*nodes):
        body = json.dumps([TAB, *nodes]).encode()
        kinds = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{editor.url}/flows", body, kinds, method="POST")
        urllib.request.urlopen(request, timeout=CALL_S).close()

    return deploy


def node(editor, kind):
    """Return the deployed node of a kind."""
    return next(it for it in editor.json("/flows") if it["type"] == kind)


def open_editor(job, editor):
    job("goto", editor.url, "--wait", "text=template", "--wait", "text=Orders")
    job("snapshot", "-iC")


def deploy(job):
    job("click", job.ref("link", "Deploy"), "--expect", "text=Successfully deployed")


@pytest.mark.job("Put a template node on my flow and deploy.")
def test_a_node_is_dragged_from_the_palette(job, editor, flows):
    flows()
    open_editor(job, editor)
    job("drag", job.ref("listener, draggable", "template"), "#red-ui-workspace-chart")
    deploy(job)

    assert node(editor, "template")["z"] == "tab"


@pytest.mark.job("Wire start to show, and deploy.")
def test_two_nodes_are_wired(job, editor, flows):
    flows(INJECT, SHOW)
    open_editor(job, editor)
    job("drag", job.ref("listener", near="port-output"), job.ref("listener", near="port-input"))
    deploy(job)

    assert node(editor, "inject")["wires"] == [["show"]]


@pytest.mark.job("Let start send 'coffee' every 30 seconds, and call it 'morning'.")
def test_a_node_is_edited(job, editor, flows):
    flows(INJECT, SHOW)
    open_editor(job, editor)
    job("click", job.ref("draggable", "start"), "--double", "--snapshot")
    job("fill", job.ref("textbox", "Name"), "morning")
    job("fill", job.ref("textbox", near=": tea"), "coffee")
    job("select", job.ref("combobox", near="inject-time-type-select"), "interval", "--snapshot")
    job("fill", job.ref("spinbutton", near="interval-count"), "30")
    job("click", job.ref("button", "Done"), "--expect", "text=morning")
    deploy(job)

    start = node(editor, "inject")
    assert (start["name"], start["payload"], start["repeat"]) == ("morning", "coffee", "30")


@pytest.mark.job("Let work send 'with milk' for tea.")
def test_the_code_of_a_function_is_written(job, editor, flows):
    flows(WORK, SHOW)
    open_editor(job, editor)
    job("click", job.ref("draggable", "work"), "--double", "--snapshot")
    job("fill", job.ref("textbox", "Editor content"), CODE)
    job("click", job.ref("button", "Done"), "--expect", "gone=text=Edit function node")
    deploy(job)

    assert node(editor, "function")["func"] == CODE


@pytest.mark.job("Press start and tell me what arrives in the debug pane.")
def test_the_debug_pane_tells_what_arrives(job, editor, flows):
    flows({**INJECT, "wires": [["show", "keep"]]}, SHOW, KEEP)
    open_editor(job, editor)
    job("click", job.ref("link", near="hint=bug"))
    job("click", job.ref("cursor:pointer, listener", near='in "start"'), "--expect", 'text=/"tea"/')

    assert '"tea"' in job("text").page
    assert until(lambda: (editor.folder / "kept.txt").is_file(), what="the message")
    assert (editor.folder / "kept.txt").read_text() == "tea"


@pytest.mark.job("Import this flow into my editor, and deploy it.")
def test_a_flow_is_imported(job, editor, flows):
    flows()
    open_editor(job, editor)
    job("click", job.ref("link", near="hint=bars"), "--snapshot")
    job("click", job.ref("link", "Import"), "--snapshot")
    given = [{**INJECT, "id": "in", "wires": [["out"]]}, {**SHOW, "id": "out"}]
    job("fill", job.ref("textbox", near="import"), json.dumps(given))
    job("click", job.ref("button", "Import"))
    job("click", "#red-ui-workspace-chart")
    deploy(job)

    assert node(editor, "inject")["wires"] == [[node(editor, "debug")["id"]]]


@pytest.mark.job("Delete show from the flow, and deploy.")
def test_a_node_is_deleted(job, editor, flows):
    flows(INJECT, SHOW)
    open_editor(job, editor)
    job("click", job.ref("draggable", "show"))
    job("press", "Delete")
    deploy(job)

    assert [it["type"] for it in editor.json("/flows")] == ["tab", "inject"]


@pytest.mark.job("Add a second flow, call it Returns, and deploy.")
def test_a_flow_is_added_and_named(job, editor, flows):
    flows()
    open_editor(job, editor)
    job("click", job.ref("link", near="hint=plus"), "--snapshot")
    job("click", job.ref("link", "Flow 1"), "--double", "--snapshot")
    job("fill", job.ref("textbox", "Name"), "Returns")
    job("click", job.ref("button", "Done"))
    deploy(job)

    assert [it["label"] for it in editor.json("/flows")] == ["Orders", "Returns"]
