import pytest

from browse.core.errors import Usage
from browse.guard.credentials import masked
from browse.guard.secret_input import secrets_in


def test_what_comes_beside_the_words_is_split_and_sealed():
    assert secrets_in(b"s3cret-of-test\0another-0ne\r\n", 2) == ["s3cret-of-test", "another-0ne"]
    assert masked("s3cret-of-test, another-0ne") == "****, ****"


@pytest.mark.parametrize("stdin", [b"", b"\n", b"a\0b", b"\xff", b"x" * 1001])
def test_a_bad_secret_is_refused_and_not_repeated(stdin):
    with pytest.raises(Usage) as caught:
        secrets_in(stdin, 1)

    assert "xxxx" not in caught.value.message
