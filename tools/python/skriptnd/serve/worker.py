"""The process that runs a model for the server: whatever happens in it, the server lives on."""

from __future__ import annotations

import signal
import sys
from multiprocessing.connection import Connection
from typing import Any, List, Tuple

from .. import errors
from ..model import load
from ..running import Callable

#: What a process answers: the results, or whose fault it is that there are none, and why.
RESULTS, REQUEST, MODEL = "results", "request", "model"

#: What the arrays of a request may cause.
_OF_REQUESTS = (errors.ShapeError, errors.DtypeError, errors.FaultError)


def answer(model: Callable, arrays: List[Any]) -> Tuple[str, Any]:
    """Runs a model; what is sent back."""
    try:
        return RESULTS, model.execute(arrays)
    except _OF_REQUESTS as error:
        return REQUEST, str(error)
    except MemoryError as error:
        return MODEL, f"there is not enough memory: {error}"
    except errors.Error as error:
        return MODEL, str(error)


def main(descriptor: int, artifact: str, threads: int) -> None:
    """Answers until the server closes the connection."""
    # Ctrl-C in a terminal is for the server, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Connection(descriptor) as connection:
        try:
            model = load(artifact, threads)
        except errors.Error as error:
            connection.send((MODEL, str(error)))
            return
        connection.send((RESULTS, None))
        while True:
            try:
                arrays = connection.recv()
            except EOFError:
                return
            connection.send(answer(model, arrays))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
