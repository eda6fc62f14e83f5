"""Makes OCI image layouts: what a layer contains is a list of entries of a tar file."""

import gzip
import hashlib
import io
import json
import os
import subprocess
import tarfile

MANIFEST = "application/vnd.oci.image.manifest.v1+json"


def entry(name, data=b"", mode=0o644, kind=tarfile.REGTYPE, link="", **more):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode = kind, link, mode
    if kind == tarfile.REGTYPE:
        info.size = len(data)
    for key, value in more.items():
        setattr(info, key, value)
    return info, data


def directory(name, mode=0o755):
    return entry(name, kind=tarfile.DIRTYPE, mode=mode)


def symlink(name, target):
    return entry(name, kind=tarfile.SYMTYPE, link=target)


def blob(layout, data, media_type):
    digest = hashlib.sha256(data).hexdigest()
    os.makedirs(os.path.join(layout, "blobs/sha256"), exist_ok=True)
    with open(blob_path(layout, digest), "wb") as file:
        file.write(data)
    return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(data)}


def blob_path(layout, digest):
    return os.path.join(layout, "blobs/sha256", digest.removeprefix("sha256:"))


def make_layout(layout, *layers, tag="latest", **config):
    """Writes a layout with one image; returns its descriptors by name. `config`: Entrypoint, Cmd, Env, ..."""
    found = {"layers": []}
    diff_ids = []
    for entries in layers:
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for info, data in entries:
                tar.addfile(info, io.BytesIO(data) if info.isreg() else None)
        diff_ids.append("sha256:" + hashlib.sha256(raw.getvalue()).hexdigest())
        data = gzip.compress(raw.getvalue(), compresslevel=1)
        found["layers"].append(blob(layout, data, "application/vnd.oci.image.layer.v1.tar+gzip"))
    document = {"architecture": "amd64", "os": "linux", "config": config,
                "rootfs": {"type": "layers", "diff_ids": diff_ids}}
    found["config"] = blob(layout, json.dumps(document).encode(), "application/vnd.oci.image.config.v1+json")
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": found["config"], "layers": found["layers"]}
    found["manifest"] = blob(layout, json.dumps(manifest).encode(), MANIFEST)
    name = {"annotations": {"org.opencontainers.image.ref.name": tag}} if tag else {}
    with open(os.path.join(layout, "index.json"), "w", encoding="utf-8") as file:
        json.dump({"schemaVersion": 2, "manifests": [found["manifest"] | name]}, file)
    with open(os.path.join(layout, "oci-layout"), "w", encoding="utf-8") as file:
        json.dump({"imageLayoutVersion": "1.0.0"}, file)
    return found


def system_layer(*programs):
    """The programs of this machine with their libraries, and a user with the name `worker`."""
    files = {}
    for program in programs:
        files["bin/" + os.path.basename(program)] = program
        listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        for word in listed.split():
            if word.startswith("/"):
                files[word.removeprefix("/")] = word
    layer = [directory("bin"), directory("etc"), directory("tmp", 0o1777)]
    for name, source in sorted(files.items()):
        with open(source, "rb") as file:
            layer.append(entry(name, file.read(), 0o755))
    users = "root:x:0:0::/root:/bin/sh\nworker:x:1234:2345::/home/worker:/bin/sh\n"
    layer.append(entry("etc/passwd", users.encode()))
    layer.append(entry("etc/group", b"root:x:0:\nstaff:x:3456:worker\nother:x:4567:\n"))
    return layer
