#!/usr/bin/env python3
"""Proves on snippets that co_lint.py finds every shape it names and leaves alone what the compilers build right."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPTS))
import co_lint  # noqa: E402


def lint(text):
    """Returns the (line, shape) of each finding."""
    return [(line, why.split("[")[1].split("]")[0]) for line, why in co_lint.scanner(text).scan()]


def body(statements):
    return "awaitable<void> f() {\n" + statements + "\n}\n"


BAD = {
    "A": (
        "if (co_await ready()) go();",
        "if (x) { stop(); } else if (co_await ready()) { go(); }",
        "while (co_await next()) {}",
        "do { go(); } while (co_await next());",
        "switch (co_await what()) { case 1: break; }",
        "for (int i = 0; co_await more(i); ++i) {}",
        "if (auto r = co_await get()) use(r);",
        "case 1: if (co_await ready()) go();",
    ),
    "B": (
        "auto r = co_await list({.limit = 5});",
        "co_await list(options{});",
        "pair r{co_await get(), 1};",
        "v.push_back({co_await get(), 1});",
        "co_return answer{co_await get(), 1};",
        'co_await run({"a", "b"});',
        'co_await run(std::vector<std::string>{"a"});',
    ),
    'B"': (
        "co_await post([s] { use(s); });",
        "co_await co_spawn(ex, [s]() -> awaitable<void> { co_return; }, use_awaitable);",
        "co_await each([=](int i) { use(i); });",
        "co_await each([&a, b = std::move(c)](int i) { use(i); });",
        "co_await each([*this] { go(); });",
    ),
    "C": (
        "auto r = cond ? co_await a() : b;",
        "co_await f(x ? 1 : 2);",
    ),
    "D": (
        "throw failure(co_await why());",
        "if (bad) throw failure(co_await why());",
    ),
}

GOOD = (
    "auto r = co_await f(); if (r) go();",
    "if (auto r = co_await f(); r) go();",
    "for (auto& x : co_await f()) use(x);",
    "for (auto& x : y) { co_await use(x); }",
    "while (true) { auto r = co_await f(); if (!r) break; }",
    "if (x) co_await f();",
    "try { co_await f(); } catch (...) { note(); }",
    "auto op = f(options{}); co_await std::move(op);",
    "options o{.limit = 5}; auto r = co_await list(std::move(o));",
    "co_await each([&](int i) { use(i); });",
    "co_await each([this, &x](int i) { use(i); });",
    "co_spawn(ex, [s]() -> awaitable<void> { co_await s->run(); }, detached);",
    "co_spawn(ex, [s = self()]() mutable -> result<std::map<int, int>> { co_await s->run(); }, detached);",
    "auto work = [s]() -> awaitable<void> { co_await s->run(); }; co_spawn(ex, std::move(work), detached);",
    "std::vector<task> v{[&]() -> awaitable<void> { co_await a(); }, [&] { b(); }};",
    "table t{{1, 2}, {3, 4}};",
    "[[maybe_unused]] auto r = co_await f();",
    "auto x = y[3]; auto r = co_await f(y[i]);",
    "co_return co_await a() && co_await b();",
    "auto s = x ? a : b; co_await f(s);",
    "// if (co_await f()) {\n/* throw co_await f(); */\nco_await f(); // ? {",
    'auto r = co_await f("? {", \'{\', \'"\', R"(if (co_await x) { ? )", 1\'000\'000);',
    "auto [ec, r] = co_await f(as_tuple(token));",
)

# Code around a coroutine must not hide it or count as an initialiser.
AROUND = (
    "namespace a::b { @ }",
    "namespace { struct s { @ }; }",
    "template <class T = int> struct s : base<T> { @ };",
    "template <class T = std::vector<int>>\nclass s final { int a_{1}; @ };",
    "struct s { s(int a) : a_(a), b_{a} { go(); } int a_; @ };",
    "enum class e : int { x, y }; int table[] = {1, 2}; @",
    "struct alignas(8) s { @ };",
    "template <class T> concept c = requires { T{}; }; @",
    "#define BODY { \\\n   {\n@",
)


class shapes(unittest.TestCase):
    def test_finds_every_bad_shape_and_only_that(self):
        for shape, snippets in BAD.items():
            for snippet in snippets:
                with self.subTest(snippet):
                    self.assertEqual(lint(body(snippet)), [(2, shape)])

    def test_leaves_good_statements_alone(self):
        for snippet in GOOD:
            with self.subTest(snippet):
                self.assertEqual(lint(body(snippet)), [])

    def test_finds_faults_inside_surrounding_code(self):
        for around in AROUND:
            bad = around.replace("@", body("int x = 1;\nif (co_await f()) go();"))
            good = bad.replace("if (co_await f())", "co_await f(); if (x)")
            with self.subTest(around):
                self.assertEqual([shape for _, shape in lint(bad)], ["A"])
                self.assertEqual(lint(good), [])

    def test_names_the_line_of_the_await(self):
        self.assertEqual(lint("\n\n" + body('int x;\nauto s = R"(a\nb)";\nthrow failure(\n    co_await why());')),
                         [(8, "D")])

    def test_judges_the_body_of_a_lambda_by_itself(self):
        text = body("co_spawn(ex, [s]() -> awaitable<void> {\n  if (co_await s->ready()) go();\n}, detached);")
        self.assertEqual(lint(text), [(3, "A")])

    def test_finds_two_in_one_file(self):
        self.assertEqual(lint(body("if (co_await a()) b();\nthrow failure(co_await c());")), [(2, "A"), (3, "D")])

    def test_the_program_names_file_and_line_and_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            good, bad = Path(folder, "good.cpp"), Path(folder, "bad.cpp")
            good.write_text(body("co_await f();"), encoding="utf-8")
            bad.write_text(body("if (co_await f()) go();"), encoding="utf-8")
            run = [sys.executable, SCRIPTS / "co_lint.py", good]
            self.assertEqual(subprocess.run(run, check=False).returncode, 0)
            done = subprocess.run([*run, bad], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertTrue(done.stdout.startswith(f"{bad}:2: [A] "), done.stdout)
            self.assertEqual(len(done.stdout.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
