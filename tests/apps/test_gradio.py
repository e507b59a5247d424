"""Gradio: a demo with a form, a file, a chat that streams, and tabs."""

import json

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]
APP = """
import json, os, pathlib
import gradio as gr

def keep(**facts):
    pathlib.Path("kept.json").write_text(json.dumps(facts))

def order(sweet, size, extras):
    keep(sweet=sweet, size=size, extras=extras)
    return f"A {size} tea, {sweet} % sweet"

def count(path):
    words = len(pathlib.Path(path).read_text().split())
    keep(words=words)
    return f"{words} words"

def invite(guests, drink, seats, brings):
    brings = brings.values.tolist()
    keep(guests=guests, drink=drink, seats=seats, brings=brings)
    return f"{len(guests)} guests are invited"

def answer(message, history):
    said = ""
    for word in f"You said {message} and that is all".split():
        said += word + " "
        yield said
    keep(message=message)

with gr.Blocks() as demo:
    with gr.Tab("Order"):
        sweet = gr.Slider(0, 100, value=50, step=1, label="Sweetness")
        size = gr.Dropdown(["small", "medium", "large"], value="small", label="Size")
        extras = gr.CheckboxGroup(["milk", "lemon"], label="Extras")
        said = gr.Textbox(label="Receipt")
        gr.Button("Order").click(order, [sweet, size, extras], said)
    with gr.Tab("Count"):
        given = gr.File(label="Text", file_types=[".txt"])
        words = gr.Textbox(label="Length")
        gr.Button("Count").click(count, given, words)
    with gr.Tab("Party"):
        names = ["Ada", "Ben", "Cid", "Dora", "Emil", "Flora"]
        guests = gr.Dropdown(names, multiselect=True, label="Guests")
        drink = gr.Radio(["tea", "coffee"], value="tea", label="Drink")
        seats = gr.Number(2, label="Seats")
        with gr.Accordion("Who brings what", open=False):
            brings = gr.Dataframe([["Ada", "cake"], ["Ben", ""]], headers=["who", "what"])
        told = gr.Textbox(label="Told")
        gr.Button("Invite").click(invite, [guests, drink, seats, brings], told)
    with gr.Tab("Chat"):
        gr.ChatInterface(answer)

demo.launch(server_name="127.0.0.1", server_port=int(os.environ["PORT"]))
"""
START = "import os, sys; os.environ['PORT'] = sys.argv[1]; exec(open('app.py').read())"


@pytest.fixture(scope="module")
def demo(application, serve, tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    (folder / "app.py").write_text(APP)
    quiet = {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1"}
    return serve(application.python, "-c", START, "{port}", folder=folder, **quiet)


def kept(demo):
    return json.loads((demo.folder / "kept.json").read_text())


def open_demo(job, demo, tab):
    job("goto", demo.url, "--wait", "role=tab[name='Chat']")
    job("snapshot", "-i")
    job("click", job.ref("tab", tab), "--snapshot")


@pytest.mark.job("Order a large tea with milk, 73 % sweet.")
def test_a_form_with_a_slider_and_a_dropdown(job, demo):
    open_demo(job, demo, "Order")
    job("fill", job.ref("slider", "Sweetness"), "73")
    job("select", "label=Size", "large")
    job("check", job.ref("checkbox", "milk"))
    job("click", job.ref("button", "Order"))
    job("wait", "label=Receipt", "--value", "A large tea, 73 % sweet")

    assert kept(demo) == {"sweet": 73, "size": "large", "extras": ["milk"]}


@pytest.mark.job("How many words are in words.txt?")
def test_a_file_is_uploaded(job, demo, browser):
    (browser.root / "words.txt").write_text("one two three four")
    open_demo(job, demo, "Count")
    job("upload", job.ref("button", "Click to upload"), "words.txt", "--expect", "text=.txt")
    job("click", job.ref("button", "Count"))
    job("wait", "label=Length", "--value", "4 words")

    assert kept(demo) == {"words": 4}


@pytest.mark.job("Say hello to the chat and tell me what it answers.")
def test_a_chat_that_streams(job, demo):
    open_demo(job, demo, "Chat")
    job("fill", job.ref("textbox", "Textbox"), "hello")
    job("press", "Enter")
    job("wait", "text=/that is all/")
    job("wait", "--stable", "role=log")

    assert "You said hello and that is all" in job("text", "role=log").page
    assert kept(demo) == {"message": "hello"}


@pytest.mark.job("Invite Ada and Flora for coffee, with four seats.")
def test_several_options_a_radio_button_and_a_number(job, demo):
    open_demo(job, demo, "Party")
    job("select", "label=Guests", "Ada", "Flora")
    job("check", job.ref("radio", "coffee"))
    job("fill", job.ref("spinbutton", "Seats"), "4")
    job("click", job.ref("button", "Invite"))
    job("wait", "label=Told", "--value", "2 guests are invited")

    facts = kept(demo)
    facts.pop("brings")
    assert facts == {"guests": ["Ada", "Flora"], "drink": "coffee", "seats": 4}


@pytest.mark.job("Take Ben off the guests again, and invite the others: Ada and Cid.")
def test_an_option_is_taken_off(job, demo):
    open_demo(job, demo, "Party")
    job("select", "label=Guests", "Ada", "Ben", "Cid")
    job("find", "ben", "--role", "option")
    job("click", job.ref("option", "Ben"))
    job("click", "role=button[name='Invite']")
    job("wait", "label=Told", "--value", "2 guests are invited")

    assert kept(demo)["guests"] == ["Ada", "Cid"]


@pytest.mark.job("Ada brings pie, not cake; then invite everybody.")
def test_a_cell_of_a_table_is_edited(job, demo):
    open_demo(job, demo, "Party")
    job("click", "text=Who brings what", "--snapshot")
    job("dblclick", "text=cake")
    job("chain", "press Control+a | type pie | press Enter")
    job("click", "role=button[name='Invite']")
    job("wait", "label=Told", "--value", "0 guests are invited")

    assert kept(demo)["brings"] == [["Ada", "pie"], ["Ben", ""]]
