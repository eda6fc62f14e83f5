"""Shows that kftrain-corpus can fail, and that its list of known differences is explained.

    test_corpus_command.py PROGRAM
"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import pack_cases

HERE = pathlib.Path(__file__).resolve().parent
GROUP = "pytorchjob/curated"
CASE = "clean-all"  # equal in every respect, without any allowance
MPI_GROUP = "mpi-operator/v0.8.0/curated"
MPI_CASE = "suspend-running"
PROGRAM = ""


def change(value, path, new):
    """Sets the member at a path of keys and indexes."""
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.top = pathlib.Path(self.folder.name)
        self.take(GROUP, CASE)

    def take(self, group, case):
        """Loads the files of a case."""
        self.group, self.case = group, case
        self.files = pack_cases.unpack((HERE / f"{group}.jsonl").read_text())[1][case]

    def write(self, files=None, packed=False):
        files = files or self.files
        if packed:
            out = self.top / "packed.jsonl"
            out.write_text(pack_cases.pack(self.group, {self.case: files}))
            return out
        folder = self.top / "some" / "where" / self.group / self.case
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_text(json.dumps(content))
        return self.top / "some"

    def run_command(self, *arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
        return done.returncode, (done.stdout + done.stderr).splitlines()

    def expect_difference(self, path, new, at, *options):
        files = copy.deepcopy(self.files)
        change(files, path, new)
        for packed in (False, True):
            code, lines = self.run_command("--strict", *options, self.write(files, packed))
            self.assertEqual(code, 1, lines)
            self.assertEqual(lines[-1], "1 cases, 0 equal, 1 differ")
            self.assertTrue(lines[0].startswith(f"{self.group}/{self.case}: {at}"), lines[0])

    def test_an_unchanged_case_is_equal(self):
        for packed in (False, True):
            for options in ((), ("--through", "operator")):
                code, lines = self.run_command("--strict", *options, self.write(packed=packed))
                self.assertEqual((code, lines), (0, ["1 cases, 1 equal, 0 differ"]))

    def test_a_changed_recording_differs(self):
        steps = self.files["steps.json"]
        pod = next(i for i, r in enumerate(steps[0]["requests"]) if r["path"].endswith("/pods"))
        image = ["steps.json", 0, "requests", pod, "body", "spec", "containers", 0, "image"]
        self.expect_difference(image, "other", "render[pods ")
        for options in (("--check", "plan"), ("--through", "operator")):
            self.expect_difference(image, "other", "steps[0].requests[POST pods ", *options)
            self.expect_difference(["steps.json", 0, "events", 0, "reason"], "Other", "steps[0].events[", *options)
            owner = ["steps.json", 0, "events", 0, "involvedObject"]
            self.expect_difference(owner, {"kind": "Pod", "name": "x"}, "steps[0].events[", *options)
            condition = ["steps.json", 1, "status", "conditions", 0, "lastTransitionTime"]
            self.expect_difference(condition, "<t1>", "steps[1].status.conditions[0].lastTransitionTime", *options)
            self.expect_difference(["steps.json", 1, "transitions"], [], "steps[1].transitions", *options)
            self.expect_difference(["steps.json", 1, "pods", "x-0"], "Running", "steps[1].pods.x-0", *options)
            self.expect_difference(["steps.json", 1, "services"], [], "steps[1].services", *options)
            extra = steps[0]["requests"] + [{"method": "DELETE", "path": "/api/v1/namespaces/corpus/pods/x"}]
            self.expect_difference(["steps.json", 0, "requests"], extra, "steps[0].requests[DELETE pods x]", *options)
        for options in ((), ("--through", "operator")):
            self.expect_difference(["admission.json", "stored", "spec"], {}, "admission.stored.spec", *options)
            self.expect_difference(["admission.json", "warnings"], ["w"], "admission.warnings[0]", *options)
            refused = {"accepted": False, "status": {"code": 403, "message": "no"}}
            self.expect_difference(["admission.json"], refused, "admission.accepted", *options)

    def request(self, step, method, ending):
        """Where a recorded request stands."""
        requests = self.files["steps.json"][step]["requests"]
        found = [i for i, r in enumerate(requests) if r["method"] == method and r["path"].endswith(ending)]
        return ["steps.json", step, "requests", found[0]]

    def test_a_changed_recording_with_a_job_controller_differs(self):
        self.take(MPI_GROUP, MPI_CASE)
        steps = self.files["steps.json"]
        key = [*self.request(0, "POST", "/secrets"), "body", "data", "ssh-privatekey"]
        self.expect_difference(key, "<pem EC PRIVATE KEY der=121 P-256>", "render[secrets ")
        launcher = self.request(4, "PUT", "/jobs/susr-launcher")
        for options in (("--check", "plan"), ("--through", "operator")):
            self.expect_difference(key, "text:x", "steps[0].requests[POST secrets ", *options)
            of_job = "steps[4].requests[PUT jobs susr-launcher].body."
            start = [*launcher, "body", "status", "startTime"]
            self.expect_difference(start, "<t1>", of_job + "status.startTime", *options)
            selector = [*launcher, "body", "spec", "selector", "matchLabels", "batch.kubernetes.io/controller-uid"]
            self.expect_difference(selector, "<uid:Job/other>", of_job + "spec.selector", *options)
            pods = {"susr-launcher-<rand>": "Failed", "susr-worker-0": "Running", "susr-worker-1": "Running"}
            self.expect_difference(["steps.json", 3, "pods"], pods, "steps[3].pods.susr-launcher-<rand>", *options)
            fewer = [r for r in steps[4]["requests"] if r["method"] != "DELETE"]
            self.expect_difference(["steps.json", 4, "requests"], fewer, "steps[4].requests[DELETE pods ", *options)
            self.expect_difference(["steps.json", 3, "transitions"], [], "steps[3].transitions", *options)
            waits = "plan: " if "plan" in options else "operator: "
            ready = ["steps.json", 3, "event", "events", 1, "status"]
            self.expect_difference(ready, {"ready": 7}, waits + "what the recording waits for does not come", *options)
            pod = ["steps.json", 3, "event", "events", 0, "set", 0, "podOf"]
            self.expect_difference(pod, "other", waits + "no pod of Job other comes", *options)
        flags = ["case.json", "flags"]
        self.expect_difference(flags, ["-shape", "round"], "admission: flag -shape: has no effect on the rules")
        self.expect_difference(flags, ["-cluster-domain"], "admission: flag -cluster-domain: has no value")
        self.expect_difference(["case.json", "version"], "v9", "admission: no such release of mpi-operator: v9")

    def test_a_replacement_between_is_chance_only_where_a_stimulus_has_several_parts(self):
        self.take(MPI_GROUP, "elastic")
        both = self.files["steps.json"][6]["requests"]
        last = [r for r in both if r["method"] != "PUT" or "worker-2" not in r["body"]["data"]["discover_hosts.sh"]]
        self.assertEqual(len(both), len(last) + 1)
        for options in (("--check", "plan"), ("--through", "operator")):
            self.expect_difference(["steps.json", 6, "requests"], last, "steps[6].requests[PUT configmaps ", *options)
            files = copy.deepcopy(self.files)
            change(files, ["steps.json", 6, "requests"], last)
            event = files["steps.json"][6]["event"]
            files["steps.json"][6]["event"] = {"type": "sequence", "events": [event, {"type": "wait", "seconds": 0.5}]}
            code, lines = self.run_command("--strict", *options, self.write(files, packed=True))
            self.assertEqual((code, lines), (0, ["1 cases, 1 equal, 0 differ"]))

    def test_a_known_difference_is_reported_and_passes(self):
        files = copy.deepcopy(self.files)
        change(files, ["steps.json", 1, "services"], [])
        known = self.top / "known.json"
        known.write_text(json.dumps([{"cases": "*/clean-all", "differs": "steps[1].services*", "row": "why"}]))
        code, lines = self.run_command("--differences", known, self.write(files, packed=True))
        self.assertEqual((code, lines[-1]), (0, "1 cases, 0 equal, 1 differ"))
        self.assertTrue(lines[0].endswith("(on purpose: why)"), lines)
        code, lines = self.run_command("--differences", known, self.write(packed=True))
        self.assertEqual(code, 1, "an unused entry must be reported")
        self.assertEqual(lines[-1], "1 cases, 1 equal, 0 differ")

    def test_bad_input_is_named(self):
        (self.top / "broken.jsonl").write_text('{"recordings": 1, "group": "a/b"}\n{"case"\n')
        code, lines = self.run_command(self.top)
        self.assertEqual(code, 2)
        self.assertIn("broken.jsonl:2", lines[-1])
        self.assertEqual(self.run_command(self.top / "absent")[0], 2)
        (self.top / "broken.jsonl").unlink()
        self.assertEqual(self.run_command(self.top), (1, ["0 cases, 0 equal, 0 differ"]))

    def test_every_known_difference_has_its_row(self):
        page = (HERE.parent.parent / "docs/reference/upstream-differences.md").read_text()
        keys = set(re.findall(r"^- \*\*.*?(?=\. \*)", page, re.S | re.M))
        keys = {k for entry in keys for k in re.findall(r"`#([a-z0-9-]+)`", entry)}
        for entry in json.loads((HERE / "differences.json").read_text()):
            self.assertIn(entry["row"], keys, "no entry of docs/reference/upstream-differences.md bears this key")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
