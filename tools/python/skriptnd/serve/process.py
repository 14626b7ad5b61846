"""The server's side of a process that runs a model: it is started, given arrays, ended and started again."""

from __future__ import annotations

import signal
import socket
import struct
import subprocess
import sys
import threading
from multiprocessing.connection import Connection
from typing import Any, Callable, List, Optional

from . import worker

#: How long a process may take to load its model, in seconds.
_START = 120.0


class RequestFailed(Exception):
    """The model does not take these arrays, as the text says."""


class ModelFailed(Exception):
    """The model can't be run, whatever the arrays."""


class ProcessDied(Exception):
    """The process ended while it ran the model."""


class TookTooLong(Exception):
    """The run did not come to its end in time; the process was ended."""


#: All ways in which a run fails.
FAILURES = (RequestFailed, ModelFailed, ProcessDied, TookTooLong)


class Process:
    """One process, with one run at a time. It is started by the first run, and again where it has ended."""

    def __init__(self, artifact: Callable[[], str], threads: int, seconds: float) -> None:
        #: Gives the folder of the artifact, which is made again if it is gone.
        self._artifact = artifact
        self._threads, self._seconds = threads, seconds
        self._child: Optional[subprocess.Popen[bytes]] = None
        self._connection: Optional[Connection] = None
        self._lock = threading.Lock()
        self._stopped = False
        self._code = 0
        #: How often it has been started.
        self.starts = 0

    @property
    def pid(self) -> Optional[int]:
        """The number of the process while there is one."""
        child = self._child
        return None if child is None else child.pid

    def start(self) -> None:
        """Starts the process unless it is there; returns when the model is loaded."""
        with self._lock:
            if self._stopped:
                raise ModelFailed("the server stops")
            if self._child is not None and self._child.poll() is None:
                return
            self._end()
            own, other = socket.socketpair()
            # A process that is stopped neither reads what it is sent nor sends the rest of what it has begun.
            limit = struct.pack("ll", *divmod(int(self._seconds * 1e6) or 1, 10**6))
            for direction in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
                own.setsockopt(socket.SOL_SOCKET, direction, limit)
            with other:
                words = [str(other.fileno()), self._artifact(), str(self._threads)]
                command = [sys.executable, "-m", worker.__name__, *words]
                self._child = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[other.fileno()])
            self._connection = Connection(own.detach())
            self.starts += 1
        kind, told = self._received(_START)
        if kind != worker.RESULTS:
            self.stop_child()
            raise ModelFailed(told)

    def run(self, arrays: List[Any]) -> List[Any]:
        """Runs the model on arrays in the order of its inputs. Raises one of the errors above."""
        self.start()
        try:
            assert self._connection is not None
            self._connection.send(arrays)
        except OSError:
            pass  # It has ended; what is received says how.
        kind, told = self._received(self._seconds)
        if kind == worker.REQUEST:
            raise RequestFailed(told)
        if kind == worker.MODEL:
            raise ModelFailed(told)
        results: List[Any] = told
        return results

    def _received(self, seconds: float) -> Any:
        connection = self._connection
        try:
            if connection is None:
                raise EOFError
            if not connection.poll(seconds):
                raise BlockingIOError
            return connection.recv()
        except BlockingIOError:
            self.stop_child()
            raise TookTooLong(f"the model did not come to its end in {seconds:g} seconds") from None
        except (EOFError, OSError):
            raise ProcessDied(f"the process that ran the model ended {self._how()}") from None

    def _how(self) -> str:
        """How the process ended."""
        self.stop_child()
        code = self._code
        return f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"

    def stop_child(self) -> None:
        """Ends the process, whatever it does; a further run starts another one."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._child is not None:
            try:
                # An ending process tells how it ended; others are ended.
                self._code = self._child.wait(1.0 if self._child.poll() is None else 0)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._code = self._child.wait()
            self._child = None

    def stop(self) -> None:
        """Ends the process for good."""
        self._stopped = True
        self.stop_child()
