#!/usr/bin/python3
"""usage: messages_command.py KFTRAIN TEST

The messages of commands about files, jobs and directories that cannot be used, each once and in full."""

import os

from apiserver_messages import compare_messages
from cluster_of_commands import with_cluster
from manifest_files import JOB, equal, run, run_test, write

WIDGET = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n"
LIMIT = 64 << 20
OWN_DIRECTORY = f"a directory owned by user {os.geteuid()} that no other user can write to"
OWN_FILE = f"a regular file owned by user {os.geteuid()} with one hard link and mode 0600"


def compare(rows):
    """Each row: the arguments, and the standard error."""
    for arguments, message in rows:
        done = run(*arguments)
        equal((done.returncode, done.stderr), (2, message), (arguments, done.stdout))


def with_spec(lines):
    return JOB.replace("spec:\n", f"spec:\n  runPolicy:\n    {lines}\n", 1)


def messages_about_files():
    write("empty.yaml", "")
    write("job.yaml", JOB)
    write("none.yaml", "a: 1\n")
    write("widget.yaml", WIDGET)
    with open("large.yaml", "wb") as file:
        file.truncate(LIMIT + 1)
    write("helm.yaml", "apiVersion: {{ .Values.version }}\nkind: Job\n")
    write("jinja.yaml", "apiVersion: {{ version }}\nkind: Job\n")
    write("statements.yaml", "{% if x %}\nkind: Job\n{% endif %}\n")
    template = "looks like a template of "
    compare((
        (["render", "absent.yaml"], 'kftrain: cannot read "absent.yaml": No such file or directory\n'),
        (["render", "large.yaml"], f'kftrain: cannot read "large.yaml": it is larger than {LIMIT} bytes\n'),
        (["run", "none.yaml"],
         "kftrain: none.yaml: kind: expected apiVersion and kind of a job, got neither (line 1, column 1)\n"),
        (["fmt", "none.yaml"], "kftrain: none.yaml:1:1: expected apiVersion and kind, got neither\n"),
        (["lint", "empty.yaml"], "kftrain: empty.yaml: expected an object, got none\n"),
        (["fmt", "empty.yaml"], "kftrain: empty.yaml: expected an object, got none\n"),
        (["convert", "--to", "Job", "empty.yaml"], "kftrain: empty.yaml: expected an object, got none\n"),
        (["lint"], "kftrain: expected a file or --rules, got neither\n"),
        (["diff", "job.yaml"], "kftrain: expected a second file or --defaults, got neither\n"),
        (["diff", "--defaults", "job.yaml", "job.yaml"], "kftrain: --defaults: expected one file, got two\n"),
        (["fmt", "--write", "-"], "kftrain: --write: expected a file to replace, got - (standard input)\n"),
        (["fmt", "helm.yaml"],
         f"kftrain: helm.yaml:1:13: {template}Helm ({{{{ ... }}}}); render it first, for example: "
         "helm template CHART | kftrain fmt -\n"),
        (["fmt", "jinja.yaml"],
         f"kftrain: jinja.yaml:1:13: {template}Jinja ({{{{ ... }}}}); render it first, for example: "
         "jinja2 FILE | kftrain fmt -\n"),
        (["fmt", "statements.yaml"],
         f"kftrain: statements.yaml:1:1: {template}Jinja ({{% ... %}}); render it first, for example: "
         "jinja2 FILE | kftrain fmt -\n"),
    ))
    done = run("lint", "widget.yaml")
    equal(done.stdout.splitlines()[0],
          'widget.yaml:1:1: warning: apiVersion "example.com/v1" and kind "Widget" are not a known type: the object '
          'was not checked [lint.unknown-kind]')
    done = run("diff", "widget.yaml", "job.yaml")
    equal(done.stderr, "kftrain: widget.yaml: line 1: Widget w has an unknown type: skipped\n")


def messages_about_jobs_that_would_not_start():
    write("suspended.yaml", with_spec("suspend: true"))
    write("managed.yaml", with_spec("managedBy: kueue.x-k8s.io/multikueue"))
    write("volume.yaml", JOB.replace("    Worker:", """    Worker:
      restartPolicy: Never""").replace("            env:\n            - name: LR\n              value: \"0.1\"", """\
            command: ["true"]
            envFrom: [{secretRef: {name: token}}]"""))
    compare((
        (["run", "suspended.yaml"],
         'kftrain: suspended.yaml:8:14: error: spec.runPolicy.suspend: true, so the job has no pods until it is false; '
         'remove the field, or use "kftrain local up", "kftrain submit" and "kftrain resume" [lint.suspended]\n'),
        (["run", "managed.yaml"],
         'kftrain: managed.yaml:8:16: error: spec.runPolicy.managedBy: "kueue.x-k8s.io/multikueue" manages the job, so '
         "the training operator ignores it; remove the field to run the job here, where no other controller is "
         "[lint.managed-by]\n"),
    ))


def messages_about_arguments_of_cluster_commands():
    """The commands fail before they send a request."""
    os.environ["KUBECONFIG"] = write("config", "current-context: a\nclusters: [{name: c, cluster: {server: "
                                     "'http://127.0.0.1:1'}}]\ncontexts: [{name: a, context: {cluster: c}}]\n")
    write("empty.yaml", "")
    write("job.yaml", JOB)
    write("two.yaml", JOB + "---\n" + JOB.replace("mnist", "other", 1))
    write("generated.yaml", JOB.replace("  name: mnist", "  generateName: mnist-", 1))
    condition = "expected finished, succeeded, failed, running, ready, ready=ROLE:N, suspended or deleted, got "
    compare((
        (["submit", "empty.yaml"], "kftrain: empty.yaml: expected YAML, got an empty text (line 1, column 1)\n"),
        (["get", "-f", "generated.yaml"],
         "kftrain: generated.yaml: metadata.name: expected the name of an existing job, got none\n"),
        (["get", "-n", "other", "-f", "job.yaml"],
         'kftrain: job.yaml: PyTorchJob/mnist: metadata.namespace: expected "other" from --namespace, got "team"\n'),
        (["get", "mnist"], 'kftrain: expected KIND/NAME or KIND NAME, got "mnist"\n'),
        (["delete"], "kftrain: expected a job as KIND/NAME or a manifest with --filename, got neither\n"),
        (["logs", "--filename", "two.yaml"], "kftrain: expected one job, got 2\n"),
        (["explain", "-f", "two.yaml"], "kftrain: expected one job, got 2\n"),
        (["submit", "--follow", "two.yaml"], "kftrain: --follow: expected a file with one job, got 2\n"),
        (["submit", "--dry-run", "--wait", "job.yaml"],
         "kftrain: --dry-run cannot be combined with --wait or --follow: it creates no job\n"),
        (["scale"], "kftrain: expected ROLE=N after the job, for example Worker=3, got nothing\n"),
        (["scale", "TFJob/a", "Worker=-1"],
         'kftrain: expected ROLE=N with N from 0 to 2147483647, for example Worker=3, got "Worker=-1"\n'),
        (["wait", "TFJob/a", "--for", "done"], f'kftrain: --for: {condition}"done"\n'),
        (["watch", "TFJob/a", "-A"], "kftrain: KIND/NAME cannot be combined with -A or -l\n"),
    ))


def messages_about_directories_of_local_clusters():
    os.mkdir("other")
    write("other/notes", "")
    os.mkdir("open")
    os.chmod("open", 0o777)
    os.mkdir("parent")
    os.mkdir("parent/child", 0o700)
    os.chmod("parent", 0o777)
    os.symlink("other", "link")
    for name, text, mode in (("foreign", "mine\n", 0o600), ("exposed", "", 0o644)):
        os.mkdir(name, 0o700)
        write(f"{name}/lock", text)
        os.chmod(f"{name}/lock", mode)
    here = os.getcwd()
    for name, message in (
            ("other", f"{here}/other: found files that do not belong to a local cluster: notes, expected an empty "
             "directory, no directory, or the directory of a local cluster"),
            ("open", f"{here}/open: found a directory with mode 0777, expected {OWN_DIRECTORY}"),
            ("parent/child", f"{here}/parent/child: found a directory below {here}/parent with mode 0777, expected "
             "parent directories that not every user can change"),
            ("exposed", f"{here}/exposed/lock: found a file with mode 0644, expected {OWN_FILE}"),
            ("foreign", f'{here}/foreign/lock: found a file that begins with "mine", expected a file that begins with '
             f'"kftrain local cluster 1"; if no local cluster of an older version uses {here}/foreign, remove that '
             'file')):
        done = run("local", "up", "--state", name)
        equal((done.returncode, done.stderr), (2, f"kftrain: {message}\n"), name)


@with_cluster
def messages_of_the_api_server():
    compare_messages()


if __name__ == "__main__":
    run_test(globals())
