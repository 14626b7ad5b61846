"""How many requests, and of how many bytes, the server holds at a time; reading their bodies within that."""

from __future__ import annotations

import asyncio
from typing import AsyncIterator, Dict, NamedTuple, Optional

#: What is read of the body of a request that is refused, so that its sender hears why on a connection that lives on.
_DRAINED = 64 << 10


class Limits(NamedTuple):
    """What the server holds, and for how long."""

    #: Requests that are read, wait or run.
    requests: int = 256
    #: Bytes of their bodies, together.
    total_bytes: int = 256 << 20
    #: Bytes of one body.
    body_bytes: int = 16 << 20
    #: Seconds from a request to its answer.
    seconds: float = 30.0


class Refused(Exception):
    """A request is answered without running it."""

    def __init__(self, status: int, text: str, headers: Optional[Dict[str, str]] = None) -> None:
        super().__init__(text)
        self.status, self.headers = status, headers or {}


class Gate:
    """Counts the requests that are inside."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open, self.bytes = 0, 0

    def enter(self) -> Entry:
        """Lets a request in; refuses it where there are too many."""
        if self.open >= self.limits.requests:
            raise _busy(f"{self.open} requests are here already")
        self.open += 1
        return Entry(self)


class Entry:
    """A request that is inside, until `leave`."""

    def __init__(self, gate: Gate) -> None:
        self._gate, self._bytes = gate, 0

    def leave(self) -> None:
        """Makes room for others."""
        self._gate.open -= 1
        self._gate.bytes -= self._bytes

    async def read(self, stream: AsyncIterator[bytes], length: Optional[str]) -> bytes:
        """Reads a body, whose sender says how long it is or doesn't."""
        limits = self._gate.limits
        if length is not None and length.isdecimal():
            self._check(int(length))
        parts = []
        try:
            async for part in _in_time(stream, limits.seconds):
                self._check(self._bytes + len(part))
                self._gate.bytes += len(part)
                self._bytes += len(part)
                parts.append(part)
        except asyncio.TimeoutError:
            raise Refused(408, f"the body did not arrive in {limits.seconds:g} seconds") from None
        return b"".join(parts)

    def _check(self, size: int) -> None:
        limits, gate = self._gate.limits, self._gate
        if size > limits.body_bytes:
            raise Refused(413, f"the body has {size} bytes or more; at most {limits.body_bytes} are taken")
        if gate.bytes - self._bytes + size > limits.total_bytes:
            raise _busy(f"requests with {gate.bytes} bytes are here already")


def _busy(text: str) -> Refused:
    return Refused(503, f"the server is busy: {text}; try again later", {"Retry-After": "1"})


async def _in_time(stream: AsyncIterator[bytes], seconds: float) -> AsyncIterator[bytes]:
    """The parts of a body, until the time is over."""
    end = asyncio.get_running_loop().time() + seconds
    while True:
        left = end - asyncio.get_running_loop().time()
        try:
            yield await asyncio.wait_for(stream.__anext__(), max(left, 0.0))
        except StopAsyncIteration:
            return


async def drain(stream: AsyncIterator[bytes]) -> None:
    """Reads what is left of a small body."""
    size = 0
    async for part in _in_time(stream, 1.0):
        size += len(part)
        if size > _DRAINED:
            return
