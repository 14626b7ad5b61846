"""Requests wait here for a process; those that are alike run together."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Deque, List, Optional, Sequence, Tuple

import numpy

from ..batch.layout import Layout
from .metrics import Metrics
from .process import FAILURES, ModelFailed, Process, ProcessDied

Arrays = List[numpy.ndarray]

#: How many processes may end while they run a request alone: the first may have been ended by something else.
_TRIES = 2


class Waiting:
    """A request that waits."""

    __slots__ = ("arrays", "future", "key", "rows")

    def __init__(self, arrays: Arrays, joinable: bool) -> None:
        self.arrays = arrays
        self.future: asyncio.Future[Arrays] = asyncio.get_running_loop().create_future()
        counts = {array.shape[0] if array.ndim else None for array in arrays}
        count = counts.pop() if len(counts) == 1 else None
        #: How many rows it has, and what it has in common with those that it may run with; None where it runs alone.
        self.rows: int = count or 0
        self.key: Optional[Tuple[Any, ...]] = tuple(array.shape[1:] for array in arrays) if joinable and count else None


class Batcher:
    """The requests of a model, and the processes that run it."""

    def __init__(
        self, name: str, processes: Sequence[Process], layout: Optional[Layout], delay: float, metrics: Metrics
    ) -> None:
        #: How rows of requests run together; None where each runs alone.
        self._layout = layout
        self._delay = delay
        self._processes = processes
        self._queue: Deque[Waiting] = deque()
        self._arrived = asyncio.Event()
        self._pool = ThreadPoolExecutor(len(processes), f"skriptnd-{name}")
        self._lanes = [asyncio.create_task(self._lane(process)) for process in processes]
        self._metrics = metrics
        self._alone = metrics.alone.labels(name)
        self._batch, self._seconds = metrics.batch.labels(name), metrics.run_seconds.labels(name)
        metrics.watch(name, lambda: len(self._queue), lambda: sum(process.starts for process in processes))

    async def infer(self, arrays: Arrays) -> Arrays:
        """The results for arrays in the order of the model. Whoever cancels it is not waited for."""
        waiting = Waiting(arrays, self._layout is not None)
        self._queue.append(waiting)
        self._arrived.set()
        return await waiting.future

    async def close(self) -> None:
        """Ends all processes; requests that still wait fail."""
        for lane in self._lanes:
            lane.cancel()
        stops = [asyncio.to_thread(process.stop) for process in self._processes]
        await asyncio.gather(*self._lanes, *stops, return_exceptions=True)
        for waiting in self._queue:
            _fail(waiting, ModelFailed("the server stops"))
        self._pool.shutdown(wait=False)

    async def _lane(self, process: Process) -> None:
        """Gives a process one batch after the other."""
        while True:
            batch = await self._next()
            try:
                await self._serve(process, batch)
            except BaseException as error:
                for waiting in batch:
                    _fail(waiting, ModelFailed(f"the server failed: {error!r}"))
                if not isinstance(error, Exception):
                    raise

    async def _next(self) -> List[Waiting]:
        """The requests of the next run: the first that waits, and those behind it that fit."""
        batch: List[Waiting] = []
        while not batch:
            while not self._queue:
                self._arrived.clear()
                await self._arrived.wait()
            first = self._queue.popleft()
            # Nobody waits for those that took too long, or whose client has left.
            batch = [] if first.future.done() else [first]
        self._fill(batch)
        if self._delay and self._room(batch):
            end = time.monotonic() + self._delay
            while self._room(batch) and (left := end - time.monotonic()) > 0:
                self._arrived.clear()
                try:
                    await asyncio.wait_for(self._arrived.wait(), left)
                except asyncio.TimeoutError:
                    break
                self._fill(batch)
        return batch

    def _room(self, batch: List[Waiting]) -> int:
        """How many rows may be added."""
        if self._layout is None or batch[0].key is None:
            return 0
        return max(self._layout.batch - sum(waiting.rows for waiting in batch), 0)

    def _fill(self, batch: List[Waiting]) -> None:
        room, rest = self._room(batch), []
        while room and self._queue:
            waiting = self._queue.popleft()
            if waiting.future.done():
                continue
            if waiting.key == batch[0].key and waiting.rows <= room:
                batch.append(waiting)
                room -= waiting.rows
            else:
                rest.append(waiting)
        self._queue.extendleft(reversed(rest))

    async def _serve(self, process: Process, batch: List[Waiting]) -> None:
        try:
            results = await self._run(process, batch)
        except FAILURES as error:
            if len(batch) == 1 and not isinstance(error, ProcessDied):
                _fail(batch[0], error)
                return
            # One of them may be to blame, or none, where something else has ended the process.
            for waiting in batch:
                await self._serve_alone(process, waiting, _TRIES if len(batch) > 1 else _TRIES - 1)
            return
        for waiting, arrays in zip(batch, results):
            if not waiting.future.done():
                waiting.future.set_result(arrays)

    async def _serve_alone(self, process: Process, waiting: Waiting, tries: int) -> None:
        while not waiting.future.done():
            self._alone.inc()
            tries -= 1
            try:
                (arrays,) = await self._run(process, [waiting])
            except FAILURES as error:
                if tries == 0 or not isinstance(error, ProcessDied):
                    _fail(waiting, error)
                continue
            if not waiting.future.done():
                waiting.future.set_result(arrays)

    async def _run(self, process: Process, batch: List[Waiting]) -> List[Arrays]:
        """One run for all requests; the results of each."""
        arrays = batch[0].arrays
        if len(batch) > 1:
            arrays = [numpy.concatenate(parts) for parts in zip(*(waiting.arrays for waiting in batch))]
        begin = time.monotonic()
        results = await asyncio.get_running_loop().run_in_executor(self._pool, process.run, arrays)
        self._seconds.observe(time.monotonic() - begin)
        self._batch.observe(len(batch))
        if len(batch) == 1:
            return [results]
        total = sum(waiting.rows for waiting in batch)
        if any(result.ndim == 0 or len(result) != total for result in results):
            raise ModelFailed(f"the results have not {total} rows, as the inputs have: this model can't have batches")
        ends = numpy.cumsum([waiting.rows for waiting in batch])[:-1]
        return [list(parts) for parts in zip(*(numpy.split(result, ends) for result in results))]


def _fail(waiting: Waiting, error: Exception) -> None:
    if not waiting.future.done():
        waiting.future.set_exception(error)
