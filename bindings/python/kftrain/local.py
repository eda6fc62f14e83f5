"""A cluster on this machine, in this process: no Docker, no Kubernetes.

::

    with LocalCluster() as cluster:
        client = cluster.client()
        job = client.submit(text)
        for line in client.logs(job):
            print(line.pod, line.text)
"""

from __future__ import annotations

import contextlib
import os
import secrets
import string
import sys
import tempfile
import warnings
import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from . import _core
from ._checked import checked
from ._client import Client
from ._convert import check_path, check_texts, refuse
from ._errors import Error
from ._offline import Flags, flag_texts
from ._shared import open_clients

__all__ = ["LocalCluster"]

Cluster = TypeVar("Cluster", bound="LocalCluster")


def cluster_of(client: Client) -> LocalCluster | None:
    """The running cluster whose `LocalCluster.client` returned the client."""
    for cluster in list(open_clients):
        if isinstance(cluster, LocalCluster) and client in cluster._clients:
            return cluster
    return None


def _new_directory() -> str:
    """Makes a directory whose name lets the sandbox helper find and remove the files of a killed process."""
    while True:
        path = "/tmp/kftrain-" + "".join(secrets.choice(string.ascii_letters) for _ in range(6))
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, 0o700)
            return path


def _image_directory() -> str:
    """The store of unpacked images, which the command uses, too."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):
        cache = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(cache, "kftrain", "images") if os.path.isabs(cache) else ""


def _absolute_path(path: Any, name: str) -> str:
    if not isinstance(path, (str, os.PathLike)):
        refuse(path, "str or os.PathLike", name)
    return os.path.abspath(check_path(path, name))


def _absolute_source(source: str) -> str:
    form, colon, path = source.partition(":")
    return f"{form}:{os.path.abspath(path)}" if colon and path else source  # the library reports others


def _texts(entries: Mapping[str, Any] | None, name: str) -> dict[str, str]:
    for key, text in (entries or {}).items():
        check_texts([key], name)
        check_texts([text], f"{name}[{key!r}]")
    return dict(entries or {})


def _users(users: Mapping[str, Sequence[str]] | None) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for name, groups in (users or {}).items():
        check_texts([name], "users")
        if isinstance(groups, str) or not isinstance(groups, Iterable):
            refuse(groups, "a list of groups", f"users[{name!r}]")
        made.append({"name": name, "groups": check_texts(groups, f"users[{name!r}]")})
    return made


def _remove(directory: str, process: int) -> None:
    # Not the rest: the library removes it, and may have left mount points there.
    if process == os.getpid():
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(directory, "kubeconfig"))
        with contextlib.suppress(OSError):
            os.rmdir(directory)


def _warn(text: str) -> None:
    """Warns, with the line of the first caller outside of this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "kftrain":
        level, frame = level + 1, frame.f_back
    warnings.warn(text, RuntimeWarning, stacklevel=level)


@checked
class LocalCluster:
    """An API server, the operators of all job kinds, and a kubelet that runs pods as processes of this machine.

    The jobs run with all permissions of the user: the sandbox is no boundary against hostile code.

    Args:
        directory: For logs and files of pods, removed at the end; None: a new one in /tmp.
        working_directory: For containers without one; None: that of this process.
        isolation: ``namespaces``: each pod has its own host name, address and mounts; ``processes``: plain
            processes; ``automatic``: namespaces if the machine permits them.
        port: The port of the API server; 0: any free one.
        users: Further users with their groups, such as ``{"jane": ["team-a"]}``. They have the permissions that roles
            give to them and their groups. `client` connects as one of them, and `kubeconfig` has a context for each.
        user_certificates: Whether ``users`` authenticate by client certificates instead of tokens. Their names and
            groups then have at most 64 characters.
        commands: Commands of images, by a pattern in which ``*`` matches any text: a container without ``command`` runs
            the command of its image, which is quoted as in a shell.
        images: What serves an image, by a pattern as in ``commands``: ``host`` for the files of this machine,
            ``venv:PATH`` for a virtual environment of it, ``dir:PATH`` for a root file system, ``oci:PATH`` or
            ``oci:PATH:TAG`` for an OCI image layout, ``archive:FILE`` for an archive of ``docker save``. Images of
            layouts and archives also have a command, an environment, a working directory and a user. None: ``host``
            serves all images; otherwise containers of other images wait with the reason ``ErrImagePull``.
        image_directory: Where images are unpacked and kept for later clusters; None: ``kftrain/images`` in
            ``$XDG_CACHE_HOME``, or else in ``~/.cache``.
        volumes: Directories of PersistentVolumeClaims, by ``NAME`` or ``NAMESPACE/NAME``.
        host_paths: Directories that pods may mount as hostPath volumes, with what is below them.
        nodes: The number of nodes ``local-0``, ``local-1``, ...; pods then wait until a node has the resources that
            they request, and a gang until all of it fits. 0: no Node objects, and every pod starts at once.
        node_resources: Resources of each node, such as ``{"cpu": 8, "nvidia.com/gpu": 4}``; ``cpu`` and ``memory``
            are those of this machine by default. They are counted; limits of containers are enforced where the
            machine permits it, see `limits_fallback_reason`.
        simulate: Simulates the pods: nothing runs. Each pod is reported as running for this number of seconds and then
            as succeeded; 0 means until the pod is deleted. The annotations ``kftrain.local/run`` and
            ``kftrain.local/exit-code`` of a pod take precedence. ``commands``, ``images``, ``volumes``, ``host_paths``
            and ``isolation`` then have no effect; ``nodes`` has.
        data_directory: Keeps the objects of the cluster for later clusters, also if the process is killed; None:
            nothing is kept. Pods that ran when a cluster ended are started again by their restart policy.
        operator_flags: Flags of the operators, as those of the command: ``{"volcano-plugins": "designed"}``.
        log_file_size: The bytes of a file of output of a container. Each run has at most ``log_files`` of them; then
            the oldest output is removed. None: 10 MiB.
        log_files: See ``log_file_size``; None: 5.
        pods: Whether pods run. False: they stay pending until a client writes their status, as a kubelet would. The
            options about pods then have no effect.
    """

    def __init__(
        self,
        *,
        directory: str | os.PathLike[str] | None = None,
        working_directory: str | os.PathLike[str] | None = None,
        isolation: str = "automatic",
        port: int = 0,
        users: Mapping[str, Sequence[str]] | None = None,
        user_certificates: bool = False,
        commands: Mapping[str, Any] | None = None,
        images: Mapping[str, Any] | None = None,
        image_directory: str | os.PathLike[str] | None = None,
        volumes: Mapping[str, Any] | None = None,
        host_paths: Sequence[str] = (),
        nodes: int = 0,
        node_resources: Mapping[str, Any] | None = None,
        simulate: float | None = None,
        data_directory: str | os.PathLike[str] | None = None,
        operator_flags: Flags = None,
        log_file_size: int | None = None,
        log_files: int | None = None,
        pods: bool = True,
    ) -> None:
        for name, entries in (("commands", commands), ("images", images), ("node_resources", node_resources)):
            check_texts(entries or {}, name)
        check_texts(volumes or {}, "volumes")
        self._directory = "" if directory is None else _absolute_path(directory, "directory")
        self._options = {
            "working_directory": "" if working_directory is None else os.fspath(working_directory),
            "isolation": isolation,
            "listen": {"port": port, "users": _users(users), "user_certificates": user_certificates},
            "commands": _texts(commands, "commands"),
            "images": {pattern: _absolute_source(source) for pattern, source in _texts(images, "images").items()},
            "image_store": {
                "directory": _image_directory() if image_directory is None else os.path.abspath(image_directory)
            },
            "volumes": {claim: _absolute_path(path, f"volumes[{claim!r}]") for claim, path in (volumes or {}).items()},
            "host_paths": [_absolute_path(path, f"host_paths[{i}]") for i, path in enumerate(host_paths)],
            "nodes": nodes,
            "node_resources": {name: str(amount) for name, amount in (node_resources or {}).items()},
            "simulate": simulate,
            "data_directory": "" if data_directory is None else os.path.abspath(data_directory),
            "logs": {"file_size": log_file_size, "files": log_files},
            "pods": pods,
        }
        self._flags = flag_texts(operator_flags)
        self._pods = pods
        self._core: Any = None
        self._run: Any = None
        self._process = 0  # which started the cluster
        self._files = ""
        self._server = ""
        self._removal: Any = None
        self._clients: weakref.WeakSet[Client] = weakref.WeakSet()
        self.fallback_reason: str = ""
        """Why pods run without a sandbox although it was preferred; otherwise empty."""
        self._limits_fallback_reason = ""

    def start(self: Cluster, *, timeout: float = 60.0) -> Cluster:
        """Starts the cluster; ``with`` calls it. A cluster can be started once.

        Warns with ``RuntimeWarning`` if pods run without a sandbox although it was preferred.
        """
        if self._core is not None:
            raise RuntimeError("the cluster was started before")
        directory = files = self._directory
        self._process = os.getpid()
        if self._pods and not directory:
            directory = files = _new_directory()
        elif not self._pods:  # the library makes no directory
            files = tempfile.mkdtemp(prefix="kftrain-")
        try:
            self._core = _core.CoreCluster(self._flags, directory=directory, **self._options)
            text, self.fallback_reason = self._core.start(timeout=timeout).wait()
        except BaseException:
            if files != self._directory:
                _remove(files, self._process)
            raise
        self._run = self._core.run()
        open_clients.add(self)
        try:
            path = os.path.join(files, "kubeconfig")
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # it contains a token
            # With pods, the sandbox helper removes the directory, also if this process is killed.
            self._files = files
            self._removal = weakref.finalize(self, _remove, files, self._process)
            with os.fdopen(descriptor, "w") as file:
                file.write(text)
            self._server = text.partition("server: ")[2].split()[0].strip('"')
            if self.fallback_reason:
                _warn(f"pods run without a sandbox: {self.fallback_reason}")
        except BaseException:
            self.stop()
            raise
        return self

    @property
    def limits_fallback_reason(self) -> str:
        """Why limits of memory and cpu of containers are not enforced.

        Empty if they are, and before a container with a limit has started.
        """
        if self._run is not None and self._process == os.getpid():
            self._limits_fallback_reason = self._core.limits_fallback_reason().wait()
        return self._limits_fallback_reason

    @property
    def kubeconfig(self) -> str:
        """The path of a kubeconfig for this cluster, for kubectl and every other client. Removed at the end."""
        if not self._files:
            raise RuntimeError("the cluster does not run")
        return os.path.join(self._files, "kubeconfig")

    def client(self, namespace: str | None = None, *, user: str | None = None) -> Client:
        """Returns a client of this cluster, which is closed with it.

        Args:
            user: One of ``users``; None: the user with all permissions.
        """
        failure = self._failure()
        if failure is not None:
            raise failure
        made = Client(kubeconfig=self.kubeconfig, context=user, namespace=namespace)
        self._clients.add(made)
        return made

    def stop(self) -> None:
        """Ends all pods and the cluster. Clients that `client` returned are closed.

        In a forked process it does nothing: the cluster belongs to the process that started it.

        Warns with ``RuntimeWarning`` if limits of containers were not enforced.
        """
        if self._core is None or self._process != os.getpid():
            return
        unlimited = ""
        try:
            for client in list(self._clients):
                client.close()
            self._clients.clear()
            if self._run is not None:
                unlimited = self.limits_fallback_reason
                self._run.cancel()
                self._run.wait()
        finally:
            self._run = None
            self._core.close()
            if self._removal is not None:
                self._removal()
                self._files = ""
        if unlimited:
            _warn(f"limits of containers are not enforced: {unlimited}")

    close = stop

    def _failure(self) -> Error | None:
        """Why the cluster has ended by itself; None if it runs or was stopped."""
        run = self._run
        if run is None or not run.done():
            return None
        try:
            run.result()
        except Error as error:
            return error
        return None

    def __enter__(self: Cluster) -> Cluster:
        return self.start()

    def __exit__(self, *exception: object) -> None:
        self.stop()
