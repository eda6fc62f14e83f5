"""The part of a terminal that `kftrain run` needs: rows that wrap, scroll off at the top and are kept, and a few
control sequences that move the cursor or erase."""

import fcntl
import os
import pty
import re
import struct
import termios

ESCAPE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")


class screen:
    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.scrolled = []  # rows that left at the top
        self.lines = [""]
        self.row = self.column = 0
        self.colours = 0  # how often one was chosen

    def feed(self, text):
        at = 0
        while at < len(text):
            escape = ESCAPE.match(text, at)
            if escape:
                self.control(escape.group(1), escape.group(2))
                at = escape.end()
                continue
            assert text[at] >= " " or text[at] in "\r\n\t", f"control character {text[at:at + 10]!r}"
            self.put(text[at])
            at += 1

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.down()
        else:
            if self.column == self.columns:
                self.column = 0
                self.down()
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
            self.column += 1

    def down(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")
        if len(self.lines) > self.rows:
            self.scrolled.append(self.lines.pop(0))
            self.row -= 1

    def control(self, numbers, what):
        if what == "F":
            self.row = max(0, self.row - int(numbers or 1))
            self.column = 0
        elif what == "G":
            self.column = int(numbers or 1) - 1
        elif what == "J":
            assert numbers in ("", "0"), numbers
            del self.lines[self.row + 1:]
            self.lines[self.row] = self.lines[self.row][:self.column]
        elif what == "m":
            self.colours += numbers not in ("", "0")
        else:
            raise AssertionError(f"control sequence {numbers}{what}")

    def all(self):
        """All lines, including those that have scrolled off."""
        return [line.rstrip() for line in self.scrolled + self.lines]


class command_on_terminal:
    def __init__(self, arguments, rows, columns, environment):
        self.screen = screen(rows, columns)
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(arguments[0], arguments, environment)
        self.rest = b""

    def read(self):
        """Reads the output of the command; False at its end."""
        try:
            data = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            data = b""
        if not data:
            return False
        data = self.rest + data
        # A read may end within a control sequence or a character.
        torn = re.search(rb"\x1b(\[[0-9;]*)?$|[\xc0-\xff][\x80-\xbf]*$", data)
        self.rest = data[torn.start():] if torn else b""
        self.screen.feed(data[:torn.start() if torn else len(data)].decode())
        return True

    def read_until(self, pattern):
        while not any(re.search(pattern, line) for line in self.screen.all()):
            assert self.read(), f"no {pattern!r} in\n" + "\n".join(self.screen.all())

    def type(self, data):
        os.write(self.master, data)

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        while len(self.screen.lines) > rows:
            self.screen.scrolled.append(self.screen.lines.pop(0))
            self.screen.row -= 1
        self.screen.rows, self.screen.columns = rows, columns

    def end(self):
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
