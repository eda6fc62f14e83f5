"""The progress of `kftrain.train` in terminals and notebooks."""

import sys

from kftrain import _progress


class Terminal:
    def __init__(self, is_terminal=True):
        self.written = ""
        self.isatty = lambda: is_terminal

    def write(self, text):
        self.written += text

    def flush(self):
        pass


def test_the_progress_line_of_a_terminal_gives_way_to_output():
    terminal = Terminal()
    with _progress.TerminalProgress(terminal, 10) as progress:
        progress.show("one")
        progress.show("one")
        progress.hide()
        progress.hide()
        progress.show("a text that is too long")
    clear = "\r\x1b[K"
    assert terminal.written == clear + "one" + clear + clear + "a text th" + clear


def test_the_progress_of_a_notebook_is_replaced_in_its_place():
    shown = []

    class Handle:
        def update(self, data, raw):
            shown.append(data["text/plain"])

    def display(data, raw, display_id):
        return Handle()

    with _progress.NotebookProgress(display) as progress:
        progress.show("one")
        progress.show("one")
        progress.hide()
    assert shown == ["one", ""]


def test_progress_is_shown_in_terminals_unless_it_is_unwanted(monkeypatch):
    def kind(is_terminal, wanted):
        monkeypatch.setattr(sys, "stderr", Terminal(is_terminal))
        return type(_progress.progress_for(wanted))

    assert kind(True, None) is kind(False, True) is _progress.TerminalProgress
    assert kind(False, None) is kind(True, False) is _progress.Progress
