"""Makes the pages of the C++ reference from the XML of Doxygen: one page for each public header."""

import html
import re
import xml.etree.ElementTree as xml
from collections import defaultdict
from pathlib import Path, PurePosixPath

from pygments.lexers import CppLexer
from pygments.token import STANDARD_TYPES, Token

TARGETS = {
    "base": "core", "model": "core", "objects": "core", "job": "core", "kinds": "core", "controllers": "core",
    "convert": "core", "kube": "kube", "control": "control", "apiserver": "local", "local": "local",
    "facade": "training", "training_client.hpp": "training", "kftrain.hpp": "kftrain", "version.hpp": "core",
    "report.hpp": "core",
}
LAYERS = {
    "base": "Errors, diagnostics, logger, back-off", "model": "Described structs, JSON and YAML, diff, patch, schema",
    "objects": "The Kubernetes objects that jobs and pods need", "job": "Rules that all kinds share, plans, members",
    "kinds": "The job kinds and their builders", "controllers": "Controllers of other objects than jobs",
    "convert": "Conversions between job kinds", "kube": "The Kubernetes client: requests, watches, informers",
    "control": "Work queue, operators, leader election", "apiserver": "The API server in the process",
    "local": "Kubelet and local cluster", "facade": "What `training_client` takes and returns",
}
SOURCES = Path(__file__).resolve().parents[2] / "include/kftrain"
BLOCKS = "simplesect parameterlist itemizedlist orderedlist verbatim preformatted programlisting".split()
COMPOUNDS = ("class", "struct", "union", "concept")
LEXER = CppLexer()
esc = html.escape


def text_of(node):
    return re.sub(r"\s+", " ", "".join(node.itertext())).strip() if node is not None else ""


def short(name):
    return name.removeprefix("kftrain::")


def anchor_of(name):
    operator = re.search(r"operator\W+$", name)
    if operator:
        codes = "-".join(f"{ord(c):x}" for c in operator[0][8:] if not c.isspace())
        name = name[: operator.start()] + f"operator-{codes}"
    return re.sub(r"[^\w.~-]+", "-", short(name).replace("::", "."))


class Entity:
    """A class, function set, enumeration, alias, variable or macro."""

    def __init__(self, node, name, outer=None):
        self.nodes, self.name, self.outer = [node], name, outer
        self.kind = node.get("kind")
        place = node.find("location")
        self.file = (place.get("declfile") or place.get("file")).removeprefix("kftrain/")
        self.line = int(place.get("declline") or place.get("line"))
        self.page = f"cpp/{PurePosixPath(self.file).with_suffix('')}.md"
        self.anchor = anchor_of(name)
        self.members = []


class Reference:
    def __init__(self, folder):
        self.entities = []  # of namespaces, and classes
        self.by_id = {}  # Doxygen's identifier -> entity, or (entity, anchor)
        self.files = {}  # header -> description
        self.short_names = {}  # `kubeflow_v1::pytorch_job` -> `kftrain::pytorch_job`
        for file in sorted(folder.glob("*.xml")):
            if file.name not in ("index.xml", "Doxyfile.xml"):
                self.read(xml.parse(file).getroot().find("compounddef"))
        self.entities.sort(key=lambda e: (e.file, e.line))

    def read(self, node):
        kind, name = node.get("kind"), node.findtext("compoundname")
        if kind == "file":
            header = node.find("location").get("file").removeprefix("kftrain/")
            self.files[header] = node
            text = (SOURCES / header).read_text()
            for name in re.findall(r"^using (\w+(?:::\w+)+);", text[text.find("namespace kftrain {") :], re.M):
                self.short_names[name] = f"kftrain::{name.rsplit('::', 1)[1]}"
            for member in node.iterfind("sectiondef/memberdef[@kind='define']"):
                # Macros are public if they are documented.
                if text_of(member.find("briefdescription")) or text_of(member.find("detaileddescription")):
                    self.add(member, member.findtext("name"))
        elif kind == "namespace" and name.startswith("kftrain"):
            for member in node.iterfind("sectiondef/memberdef"):
                self.add(member, member.findtext("qualifiedname") or f"{name}::{member.findtext('name')}")
        elif kind in COMPOUNDS and name.startswith("kftrain::") and node.get("prot") != "private":
            entity = Entity(node, re.sub(r"\s*<.*", "", name))
            if entity.file.endswith(".hpp"):
                self.entities.append(entity)
                self.by_id[node.get("id")] = entity
                for member in node.iterfind("sectiondef/memberdef"):
                    if member.get("prot") != "private":
                        self.add(member, f"{entity.name}::{member.findtext('name')}", entity)

    def add(self, node, name, outer=None):
        kind = node.get("kind")
        if kind == "friend" and re.match(r"(friend )?(class|struct)\b", text_of(node.find("type"))):
            return
        arguments = text_of(node.find("argsstring")).replace(" ", "")
        described = any(text_of(node.find(k)) for k in ("briefdescription", "detaileddescription"))
        if "=delete" in arguments or (arguments == "()=default" and not described):
            return
        known = outer.members if outer else self.entities
        new = Entity(node, name, outer)
        for old in known:
            if old.name == name and old.kind in ("function", "friend") and old.file == new.file:
                old.nodes.append(node)
                self.by_id[node.get("id")] = old
                return
        known.append(new)
        self.by_id[node.get("id")] = new
        for value in node.iterfind("enumvalue"):
            self.by_id[value.get("id")] = (new, f"{new.anchor}.{value.findtext('name')}")

    def url(self, refid, page):
        """The link from a page to an entity; None if it is not public."""
        found = self.by_id.get(refid)
        if found is None:
            header = next((h for h, n in self.files.items() if n.get("id") == refid), None)
            return relative(f"cpp/{PurePosixPath(header).with_suffix('')}.md", page) if header else None
        entity, anchor = found if isinstance(found, tuple) else (found, found.anchor)
        return f"{relative(entity.page, page)}#{anchor}"


def relative(target, page):
    target, page = PurePosixPath(target).with_suffix(".html"), PurePosixPath(page)
    common = 0
    while common < min(len(target.parts), len(page.parts)) - 1 and target.parts[common] == page.parts[common]:
        common += 1
    return "/".join([".."] * (len(page.parts) - 1 - common) + list(target.parts[common:]))


class Writer:
    """Writes the page of a header."""

    def __init__(self, reference, page):
        self.ref, self.page = reference, page

    # Descriptions

    def inline(self, node):
        parts = [esc(node.text or "")]
        for child in node:
            parts += [self.element(child), esc(child.tail or "")]
        return "".join(parts)

    def element(self, node):
        tag = node.tag
        if tag == "ref":
            url = self.ref.url(node.get("refid"), self.page)
            return f'<a href="{url}">{self.inline(node)}</a>' if url else self.inline(node)
        if tag == "computeroutput":
            return f"<code>{self.inline(node)}</code>"
        if tag in ("bold", "emphasis"):
            return f"<em>{self.inline(node)}</em>"
        if tag == "ulink":
            return f'<a href="{esc(node.get("url"))}">{self.inline(node)}</a>'
        if tag in ("verbatim", "preformatted"):
            return f"<pre><code>{esc(node.text or '')}</code></pre>"
        if tag == "programlisting":
            return self.code("\n".join(map(self.plain, node)), node)
        if tag in ("itemizedlist", "orderedlist"):
            items = "".join(f"<li>{self.blocks(item)}</li>" for item in node)
            return f"<ul>{items}</ul>" if tag == "itemizedlist" else f"<ol>{items}</ol>"
        if tag == "simplesect":
            title = text_of(node.find("title")) or node.get("kind").capitalize()
            title = {"Return": "Returns", "Pre": "Precondition", "See": "See also"}.get(title, title)
            body = "".join(self.blocks(p, bare=True) for p in node if p.tag == "para")
            return f'<p class="section"><b>{esc(title)}</b> {body}</p>'
        if tag == "parameterlist":
            rows = []
            for item in node.iterfind("parameteritem"):
                names = ", ".join(text_of(n) for n in item.iter("parametername"))
                rows.append(f"<code>{esc(names)}</code> {self.blocks(item.find('parameterdescription'), bare=True)}")
            return '<p class="section"><b>Parameters</b> ' + "; ".join(r.rstrip(". ") for r in rows) + "</p>"
        symbols = {"sp": " ", "linebreak": "<br>", "ndash": "–", "mdash": "—", "nonbreakablespace": " "}
        return symbols.get(tag) or self.inline(node)

    def plain(self, node):
        text = node.text or ""
        for child in node:
            text += (" " if child.tag == "sp" else self.plain(child)) + (child.tail or "")
        return text

    def blocks(self, node, bare=False):
        """HTML of a description; `bare` without the element of a paragraph."""
        out = []
        for para in [node] if node.tag == "para" else node.iterfind("para"):
            run = esc(para.text or "")
            for child in para:
                if child.tag in BLOCKS:
                    if run.strip():
                        out.append(run.strip() if bare else f"<p>{run.strip()}</p>")
                    run = ""
                    out.append(self.element(child))
                else:
                    run += self.element(child)
                run += esc(child.tail or "")
            if run.strip():
                out.append(run.strip() if bare else f"<p>{run.strip()}</p>")
        return (" " if bare else "\n").join(out)

    def description(self, node, bare=False):
        both = (node.find("briefdescription"), node.find("detaileddescription"))
        return " ".join(filter(None, (self.blocks(n, bare) for n in both if n is not None)))

    # Declarations

    def code(self, text, node, own=None):
        """A highlighted block in which names that have a page are links."""
        links = {text_of(r): self.ref.url(r.get("refid"), self.page) for r in node.iter("ref")}
        links.pop(own, None)
        out = []
        for kind, value in LEXER.get_tokens(text.strip("\n")):
            style = STANDARD_TYPES[kind] if kind in Token.Keyword or kind in Token.Literal else ""
            url = links.get(value) if kind in Token.Name else None
            inner = f'<a href="{url}">{esc(value)}</a>' if url else esc(value)
            out.append(f'<span class="{style}">{inner}</span>' if style else inner)
        return f'<div class="highlight"><pre><code>{"".join(out).rstrip()}</code></pre></div>'

    def declaration(self, node, name):
        kind = node.get("kind")
        lead = ""
        parameters = node.find("templateparamlist")
        if parameters is not None:
            each = []
            for p in parameters:
                text = text_of(p.find("type"))
                if p.find("declname") is not None:
                    text += " " + text_of(p.find("declname"))
                if p.find("defval") is not None:
                    text += " = " + text_of(p.find("defval"))
                each.append(text)
            lead = f"template <{', '.join(each)}>\n"
        if node.find("requiresclause") is not None:
            lead += f"    requires {text_of(node.find('requiresclause'))}\n"
        if kind in ("class", "struct", "union"):
            bases = ", ".join(f"{b.get('prot')} {b.text}" for b in node.iterfind("basecompoundref"))
            return lead + tidy(f"{kind} {name}{' : ' + bases if bases else ''};")
        if kind == "concept":
            return text_of(node.find("initializer")) + ";"
        if kind == "enum":
            base = text_of(node.find("type"))
            return f"enum {'class ' if node.get('strong') == 'yes' else ''}{name}{' : ' + base if base else ''};"
        if kind == "typedef":
            return lead + tidy(f"using {name} = {text_of(node.find('type'))};")
        if kind == "define":
            names = ", ".join(text_of(p.find("defname")) for p in node.iterfind("param"))
            return f"#define {name}({names})" if names else f"#define {name}"
        if kind == "variable":
            initial = text_of(node.find("initializer")).removeprefix("=").strip()
            simple = initial and len(initial) < 60 and "{" not in initial[1:]
            value = (initial if initial.startswith("{") else f" = {initial}") if simple else ""
            static = "static " if node.get("static") == "yes" and "static" not in text_of(node.find("type")) else ""
            return lead + tidy(f"{static}{text_of(node.find('type'))} {name}{value};")
        result = text_of(node.find("type"))
        args = text_of(node.find("argsstring"))
        if kind == "friend":
            result = "friend " + result.removeprefix("friend ")
        for word in ("static", "explicit"):
            if node.get(word) == "yes":
                result = f"{word} {result}"
        if node.get("virt") in ("virtual", "pure-virtual"):
            result = "virtual " + result
        line = tidy(f"{result} {name}{args};".strip())
        if len(line) > 84 and "(" in args:
            line = self.wrapped(line)
        return lead + line

    @staticmethod
    def wrapped(line):
        """One parameter a line."""
        start = line.index("(", line.find("operator()") + 10 if "operator()" in line else 0)
        depth, out, last = 0, [], start + 1
        for i in range(start, len(line)):
            c = line[i]
            depth += c in "(<[{"
            depth -= c in ")]}" or (c == ">" and line[i - 1] != "-")
            if (c == "," and depth == 1) or (c == ")" and depth == 0):
                out.append(line[last:i].strip())
                last = i + 1
                if c == ")":
                    break
        if len(out) < 2:
            return line
        return line[: start + 1] + "\n    " + ",\n    ".join(out) + line[last - 1:]

    # Entities

    def table(self, rows, heads):
        head = "".join(f"<th>{h}</th>" for h in heads)
        return f'<table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'

    def linked_type(self, node):
        return re.sub(r"\s+([&*])", r"\1", re.sub(r"&lt; ?", "&lt;", self.inline(node))).replace(" &gt;", "&gt;")

    def entity(self, entity, level):
        name = short(entity.name)
        last = entity.name.rsplit("::", 1)[-1]
        call = "()" if entity.kind in ("function", "friend") and not last.startswith("operator") else ""
        title = (last if entity.outer else name) + call
        title = re.sub(r"([*_<>|\[\]`\\~])", r"\\\1", title)
        out = [f"{'#' * level} {title} {{ #{entity.anchor} }}", ""]
        body = []
        declared = [self.declaration(n, last) for n in entity.nodes]
        body.append(self.code("\n".join(dict.fromkeys(declared)), merged(entity.nodes), last))
        if entity.file.startswith(("kinds/", "model/", "objects/")) and name in self.ref.short_names:
            body.append(f"<p>Short name: <code>{self.ref.short_names[name]}</code></p>")
        body += [self.description(n) for n in entity.nodes]
        if entity.kind == "enum":
            rows = []
            for value in entity.nodes[0].iterfind("enumvalue"):
                v, meaning = value.findtext("name"), self.description(value, bare=True)
                rows.append(f'<tr id="{entity.anchor}.{v}"><td><code>{v}</code></td><td>{meaning}</td></tr>')
            body.append(self.table(rows, ("value", "meaning")))
        fields = [m for m in entity.members if m.kind == "variable"]
        if fields:
            rows = []
            for m in fields:
                node = m.nodes[0]
                initial = text_of(node.find("initializer")).removeprefix("=").strip()
                default = f" = <code>{esc(initial)}</code>" if initial and len(initial) < 40 and initial != "{}" else ""
                rows.append(f'<tr id="{m.anchor}"><td><code>{m.name.rsplit("::", 1)[-1]}</code></td>'
                            f"<td><code>{self.linked_type(node.find('type'))}</code>{default}</td>"
                            f"<td>{self.description(node, bare=True)}</td></tr>")
            body.append(self.table(rows, ("member", "type", "meaning")))
        out += ["<div>", re.sub(r"\n\s*\n", "\n", "\n".join(b for b in body if b)), "</div>", ""]
        for m in entity.members:
            if m.kind != "variable":
                out += self.entity(m, level + 1)
        return out


def tidy(text):
    """The declaration as this project writes it: `T const& name`, `list<T>`."""
    text = re.sub(r"\s*([&*]+)\s*(?=\w)", r"\1 ", text)
    text = re.sub(r"\s+([&*]+)", r"\1", text).replace("< ", "<").replace(" >", ">")
    return re.sub(r"(?<=\w|\))=(?=[\w{\":-])", " = ", re.sub(r"(?<=\S)  +", " ", text))


def merged(nodes):
    all_of = xml.Element("all")
    all_of.extend(nodes)
    return all_of


def pages(folder):
    """{path of a page: Markdown}, and the navigation."""
    reference = Reference(folder)
    made, layers = {}, defaultdict(list)
    for header, node in sorted(reference.files.items()):
        page = f"cpp/{PurePosixPath(header).with_suffix('')}.md"
        writer = Writer(reference, page)
        own = [e for e in reference.entities if e.file == header]
        layer = header.split("/")[0]
        out = [f"# {header}".replace("_", r"\_"), "",
               f"<div><pre><code>#include &lt;kftrain/{header}&gt;</code></pre>",
               f"<p>Target <code>kftrain::{TARGETS[layer]}</code></p>", writer.description(node), "</div>", ""]
        for e in own:
            out += writer.entity(e, 2)
        if not own:
            includes = [i for i in node.iterfind("includes") if (i.text or "").startswith("kftrain/")]
            items = "".join(f"<li>{link_of(reference, i, page)}</li>" for i in includes)
            out += [f"<div><p>Includes:</p><ul>{items}</ul></div>", ""]
        made[page] = "\n".join(out)
        layers[layer if "/" in header else ""].append((header, page, own))
    nav = []
    index = ["# C++ reference", "",
             "Every public header has a page. Most programs need [`training_client.hpp`](training_client.md); the",
             "search finds each name.", "", "| header | contents |", "|---|---|"]
    for header, page, own in layers.pop(""):
        index.append(f"| [`{header}`]({page.removeprefix('cpp/')}) | {summary(own)} |")
        nav.append({header: page})
    for layer, about in LAYERS.items():
        index += ["", f"## {layer}", "", f"{about}. Target `kftrain::{TARGETS[layer]}`.", "", "| header | contents |",
                  "|---|---|"]
        section = []
        for header, page, own in layers.pop(layer):
            name = header.removeprefix(layer + "/")
            index.append(f"| [`{name}`]({page.removeprefix('cpp/')}) | {summary(own)} |")
            section.append({name: page})
        nav.append({layer: section})
    assert not layers, f"layers without a description: {list(layers)}"
    made["cpp/index.md"] = "\n".join(index) + "\n"
    names = {e.name.rsplit("::", 1)[-1] for top in reference.entities for e in (top, *top.members)}
    return made, [{"C++ reference": ["cpp/index.md", *nav]}], names


def link_of(reference, node, page):
    url = reference.url(node.get("refid"), page)
    return f'<a href="{url}"><code>{esc(node.text)}</code></a>' if url else f"<code>{esc(node.text)}</code>"


def summary(entities):
    names = list(dict.fromkeys(short(e.name) for e in entities))
    more = f", and {len(names) - 6} more" if len(names) > 6 else ""
    return ", ".join(f"`{n}`" for n in names[:6]).replace("|", "\\|") + more
