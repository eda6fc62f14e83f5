#!/usr/bin/env python3
"""Proves on made-up trees that include_layers.py accepts what the house allows and names what it forbids."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).with_name("include_layers.py")

SOUND = {
    "include/kftrain/base/error.hpp": "#include <string>\n",
    "include/kftrain/model/meta.hpp": "#include <kftrain/base/error.hpp>\n",
    "include/kftrain/objects/core/pod.hpp": "#include <kftrain/model/meta.hpp>\n",
    "include/kftrain/job/plan.hpp": "#include <kftrain/objects/core/pod.hpp>\n",
    "include/kftrain/kinds/pytorch_job.hpp": "#include <kftrain/job/plan.hpp>\n",
    "include/kftrain/kube/api.hpp": "#include <kftrain/model/meta.hpp>\n",
    "include/kftrain/control/queue.hpp": "#include <kftrain/kube/api.hpp>\n#include <kftrain/job/plan.hpp>\n",
    "include/kftrain/local/local_cluster.hpp": "#include <kftrain/control/queue.hpp>\n"
                                               "#include <kftrain/apiserver/object_store.hpp>\n",
    "include/kftrain/apiserver/object_store.hpp": "#include <kftrain/kube/api.hpp>\n",
    "include/kftrain/training_client.hpp": "#include <kftrain/kube/api.hpp>\n#include <kftrain/job/plan.hpp>\n",
    "include/kftrain/kftrain.hpp": "#include <kftrain/training_client.hpp>\n#include <kftrain/version.hpp>\n",
    "include/kftrain/version.hpp": "",
    "src/pch.hpp": "#include <boost/json.hpp>\n",
    "src/kinds/pytorch_job/kind.cpp": '#include "kinds/pytorch_job/names.hpp"\n#include <range/v3/view/map.hpp>\n',
    "src/kinds/pytorch_job/names.hpp": "",
    "src/kube/transport/https.cpp": "#include <boost/beast/http.hpp>\n#include <boost/asio/ssl/stream.hpp>\n",
    "src/apiserver/http/listener.cpp": "#include <boost/beast/core.hpp>\n",
    "src/model/yaml/yaml_parser.cpp": "// #include <kftrain/kube/api.hpp>\n/*\n#include <boost/beast.hpp>\n*/\n"
                                      "#include <yaml.h>\n",
    "src/model/json/json_text.hpp": "",
    "src/model/rules/label_query.cpp": '#include "model/json/json_text.hpp"\n#include <kftrain/model/meta.hpp>\n',
    "src/cli/main.cpp": "#include <CLI/CLI.hpp>\n#include <kftrain/training_client.hpp>\n",
}


def check(extra=None):
    """Runs the checker over the sound tree with `extra` files on top; returns (exit code, lines)."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in {**SOUND, **(extra or {})}.items():
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()


class include_layers(unittest.TestCase):
    def refuses(self, name, text, line, *parts):
        code, lines = check({name: text})
        self.assertEqual(code, 1, lines)
        self.assertEqual(len(lines), 2, lines)  # one error and the summary
        self.assertTrue(lines[0].startswith(f"{name}:{line}: "), lines[0])
        for part in parts:
            self.assertIn(part, lines[0])

    def test_a_sound_tree_passes(self):
        self.assertEqual(check(), (0, ["21 files, 18 includes of the project, 0 against the layers"]))

    def test_an_upward_edge_fails(self):
        self.refuses("include/kftrain/model/codec.hpp", "#include <string>\n#include <kftrain/kube/api.hpp>\n", 2,
                     "model -> kube (kftrain/kube/api.hpp)", "model is layer 1, kube is layer 4")

    def test_an_upward_edge_through_a_quoted_private_header_fails(self):
        self.refuses("src/base/bad.cpp", '#include "kinds/pytorch_job/names.hpp"\n', 1, "base -> kinds")

    def test_an_upward_edge_through_a_header_beside_the_file_fails(self):
        self.refuses("src/base/bad.cpp", '#include "../kinds/pytorch_job/names.hpp"\n', 1, "base -> kinds",
                     "path below src")

    def test_a_private_header_is_named_by_its_whole_path(self):
        self.refuses("src/kinds/pytorch_job/bad.cpp", '#include "names.hpp"\n', 1, "kinds -> kinds (names.hpp)",
                     "path below src")

    def test_the_client_reads_no_clock(self):
        text = "// now\nauto const t = std::chrono::steady_clock::now();\n"
        self.refuses("src/kube/calls/bad.cpp", text, 2, "clock::now()", "time is injected")
        self.assertEqual(check({"src/local/sandbox/bad.cpp": text})[0], 0)

    def test_a_room_includes_nothing_of_those_above(self):
        self.refuses("src/model/scalars/bad.cpp", '#include "model/json/json_text.hpp"\n', 1,
                     "scalars -> json (model/json/json_text.hpp)", "rooms stand on each other: scalars, json")
        self.refuses("src/model/json/bad.cpp", "#include <kftrain/model/meta.hpp>\n", 1,
                     "json -> meta (kftrain/model/meta.hpp)")
        self.refuses("include/kftrain/model/codec.hpp", "#include <kftrain/model/meta.hpp>\n", 1, "json -> meta")

    def test_rooms_of_kube_have_an_order(self):
        self.refuses("src/kube/calls/bad.cpp", "#include <kftrain/kube/api.hpp>\n", 1, "calls -> api")
        self.refuses("include/kftrain/kube/message.hpp", "#include <kftrain/kube/api.hpp>\n", 1, "http -> api")

    def test_what_stands_in_no_room_fails(self):
        self.refuses("src/model/bad.cpp", "", 1, "no room of model")
        self.refuses("src/model/attic/bad.cpp", "", 1, "no room of model")
        self.refuses("include/kftrain/model/bad.hpp", "", 1, "no room of model")

    def test_an_edge_after_a_comment_keeps_its_line(self):
        self.refuses("src/base/bad.cpp", "/* one\n two */\n#include <kftrain/job/plan.hpp>\n", 3, "base -> job")

    def test_job_and_kinds_never_include_kube(self):
        self.refuses("src/job/v1/bad.cpp", "#include <kftrain/kube/api.hpp>\n", 1, "job -> kube")
        self.refuses("src/kinds/pytorch_job/bad.cpp", "#include <kftrain/kube/api.hpp>\n", 1, "kinds -> kube")

    def test_kube_never_includes_job_or_kinds(self):
        self.refuses("src/kube/calls/bad.cpp", "#include <kftrain/job/plan.hpp>\n", 1, "kube -> job", "not jobs")
        self.refuses("src/kube/api/bad.cpp", "#include <kftrain/kinds/pytorch_job.hpp>\n", 1, "kube -> kinds",
                     "not jobs")

    def test_control_and_apiserver_do_not_include_each_other(self):
        self.refuses("src/control/bad.cpp", "#include <kftrain/apiserver/object_store.hpp>\n", 1,
                     "control -> apiserver")
        self.refuses("src/apiserver/store/bad.cpp", "#include <kftrain/control/queue.hpp>\n", 1, "apiserver -> control")

    def test_the_facade_and_the_runners_of_jobs_do_not_include_each_other(self):
        for runner in ("control/queue.hpp", "apiserver/object_store.hpp", "local/local_cluster.hpp"):
            self.refuses("src/facade/bad.cpp", f"#include <kftrain/{runner}>\n", 1, f"facade -> {runner.split('/')[0]}")
        self.refuses("src/local/kubelet/bad.cpp", "#include <kftrain/training_client.hpp>\n", 1,
                     "local -> training_client")
        self.refuses("src/control/bad.cpp", "#include <kftrain/training_client.hpp>\n", 1, "control -> training_client")

    def test_the_library_never_includes_the_umbrella(self):
        self.refuses("src/local/node/bad.cpp", "#include <kftrain/kftrain.hpp>\n", 1, "umbrella")

    def test_the_command_includes_public_headers(self):
        self.refuses("src/cli/bad.cpp", '#include "model/json/json_text.hpp"\n', 1, "cli -> model", "public headers")
        base = {"src/base/joined.hpp": "", "src/cli/own.hpp": "",
                "src/cli/good.cpp": '#include "base/joined.hpp"\n#include "cli/own.hpp"\n'}
        self.assertEqual(check(base)[0], 0)

    def test_exceptions_of_the_command_are_for_single_files_and_used(self):
        name, header = "src/cli/local/known_process.cpp", "local/sandbox/processes.hpp"
        self.assertEqual(check({name: f'#include "{header}"\n', f"src/{header}": ""})[0], 0)
        self.refuses(name, "", 1, header, "remove the exception")

    def test_beast_and_openssl_stay_in_the_network_sources(self):
        self.refuses("src/kube/credentials/config.cpp", "#include <boost/beast/http.hpp>\n", 1,
                     "<boost/beast/http.hpp>", "Beast")
        self.refuses("src/local/node/bad.cpp", "#include <openssl/x509.h>\n", 1, "OpenSSL")
        self.refuses("src/control/bad.cpp", "#include <boost/asio/ssl.hpp>\n", 1, "OpenSSL")

    def test_implementation_libraries_stay_out_of_public_headers(self):
        for header in ("yaml.h", "range/v3/all.hpp", "CLI/CLI.hpp", "boost/process.hpp", "boost/json.hpp",
                       "boost/beast.hpp", "openssl/ssl.h", "boost/asio.hpp"):
            self.refuses("include/kftrain/base/bad.hpp", f"#include <{header}>\n", 1, f"<{header}>")

    def test_libyaml_stays_behind_its_wrapper(self):
        self.refuses("src/model/json/bad.cpp", "#include <yaml.h>\n", 1, "<yaml.h>", "yaml_parser.hpp")

    def test_a_public_header_includes_no_private_one(self):
        self.refuses("include/kftrain/kinds/bad.hpp", '#include "kinds/pytorch_job/names.hpp"\n', 1, "private")

    def test_the_precompiled_header_holds_nothing_of_the_project(self):
        self.refuses("src/pch.hpp", "#include <kftrain/base/error.hpp>\n", 1, "precompiled")

    def test_a_folder_without_a_layer_fails(self):
        self.refuses("src/utils/bad.cpp", "", 1, "utils", "no layer")


if __name__ == "__main__":
    unittest.main()
