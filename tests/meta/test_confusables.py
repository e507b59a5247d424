# ruff: noqa: RUF001 - characters that can be taken for others are what this is about
"""The table of look-alikes is written from Unicode's own list."""

from tools import confusables

from browse.security.characters.confusables import LOOKALIKES

LIST = """\ufeff# confusables.txt
# © 2020 Unicode®, Inc.
# Version: 13.0.0
0430 ;\t0061 ;\tMA\t# ( а → a ) CYRILLIC SMALL LETTER A → LATIN SMALL LETTER A
0406 ;\t006C ;\tMA\t# ( І → l ) CYRILLIC CAPITAL LETTER BYELORUSSIAN-UKRAINIAN I → L
FF41 ;\t0061 ;\tMA\t# ( ａ → a ) normalization finds it
0431 ;\t0036 ;\tMA\t# ( б → 6 ) no letter
0417 ;\t0033 ;\tMA\t# ( З → 3 ) no letter, but a digit that is read as one
2203 ;\t018E ;\tMA\t# ( ∃ → Ǝ ) no letter, but like one of ours
0153 ;\t006F 0065 ;\tMA\t# ( œ → oe ) two letters
0049 ;\t006C ;\tMA\t# ( I → l ) ASCII itself
"""


def test_only_what_looks_like_one_letter_and_normalization_misses_is_kept():
    assert confusables.extract(LIST.splitlines()) == {"I": "\u0406", "a": "\u0430"}


def test_what_looks_like_an_addition_of_ours_is_kept():
    found = confusables.alike(LIST.splitlines(), {"\u0431"}, ["3", "6", "\u018e"])

    assert found == {"3": "\u0417", "\u018e": "\u2203"}


def test_the_module_says_where_it_comes_from_and_is_plain_ascii_but_for_the_sign():
    written = confusables.module(LIST)

    assert "version 13.0.0" in written
    assert "© 2020 Unicode®, Inc." in written
    assert r'"a": "\u0430",' in written


def test_the_table_has_scripts_that_nobody_would_list_by_hand():
    assert sum(map(len, LOOKALIKES.values())) > 300
    assert "\u13aa" in LOOKALIKES["A"]  # Cherokee
