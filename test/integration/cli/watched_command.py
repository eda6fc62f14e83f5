"""Runs the command and remembers every process below it and every folder these write to, so that a test can ask
whether anything is left. Looks at what belongs to this run only: other clusters may live on the machine."""

import os
import re
import signal
import subprocess
import threading
import time


def parent_and_start(pid):
    """Returns the parent and the start time of a process, which together with its id name it; None for the dead."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            fields = stat.read().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else (int(fields[1]), fields[19])


def all_processes():
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            known = parent_and_start(int(name))
            if known:
                found[int(name)] = known
    return found


def folder_of(pid):
    """The folder of a cluster whose logs the first process of a pod writes."""
    try:
        for fd in os.listdir(f"/proc/{pid}/fd"):
            match = re.match(r"(.*)/logs/.*\.log$", os.readlink(f"/proc/{pid}/fd/{fd}"))
            if match:
                return match.group(1)
    except OSError:
        pass  # it ended, or closed the file
    return None


def program_of(pid):
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    except OSError:
        return None


class watched_command:
    def __init__(self, arguments, **options):
        self.family = {}
        self.folders = set()
        self.programs = set()  # names of what ran below the command
        self.lines = []
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        start_new_session=True, **options)
        self.news = threading.Condition()
        self.watching = True
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.watcher = threading.Thread(target=self.watch, daemon=True)
        self.reader.start()
        self.watcher.start()

    def read(self):
        for line in self.process.stdout:
            with self.news:
                self.lines.append(line.rstrip("\n"))
                self.news.notify_all()

    def watch(self):
        while self.watching:
            self.look()
            time.sleep(0.02)

    def look(self):
        """Adds the current descendants of the command. A known process is watched even after its parent has died."""
        processes = all_processes()
        below = {pid for pid, start in self.family.items() if processes.get(pid, (0, ""))[1] == start}
        below.add(self.process.pid)
        grown = True
        while grown:
            more = {pid for pid, (parent, _) in processes.items() if parent in below} - below
            below |= more
            grown = bool(more)
        for pid in below - {self.process.pid}:
            if pid in processes:
                self.family[pid] = processes[pid][1]
                self.programs.add(program_of(pid))
                folder = folder_of(pid)
                if folder:
                    self.folders.add(folder)

    @property
    def text(self):
        return "\n".join(self.lines)

    def wait_for(self, pattern, seconds=60):
        """Waits for a line that contains the pattern."""
        deadline = time.monotonic() + seconds
        with self.news:
            while not any(re.search(pattern, line) for line in self.lines):
                left = deadline - time.monotonic()
                ended = self.process.poll() is not None and not self.reader.is_alive()
                assert left > 0 and not ended, f"no line with {pattern!r} in\n{self.text}"
                self.news.wait(min(left, 0.2))

    def end(self, seconds=60):
        """Waits for the end of the command; returns its exit code in the form of a shell."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"still running after {seconds} s:\n{self.text}") from None
        self.reader.join(5)
        return 128 - code if code < 0 else code

    def interrupt(self, number=signal.SIGINT):
        """Sends the signal to the whole process group, as a terminal does."""
        os.killpg(self.process.pid, number)

    def left(self):
        processes = all_processes()
        names = []
        for pid, start in self.family.items():
            if processes.get(pid, (0, ""))[1] == start:
                names.append(f"process {pid}")
        names += [f"folder {folder}" for folder in self.folders if os.path.lexists(folder)]
        with open("/proc/self/mountinfo", encoding="utf-8") as mounts:
            names += [f"mount {line.strip()}" for line in mounts if any(folder in line for folder in self.folders)]
        return names

    def check_nothing_left(self, seconds=5):
        self.watching = False
        self.watcher.join()
        deadline = time.monotonic() + seconds
        while self.left() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not self.left(), f"left behind: {self.left()}\n{self.text}"
