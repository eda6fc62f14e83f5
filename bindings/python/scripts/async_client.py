#!/usr/bin/env python3
"""Makes the asynchronous classes from the blocking ones, so that both have the same methods.

usage: async_client.py [--check]
"""

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "kftrain"

FILES = {
    "_client.py": "_aio.py",
    "_api.py": "_aio_api.py",
    "_commands.py": "_aio_commands.py",
    "_informer.py": "_aio_informer.py",
    "_streams.py": "_aio_streams.py",
}

NAMES = {
    "_api": "_aio_api",
    "_commands": "_aio_commands",
    "_informer": "_aio_informer",
    "_streams": "_aio_streams",
    "Api": "AsyncApi",
    "Command": "AsyncCommand",
    "PortForward": "AsyncPortForward",
    "Informer": "AsyncInformer",
    "InformerChanges": "AsyncInformerChanges",
    "ObjectChanges": "AsyncObjectChanges",
    "PodLines": "AsyncPodLines",
    "Client": "AsyncClient",
    "LogLines": "AsyncLogLines",
    "JobChanges": "AsyncJobChanges",
    "__enter__": "__aenter__",
    "__exit__": "__aexit__",
    "__iter__": "__aiter__",
    "__next__": "__anext__",
    "StopIteration": "StopAsyncIteration",
}

# Methods whose calls are awaited.
WAITING = (
    *("_wait", "next", "wait_for_sync", "_fetch", "_open_stream", "_advance", "_pause"),
    *("start", "_start", "_lock", "_communicate", "_work", "write", "close_input"),
)
WAITING_CALLS = (
    *("changes.wait_for(", "states.next(", "started.communicate(", "started._copy_from(", "started._copy_to("),
    *("self._place._resolve(", "self.client.get("),
)
ASYNCHRONOUS = ("__aenter__", "__aexit__", "_fetch", "_lock")

# For all files.
BRIDGE = (
    "    @staticmethod\n    def _wait(call: Any) -> Any:\n        return call.wait()\n",
    "    @staticmethod\n    async def _wait(call: Any) -> Any:\n        return await wait_for_call(call)\n",
)

TEXTS = {
    "_api.py": {
        "The objects of one type. `scripts/async_client.py` makes the asynchronous form from this file.": (
            "The objects of one type. `scripts/async_client.py` makes this file from _api.py: edit that one."
        ),
        "from ._checked import": "from ._bridge import wait as wait_for_call\nfrom ._checked import",
        ': ``with pods.port_forward("web", 80) as forward``': ': ``async with pods.port_forward("web", 80)``',
    },
    "_streams.py": {
        "Streams of a server. `scripts/async_client.py` makes the asynchronous form from this file.": (
            "Streams of a server. `scripts/async_client.py` makes this file from _streams.py: edit that one."
        ),
        "from ._checked import": "from ._bridge import wait as wait_for_call\nfrom ._checked import",
        "each step blocks until an item is there. Usable by one thread at a time.": (
            "each step waits until an item is there. Usable by one task at a time."
        ),
    },
    "_commands.py": {
        "Commands and ports of pods. `scripts/async_client.py` makes the asynchronous form from this file.": (
            "Commands and ports of pods. `scripts/async_client.py` makes this file from _commands.py: edit that one."
        ),
        "from ._checked import": "from ._bridge import wait as wait_for_call\nfrom ._checked import",
        "import codecs\n": "import asyncio\nimport codecs\n",
        "self._starting = threading.Lock()": "self._starting: Any = None",
        "        if not self._starting.acquire(timeout=-1 if left is None else min(left, threading.TIMEOUT_MAX)):\n"
        '            raise timed_out(deadline, "the command has not started")\n': (
            "        before, turn = self._starting, asyncio.get_running_loop().create_future()\n"
            "        self._starting = turn  # so that the calls take turns in their order\n"
            "        if before is not None and not before.done():\n"
            "            try:\n"
            "                await asyncio.wait([before], timeout=left)\n"
            "                if not before.done():\n"
            '                    raise timed_out(deadline, "the command has not started")\n'
            "            except BaseException:\n"
            "                before.add_done_callback(lambda _: turn.set_result(None))\n"
            "                raise\n"
        ),
        "        return self._starting\n": "        return turn\n",
        "            turn.release()\n": "            turn.set_result(None)\n",
        "if self._was_closed:  # by another thread": "if self._was_closed:  # by another task",
        "    def _work(function: Callable[..., Any], *arguments: Any) -> Any:\n"
        "        return function(*arguments)\n": (
            "    async def _work(function: Callable[..., Any], *arguments: Any) -> Any:\n"
            "        stop = threading.Event()\n"
            "        work = asyncio.get_running_loop().run_in_executor(None, function, *arguments, stop.is_set)\n"
            "        try:\n"
            "            return await asyncio.shield(work)\n"
            "        except asyncio.CancelledError:\n"
            "            stop.set()\n"
            "            await asyncio.wait([work])  # a moment: nothing goes on after the call\n"
            "            work.exception()\n"
            "            raise\n"
        ),
        "each step blocks until output is there": "each step waits until output is there",
        "    ``with`` starts the command and at the end": "    ``async with`` starts it and at the end",
        "Without ``with``, the": "Otherwise the",
        "One thread at a time may read;": "One task at a time may read;",
        "    ``with`` opens it, and closes it with all of its connections. They lead": (
            "    ``async with`` opens it and closes it with its connections. They lead"
        ),
    },
    "_informer.py": {
        "A local copy of objects. `scripts/async_client.py` makes the asynchronous form from this file.": (
            "A local copy of objects. `scripts/async_client.py` makes this file from _informer.py: edit that one."
        ),
        "from ._checked import": "from ._bridge import wait as wait_for_call\nfrom ._checked import",
        '``with client.informer("pods") as pods:`` begins': '``async with client.informer("pods") as pods:`` begins',
    },
    "_client.py": {
        '"""The blocking client. `scripts/async_client.py` makes the asynchronous one from this file."""': (
            '"""The asynchronous client. `scripts/async_client.py` makes this file from _client.py: edit that one."""'
        ),
        "from . import _archive, _core, until\n": (
            "from . import _archive, _core, until\nfrom ._bridge import wait as wait_for_call\n"
        ),
        "    Every method blocks until its result is there, with other threads running meanwhile; Ctrl-C cancels the "
        "operation\n    and raises KeyboardInterrupt. ``timeout`` is in": (
            "    Operations are awaited on any event loop of asyncio; cancelling the task cancels the operation.\n"
            "    ``timeout`` is in"
        ),
        "``with client.port_forward(job, 6006) as forward`` opens it.": (
            "``async with client.port_forward(job, 6006)`` opens it."
        ),
        "    Several threads may use one client.": "    Several event loops may use one client.",
        "Calls that wait in other threads raise `Cancelled`": "Calls that wait raise `Cancelled`",
    },
}


def asynchronous(file):
    text = (PACKAGE / file).read_text()
    # Before the texts, which name the source file.
    text = re.sub(r"\b(" + "|".join(map(re.escape, NAMES)) + r")\b", lambda match: NAMES[match[1]], text)
    for before, after in [BRIDGE, *TEXTS[file].items()]:
        if before not in text:
            sys.exit(f"{file} no longer contains: {before}")
        text = text.replace(before, after)
    methods = re.split(r"(?m)^(?=    (?:@|def |async def ))", text)
    text = "".join(map(asynchronous_method, methods))
    waiting = "|".join(re.findall(r"    async def (\w+)\(", text))
    return re.sub(rf"(    @overload\n    )(?=def (?:{waiting})\()", r"\1async ", text)


def asynchronous_method(text):
    waits = re.sub(rf"((?:\bself|super\(\))\.(?:{'|'.join(WAITING)})\()", r"await \1", text)
    for call in WAITING_CALLS:
        waits = waits.replace(call, f"await {call}")
    name = re.search(r"    def (\w+)\(", text)
    if name and (waits != text or name[1] in ASYNCHRONOUS):
        return waits.replace("    def ", "    async def ", 1)
    return waits


def main():
    for source, target in FILES.items():
        text = asynchronous(source)
        file = PACKAGE / target
        if "--check" not in sys.argv[1:]:
            file.write_text(text)
        elif file.read_text() != text:
            sys.exit(f"{target} differs from what {source} gives: run bindings/python/scripts/async_client.py")


if __name__ == "__main__":
    main()
