"""Files that are copied to pods and back."""

import asyncio
import gc
import io
import os
import socket
import tarfile
import threading

import pytest
from conftest import in_pods, wait_until

import kftrain
from kftrain import _archive


@pytest.fixture
def tree(tmp_path):
    """A directory with files, for copies."""
    top = tmp_path / "data"
    (top / "deep").mkdir(parents=True)
    (top / "deep" / "big").write_bytes(bytes(range(256)) * 16384)
    (top / "run").write_text("#!/bin/sh\n")
    (top / "run").chmod(0o750)
    (top / "ä b").write_text("")
    return top


def files_of(top):
    return {str(p.relative_to(top)): p.read_bytes() for p in top.rglob("*") if p.is_file()}


def test_files_are_copied_to_a_pod_and_back(cluster, pods, client, running_job, tree, tmp_path):
    there, here = tmp_path / "there", tmp_path / "here"
    for folder in (there, here):
        folder.mkdir()
    pods.copy_to("shell", tree, str(there))
    assert files_of(there / "data") == files_of(tree)
    assert pods.copy_from("shell", f"{there}/data/", here) == str(here / "data")
    assert files_of(here / "data") == files_of(tree)
    assert (here / "data" / "run").stat().st_mode & 0o777 == 0o750
    (here / "data" / "run").write_text("old")
    assert client.copy_from(running_job, f"{there}/data/run", str(here / "data"), rank=1) == str(here / "data" / "run")
    assert files_of(here / "data") == files_of(tree)  # replaced
    client.copy_to(running_job, tree / "run", str(there), role="Worker")
    assert (there / "run").read_text() == "#!/bin/sh\n"

    async def main():
        async with kftrain.AsyncClient(cluster.kubeconfig, namespace="default") as own:
            await own.copy_to(running_job, tree / "deep", str(there))
            return await own.api("pods").copy_from("shell", f"{there}/deep", here)

    assert asyncio.run(main()) == str(here / "deep")
    assert files_of(here / "deep") == files_of(tree / "deep")
    assert not [p for p in here.iterdir() if p.name.startswith(".kftrain")]


def test_a_cancelled_copy_leaves_nothing_behind(cluster, pods, tmp_path, monkeypatch):
    """Archives are packed and unpacked by other threads, which end with the call."""
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(b"x" * 1_000_000)
    target.mkdir()
    running, go_on = threading.Event(), threading.Event()
    before = len(os.listdir("/proc/self/fd"))

    def held(function):
        def work(*arguments):
            running.set()
            go_on.wait(60)
            return function(*arguments)

        return work

    for name in ("pack", "unpack"):
        monkeypatch.setattr(_archive, name, held(getattr(_archive, name)))

    async def work(own):
        for copy in (own.copy_to("shell", source, str(target)), own.copy_from("shell", str(source), target)):
            running.clear()
            go_on.clear()
            copying = asyncio.ensure_future(copy)
            while not running.is_set():
                await asyncio.sleep(0.01)
            copying.cancel()
            await asyncio.sleep(0)
            assert not copying.done()  # the thread still works
            go_on.set()
            with pytest.raises(asyncio.CancelledError):
                await copying
            assert [*target.iterdir()] == []

    in_pods(cluster, work)
    gc.collect()
    wait_until(lambda: len(os.listdir("/proc/self/fd")) <= before)


def test_a_copy_that_fails_has_the_message_of_tar(pods, tree, tmp_path):
    with pytest.raises(kftrain.CommandFailed, match="No such file or directory"):
        pods.copy_from("shell", "/no/such/file", tmp_path)
    with pytest.raises(kftrain.CommandFailed, match="No such file or directory"):
        pods.copy_to("shell", tree, "/no/such/directory")
    with pytest.raises(NotADirectoryError, match="directory: expected a directory of this machine"):
        pods.copy_from("shell", "/etc/hostname", tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        pods.copy_to("shell", tmp_path / "none", "/tmp")
    os.mkfifo(tmp_path / "fifo")
    for sent, path, got in ((tmp_path, tmp_path / "fifo", "FIFO"), ("/dev/zero", "/dev/zero", "device")):
        with pytest.raises(ValueError, match=f"^{path}: expected a file, directory or link, got a {got}$"):
            pods.copy_to("shell", sent, "/tmp")


def test_a_socket_of_a_container_is_reported_as_left_out(pods, tmp_path):
    (tmp_path / "target").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "door"))
        with pytest.raises(kftrain.Incomplete, match="left out: door$"):
            pods.copy_from("shell", str(tmp_path / "door"), tmp_path / "target")
    assert [*(tmp_path / "target").iterdir()] == []


def test_entries_that_vanish_while_they_are_sent_are_left_out(tmp_path, monkeypatch):
    for name in ("gone", "there"):
        (tmp_path / name).write_text(name)
    gettarinfo = tarfile.TarFile.gettarinfo

    def vanish_first(self, name, *rest, **options):
        if name.endswith("/gone"):
            os.remove(name)
        return gettarinfo(self, name, *rest, **options)

    monkeypatch.setattr(tarfile.TarFile, "gettarinfo", vanish_first)
    with io.BytesIO() as file:
        _archive.pack(str(tmp_path), file)
        with tarfile.open(fileobj=file) as archive:
            assert archive.getnames() == [tmp_path.name, f"{tmp_path.name}/there"]


def test_an_archive_of_a_container_writes_nowhere_else(pods, tmp_path):
    target, other = tmp_path / "target", tmp_path / "other"
    target.mkdir()
    other.mkdir()
    (target / "data").mkdir()
    (target / "data" / "link").symlink_to(other)
    source = tmp_path / "source" / "data"
    (source / "link").mkdir(parents=True)
    (source / "link" / "file").write_text("x")
    (source / "good").write_text("good")
    (source / "away").symlink_to("/etc")
    with pytest.raises(kftrain.Incomplete, match="left out: data/away") as caught:
        pods.copy_from("shell", str(source), target)
    assert f"{target / 'data' / 'link'} (a link is in the place of a directory)" in str(caught.value)
    assert (target / "data" / "good").read_text() == "good" and [*other.iterdir()] == []

    archive = tmp_path / "evil.tar"
    with tarfile.open(archive, "w") as evil:
        for name in ("../outside", "/tmp/outside", "data/../../outside", "other"):
            evil.addfile(tarfile.TarInfo(name))
        evil.addfile(tarfile.TarInfo("data/fine"))
    with archive.open("rb") as file:
        left_out = _archive.unpack(file, "data", str(target))
    assert left_out == ["../outside", "/tmp/outside", "data/../../outside", "other"]
    assert (target / "data" / "fine").exists() and not (tmp_path / "outside").exists()
    with (source / "good").open("rb") as file, pytest.raises(kftrain.Error, match="expected an archive of tar"):
        _archive.unpack(file, "data", str(target))


def unpacked(target, *members, limit=None):
    """Unpacks an archive of pairs of a name and its content, a `TarInfo` without content, or None for a directory."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, content in members:
            info = content if isinstance(content, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.name = name
            if content is None:
                info.type = tarfile.DIRTYPE
            data = content if isinstance(content, bytes) else b""
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    file.seek(0)
    return _archive.unpack(file, "data", str(target), limit)


def hard_link(to):
    info = tarfile.TarInfo()
    info.type, info.linkname = tarfile.LNKTYPE, to
    return info


@pytest.mark.parametrize(
    "members",
    [
        [("data/a", b"x"), ("data/a/b", b"y")],
        [("data/a", b"x"), ("data/a/b/c", b"y")],
        [("data/a", b"x"), ("data/a", None)],
        [("data/a", None), ("data/a", b"x")],
        [("data/a", b"x"), ("data/b", None), ("data/b", hard_link("data/a"))],
    ],
)
def test_an_archive_whose_file_is_also_a_directory_is_an_error(tmp_path, members):
    with pytest.raises(kftrain.Error, match="expected an archive of tar, got something else: data/[ab]") as caught:
        unpacked(tmp_path, *members)
    assert caught.value.code == "protocol" and [*tmp_path.iterdir()] == []


def test_hard_links_of_an_archive_become_files(tmp_path):
    one = tarfile.TarInfo()
    one.type, one.linkname = tarfile.SYMTYPE, "/etc/hostname"
    left_out = unpacked(
        tmp_path,
        ("data/a", b"old"),
        ("data/a", b"text"),  # as after `tar --append`
        ("data/b", hard_link("data/a")),
        ("data/c", hard_link("./data/b")),
        ("data/link", one),
        ("data/to link", hard_link("data/link")),
        ("data/none", hard_link("data/later")),
        ("data/later", b""),
        ("data/self", hard_link("data/self")),
        ("data/outside", hard_link("../../etc/hostname")),
        ("data/absolute", hard_link("/etc/hostname")),
    )
    assert left_out == [f"data/{name}" for name in ("link", "to link", "none", "self", "outside", "absolute")]
    assert files_of(tmp_path / "data") == {"a": b"text", "b": b"text", "c": b"text", "later": b""}
    assert len({(tmp_path / "data" / name).stat().st_ino for name in "abc"}) == 3


def test_the_files_of_an_archive_are_limited(tmp_path):
    members = [("data/a", b"x" * 1000), ("data/b", hard_link("data/a"))]
    with pytest.raises(kftrain.Incomplete, match="expected at most 1999 bytes, got more"):
        unpacked(tmp_path, *members, limit=1999)
    assert [*tmp_path.iterdir()] == []
    assert unpacked(tmp_path, *members, limit=2000) == []
    assert len(files_of(tmp_path / "data")) == 2


def test_a_copy_has_hard_links_and_a_limit(cluster, pods, client, running_job, tree, tmp_path):
    os.link(tree / "run", tree / "linked")
    here = tmp_path / "here"
    here.mkdir()
    assert pods.copy_from("shell", str(tree), here, limit=1 << 24) == str(here / "data")
    assert files_of(here / "data") == files_of(tree) and "linked" in files_of(tree)
    too_large = "expected at most 100000 bytes, got more"
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(kftrain.Incomplete, match=too_large) as caught:
        pods.copy_from("shell", str(tree), empty, limit=100_000)
    assert caught.value.code == "incomplete"
    with pytest.raises(kftrain.Incomplete, match=too_large):
        client.copy_from(running_job, str(tree), empty, limit=100_000)

    async def main():
        async with kftrain.AsyncClient(cluster.kubeconfig, namespace="default") as own:
            with pytest.raises(kftrain.Incomplete, match=too_large):
                await own.copy_from(running_job, str(tree), empty, limit=100_000)

    asyncio.run(main())
    assert [*empty.iterdir()] == []
