"""usage: pictures.py [--check] [PROGRAM]

Makes the SVG files of docs/pictures/: the bars of docs/reference/performance.md and, with the command PROGRAM
(build/dev/bin/kftrain), the objects of an example job of each kind, and a recording of `kftrain run`.
--check compares instead of writing, and makes no recording."""

import fcntl
import html
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs/pictures"
KINDS = {  # picture: manifest
    "pytorch_job": "pytorch_digits", "tf_job": "tf_job", "jax_job": "jax_job", "xgboost_job": "xgboost_job",
    "paddle_job": "paddle_job", "mpi_job_v1": "mpi_job_v1", "mpi_job_v2beta1": "mpi_hosts", "mx_job": "mx_job",
    "volcano_job": "volcano_job", "chainer_job": "../../test/bench/jobs/chainer_workers",
    "pytorch_job_v1alpha1": "pytorch_job_v1alpha1", "train_job": "train_job",
}
# Of the bars. `kftrain render -o svg` has its own for the same classes, in src/cli/manifests/job_picture.cpp.
# On the site, theme/assets/site.css sets the colours of the modes of the site.
STYLE = """<style>
.kf { --ink: #1f2328; --dim: #59636e; --line: #8c959f; --bar: #0969da }
@media (prefers-color-scheme: dark) {
.kf { --ink: #e6edf3; --dim: #9198a1; --line: #6e7681; --bar: #4493f8 }
}
.kf text { fill: var(--ink); font: 13px system-ui, sans-serif } .kf .d { fill: var(--dim) } .kf .b { font-weight: 600 }
.kf .m { font: 12px ui-monospace, monospace } .kf path { fill: none; stroke: var(--line); stroke-width: 1.3 }
.kf rect { stroke: var(--line); rx: 5px } .kf .bar { fill: var(--bar); stroke: none }
</style>"""


def svg(width, height, body, title):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" class="kf" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}">\n<title>{html.escape(title)}</title>\n{STYLE}\n' + "\n".join(body) + "\n</svg>\n")


def text(x, y, words, style=""):
    words = html.escape(words).replace("  ", "\u00a0\u00a0")
    return f'<text x="{x}" y="{y}"{f" class={chr(34)}{style}{chr(34)}" if style else ""}>{words}</text>'


# Objects of a job


def kind_picture(program, manifest):
    file = ROOT / f"examples/manifests/{manifest}.yaml"
    return subprocess.run([program, "render", file, "-o", "svg"], check=True, capture_output=True, text=True).stdout


# Bars


def ratio_of(cell):
    first = cell.split()[0]
    return 1 / float(first[2:]) if first.startswith("1/") else float(first)


def bars_picture():
    """Bars of the tables with the column `ratio`: the length is the share of what the other program needs."""
    page = (ROOT / "docs/reference/performance.md").read_text()
    results = page[page.index("## Results") : page.index("### Goals")]
    body, y, scale, left = [], 44, 320, 284
    for title, rest in re.findall(r"^\*\*(.+?)\*\*(.*?)(?=^\*\*|\Z)", results, re.S | re.M):
        rows = [[c.strip() for c in line.strip("|").split("|")] for line in rest.splitlines() if line.startswith("|")]
        if not rows or "ratio" not in rows[0]:
            continue
        column, goal_column = rows[0].index("ratio"), rows[0].index("goal") if "goal" in rows[0] else None
        body.append(text(10, y, title.strip("."), "b"))
        y += 22
        begun = y
        for row in rows[2:]:
            ratio = ratio_of(row[column])
            body.append(text(22, y, row[0]))
            body.append(f'<rect class="bar" x="{left}" y="{y - 11}" width="{ratio * scale:.0f}" height="13"/>')
            if goal_column is not None and (goal := re.search(r"(1/)?([\d.]+)", row[goal_column])):
                x = left + scale * (1 / float(goal[2]) if goal[1] else float(goal[2]))
                body.append(f'<path d="M{x:.0f} {y - 15}V{y + 6}" style="stroke: var(--ink); stroke-width: 2"/>')
            body.append(text(left + max(scale + 12, round(ratio * scale) + 8), y, f"{ratio:.2f} ×", "m"))
            y += 22
        body.append(f'<path d="M{left} {begun - 15}V{y - 13}"/>')
        body.append(f'<path d="M{left + scale} {begun - 15}V{y - 13}" style="stroke-dasharray: 4 3"/>')
        y += 10
    head = [text(10, 14, "What kftrain needs, in times of the other program: less is better", "d"),
            text(left + scale - 10, 14, "1 ×", "m")]
    foot = [f'<path d="M10 {y - 8}v18" style="stroke: var(--ink); stroke-width: 2"/>', text(20, y + 5, "goal", "d")]
    return svg(720, y + 18, head + body + foot, "What kftrain needs, in times of other programs")


# The recording

COLUMNS, ROWS = 94, 24
COLORS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea"}


def record(command):
    """(seconds, output) of a command in a terminal; waits of more than a second are cut to one."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.environ.update(TERM="xterm-256color")
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    now, last = 0.0, time.monotonic()
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # the command has ended
            break
        now += min(time.monotonic() - last, 1.0)
        last = time.monotonic()
        yield now, data.decode()
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        sys.exit(f"{command[0]} failed")


def recording_picture(chunks, prompt):
    """Each row of the terminal at its time; without animation the last screen is shown."""
    screen, row, line, color = {}, 1, [], ""  # row -> [(color, text)]
    spans, scrolls, bottom = [], [(0.0, 0)], 0  # spans: row, parts, from, to
    shown = {}

    def update(now):
        nonlocal bottom
        for r in set(screen) | set(shown):
            if screen.get(r) != (shown[r][0] if r in shown else None):
                if r in shown:
                    spans.append((r, *shown.pop(r), now))
                if screen.get(r):
                    shown[r] = (list(screen[r]), now)
        bottom = max(bottom, row)
        if (offset := max(0, bottom - ROWS)) != scrolls[-1][1]:
            scrolls.append((now, offset))

    screen[0] = [("#7ee787", "$ "), ("", prompt)]
    update(0.0)
    end = 0.0
    for now, data in chunks:
        end = now + 0.6
        for part in re.split(r"(\x1b\[[\d;?]*[A-Za-z]|\r|\n)", data):
            if code := re.fullmatch(r"\x1b\[([\d;?]*)([A-Za-z])", part):
                value, what = code[1], code[2]
                if what == "m":
                    color = next((COLORS[c] for c in value.split(";") if c in COLORS), "")
                elif what == "F":
                    row -= int(value or 1)
                elif what == "J":
                    for r in [r for r in screen if r >= row]:
                        del screen[r]
            elif part == "\n":
                row += 1
            elif part and part != "\r":
                screen.setdefault(row, []).append((color, part))
        update(end)
    spans += [(r, *of, None) for r, of in shown.items()]
    length, pitch = end + 1, 19

    def line_of(r, parts, start, stop):
        keep = [(c, html.escape(t).replace("  ", "\u00a0\u00a0")) for c, t in parts]
        inner = "".join(f'<tspan fill="{c}">{t}</tspan>' if c else t for c, t in keep)
        if stop is None:
            change = f'<set attributeName="visibility" to="hidden" begin="0s" end="{start:.2f}s"/>' if start else ""
            return f'<text y="{(r + 1) * pitch - 5}">{inner}{change}</text>'
        change = f'<set attributeName="visibility" to="visible" begin="{start:.2f}s" end="{stop:.2f}s"/>'
        return f'<text y="{(r + 1) * pitch - 5}" visibility="hidden">{inner}{change}</text>'

    rows = [line_of(*s) for s in spans if s[3] is None or s[3] - s[2] >= 0.05]
    times = ";".join(f"{t / length:.4f}" for t, _ in scrolls)
    values = ";".join(f"0,{-o * pitch}" for _, o in scrolls)
    width, height = COLUMNS * 8 + 28, ROWS * pitch + 60
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<title>A recording of {html.escape(prompt)}</title>
<rect width="{width}" height="{height}" rx="8" fill="#161b22" stroke="#30363d"/>
<g fill="#484f58"><circle cx="20" cy="18" r="6"/><circle cx="40" cy="18" r="6"/><circle cx="60" cy="18" r="6"/></g>
<svg x="14" y="36" width="{width - 28}" height="{ROWS * pitch + 12}">
<g transform="translate(0,{-scrolls[-1][1] * pitch})" fill="#e6edf3" \
font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
<animateTransform attributeName="transform" type="translate" calcMode="discrete" dur="{length:.2f}s" fill="freeze" \
keyTimes="{times}" values="{values}"/>
{chr(10).join(rows)}
</g>
</svg>
</svg>
"""


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    check = "--check" in sys.argv[1:]
    program = os.path.abspath(arguments[0]) if arguments else None
    made = {"performance.svg": bars_picture()}
    if program:
        made.update({f"{k}.svg": kind_picture(program, m) for k, m in KINDS.items()})
    if check:
        old = [n for n, s in made.items() if not (PICTURES / n).is_file() or (PICTURES / n).read_text() != s]
        sys.exit(f"not up to date, run scripts/docs --pictures: {', '.join(old)}" if old else 0)
    if program:
        job = "examples/manifests/pytorch_digits.yaml"
        made["run.svg"] = recording_picture(record([program, "run", job]), f"kftrain run {job}")
    PICTURES.mkdir(exist_ok=True)
    for name, content in made.items():
        (PICTURES / name).write_text(content)


if __name__ == "__main__":
    main()
