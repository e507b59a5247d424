"""Completion in real shells."""

import subprocess


def complete_in_bash(script: str, *words: str) -> list[str]:
    line = " ".join(f"'{word}'" for word in ("browse", *words))
    probe = (
        f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}\n"
        '_browse; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-uc", probe], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()
