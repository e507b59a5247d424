"""Start the sidecar: `python -m browse.sidecar <model> <folder of models>`."""

import sys
from pathlib import Path

from browse.sidecar.models import KINDS, load
from browse.sidecar.serve import serve


def main(argv: list[str]) -> int:
    if len(argv) != 2 or argv[0] not in KINDS:
        names = "|".join(KINDS)
        print(f"usage: python -m browse.sidecar {names} <folder of models>", file=sys.stderr)
        return 2
    return serve(lambda: load(argv[0], Path(argv[1])))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
