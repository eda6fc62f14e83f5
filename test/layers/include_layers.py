#!/usr/bin/env python3
"""Reads every #include of include/ and src/ and fails on one that the layers of the house forbid, and on sources of the
client and the facade that read a clock.

usage: include_layers.py ROOT        ROOT holds include/kftrain and src

A file belongs to the folder right below include/kftrain or src, and each folder has a layer. A file may include
what lies in its own layer or below, unless a rule of its folder says otherwise. Some layers have rooms, folders that
stand on each other: what lies in one includes only its own room and those below. A private header is named by its path
below src.
"""

import fnmatch
import re
import sys
from pathlib import Path

LAYERS = {
    "base": 0, "version": 0, "report": 0,
    "model": 1,
    "objects": 2,
    "job": 3, "kinds": 3, "controllers": 3, "convert": 3,
    "kube": 4,
    "control": 5, "apiserver": 5, "facade": 5, "training_client": 5,
    "local": 6,
    "cli": 7, "kftrain": 7,  # kftrain.hpp, the umbrella
}

# The rooms of a layer, the lowest first; HEADER_ROOMS has the room of each public header.
ROOMS = {
    "model": ("scalars", "json", "yaml", "codec", "value", "schema", "patch", "meta", "rules"),
    "job": ("programs", "contract", "lint", "v1"),
    "kube": ("http", "async", "answers", "calls", "credentials", "transport", "streams", "api", "discovery", "exec",
             "watch", "tables"),
    "apiserver": ("refusals", "json", "openapi", "checks", "definitions", "apply", "store", "journal", "access",
                  "tables", "rest", "http"),
    "local": ("sandbox", "node", "logs", "dns", "kubelet", "scheduler", "simulation", "cluster"),
}
HEADER_ROOMS = {
    "model": {
        "scalars": "boxed name_map position quantity raw_json resource scalars",
        "json": "codec descriptor detail/descriptor_table",
        "codec": "detail/reflect_map detail/reflect_scalars document nearest_name reflect",
        "value": "value_ref",
        "schema": "schema",
        "patch": "patch",
        "meta": "any_object change_kind dynamic_object meta object_type ownership",
        "rules": "selector",
    },
    "job": {
        "contract": "admission any_job controller_rules job_patch job_phase job_policies job_rules lint membership "
                    "observed_types operator_flag"
                    " operator_options plan plan_writer prepared_job"
                    " pod_settings member_lookup recipe scaling injected_file training_job world",
        "v1": "v1/job_builder v1/job_types v1/training_operator_options",
    },
    "kube": {
        "http": "config message request_report",
        "async": "blocking default_token initiate next_options owned_state start_place then_complete transport"
                 " upgraded_stream with_diagnostics",
        "calls": "call_options client request",
        "credentials": "default_config https_transport",
        "api": "any_api api list_pages logs subresources wait",
        "discovery": "discovery",
        "exec": "exec port_forward port_forwarder",
        "watch": "any_informer informer metadata resource_version shared_informers watch",
        "tables": "described",
    },
    "apiserver": {
        "refusals": "refusal resource_definition user_info",
        "store": "object_store",
        "rest": "pod_exec_source pod_log_source",
        "http": "api_server listener tls_identity",
    },
    "local": {
        "node": "isolation leftovers log_limits start_options",
        "kubelet": "image_table kubelet pod_options",
        "cluster": "described job_checks local_cluster served_kinds",
    },
}

# Edges that the layers alone would allow.
SEPARATE = {
    ("kube", "job"): "kube/ knows requests, not jobs",
    ("kube", "kinds"): "kube/ knows requests, not jobs",
    ("kube", "controllers"): "kube/ knows requests, not jobs",
    ("job", "convert"): "a kind knows nothing of what it may be converted to",
    ("kinds", "convert"): "a kind knows nothing of what it may be converted to",
    ("kube", "convert"): "kube/ knows requests, not jobs",
    ("control", "apiserver"): "control/ and apiserver/ do not know each other",
    ("apiserver", "control"): "control/ and apiserver/ do not know each other",
}
# The facade and the runners of jobs do not include each other: kftrain::training links neither.
for facade in ("facade", "training_client"):
    for runner in ("control", "apiserver", "local"):
        SEPARATE[facade, runner] = SEPARATE[runner, facade] = "the facade and what runs jobs do not know each other"

# The command uses the library as everybody does: of private headers it includes its own and those of base/, which are
# helpers for texts, paths and processes. What else it includes is listed here, with the reason and the files.
COMMAND_EXCEPTIONS = {
    "facade/timeline/drawing.hpp": ("pictures of jobs have the texts and the style of timelines",
                                    "manifests/job_picture.cpp"),
    "job/contract/described_issue.hpp": ("findings contain the members of an issue", "manifests/linter.hpp"),
    "local/kubelet/containers/missing_program.hpp": ("the packages of programs, as the kubelet names them",
                                                     "run/job_run.cpp"),
    "local/kubelet/images/image_source.hpp": ("the end of a message, by which \"run\" decides",
                                              "run/job_run.cpp"),
    "local/sandbox/processes.hpp": ("the list of child processes in /proc", "local/known_process.cpp"),
    "model/rules/object_meta.hpp": ("the rules of metadata, on parsed JSON as in the API server",
                                    "manifests/linter.cpp"),
}

NETWORK_SOURCES = ("src/kube/*transport*", "src/kube/*tls*", "src/kube/streams/header_inflater*",
                   "src/apiserver/*listener*", "src/apiserver/*tls*", "src/control/content_*")

# (headers, files that may include them, the rule in words); the patterns are those of a shell, `*` crosses slashes.
GUARDED = (
    (("boost/beast.hpp", "boost/beast/*"), NETWORK_SOURCES, "Beast belongs to the transport and listener sources"),
    (("openssl/*", "boost/asio/ssl.hpp", "boost/asio/ssl/*"),
     (*NETWORK_SOURCES, "src/base/openssl_*", "src/apiserver/*_tokens.cpp"),
     "OpenSSL belongs to the transport, listener, TLS, token and content sources"),
    (("yaml.h",), ("src/model/yaml/yaml_parser.cpp",), "libyaml stays behind model/yaml/yaml_parser.hpp"),
    (("range/v3/*",), ("src/*",), "range-v3 stays under src/"),
    (("CLI/*",), ("src/cli/*",), "CLI11 belongs to the command"),
    (("boost/process.hpp", "boost/process/*"), ("src/*",), "process headers stay under src/"),
    (("boost/json.hpp", "boost/json/[!f]*", "boost/asio.hpp"), ("src/*",),
     "public headers stay light"),  # json/fwd.hpp is
)

# Time is injected: the client and the facade take it from the execution context. These sources read a clock:
CLOCK_FOLDERS = ("kube", "facade")
CLOCK_READERS = {
    "src/kube/async/timer.hpp": "the source of the time of an execution context",
    "src/kube/credentials/exec_run.cpp": "a process runs in real time",
    "src/kube/credentials/renewed_source.hpp": "credentials expire in civil time; tests override the function",
    "src/kube/exec/web_socket.cpp": "a peer that is silent, with timers of Asio",
    "src/kube/transport/connection_pool.cpp": "connections, with timers of Asio",
    "src/kube/transport/tls_tickets.cpp": "tickets expire in civil time",
    "src/facade/explain/collect_evidence.cpp": "objects have civil times",
    "src/facade/timeline/read_timeline.cpp": "objects have civil times",
}
CLOCK_READ = re.compile(r"clock::now\(")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>\n]+)>|"([^"\n]+)")', re.M)
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
SOURCES = (".hpp", ".cpp", ".ipp", ".inl", ".h")


def without_comments(text):
    """The text with its comments blanked, line for line as before."""
    def blank(match):
        found = match.group()
        return found if found.startswith('"') else re.sub(r"[^\n]", " ", found)
    return COMMENT.sub(blank, text)


def folder_of(path):
    """The folder of a path below include/kftrain or src; for a file that lies there itself, its name without ending."""
    first = path.parts[0]
    return first if len(path.parts) > 1 else first.split(".")[0]


def room_of(target, is_private):
    """The number of the room of a file below include/kftrain or src; None if its layer has none, -1 if it is in
    none."""
    layer = folder_of(target)
    rooms = ROOMS.get(layer)
    if rooms is None:
        return None
    if is_private:
        return rooms.index(target.parts[1]) if len(target.parts) > 2 and target.parts[1] in rooms else -1
    name = Path(*target.parts[1:]).with_suffix("").as_posix()
    return next((rooms.index(room) for room, names in HEADER_ROOMS[layer].items() if name in names.split()), -1)


class checker:
    def __init__(self, root):
        self.root = Path(root)
        self.private = self.root / "src"
        self.public = self.root / "include" / "kftrain"
        self.errors = []
        self.exceptions = {(header, file) for header, (_, files) in COMMAND_EXCEPTIONS.items()
                           for file in files.split()}
        self.files = 0
        self.edges = 0

    def check(self):
        for base in (self.public, self.private):
            for path in sorted(base.rglob("*")):
                if path.suffix in SOURCES:
                    self.check_file(path, base)
        for header, file in sorted(self.exceptions):
            if (self.private / "cli" / file).exists():
                self.fail(f"src/cli/{file}", 1, f"cli -> {header}", "is not included any more: remove the exception")
        return self.errors

    def check_file(self, path, base):
        self.files += 1
        own = folder_of(path.relative_to(base))
        name = path.relative_to(self.root).as_posix()
        if own == "pch" and base == self.private:
            own = None  # lent to all: it may name libraries, and nothing of ours
        elif own not in LAYERS:
            return self.fail(name, 1, f"folder {own}/", "has no layer: add it to test/layers/include_layers.py")
        elif room_of(path.relative_to(base), base == self.private) == -1:
            return self.fail(name, 1, f"{own}/",
                             f"stands in no room of {own}: see ROOMS in test/layers/include_layers.py")
        text = without_comments(path.read_text(encoding="utf-8"))
        read = CLOCK_READ.search(text)
        if read and own in CLOCK_FOLDERS and name not in CLOCK_READERS:
            self.fail(name, text.count("\n", 0, read.start()) + 1, read.group() + ")",
                      "time is injected: use kube::detail::time_source")
        for match in INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            self.check_include(path, name, line, own, match.group(1) or match.group(2),
                               quoted=match.group(2) is not None)

    def check_include(self, path, name, line, own, header, quoted):
        target, is_private = self.target_of(path, header, quoted)
        if target is None:
            return self.check_guarded(name, line, header)
        self.edges += 1
        other = folder_of(target)
        edge = f"{own or 'pch.hpp'} -> {other} ({header})"
        if quoted and not (self.private / header).exists():
            return self.fail(name, line, edge, "a private header is named by its path below src")
        if own is None:
            self.fail(name, line, edge, "the precompiled header holds no header of the project")
        elif name.startswith("include/") and is_private:
            self.fail(name, line, edge, "a public header includes no private one")
        elif other not in LAYERS:
            self.fail(name, line, edge, f"{other}/ has no layer: add it to test/layers/include_layers.py")
        elif other == "kftrain" and own not in ("cli", "kftrain"):
            self.fail(name, line, edge, "the library never includes its umbrella header")
        elif (own, other) in SEPARATE:
            self.fail(name, line, edge, SEPARATE[own, other])
        elif LAYERS[other] > LAYERS[own]:
            self.fail(name, line, edge,
                      f"includes point down: {own} is layer {LAYERS[own]}, {other} is layer {LAYERS[other]}")
        elif own == "cli" and is_private and other not in ("cli", "base"):
            self.check_command(path, name, line, target, edge)
        elif own == other and own in ROOMS:
            self.check_rooms(path, name, line, target, is_private, header)

    def check_command(self, path, name, line, target, edge):
        header = target.as_posix()
        file = path.relative_to(self.private / "cli").as_posix()
        if file not in COMMAND_EXCEPTIONS.get(header, ("", ""))[1].split():
            return self.fail(name, line, edge, "the command includes public headers, and of src/ only cli/ and base/")
        self.exceptions.discard((header, file))

    def check_rooms(self, path, name, line, target, is_private, header):
        private = path.is_relative_to(self.private)
        mine = room_of(path.relative_to(self.private if private else self.public), private)
        theirs = room_of(target, is_private)
        if theirs > mine:
            rooms = ROOMS[folder_of(target)]
            self.fail(name, line, f"{rooms[mine]} -> {rooms[theirs]} ({header})",
                      f"rooms stand on each other: {', '.join(rooms)}")

    def target_of(self, path, header, quoted):
        """(path below include/kftrain or src, is it private) of a header of this project, else (None, False)."""
        if header.startswith("kftrain/"):
            return Path(header).relative_to("kftrain"), False
        if quoted:
            beside = (path.parent / header).resolve()
            for found in (beside, (self.private / header).resolve()):
                if found.is_relative_to(self.private.resolve()) and found.exists():
                    return found.relative_to(self.private.resolve()), True
                if found.is_relative_to(self.public.resolve()) and found.exists():
                    return found.relative_to(self.public.resolve()), False
        return None, False

    def check_guarded(self, name, line, header):
        for headers, allowed, rule in GUARDED:
            if any(fnmatch.fnmatchcase(header,
                                       h) for h in headers) and not any(fnmatch.fnmatchcase(name, a) for a in allowed):
                self.fail(name, line, f"<{header}>", rule)

    def fail(self, name, line, edge, rule):
        self.errors.append(f"{name}:{line}: {edge}: {rule}")


def main():
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "include" / "kftrain").is_dir():
        sys.exit(__doc__.split("\n\n")[1])
    graph = checker(sys.argv[1])
    errors = graph.check()
    for error in errors:
        print(error)
    print(f"{graph.files} files, {graph.edges} includes of the project, {len(errors)} against the layers")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
