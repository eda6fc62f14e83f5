"""Hooks of MkDocs: navigation from docs/index.md, references, pages for linked sources, pictures, checks of the result.

Rewrites lists and links that GitHub and Python-Markdown read differently."""

import hashlib
import json
import os
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).parent))
import cpp_reference  # noqa: E402
import mermaidx  # noqa: E402
import python_reference  # noqa: E402
from mkdocs.exceptions import PluginError  # noqa: E402
from mkdocs.structure.files import File, InclusionLevel  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))|(?<=\]: )(\S+)$", re.M)
CODE = re.compile(r"(^ *(`{3,}).*?^ *\2$|`[^`\n]+`)", re.S | re.M)
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".yaml": "yaml", ".json": "json", ".txt": "text"}

MERMAID = "74d7c46dabca328c2294733910a8aa1ed0c37451776e8d5295da38a2b758fb9b"  # dist/mermaid.min.js of 11.16.0 in npm

made = {}  # generated pages
names = set()  # public names of C++ and Python
origin = {}  # page -> the file of the tree that it shows


# Navigation


def navigation(index):
    """The sections of docs/index.md, in its order: items with further items below them become folders."""
    nav, section, group = [{"Home": "index.md"}], None, None
    for line in index.read_text().splitlines():
        if title := re.match(r"## (.*)", line):
            section = group = []
            nav.append({title[1]: section})
        elif section is not None and (title := re.match(r"(\w[\w ]*):$", line)):
            group = []
            section.append({title[1]: group})
        elif section is not None:
            below = line.startswith("  ")
            if below and group and re.match(r"  - ", line) and not isinstance(group[-1], Folder):
                first = group.pop()
                title, page = next(iter(first.items()))
                group.append(Folder({title: [page]} if page else {title: []}))
            for text, target in re.findall(r"\[([^\]]*)\]\(([^)]*)\)", line):
                page = page_of(os.path.normpath(index.parent / target), "index.md", absolute=True)
                (next(iter(group[-1].values())) if below and isinstance(group[-1], Folder) else group).append(
                    {plain(text): page})
            if re.match(r"- \w+:$", line):
                group.append({line[2:-1]: None})
    return nav


class Folder(dict):
    pass


def plain(text):
    return text.replace("`", "")


# Links to files outside docs/


def page_of(path, src, absolute=False):
    """The page that shows a file of the tree, as a link from the page `src`."""
    path = Path(path).relative_to(ROOT).as_posix()
    if path.startswith("docs/"):
        page = path.removeprefix("docs/")
    elif path.startswith("include/kftrain/") and path.endswith(".hpp"):
        page = path.replace("include/kftrain", "cpp").removesuffix(".hpp") + ".md"
    elif path == "README.md":
        page = "index.md"
    else:
        page = f"sources/{path}/files.md" if (ROOT / path).is_dir() else f"sources/{path.removesuffix('.md')}.md"
        want(path, page)
    return page if absolute else os.path.relpath(page, os.path.dirname(src) or ".")


def want(path, page):
    if page not in made:
        made[page] = ""  # links may form a circle
        origin[page] = ROOT / path
        made[page] = source_page(ROOT / path, page)


def source_page(file, page):
    title = f"# {file.relative_to(ROOT).as_posix()}".replace("_", r"\_")
    if file.is_dir():
        out = [title, ""]
        for inner in sorted(file.rglob("*")):
            shown = inner.relative_to(file).as_posix()
            if inner.is_file() and "examples" in file.parts and not inner.name.startswith((".", "CMake")):
                out.append(f"- [`{shown}`]({page_of(inner, page)})")
            elif inner.parent == file and inner.is_dir():
                out.append(f"- `{shown}/`")
        return "\n".join(out) + "\n"
    text = file.read_text()
    if file.suffix == ".md":
        return text
    if file.suffix == ".ipynb":
        out = [title, ""]
        for cell in json.loads(text)["cells"]:
            body = "".join(cell["source"])
            out += [body if cell["cell_type"] == "markdown" else f"```python\n{body}\n```", ""]
        return "\n".join(out)
    return f"{title}\n\n````{LANGUAGES.get(file.suffix, 'text')}\n{text.rstrip()}\n````\n"


def rewrite_links(text, src):
    """Links of a page, whose own place is `origin[src]`, that lead out of docs/."""
    folder = origin[src].parent if src in origin else (ROOT / "docs" / src).parent

    def rewrite(match):
        target = match[1] or match[2]
        path, hash_, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", target):
            return target
        file = os.path.normpath(folder / path)
        inside = file.startswith(f"{ROOT}/docs/") and src not in origin
        return target if inside or not os.path.exists(file) else page_of(file, src) + hash_ + anchor

    return outside_code(text, lambda t: LINK.sub(rewrite, t))


def outside_code(text, change):
    parts, last = [], 0
    for code in CODE.finditer(text):
        parts += [change(text[last : code.start()]), code[0]]
        last = code.end()
    return "".join([*parts, change(text[last:])])


# Markdown as GitHub reads it


def indent_lists(text):
    """Nested items and what belongs to an item at four columns a level, and an empty line before a list."""
    out, stack, fence, blank = [], [], None, True
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        opened = re.match(r" *(`{3,})", line)
        if fence:
            fence = None if opened and line.strip() == fence else fence
        elif opened:
            fence = opened[1]
            while stack and indent < stack[-1]:
                stack.pop()
        elif item := re.match(r" *([-*]|\d+\.) +(?=\S)", line):
            while stack and indent < stack[-1]:
                stack.pop()
            if stack or indent < 4:
                if not stack and not blank and out and not re.match(r" *([-*]|\d+\.) ", out[-1]):
                    out.append("")
                out.append("    " * len(stack) + line.lstrip())
                stack.append(item.end())
                blank = False
                continue
        elif line.strip() and blank:
            while stack and indent < stack[-1]:
                stack.pop()
        blank = not line.strip()
        cut = min(indent, stack[-1]) if stack else 0
        out.append("    " * len(stack) + line[cut:] if not blank else "")
    return "\n".join(out)


def inline_pictures(text, src):
    """SVG files become part of the page, so that they follow its colours and their text can be found."""

    def picture(match):
        file = (ROOT / "docs" / src).parent / match[2]
        svg = re.sub(r"\n\s*", "\n", file.read_text().strip())
        return f'<figure class="picture" role="img" aria-label="{match[1]}">\n{svg}\n</figure>'

    return re.sub(r"^!\[([^\]]*)\]\((\S+\.svg)\)$", picture, text, flags=re.M)


def check_diagrams(text, src):
    for diagram in re.findall(r"^```mermaid\n(.*?)^```", text, re.S | re.M):
        try:
            mermaidx.render(diagram).svg()
        except Exception as error:
            raise PluginError(f"{src}: {error}") from error


# Hooks


def on_config(config):
    made.clear()
    names.clear()
    origin.clear()
    references = []
    for module, folder in ((cpp_reference, "build/docs/xml"), (python_reference, "bindings/python")):
        pages, nav, found = module.pages(ROOT / folder)
        made.update(pages)
        references += nav
        names.update(found)
    config.nav = navigation(ROOT / "docs/index.md") + references
    return config


def on_files(files, config):
    for file in list(files.documentation_pages()):
        rewrite_links(Path(file.abs_src_path).read_text(), file.src_uri)
    done = set()
    while rest := set(made) - done:
        for page in sorted(rest):
            made[page] = rewrite_links(made[page], page) if page in origin else made[page]
            done.add(page)
    for page, text in made.items():
        level = InclusionLevel.NOT_IN_NAV if page in origin else InclusionLevel.UNDEFINED
        file = File.generated(config, page, content=text)
        file.inclusion = level
        files.append(file)
    return files


def on_page_markdown(markdown, page, config, files):
    src = page.file.src_uri
    if src == "index.md":
        page.meta["hide"] = ["navigation"]
    # Guides come first if their words are as near as those of a reference.
    page.meta["search"] = {"boost": 0.2 if src in origin else 0.5 if src.startswith(("cpp/", "py/")) else 1}
    if src.startswith(("cpp/", "py/")):
        return markdown
    check_diagrams(markdown, src)
    return inline_pictures(indent_lists(markdown if src in origin else rewrite_links(markdown, src)), src)


def on_post_page(output, page, config):
    if 'class="mermaid"' not in output:
        return output
    output = re.sub(r'<pre class="mermaid">.*?</pre>', r'<div class="diagram">\g<0></div>', output, flags=re.S)
    script = os.path.relpath("assets/mermaid.js", os.path.dirname(page.file.dest_uri) or ".")
    return re.sub(r'(?=<script src="[^"]*assets/javascripts/bundle)', f'<script src="{script}"></script>', output)


def on_post_build(config):
    site = Path(config.site_dir)
    script = Path(mermaidx.__file__).parent / "assets/mermaid.js"
    if hashlib.sha256(script.read_bytes()).hexdigest() != MERMAID:
        raise PluginError(f"{script} is not the file of npm")
    shutil.copy(script, site / "assets/mermaid.js")
    # scripts/docs builds the site again if one of these files changes.
    linked = sorted(file.relative_to(ROOT).as_posix() for file in origin.values())
    (ROOT / "build/docs/linked").write_text("".join(f"{name}\n" for name in linked))
    problems = check(site)
    if problems:
        raise PluginError("\n".join(["the site has faults:", *problems]))


# Checks of the site


class Page(HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.links, self.ids, self.loads = [], set(), []
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == "id":
                self.ids.add(value)
            elif key == "href" and tag == "a":
                self.links.append(value)
            elif key == "src" or (key == "href" and tag == "link"):
                self.loads.append(value)


def check(site):
    """Links that lead nowhere, pages that no link reaches, things from other servers, names that no search finds."""
    pages = {f.relative_to(site).as_posix(): Page(f) for f in site.rglob("*.html") if f.name != "404.html"}
    problems, reached, todo = [], {"index.html"}, ["index.html"]
    for name, page in pages.items():
        problems += [f"{name}: loads {u}" for u in page.loads if re.match(r"(https?:)?//", u)]
    while todo:
        name = todo.pop()
        for url in pages[name].links:
            if re.match(r"[a-z]+:", url):
                continue
            path, _, anchor = unquote(url).partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if target == ".":
                target = "index.html"
            if target not in pages:
                if not (site / target).is_file():
                    problems.append(f"{name}: {url} does not exist")
                continue
            if anchor and anchor not in pages[target].ids and anchor != "__top":
                problems.append(f"{name}: {url}: no such place in the page")
            if target not in reached:
                reached.add(target)
                todo.append(target)
    problems += [f"{name}: no link leads to this page" for name in sorted(set(pages) - reached)]
    index = json.loads((site / "search/search_index.json").read_text())
    words = set()
    for entry in (e for e in index["docs"] if e["location"].startswith(("cpp/", "py/"))):
        words.update(re.findall(r"\w+", entry["title"] + " " + re.sub(r"<[^>]*>", " ", entry["text"])))
    absent = {n for n in names if not set(re.findall(r"\w+", n)) <= words}
    return problems + [f"{n}: no search finds this name" for n in sorted(absent)]
