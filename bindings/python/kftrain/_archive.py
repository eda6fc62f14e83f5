"""Archives of tar, in which files travel between this machine and containers."""

from __future__ import annotations

import contextlib
import os
import posixpath
import shutil
import stat
import tarfile
import tempfile
from typing import IO, Any, Callable, List, Optional, Tuple, cast

from ._convert import check_path
from ._errors import Error, Incomplete


def pack_command(path: str) -> Tuple[List[str], str]:
    """The command that writes a file or directory of a container to its output, and the name in the archive."""
    folder, name = posixpath.split(posixpath.normpath(check_path(path, "path")))
    return ["tar", "-c", "-f", "-", "-C", folder or ".", "--", name or "."], name or "."


def unpack_command(directory: str) -> List[str]:
    """The command that extracts its standard input into a directory of a container."""
    return ["tar", "-x", "-f", "-", "-C", check_path(directory, "directory")]


class Stopped(Exception):
    """The caller no longer wants the result."""


class _StoppableFile:
    """A file whose reads and writes raise `Stopped` from a moment on."""

    def __init__(self, file: IO[bytes], is_stopped: Callable[[], bool]) -> None:
        self._file = file
        self._is_stopped = is_stopped

    def _check(self) -> IO[bytes]:
        if self._is_stopped():
            raise Stopped
        return self._file

    def read(self, size: int = -1) -> bytes:
        return self._check().read(size)

    def write(self, data: bytes) -> int:
        return self._check().write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def never() -> bool:
    return False


def _check_type(path: str) -> None:
    mode = os.lstat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
        got = "a FIFO" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
        raise ValueError(f"{path}: expected a file, directory or link, got {got}")


class _ChangingArchive(tarfile.TarFile):
    """An archive that leaves out entries of directories that vanish meanwhile."""

    def add(self, *args: Any, **kwargs: Any) -> None:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            super().add(*args, **kwargs)


def pack(path: str, file: IO[bytes], is_stopped: Callable[[], bool] = never) -> None:
    """Writes an archive of a file or directory of this machine, which may contain files, directories and links."""
    path = os.path.abspath(path)
    _check_type(path)
    for folder, _, names in os.walk(path):
        for name in names:
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                _check_type(os.path.join(folder, name))
    with _ChangingArchive.open(fileobj=cast("IO[bytes]", _StoppableFile(file, is_stopped)), mode="w") as archive:
        archive.add(path, os.path.basename(path) or ".")
    file.seek(0)


def unpack(
    file: IO[bytes], name: str, directory: str, limit: Optional[int] = None, is_stopped: Callable[[], bool] = never
) -> List[str]:
    """Extracts the file or directory of this name; returns what was left out.

    A container wrote the archive, so that it may have any content: only files and directories are made, below a new
    directory, and moved to their places from there. A hard link to an earlier file becomes a copy of it. ``limit`` is
    the size of all files in bytes at most.
    """
    left_out: List[str] = []
    size = 0
    arrived = tempfile.mkdtemp(prefix=".kftrain-copy-", dir=directory)

    def place_of(path: str) -> str:
        """Where a path of the archive belongs; empty if it is outside of the file or directory."""
        place = posixpath.normpath(path)
        inside = place == name or place.startswith(f"{name}/") or name == "."
        return os.path.join(arrived, place) if inside and not f"{place}/".startswith(("/", "../")) else ""

    try:
        with tarfile.open(fileobj=cast("IO[bytes]", _StoppableFile(file, is_stopped)), mode="r:") as archive:
            for member in archive:
                target = place_of(member.name)
                linked = place_of(member.linkname) if member.islnk() else ""
                is_copy = linked != target and os.path.isfile(linked)
                if not target or not (member.isdir() or member.isfile() or is_copy):
                    left_out.append(member.name)
                    continue
                _make_room(target, member)
                if member.isdir():
                    continue
                size += os.path.getsize(linked) if linked else member.size
                check_size(size, limit)
                if linked:
                    shutil.copyfile(linked, target)
                else:
                    _write(archive, member, target)
                os.chmod(target, member.mode & 0o777)
                time = min(max(member.mtime, 0), 1 << 40)
                os.utime(target, (time, time))
        if not is_stopped():
            if name != "." and not left_out and not os.path.lexists(os.path.join(arrived, name)):
                left_out.append(name)  # tar leaves out sockets without a failure
            _move(arrived, directory, left_out)
    except (tarfile.TarError, ValueError) as fault:
        error = Error(f"expected an archive of tar, got something else: {fault}")
        error.code = "protocol"
        raise error from fault
    finally:
        shutil.rmtree(arrived, ignore_errors=True)
    return left_out


def check_size(size: int, limit: Optional[int]) -> None:
    """Raises if a copy of this size is larger than the limit."""
    if limit is not None and size > limit:
        error = Incomplete(f"the size of the copy: expected at most {limit} bytes, got more")
        error.code = "incomplete"
        raise error


def _make_room(target: str, member: tarfile.TarInfo) -> None:
    """Makes the directory of a member, or the one that it is in."""
    try:
        os.makedirs(target if member.isdir() else os.path.dirname(target), exist_ok=True)
    except (FileExistsError, NotADirectoryError) as fault:
        raise ValueError(f"{member.name}: a directory of it is a file") from fault
    if os.path.isdir(target) != member.isdir():
        raise ValueError(f"{member.name}: it is a directory, too")
    if os.path.isfile(target):
        os.remove(target)  # which may be read-only


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, target: str) -> None:
    content = archive.extractfile(member)
    assert content is not None  # of a file
    with content, open(target, "wb") as copy:
        shutil.copyfileobj(content, copy, 1024 * 1024)


def _move(source: str, directory: str, left_out: List[str]) -> None:
    """Moves files and directories, through no link. Files that exist are replaced."""
    for name in sorted(os.listdir(source)):
        path, target = os.path.join(source, name), os.path.join(directory, name)
        there = os.lstat(target).st_mode if os.path.lexists(target) else 0
        if not os.path.isdir(path):
            if stat.S_ISDIR(there):
                left_out.append(f"{target} (a directory is in the place of a file)")
            else:
                os.replace(path, target)
        elif there == 0:
            os.replace(path, target)
        elif stat.S_ISDIR(there):
            _move(path, target, left_out)
        else:
            what = "a link" if stat.S_ISLNK(there) else "a file"
            left_out.append(f"{target} ({what} is in the place of a directory)")
