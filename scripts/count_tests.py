#!/usr/bin/python3
"""Prints `N passed, N failed[, N skipped]` for a report that ctest --output-junit wrote.

usage: count_tests.py FILE           exit code 1 if a test failed or none ran
"""

import sys
from xml.etree import ElementTree


def outcome(case):
    """Counts tests that could not be started as failed; only a test that reports that it cannot run is skipped."""
    status = case.get("status")
    if status == "run":
        return "passed"
    note = case.find("skipped")
    message = "" if note is None else note.get("message", "")
    return "skipped" if status == "disabled" or message.startswith("SKIP_") else "failed"


def main(path):
    try:
        outcomes = [outcome(case) for case in ElementTree.parse(path).iter("testcase")]
    except (OSError, ElementTree.ParseError):
        outcomes = []  # ctest died, or found nothing to run
    passed, failed, skipped = (outcomes.count(each) for each in ("passed", "failed", "skipped"))
    if not outcomes:
        failed = 1
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
