"""Models: what was compiled, with its weights."""

from __future__ import annotations

import operator
import os
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import library
from .artifact import Artifact
from .errors import Error
from .files import PathLike
from .interface import Interface, Library, listed
from .runner import Runner
from .running import Callable
from .session import Session


#: As many as the library makes.
_MOST_THREADS = 1024


class Model(Callable):
    """A compiled model with its weights, which nothing changes any more.

    Threads may call it at the same time: each call takes a session of its own. Where the model has states, all
    calls go to one session, one after the other; `session` makes others.
    """

    def __init__(self, artifact: Artifact, threads: int = 0) -> None:
        self._artifact, self._threads = artifact, threads
        compiled = Library(str(artifact.library))
        self._interface = Interface(compiled, artifact.names("inputs"), artifact.names("outputs"))
        what = str(artifact.path)
        if artifact.knows_weights:
            self._handle = library.Handle("model_load", compiled.address, what=what)
        else:
            self._handle = library.Handle("model_read", compiled.address, os.fsencode(artifact.path), what=what)
        #: Those that no call uses now.
        self._idle: List[Runner] = []
        self._lock = threading.Lock()
        self._shared: Optional[Runner] = None

    @property
    def bounds(self) -> Dict[str, Optional[int]]:
        """The extents that inputs leave to a run, with their upper bounds, or None where they have none."""
        return dict(self._interface.bounds)

    @property
    def artifact(self) -> Path:
        """Where the model lies on disk; `load` takes it."""
        return self._artifact.path

    def sequences(self, role: str) -> Dict[str, List[str]]:
        """The names of the items of sequences that the ONNX model has, by those of the sequences.

        `role` is `inputs` or `outputs`.
        """
        return self._artifact.sequences(role)

    def session(self) -> Session:
        """A user of the model with states of its own."""
        return Session(self, self._runner())

    def _runner(self) -> Runner:
        return Runner(self._handle, self._interface, self._threads)

    def execute(self, values: Sequence[Any], outs: Optional[Sequence[Any]] = None) -> List[Any]:
        """Runs on inputs in the order of the model; outputs in its order, in the memory of `outs` where it is given."""
        if self._interface.states:
            return self._only_runner().execute(values, outs)
        try:
            runner = self._idle.pop()
        except IndexError:
            runner = self._runner()
        try:
            return runner.execute(values, outs)
        finally:
            self._idle.append(runner)

    def _only_runner(self) -> Runner:
        with self._lock:
            if self._shared is None:
                self._shared = self._runner()
            return self._shared

    def save(self, folder: PathLike) -> Path:
        """Copies the artifact, weights and all, to a new folder, which `load` takes on machines with this processor."""
        return self._artifact.copy(Path(folder))

    def __reduce__(self) -> Tuple[Any, ...]:
        return load, (str(self._artifact.path), self._threads)

    def __repr__(self) -> str:
        inputs, outputs = listed(self._interface.inputs), listed(self._interface.outputs)
        return f"<skriptnd.Model {self._artifact.path}: {inputs} -> {outputs}>"


def checked_threads(threads: int) -> int:
    """A number of threads as the library takes it."""
    is_whole = hasattr(threads, "__index__") and not isinstance(threads, bool)
    if not is_whole or not 0 <= operator.index(threads) <= _MOST_THREADS:
        raise Error(f"threads are a whole number from 0 to {_MOST_THREADS}, not {threads!r}")
    return operator.index(threads)


def load(artifact: PathLike, threads: int = 0) -> Model:
    """Loads what was compiled: a folder that `Model.save` or the cache has, or a library that `skriptnd compile` wrote.

    That runs code of it: it must come from a trusted place. `threads` share the work of each run, the one that calls among
    them; 0 are as many as the processor has. The results are the same for every number.
    """
    return Model(Artifact.open(Path(artifact)), checked_threads(threads))
