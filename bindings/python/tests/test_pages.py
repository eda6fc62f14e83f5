"""Runs the Python of the pages: each page in one process of its own, block after block, those with tests by pytest."""

import importlib.util
import re
import sys

import pytest
from conftest import SOURCES, run_program

PAGES = sorted(page for page in (SOURCES / "docs").rglob("*.md") if "```python" in page.read_text())


def program_of(text):
    """The blocks of a page with their line numbers, so that a failure names the line of the page."""
    lines = []
    for match in re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        lines += [""] * (text[: match.start(1)].count("\n") - len(lines)) + match[1].splitlines()
    return "\n".join(lines) + "\n"


RUN_AWAITING = """
import ast, asyncio, sys
code = compile(open(sys.argv[1]).read(), sys.argv[1], "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
asyncio.run(eval(code))
"""


def runner_of(program):
    if "\ndef test_" in program:
        return ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
    if re.search(r"^(async with|async for|await|\w+ = await) ", program, re.MULTILINE):
        return ["-c", RUN_AWAITING]  # as notebooks run cells
    return []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_run(page, tmp_path):
    program = program_of(page.read_text())
    if "import torch" in program and importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    (tmp_path / "program.py").write_text(program)
    (tmp_path / "digits.yaml").write_bytes((SOURCES / "examples/5_python/digits.yaml").read_bytes())
    result = run_program(*runner_of(program), "program.py", cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr


def test_there_are_pages():
    assert {"python", "testing", "train"} <= {page.stem for page in PAGES}
