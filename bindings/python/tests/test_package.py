"""The package as it is installed: its version, its module, its command and the certificates that it trusts."""

import base64
import os
import pathlib
import re
import signal
import subprocess
import sys
import textwrap
import types

import pytest
from conftest import SOURCES, pytorch_job

import kftrain
from kftrain import _core, _shared
from kftrain.__main__ import find_command


def test_the_version_is_that_of_the_library():
    header = (SOURCES / "include/kftrain/version.hpp").read_text()
    assert kftrain.__version__ == re.search(r'return "([\d.]+)"', header)[1]


def test_the_module_exports_one_symbol():
    output = subprocess.run(["nm", "-D", "--defined-only", _core.__file__], capture_output=True, text=True, check=True)
    assert [line.split()[-1] for line in output.stdout.splitlines()] == ["PyInit__core"]


def run(*arguments, **options):
    command = [sys.executable, "-m", "kftrain", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def has_command():
    try:
        return bool(find_command())
    except FileNotFoundError:
        return False


with_command = pytest.mark.skipif(not has_command(), reason="the command kftrain is not built")


@with_command
def test_the_command_has_arguments_and_exit_codes():
    version = run("--version")
    assert version.returncode == 0 and kftrain.__version__ in version.stdout
    assert run("render", "/nonexistent.yaml").returncode not in (0, 1)
    manifest = SOURCES / "examples/manifests/pytorch_digits.yaml"
    assert run("ranks", str(manifest)).stdout == run("ranks", "-", input=manifest.read_text()).stdout != ""


@with_command
def test_the_command_gets_signals(tmp_path):
    manifest = tmp_path / "job.yaml"
    manifest.write_text(pytorch_job("interrupted", "echo is there; exec sleep 60"))
    command = [sys.executable, "-m", "kftrain", "run", str(manifest)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = ""
    for line in process.stdout:
        output += line
        if "is there" in line:
            process.send_signal(signal.SIGINT)
            break
    output += process.communicate(timeout=60)[0]
    assert process.returncode == 130, output


LIST = "import kftrain, sys; print(kftrain.Client(sys.argv[1]).list())"


@pytest.fixture
def without_authorities(cluster, tmp_path):
    """A kubeconfig without an authority, and the certificate of the authority of its server."""
    text = pathlib.Path(cluster.kubeconfig).read_text()
    field = re.search(r'\n *certificate-authority-data: "(.*)"', text)
    (tmp_path / "kubeconfig").write_text(text.replace(field[0], ""))
    (tmp_path / "ca.pem").write_bytes(base64.b64decode(field[1]))
    return str(tmp_path / "kubeconfig"), str(tmp_path / "ca.pem")


def test_the_authorities_of_the_environment_are_trusted(without_authorities):
    kubeconfig, authority = without_authorities
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SSL_CERT_")}
    refused = subprocess.run(
        [sys.executable, "-c", LIST, kubeconfig], env=environment, capture_output=True, text=True, timeout=60
    )
    assert refused.returncode == 1 and "signed by an unknown authority" in refused.stderr
    environment["SSL_CERT_FILE"] = authority
    trusted = subprocess.run(
        [sys.executable, "-c", LIST, kubeconfig], env=environment, capture_output=True, text=True, timeout=60
    )
    assert trusted.stdout == "[]\n", trusted.stderr


def test_certifi_serves_where_the_system_has_no_authorities(without_authorities, monkeypatch):
    kubeconfig, authority = without_authorities
    monkeypatch.setitem(sys.modules, "certifi", types.SimpleNamespace(where=lambda: authority))
    monkeypatch.setattr(_core, "find_system_authorities", lambda: "/etc/ssl/certs")
    assert _shared.fallback_authorities() == ""
    monkeypatch.setattr(_core, "find_system_authorities", lambda: "")
    with kftrain.Client(kubeconfig) as client:
        assert client.list() == []
    monkeypatch.setitem(sys.modules, "certifi", None)
    assert _shared.fallback_authorities() == ""


def test_a_sub_interpreter_refuses_the_import():
    program = """
    import importlib, sys
    interpreters = importlib.import_module("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")
    text = "try:\\n    import kftrain\\nexcept ImportError as error:\\n    print(error)\\n"
    (interpreters.exec if sys.version_info >= (3, 13) else interpreters.run_string)(interpreters.create(), text)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (result.stdout, result.stderr) == ("kftrain cannot be imported in a sub-interpreter\n", "")
