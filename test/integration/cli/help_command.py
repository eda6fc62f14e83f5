#!/usr/bin/python3
"""usage: help_command.py KFTRAIN TEST

The help of all commands, and the messages for arguments that cannot be used."""

import os
import re
import subprocess
import sys

from cluster_of_commands import CONFIG
from manifest_files import JOB, KFTRAIN, equal, run, run_test, write

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../scripts"))
from prose_lint import PATTERNS  # pylint: disable=wrong-import-position

WIDTH = 100
# Commands whose examples need a cluster. Without one they reach no server, which shows that their arguments are valid.
ONLINE = ("submit get list watch wait logs exec cp port-forward "
          "events explain timeline scale suspend resume delete plan preflight").split()
PARSER_WORDS = r"\b(TEXT|INT|UINT|FLOAT|REQUIRED)\b|Excludes:|Needs:"
RULED_OUT = "|".join([r"\bnobody\b", *(p for name, p in PATTERNS.items() if name != "long-line")])


class help_page:
    """The help of one command: its sections, and the entries of those with two columns."""

    def __init__(self, *command):
        done = run(*command, "--help")
        equal((done.returncode, done.stderr), (0, ""), command)
        self.command, self.text, self.lines = command, done.stdout, done.stdout.splitlines()
        self.sections, lines = {}, []
        for line in self.lines:
            if re.match(r"\S.*:$", line) and not line.startswith("Usage"):
                lines = self.sections.setdefault(line[:-1], [])
            elif line.startswith("  "):
                lines.append(line[2:])

    def entries(self, section):
        """The left column and the description of each entry."""
        found = []
        for line in self.sections.get(section, []):
            if line.startswith("  ") and found:
                found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
            else:
                left, _, text = line.partition("  ")
                found.append([left, text.strip()])
        return found

    def tables(self):
        return [s for s in self.sections if s not in ("Exit codes", "Examples") and not s.endswith("Conversions")]

    def commands(self):
        groups = [section for section in self.sections if section.startswith("Commands")]
        return [name for section in groups for name, _ in self.entries(section)]

    def examples(self):
        lines = self.sections["Examples"]
        equal([line.startswith("# ") for line in lines], [True, False] * (len(lines) // 2), self.command)
        return lines[1::2]


def all_pages(*command):
    page = help_page(*command)
    yield page
    for name in page.commands():
        yield from all_pages(*command, name)


def check_options(page):
    options = [name for section in page.tables() for left, _ in page.entries(section)
               for name in re.findall(r"(?<!\S)--?[\w-]+", left)]
    equal(sorted(options), sorted(set(options)), f"an option of {page.command} appears twice")
    for section in page.tables():
        for left, text in page.entries(section):
            where = f"{' '.join(page.command)}: {left}"
            assert re.match("[A-Z][a-z]+,? ", text), f"{where}: expected a verb first, got {text}"
            assert not re.search(PARSER_WORDS, left), f"{where}: expected FILE, DIR, DURATION, N or the like"


def help_follows_the_rules():
    pages = list(all_pages())
    assert len(pages) > 20, [page.command for page in pages]
    for page in pages:
        name = " ".join(("kftrain", *page.command))
        usage = [line for line in page.lines if line.startswith("Usage: ")]
        equal(len(usage), 1, page.text)
        assert usage[0].startswith(f"Usage: {name} [OPTIONS]"), usage
        assert max(map(len, page.lines)) <= WIDTH, page.text
        assert re.match("[A-Z][a-z]+,? ", page.text), page.text
        assert "ENUM" not in page.text and "{" not in page.text, page.text
        assert not re.search(RULED_OUT, page.text, re.I), page.text
        check_options(page)
        assert 2 <= len(page.examples()) <= 3, page.text
        for code, meaning in page.entries("Exit codes"):
            assert code.isdigit() and re.match("[A-Z-].*[.]$", meaning), (name, code, meaning)


def help_examples_work():
    job = JOB.replace("  namespace: team\n", "")
    write("job.yaml", job.replace("image: example.com/mnist:1", "image: none\n            command: [/bin/true]"))
    write("jobs.yaml", job + "---\n" + job.replace("name: mnist", "name: other"))
    write("images.yaml", "'*': host\n")
    write("script.sh", "exit 0\n")
    write("data.csv", "1,2\n")
    os.symlink(KFTRAIN, "kftrain")
    write("config", CONFIG.replace("contexts: [", "contexts: [{name: service, context: {cluster: a}}, ") % 1)
    home = os.getcwd()
    variables = {"PATH": f"{home}:{os.environ['PATH']}", "HOME": home, "KUBECONFIG": os.path.abspath("config")}
    tried = 0
    try:
        for page in all_pages():
            for line in page.examples():
                program = re.search(r"kftrain ((?:local )?\w[\w-]*)", line)[1]
                assert not page.command or program == " ".join(page.command) or program.split()[0] == "local", line
                if "local down" in line and page.command != ("local", "down"):
                    continue  # those of `local down` come last
                offline = program not in ONLINE or "--help" in line
                expected = {0} if offline and program not in ("diff", "fmt") else {0, 1} if offline else {3}
                done = subprocess.run(["sh", "-c", line], env=variables, capture_output=True, text=True, timeout=60,
                                      check=False)
                assert done.returncode in expected, f"{line}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
                tried += 1
    finally:
        for state in ("cluster", ".local/state/kftrain"):
            run("local", "down", "--state", state)
    assert tried > 40, tried


def help_messages_explain_invalid_arguments():
    """The messages for arguments, each once: the option, what was expected, what was found, and where to read on."""
    for arguments, message, page in (
            ([], "expected a command, got none", "kftrain"),
            (["run"], "FILE is required", "kftrain run"),
            (["convert", "job.yaml"], "--to is required", "kftrain convert"),
            (["submit"], "FILE or --filename is required", "kftrain submit"),
            (["run", "--colour", "job.yaml"], "unexpected argument: --colour", "kftrain run"),
            (["render", "a", "b", "c"], "unexpected arguments: c b", "kftrain render"),
            (["get", "TFJob/a", "-f", "x"], "JOB cannot be combined with --filename", "kftrain get"),
            (["run", "--isolation", "none", "x"],
             '--isolation: expected automatic, namespaces or processes, got "none"', "kftrain run"),
            (["lint", "-o", "xml", "x"], '--output: expected text or json, got "xml"', "kftrain lint"),
            (["lint", "-o"], "--output: expected text|json, got nothing", "kftrain lint"),
            (["lint", "x", "-o", "text", "-o", "json"], "--output: expected one value, got 2", "kftrain lint"),
            (["list", "--limit", "-1"],
             '--limit: expected a whole number from 0 to 4294967295, got "-1"', "kftrain list"),
            (["logs", "TFJob/a", "--tail", "x"],
             '--tail: expected a whole number of at least 0, got "x"', "kftrain logs"),
            (["ranks", "x", "--rank", "1.5"], '--rank: expected a whole number, got "1.5"', "kftrain ranks"),
            (["local", "up", "--port", "65536"],
             '--port: expected a whole number from 0 to 65535, got "65536"', "kftrain local up"),
            (["local", "down", "--timeout", "soon"],
             '--timeout: expected a duration such as 90s, 5m or 1h30m, at most a year, got "soon"',
             "kftrain local down"),
            (["list", "-n", ""], "--namespace: expected a name, got an empty text", "kftrain list")):
        done = run(*arguments)
        equal((done.returncode, done.stdout, done.stderr), (2, "", f'kftrain: {message}; see "{page} --help"\n'))


if __name__ == "__main__":
    run_test(globals())
