#!/usr/bin/env python3
"""Makes METADATA and entry_points.txt of an installed package from pyproject.toml. Needs Python 3.11.

usage: dist_info.py VERSION FOLDER
"""

import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parents[3] / "pyproject.toml"


def metadata(project, version):
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", project["name"]),
        ("Version", version),
        ("Summary", project["description"]),
        ("Keywords", ",".join(project["keywords"])),
        ("License-Expression", project["license"]),
        *(("Classifier", classifier) for classifier in project["classifiers"]),
        ("Requires-Python", project["requires-python"]),
    ]
    return "".join(f"{name}: {value}\n" for name, value in fields)


def entry_points(project):
    sections = []
    for group, entries in project["entry-points"].items():
        sections.append(f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items()))
    return "\n".join(sections)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    version, folder = sys.argv[1], Path(sys.argv[2])
    project = tomllib.loads(PYPROJECT.read_text())["project"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "METADATA").write_text(metadata(project, version))
    (folder / "entry_points.txt").write_text(entry_points(project))


if __name__ == "__main__":
    main()
