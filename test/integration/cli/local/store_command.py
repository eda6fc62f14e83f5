#!/usr/bin/python3
"""usage: store_command.py KFTRAIN TEST

What images cannot do to the machine, and what the store of unpacked images survives."""

import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import tarfile
import time

from image_requests import request_image, start_request, helpers_of, result_of
from local_server import below, gone, until
from manifest_files import KFTRAIN, contains, equal, read, run, run_test, write
from oci_image import blob_path, directory, entry, make_layout, symlink, system_layer
from tiny_image import JOB, PROGRAMS, is_root, output_of
from watched_command import parent_and_start

HOSTILE = {
    "absolute": [entry("{here}/outside", b"x")],
    "parent": [entry("../../../../../../../../../../{here}/outside", b"x"), entry("a/../../../outside", b"x")],
    "link": [symlink("ln", "{here}"), entry("ln/outside", b"x")],
    "link_up": [symlink("ln", "../../../../../../../../../.."), entry("ln/{here}/outside", b"x")],
    "link_removal": [symlink("ln", "{here}"), entry("ln/.wh.victim")],
    "link_opaque": [symlink("ln", "{here}/folder"), entry("ln/.wh..wh..opq")],
    "hard_link": [entry("hl", kind=tarfile.LNKTYPE, link="../../../../../../../..{here}/victim")],
    "hard_link_through": [symlink("ln", "{here}"), entry("hl", kind=tarfile.LNKTYPE, link="ln/victim")],
    "root": [symlink(".", "{here}"), entry("outside", b"x")],
    "root_removal": [entry("a/.wh...")],
    "store_removal": [entry(".wh...")],
    "device": [entry("disk", kind=tarfile.BLKTYPE, devmajor=8, devminor=0),
               entry("null", kind=tarfile.CHRTYPE, devmajor=1, devminor=3, mode=0o666)],
}


def at_home(made):
    info, data = made
    for name in ("name", "linkname"):
        setattr(info, name, getattr(info, name).replace("{here}", os.getcwd()))
    return info, data


def store_keeps_images_inside():
    """Whatever their layers contain: they are refused, or everything stays in the image."""
    write("victim", "v")
    os.mkdir("folder")
    write("folder/victim", "v")
    make_layout("good", [entry("x", b"x")])
    good = request_image("good", "store")["image"]["root"]
    before = sorted(os.listdir("."))
    for name, layer in HOSTILE.items():
        make_layout("hostile", [at_home(one) for one in layer])
        found = request_image("hostile", "store")
        refused = name in ("hard_link", "hard_link_through", "root", "root_removal", "store_removal")
        equal(list(found), ["error" if refused else "image"], f"{name}: {found}")
        if name == "store_removal":
            contains(found["error"], "read-only file system")  # what is above the root, for umoci
        if name == "root":
            expect_refusal_by_run("hostile", found["error"])
            os.remove("job.yaml")
            shutil.rmtree("cache")
        shutil.rmtree("hostile")
        equal(sorted(os.listdir(".")), before, name)
        assert os.path.exists("victim") and os.path.exists("folder/victim") and os.path.exists(good + "/x"), name
        assert not os.path.exists("/outside") and not os.path.exists(good + "/outside"), name
    # Links of an image are followed inside of it, and its devices cannot be opened.
    layer = system_layer(*PROGRAMS) + [entry("device", kind=tarfile.CHRTYPE, devmajor=1, devminor=3, mode=0o666),
                                       symlink("var", os.getcwd()), symlink("run", "/../../../../.."),
                                       directory("dev"), symlink("etc/hosts", os.getcwd() + "/victim")]
    make_layout("links", layer)
    test = "cat /device || echo closed; cat /var/victim || cat /run/debian_version || ls /.. ; " \
           "echo x > /var/written; echo x > /dev/null && echo open"
    output = output_of("--image", "*=oci:links", job=JOB % ("tiny", f', command: [sh, -c, "{test}"]'))
    equal("closed" in output, is_root())  # for an ordinary user, umoci makes an empty file in place of a device
    equal(output[-1], "open")
    equal(sorted(os.listdir(".")), sorted(before + ["cache", "links"]))
    with open("victim", encoding="utf-8") as file:
        equal(file.read(), "v")


def store_refuses_wrong_digests():
    for part in ("config", "manifest", "layers"):
        shutil.rmtree("wrong", ignore_errors=True)
        made = make_layout("wrong", [entry("x", b"x")], Env=["A=b"])
        descriptor = made[part][0] if part == "layers" else made[part]
        path = blob_path("wrong", descriptor["digest"])
        with open(path, "rb") as file:
            data = bytearray(file.read())
        if part == "layers":
            data[4] ^= 1  # a time in the head of the gzip file: the content stays the same
        else:
            data = data.replace(b'": ', b'":\t', 1)
        with open(path, "wb") as file:
            file.write(data)
        contains(request_image("wrong", "store")["error"], "digest mismatch")
    equal([name for name in os.listdir("store") if name != ".lock"], [])
    with open("wrong/index.json", encoding="utf-8") as file:
        index = file.read()
    write("wrong/index.json", re.sub("sha256:[0-9a-f]+", "sha256:../../../../etc/passwd", index))
    contains(request_image("wrong", "store")["error"], "expected a SHA-256 digest")
    # `run` prints the reason.
    write("wrong/index.json", index)
    expect_refusal_by_run("wrong", "digest mismatch")


def expect_refusal_by_run(layout, why):
    """An image that can never be used ends `run`, with one sentence."""
    write("job.yaml", JOB % ("tiny", ""))
    done = run("run", "job.yaml", "--image", "*=oci:" + layout)
    equal(done.returncode, 2, done.stdout + done.stderr)
    (line,) = done.stderr.splitlines()
    contains(line, "kftrain: pod tiny-master-0 can never start: image example.com/tiny:1 cannot be used: oci:")
    contains(line, why)


def store_is_limited():
    make_layout("large", [entry(str(i), b"\0" * (4 << 20)) for i in range(6)])
    make_layout("long", [entry("one", b"\0" * (24 << 20))])
    make_layout("many", [entry(f"{i % 50}/{i}") for i in range(600)])
    hidden = [directory("d", 0)] + [entry(f"d/{i % 50}/{i}") for i in range(600)]
    make_layout("hidden", hidden)
    for name, why in (("large", "more than 16777216 bytes"), ("long", "file too large"),
                      ("many", "more than 200 files"), ("hidden", "more than 200 files")):
        contains(request_image(name, "store", image_size=16 << 20, image_files=200)["error"], why)
    equal([name for name in os.listdir("store") if name != ".lock"], [])
    # If the store is full, images that are not in use are removed, the least recently used first.
    make_layout("small", [entry("x", b"x")])
    limit = {"total_size": 40 << 20}
    long, held = request_image("long", "store", keep=True, **limit)
    large = request_image("large", "store", **limit)
    assert os.path.exists(long["image"]["root"]), "an image in use was removed"
    for descriptor in held:
        os.close(descriptor)
    small = request_image("small", "store", **limit)
    present = [os.path.exists(one["image"]["root"]) for one in (long, large, small)]
    equal(present, [False, True, True])


def store_survives_killed_helpers():
    make_layout("many", [entry(f"{i % 50}/{i}") for i in range(3000)])
    links = [start_request("many", "store") for _ in range(5)]
    found = [result_of(link) for link in links]
    equal({json.dumps(one) for one, _ in found}, {json.dumps(found[0][0])})
    equal(len(os.listdir(found[0][0]["image"]["root"])), 50)
    for _, descriptors in found:
        for descriptor in descriptors:
            os.close(descriptor)

    def unfinished():
        return [name for name in os.listdir("killed") if name.startswith(".new-")] if os.path.exists("killed") else []

    link = start_request("many", "killed")
    until(lambda: unfinished() and helpers_of("killed"), "it unpacks")
    for helper in helpers_of("killed"):
        os.kill(helper, signal.SIGKILL)
    until(lambda: not helpers_of("killed"), "it is dead")
    link.close()
    equal(len(unfinished()), 1)
    make_layout("small", [entry("x", b"x")])
    assert "image" in request_image("small", "killed")
    equal(unfinished(), [])
    # A caller that goes away ends it.
    link = start_request("many", "killed")
    until(lambda: unfinished() and helpers_of("killed"), "it unpacks")
    link.close()
    until(lambda: not helpers_of("killed") and not unfinished(), "it has ended and left nothing")
    equal(len([name for name in os.listdir("killed") if name.startswith("sha256-")]), 1)


def store_serves_two_clusters_at_once():
    make_layout("many", system_layer(*PROGRAMS) + [entry(f"{i % 50}/{i}") for i in range(3000)],
                Cmd=["/bin/sh", "-c", "echo done"])
    write("job.yaml", JOB % ("tiny", ""))
    runs = [subprocess.Popen([KFTRAIN, "run", "job.yaml", "--image", "*=oci:many"], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True) for _ in range(2)]
    for one in runs:
        output = one.communicate(timeout=90)[0]
        equal(one.returncode, 0, output)
        contains(output, "[rank 0] done\n")
    names = os.listdir("cache/kftrain/images")
    equal(sorted(name.split("-")[0] for name in names), [".lock", "sha256"])


def store_is_left_clean_by_an_interrupted_run():
    make_layout("many", [entry(f"{i % 50}/{i}") for i in range(3000)], Cmd=["true"])
    store = "cache/kftrain/images"
    write("job.yaml", JOB % ("tiny", ""))
    done = subprocess.Popen([KFTRAIN, "run", "job.yaml", "--image", "*=oci:many"], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
    until(lambda: os.path.exists(store) and helpers_of(store), "it unpacks")
    done.send_signal(signal.SIGINT)
    output = done.communicate(timeout=60)[0]
    equal(done.returncode, 130, output)
    until(lambda: not helpers_of(store), "it has ended")
    equal([name for name in os.listdir(store) if name != ".lock"], [])


def store_needs_programs_and_belongs_to_one_user():
    make_layout("small", [entry("x", b"x")])
    os.mkdir("nothing")
    for tool in ("sh", "kftrain"):
        os.symlink(shutil.which(tool) or KFTRAIN, "nothing/" + tool)
    path = os.environ["PATH"]
    os.environ["PATH"] = os.path.abspath("nothing")
    try:
        equal(request_image("small", "store")["error"],
              "umoci is not installed on this machine: install the Debian package umoci")
        write("archive.tar", "x")
        equal(request_image("archive.tar", "store", "archive")["error"],
              "skopeo is not installed on this machine: install the Debian package skopeo")
    finally:
        os.environ["PATH"] = path
    os.mkdir("open")
    os.chmod("open", 0o750)
    contains(request_image("small", "open")["error"], "expected a directory of yours with mode 0700")


def command_line(pid):
    try:
        return read(f"/proc/{pid}/cmdline")
    except OSError:
        return ""  # it has ended


def store_and_machine_are_left_clean_by_random_kills():
    """Random processes of a run are killed at random moments, KFTRAIN_KILLS times. KFTRAIN_SEED chooses delays and
    victims; which step of the run a delay meets depends on the machine, so a seed alone does not repeat a failure."""
    make_layout("many", system_layer("/bin/sh", "/bin/sleep") + [entry(f"{i % 50}/{i}") for i in range(2000)],
                Entrypoint=["/bin/sh", "-c", "sleep 1000 & sleep 0.5; exit 3"])
    write("job.yaml", JOB % ("killed", ", tty: true, resources: {limits: {memory: 100Mi}}"))
    seed = int(os.environ.get("KFTRAIN_SEED", 1))
    chance = random.Random(seed)
    for number in range(int(os.environ.get("KFTRAIN_KILLS", 4))):
        os.environ["XDG_CACHE_HOME"] = os.path.abspath(f"cache{number // 2}")  # half of the runs unpack the image
        images = os.path.join(os.environ["XDG_CACHE_HOME"], "kftrain/images")
        command = subprocess.Popen([KFTRAIN, "run", "job.yaml", "--image", "*=oci:many"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(chance.uniform(0, 1.5))
        family = below(command.pid)
        directories = {d for pid, _ in family for d in re.findall("--own-directory\0([^\0]+)", command_line(pid))}
        victims = chance.sample(sorted(family), min(len(family), chance.choice((1, 1, 2))))
        context = f"KFTRAIN_SEED={seed}, kill {number}: {[command_line(pid)[:80] for pid, _ in victims]}"
        for pid, start in victims:
            if parent_and_start(pid) and parent_and_start(pid)[1] == start:
                os.kill(pid, signal.SIGKILL)
        time.sleep(chance.uniform(0, 0.5))
        family |= below(command.pid)
        if command.poll() is None:
            os.kill(command.pid, signal.SIGINT)
        command.wait(60)
        family |= {process for helper in helpers_of(images) for process in below(helper)}
        until(lambda: gone(family), f"the processes have ended; {context}", 60)
        run("local", "down", "--state", "state")
        left = [d for d in directories if os.path.lexists(d)]
        left += [m for m in read("/proc/self/mountinfo").splitlines() if any(d in m for d in directories)]
        left += [g for pid, _ in family for g in glob.glob(f"/sys/fs/cgroup/**/kftrain-{pid}-*", recursive=True)]
        equal(left, [], context)
        # The next run uses the store, and removes what is unfinished.
        equal(run("run", "job.yaml", "--image", "*=oci:many").returncode, 1, context)
        equal([name for name in os.listdir(images) if name.startswith(".new-")], [], context)


TESTS = {name: test for name, test in list(globals().items()) if name.startswith("store_")}

if __name__ == "__main__":
    run_test(TESTS)
