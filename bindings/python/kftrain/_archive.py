"""Archives of tar, in which files travel between this machine and containers."""

from __future__ import annotations

import os
import posixpath
import shutil
import stat
import tarfile
import tempfile
from typing import IO, List, Tuple

from ._errors import Error


def pack_command(path: str) -> Tuple[List[str], str]:
    """The command that writes a file or directory of a container to its output, and the name in the archive."""
    folder, name = posixpath.split(posixpath.normpath(path))
    return ["tar", "-c", "-f", "-", "-C", folder or ".", "--", name or "."], name or "."


def unpack_command(directory: str) -> List[str]:
    """The command that extracts its standard input into a directory of a container."""
    return ["tar", "-x", "-f", "-", "-C", directory]


def pack(path: str) -> IO[bytes]:
    """Returns an archive of a file or directory of this machine."""
    path = os.path.abspath(path)
    file = tempfile.TemporaryFile()
    try:
        with tarfile.open(fileobj=file, mode="w") as archive:
            archive.add(path, os.path.basename(path) or ".")
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file


def unpack(file: IO[bytes], name: str, directory: str) -> List[str]:
    """Extracts the file or directory of this name; returns what was left out.

    A container wrote the archive, so that it may have any content: only files and directories are made, below a new
    directory, and moved to their places from there.
    """
    left_out: List[str] = []
    arrived = tempfile.mkdtemp(prefix=".kftrain-copy-", dir=directory)
    try:
        with tarfile.open(fileobj=file, mode="r:") as archive:
            for member in archive:
                place = posixpath.normpath(member.name)
                inside = place == name or place.startswith(f"{name}/") or name == "."
                if not inside or place.startswith(("/", "../")) or place == "..":
                    left_out.append(member.name)
                    continue
                target = os.path.join(arrived, place)
                if member.isdir():
                    os.makedirs(target, exist_ok=True)
                    continue
                content = archive.extractfile(member) if member.isfile() else None
                if content is None:
                    left_out.append(member.name)
                    continue
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with content, open(target, "wb") as copy:
                    shutil.copyfileobj(content, copy, 1024 * 1024)
                os.chmod(target, member.mode & 0o777)
                time = min(max(member.mtime, 0), 1 << 40)
                os.utime(target, (time, time))
        _move(arrived, directory, left_out)
    except tarfile.TarError as fault:
        error = Error(f"expected an archive of tar, got something else: {fault}")
        error.code = "protocol"
        raise error from fault
    finally:
        shutil.rmtree(arrived, ignore_errors=True)
    return left_out


def _move(source: str, directory: str, left_out: List[str]) -> None:
    """Moves files and directories, through no link. Files that exist are replaced."""
    for name in sorted(os.listdir(source)):
        path, target = os.path.join(source, name), os.path.join(directory, name)
        there = os.lstat(target).st_mode if os.path.lexists(target) else 0
        if not os.path.isdir(path):
            if stat.S_ISDIR(there):
                left_out.append(target)
            else:
                os.replace(path, target)
        elif there == 0:
            os.replace(path, target)
        elif stat.S_ISDIR(there):
            _move(path, target, left_out)
        else:
            left_out.append(target)
