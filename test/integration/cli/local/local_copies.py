"""Copies of `kftrain cp` whose content is unusual."""

import os
import socket
from pathlib import Path


def check_hostile_copy(call, copy, folder):
    """Nothing but files and directories arrives, and a link in the target leads nowhere."""
    hostile, target, victim = (os.path.join(folder, name) for name in ("hostile", "target", "victim"))
    os.makedirs(os.path.join(hostile, "inner"))
    os.makedirs(os.path.join(target, "hostile/data"))
    os.mkdir(victim)
    for name in ("inner/file", "suid", "data"):
        Path(hostile, name).write_text("x", encoding="utf-8")
    os.chmod(os.path.join(hostile, "suid"), 0o6755)
    os.symlink("/etc", os.path.join(hostile, "link"))
    os.mkfifo(os.path.join(hostile, "fifo"))
    os.symlink(victim, os.path.join(target, "hostile/inner"))
    output = call(*copy, "PyTorchJob/small:" + hostile, target, expect=1)
    for name, reason in (("inner", "a link is in the place of a directory"),
                         ("data", "a directory is in the place of a file"),
                         ("link", "expected a file or directory, got a link"),
                         ("fifo", "expected a file or directory, got a FIFO")):
        assert f"cp: {target}/hostile/{name}: left out: {reason}\n" in output, output
    assert sorted(os.listdir(os.path.join(target, "hostile"))) == ["data", "inner", "suid"]
    assert os.stat(os.path.join(target, "hostile/suid")).st_mode & 0o7000 == 0
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.join(victim, "door"))
        output = call(*copy, f"PyTorchJob/small:{victim}/door", target, expect=1)
        os.remove(os.path.join(victim, "door"))
    assert 'cp: "door": left out: expected a file or directory, got none in the archive\n' in output, output
    assert os.listdir(target) == ["hostile"]
    for sent, what in (("/dev/zero", "/dev/zero: {}a character device"), (hostile, hostile + "/fifo: {}a FIFO")):
        output = call(*copy, sent, "PyTorchJob/small:" + victim, expect=2)
        assert output == f"kftrain: cp: {what.format('expected a file, directory or link, got ')}\n", output
    assert os.listdir(victim) == []
