"""Bodies of requests and responses lose the values that are secret by their names."""

import pytest

from browse.guard.bodies import scrubbed_body

EDGE = "----WebKitFormBoundaryx9Y8z7W6"
FORM = f"multipart/form-data; boundary={EDGE}"
URLENCODED = "application/x-www-form-urlencoded; charset=UTF-8"


def form(end: str = "\r\n", **fields: str) -> str:
    parts = [
        f'--{EDGE}{end}Content-Disposition: form-data; name="{name}"{end}{end}{value}{end}'
        for name, value in fields.items()
    ]
    return "".join([*parts, f"--{EDGE}--{end}"])


@pytest.mark.parametrize("end", ["\r\n", "\n"], ids=ascii)
@pytest.mark.parametrize("value", ["open sesame", "line\r\nline", "", "a" * 100_000])
def test_a_form_in_parts_keeps_its_names_only_where_the_values_are_secret(value, end):
    sent = form(end, user="ada", password=value, pin="12", city="Rome")

    assert scrubbed_body(sent, FORM) == form(
        end, user="ada", password="****", pin="****", city="Rome"
    )


def test_a_file_in_a_part_for_a_secret_is_masked_too():
    head = 'Content-Disposition: form-data; filename="id.txt"; name=private_key'
    sent = f"--{EDGE}\r\n{head}\r\n\r\nhunter22\r\n--{EDGE}--"

    assert scrubbed_body(sent, FORM) == f"--{EDGE}\r\n{head}\r\n\r\n****\r\n--{EDGE}--"


@pytest.mark.parametrize("sent", ["", "--", "\r\n", "hello", f"--{EDGE}", f"--{EDGE}\r\nname=pin"])
def test_what_is_no_form_in_parts_stays_as_it_is(sent):
    assert scrubbed_body(sent, FORM) == sent


def test_known_credentials_are_masked_in_any_part():
    key = "ghp_" + "a1B2c3D4e5" * 4

    assert key not in scrubbed_body(form(note=key), FORM)


def test_an_encoded_form_loses_short_secrets_too():
    assert scrubbed_body("user=ada&password=abc&pin=1", URLENCODED) == (
        "user=ada&password=****&pin=****"
    )


def test_data_and_text_are_scrubbed_and_programs_are_not():
    assert scrubbed_body('{"pin": "4711"}', "application/json") == '{"pin": "****"}'
    assert scrubbed_body("let token = load4you();", "text/javascript") == "let token = load4you();"


def test_fields_in_markup_lose_secret_values():
    assert scrubbed_body("<input name=pin value=1>", "text/html") == '<input name=pin value="****">'


@pytest.mark.parametrize("sent", [f"--{EDGE}\r\n" * 50_000, "--\n" * 200_000, "--" * 500_000])
def test_bodies_made_to_be_slow_are_read_once(sent):
    assert scrubbed_body(sent, FORM)
