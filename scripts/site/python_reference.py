"""Makes the pages of the Python reference from the sources and stubs of the package, which is not imported."""

import re
from pathlib import Path

import griffe

MODULES = (
    "kftrain", "kftrain.local", "kftrain.testing", "kftrain.until", "kftrain.models", "kftrain.kubeflow",
)


def public_members(of):
    exports = of.exports
    for name, member in of.members.items():
        if exports is not None:
            public = name in exports
        else:
            public = not name.startswith("_") and not member.is_alias
        if not public or (member.is_module and not member.is_alias):
            continue
        target = member.final_target if member.is_alias else member
        if not target.is_module:
            yield name, target


def page_of(module):
    return f"py/{module.removeprefix('kftrain.')}.md" if module != "kftrain" else "py/kftrain.md"


def expression(value):
    return re.sub(r"\bt\.", "", str(value)) if value is not None else ""


def prose(text):
    """Markdown of a docstring."""
    text = re.sub(r"^(\s*)(.*?)::$", r"\1\2:", text, flags=re.M)
    return text.replace("``", "`")


def code(text):
    return ["```python", text, "```", ""]


def signature(name, function, method):
    out = []
    shown = list(function.parameters)
    if method and shown and shown[0].name in ("self", "cls"):
        shown = shown[1:]
    keyword_only = False
    for i, p in enumerate(shown):
        kind = p.kind.value if p.kind else ""
        if kind == "keyword-only" and not keyword_only:
            if not any(q.kind.value == "variadic positional" for q in shown):
                out.append("*")
            keyword_only = True
        text = {"variadic positional": "*", "variadic keyword": "**"}.get(kind, "") + p.name
        if p.annotation is not None:
            text += f": {expression(p.annotation)}"
        if p.default is not None and not kind.startswith("variadic"):
            text += f" = {p.default}" if p.annotation is not None else f"={p.default}"
        out.append(text)
        if kind == "positional-only" and (i + 1 == len(shown) or shown[i + 1].kind.value != kind):
            out.append("/")
    result = f" -> {expression(function.returns)}" if function.returns is not None else ""
    kind = "async def" if "async" in function.labels else "def"
    line = f"{kind} {name}({', '.join(out)}){result}"
    if len(line) > 96 and out:
        line = f"{kind} {name}(\n    " + ",\n    ".join(out) + f",\n){result}"
    return line


def docstring(of):
    out = []
    if of.docstring is None or of.docstring.value.startswith("Made by "):
        return out
    for section in of.docstring.parse("google", warnings=False):
        kind = section.kind.value
        if kind == "text":
            out += [prose(section.value), ""]
        elif kind in ("parameters", "attributes", "raises", "other parameters"):
            title = {"parameters": "Arguments", "attributes": "Attributes", "raises": "Raises"}.get(kind, kind.title())
            out += [f"**{title}**", ""]
            for item in section.value:
                name = getattr(item, "name", None) or expression(item.annotation)
                out.append(f"- `{name}`: " + prose(item.description).replace("\n", "\n    "))
            out.append("")
        elif kind in ("returns", "yields"):
            text = " ".join(prose(item.description) for item in section.value)
            out += [f"**{kind.title()}** {text}", ""]
        elif kind == "examples":
            out += ["**Example**", ""]
            for what, text in section.value:
                out += [text, ""] if what.value == "text" else code(text)
        elif kind == "admonition":
            out += [f"**{section.title or section.value.kind.title()}** {prose(section.value.contents)}", ""]
        else:
            raise ValueError(f"{of.path}: a section of kind {kind}")
    return out


def heading(level, text, anchor):
    escaped = re.sub(r"([_*])", r"\\\1", text)
    return [f"{'#' * level} {escaped} {{ #{anchor} }}", ""]


def first_line(of):
    return prose(of.docstring.value).split("\n\n")[0].replace("\n", " ").replace("|", "&#124;") if of.docstring else ""


def write_function(name, function, anchor, level, names, method=False):
    names.add(name)
    out = heading(level, f"{name}()", anchor)
    overloads = function.overloads or [] if hasattr(function, "overloads") else []
    out += code("\n".join(signature(name, f, method) for f in (overloads or [function])))
    return out + docstring(function)


def write_class(name, cls, anchor, level, names):
    names.add(name)
    out = heading(level, name, anchor)
    bases = [str(b) for b in cls.bases]
    out += code(f"class {name}{'(' + ', '.join(bases) + ')' if bases else ''}")
    out += docstring(cls)
    fields = {n: m for n, m in cls.members.items()
              if not n.startswith("_") and (m.is_attribute or "property" in m.labels)}
    rows = []
    for n, m in fields.items():
        names.add(n)
        kind = expression(m.annotation)
        kind = re.sub(r"^Attribute\[(.*)\]$", lambda a: split_pair(a[1]), kind) or "Any"
        rows.append(f'| <span id="{anchor}.{n}">`{n}`</span> | `{kind}` | {first_line(m)} |')
    if rows:
        out += ["| attribute | type | meaning |", "|---|---|---|", *rows, ""]
    init = cls.members.get("__init__")
    if init is not None and not init.is_alias and not rows:
        out += code(signature(name, init, True).removeprefix("def ").removesuffix(" -> None"))
    for n, m in inherited(cls):
        if m.is_function and not n.startswith("_") and n not in fields:
            out += write_function(n, m, f"{anchor}.{n}", level + 1, names, method=True)
        elif m.is_class and not n.startswith("_"):
            out += write_class(n, m, f"{anchor}.{n}", level + 1, names)
    return out


def inherited(cls):
    """The members of a class, and those of its private bases."""
    seen = {}
    for base in reversed(cls.mro() if cls.bases else []):
        if base.name.startswith("_"):
            seen.update(base.members)
    seen.update(cls.members)
    return [(n, m) for n, m in seen.items() if not m.is_alias]


def split_pair(text):
    """The first of two types: what reading the attribute gives."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "[") - (c == "]")
        if c == "," and depth == 0:
            return text[:i]
    return text


def pages(folder):
    """{path of a page: Markdown}, the navigation, and the public names."""
    package = griffe.load("kftrain", search_paths=[str(folder)], resolve_aliases=True, allow_inspection=False)
    modules = {name: name for name in MODULES}  # module: its title in the navigation
    for name in sorted(package["models"].modules):
        if not name.startswith("_"):
            modules[f"kftrain.models.{name}"] = f"models.{name}"
    for name in sorted(package["kubeflow"].modules):
        if not name.startswith("_"):
            modules[f"kftrain.kubeflow.{name}"] = f"kubeflow.{name}"
    made, names, nav = {}, set(), ["py/index.md"]
    index = ["# Python reference", "", "Every public module has a page. Begin with [`kftrain`](kftrain.md); the search "
             "finds each name.", "", "| module | contents |", "|---|---|"]
    for module, title in modules.items():
        top = package if module == "kftrain" else package[module.removeprefix("kftrain.")]
        out = [f"# {module}", ""]
        out += docstring(top)
        out += [""]
        own = list(public_members(top))
        values = []
        for name, member in own:
            anchor = f"{module}.{name}"
            if member.is_class:
                out += write_class(name, member, anchor, 2, names)
            elif member.is_function:
                out += write_function(name, member, anchor, 2, names)
            elif member.is_attribute:
                names.add(name)
                values.append(f'| <span id="{anchor}">`{name}`</span> | {first_line(member)} |')
        if values:
            out += ["## Values", "", "| name | meaning |", "|---|---|", *values, ""]
        if module == "kftrain.models":
            inner = [f"- [`{m}`]({page_of(m).removeprefix('py/')})" for m in modules if m.startswith("kftrain.models.")]
            out += ["## Modules", "", *inner, ""]
        page = page_of(module)
        made[page] = "\n".join(out)
        nav.append({title: page})
        shown = ", ".join(f"`{n}`" for n, _ in own[:6]) + (f", and {len(own) - 6} more" if len(own) > 6 else "")
        index.append(f"| [`{module}`]({page.removeprefix('py/')}) | {shown or first_line(top)} |")
    made["py/index.md"] = "\n".join(index) + "\n"
    return made, [{"Python reference": nav}], names
