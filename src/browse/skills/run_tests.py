"""Run the tests of a skill: plain functions named `test_…`, so that pytest runs them as well.

A separate program: `python run_tests.py <folder>`, without pytest. How many passed and failed is
the last line of its stdout, as JSON; what went wrong is on stderr.
"""

import json
import sys
import traceback
from importlib import import_module
from types import ModuleType

TESTS = "test_script"


def main(folder: str) -> int:
    sys.path.insert(0, folder)
    try:
        module = import_module(TESTS)
    except BaseException:
        traceback.print_exc()
        return 1
    results = [_passes(module, name) for name in dir(module) if name.startswith("test_")]
    print(json.dumps({"passed": sum(results), "failed": results.count(False)}))
    return 0 if results and all(results) else 1


def _passes(module: ModuleType, name: str) -> bool:
    test = getattr(module, name)
    if not callable(test):
        return True
    try:
        test()
    except BaseException:
        print(f"{name} failed:", file=sys.stderr)
        traceback.print_exc()
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
