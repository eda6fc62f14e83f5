"""Hands the results of calls over to the event loop that waits for them.

A thread of the library puts the number of a finished call into a queue, and the loop sees a descriptor that became
readable. So the thread never takes the GIL.
"""

from __future__ import annotations

import asyncio
import itertools
import weakref
from typing import Any

from . import _core


class Bridge:
    """The queue of one event loop."""

    def __init__(self) -> None:
        self._queue = _core.CompletionQueue()
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[None]] = {}
        asyncio.get_running_loop().add_reader(self._queue.fileno(), self._take)

    def _take(self) -> None:
        for number in self._queue.take():
            future = self._waiting.pop(number, None)
            if future is not None and not future.done():
                future.set_result(None)

    async def wait(self, call: Any) -> Any:
        number = next(self._numbers)
        future = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        call.notify(self._queue, number)
        try:
            await future
        except BaseException:
            self._waiting.pop(number, None)
            call.cancel()
            raise
        return call.result()


_bridges: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Bridge] = weakref.WeakKeyDictionary()


async def wait(call: Any) -> Any:
    """Waits for a call of the extension module. Cancelling the task cancels the operation."""
    loop = asyncio.get_running_loop()
    bridge = _bridges.get(loop)
    if bridge is None:
        bridge = _bridges[loop] = Bridge()
    return await bridge.wait(call)
