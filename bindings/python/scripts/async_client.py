#!/usr/bin/env python3
"""Makes kftrain/_aio.py from kftrain/_client.py, so that both clients have the same methods.

usage: async_client.py [--check]
"""

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "kftrain"

NAMES = {
    "Client": "AsyncClient",
    "LogLines": "AsyncLogLines",
    "JobChanges": "AsyncJobChanges",
    "__enter__": "__aenter__",
    "__exit__": "__aexit__",
    "__iter__": "__aiter__",
    "__next__": "__anext__",
    "StopIteration": "StopAsyncIteration",
}

TEXTS = {
    '"""The blocking client. `scripts/async_client.py` makes the asynchronous one from this file."""': (
        '"""The asynchronous client. `scripts/async_client.py` makes this file from _client.py: edit that one."""'
    ),
    "    @staticmethod\n    def _wait(call: Any) -> Any:\n        return call.wait()\n": (
        "    @staticmethod\n    async def _wait(call: Any) -> Any:\n        return await wait_for_call(call)\n"
    ),
    "from . import _core, until\n": "from . import _core, until\nfrom ._bridge import wait as wait_for_call\n",
    "    Every method blocks until its result is there, with other threads running meanwhile; Ctrl-C cancels the "
    "operation\n    and raises KeyboardInterrupt. ``timeout`` is in": (
        "    Operations are awaited on any event loop of asyncio; cancelling the task cancels the operation.\n"
        "    ``timeout`` is in"
    ),
    "    A client may be used by several threads. It": "    A client may be used by several event loops. It",
    "Calls that wait in other threads raise `Cancelled`": "Calls that wait raise `Cancelled`",
    "each step blocks until an item is there. Usable by one thread at a time.": (
        "each step waits until an item is there. Usable by one task at a time."
    ),
}


def asynchronous(text):
    for before, after in TEXTS.items():
        if before not in text:
            sys.exit(f"_client.py no longer contains: {before}")
        text = text.replace(before, after)
    text = re.sub(r"\b(" + "|".join(map(re.escape, NAMES)) + r")\b", lambda match: NAMES[match[1]], text)
    methods = re.split(r"(?m)^(?=    (?:@|def |async def ))", text)
    return "".join(map(asynchronous_method, methods))


def asynchronous_method(text):
    name = re.search(r"def (\w+)\(", text)
    if name and name[1] in ("__aenter__", "__aexit__"):
        return text.replace("    def ", "    async def ", 1)
    waits = re.sub(r"(?<!async def )\bself\.(_wait|next)\(", r"await self.\1(", text)
    waits = waits.replace("await self._stream", "self._stream")
    return waits.replace("    def ", "    async def ", 1) if waits != text else text


def main():
    target = PACKAGE / "_aio.py"
    text = asynchronous((PACKAGE / "_client.py").read_text())
    if "--check" in sys.argv[1:]:
        if target.read_text() != text:
            sys.exit("_aio.py differs from what _client.py gives: run bindings/python/scripts/async_client.py")
    else:
        target.write_text(text)


if __name__ == "__main__":
    main()
