import subprocess
import sys

from conftest import SOURCES


def test_the_stubs_are_those_of_the_tables():
    subprocess.run([sys.executable, SOURCES / "bindings/python/scripts/stubs.py", "--check"], check=True)
