"""Where things are, and the two ways in which a row has no figures."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
SOURCES = ROOT / "test/bench/peers"
BUILD = ROOT / "build/peers"


class Missing(Exception):
    """Something that a row needs is not on this machine: the row says so, which is no fault."""


class Broken(Exception):
    """Something that should work does not."""
