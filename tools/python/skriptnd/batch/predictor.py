"""Models as functions of rows that can go to other processes."""

from __future__ import annotations

import os
import pickle
import threading
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy

from .. import artifact, compiling, digest
from ..cache import Cache
from ..errors import Error, ShapeError
from ..files import PathLike
from ..model import Model, checked_threads, load
from .layout import Layout

#: The models of this process, by what they are, in the order of their last use. They are made at their first use, then kept.
_held: Dict[bytes, Model] = {}

#: How many are kept: a worker may outlive many jobs.
_MOST_HELD = 8

_lock = threading.Lock()


class Predictor:
    """A model as a function of rows: it takes arrays by the names of the inputs and gives arrays by those of the outputs.

    `model` is the path of an ONNX file, of a SkriptND file or folder, or of what was compiled. `batch` rows run at a time, or as many
    as the model takes if it says so. `outputs` are those that are wanted (None: all), each with a row for each of the inputs; `constants` are inputs that
    are no rows, the same for all. `threads` share a run; processes that share a machine leave each other some. `options` are those of
    `skriptnd.compile`. Rows must not depend on each other, so what has states is refused.

    An object of this class is small and can be pickled: each process makes the model at its first use, from the cache if it is there, and keeps it.
    """

    def __init__(
        self,
        model: PathLike,
        *,
        batch: int = 256,
        outputs: Optional[Sequence[str]] = None,
        constants: Optional[Mapping[str, Any]] = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        if not isinstance(model, (str, os.PathLike)):
            raise TypeError("a predictor's model is a path, which other processes can read, too")
        self.path = Path(os.fspath(model)).absolute()
        if batch < 1:
            raise Error(f"a batch has at least one row, not {batch}")
        self.batch, self.threads = batch, checked_threads(threads)
        self.wanted = None if outputs is None else tuple(outputs)
        self.constants = {name: numpy.asarray(value) for name, value in (constants or {}).items()}
        # Whatever is wrong with the options is told here, not by each process.
        compiling.model_options(**options)
        self.options = options
        #: What the file or folder has in it. All processes run the same, or none.
        self.content = self._content()

    @property
    def _is_compiled(self) -> bool:
        return self.path.suffix == ".so" or (self.path / artifact.DESCRIPTION).is_file()

    def model(self) -> Model:
        """The model in this process. Threads that share it may run it at the same time."""
        options = sorted(self.options.items(), key=lambda pair: pair[0])
        key = pickle.dumps((self.content, self.threads, options))
        with _lock:
            found = _held.pop(key, None) or self.made()
            _held[key] = found
            while len(_held) > _MOST_HELD:
                del _held[next(iter(_held))]
        return found

    def made(self) -> Model:
        """The model anew: from the cache, or compiled where that has it no more."""
        if self._content() != self.content:
            raise Error(f"{self.path} is another model than when the predictor was made; make a predictor of it")
        if not self._is_compiled:
            return compiling.compile(self.path, threads=self.threads, **self.options)
        if self.options:
            raise Error(f"{self.path} is compiled: {', '.join(self.options)} can't be chosen any more")
        return load(self.path, self.threads)

    def _content(self) -> str:
        memory = Cache().memory
        if self._is_compiled:
            files = [self.path] if self.path.is_file() else sorted(file for file in self.path.iterdir() if file.is_file())
            return digest.of_bytes("".join(digest.of_file(file, memory) for file in files).encode())
        if self.path.is_dir() or self.path.suffix == ".sknd":
            return digest.of_folder(self.path, memory)
        return digest.of_onnx(self.path, memory)

    def identity(self) -> Dict[str, Any]:
        """What the results follow from, but for the data: to tell jobs apart."""
        options = compiling.model_options(**self.options).key()
        constants = {name: [str(value.dtype), value.tolist()] for name, value in sorted(self.constants.items())}
        return {"model": self.content, "options": options, "constants": constants}

    def layout(self) -> Layout:
        """Which tensors of the model have rows, and how many run at a time."""
        return Layout(self.model(), self.batch, self.wanted, tuple(self.constants))

    def __call__(self, rows: Mapping[str, Any]) -> Dict[str, numpy.ndarray]:
        """The results for rows; as many at a time as a batch has."""
        layout = self.layout()
        count = layout.count({name: numpy.shape(array) for name, array in rows.items()})
        parts = [
            self.run(layout, {name: array[first : first + layout.batch] for name, array in rows.items()})
            for first in range(0, max(count, 1), layout.batch)
        ]
        return {name: numpy.concatenate([part[name] for part in parts]) for name in layout.outputs}

    def run(self, layout: Layout, rows: Mapping[str, Any]) -> Dict[str, numpy.ndarray]:
        """One run, of a batch or less."""
        feeds = {name: numpy.ascontiguousarray(array) for name, array in rows.items()}
        count = len(next(iter(feeds.values())))
        if layout.is_fixed and count == 0:
            return {name: numpy.empty((0, *shape), dtype) for name, (dtype, shape) in layout.outputs.items()}
        if layout.is_fixed and count < layout.batch:
            # What the model says of the number of rows is filled up with the last one; its results are cut off below.
            missing = layout.batch - count
            feeds = {name: numpy.concatenate([array, *[array[-1:]] * missing]) for name, array in feeds.items()}
        expected = layout.batch if layout.is_fixed else count
        results = self.model().run(list(layout.outputs), {**feeds, **self.constants})
        found = {}
        for name, array in zip(layout.outputs, results):
            if array.ndim == 0 or len(array) != expected:
                raise ShapeError(f"output `{name}` is {list(array.shape)} for {expected} rows; {layout.HELP}")
            found[name] = array[:count]
        return found

    def culprit(self, layout: Layout, rows: Mapping[str, Any]) -> Tuple[Optional[int], Optional[Error]]:
        """The first row with which a run fails, and why; None where each half of those that fail together is well alone."""
        first, last, why = 0, len(next(iter(rows.values()))), None
        while last - first > 1:
            middle = (first + last) // 2
            found = self._failure(layout, rows, first, middle)
            why, (first, last) = (found, (first, middle)) if found else (why, (middle, last))
        alone = self._failure(layout, rows, first, last)
        return (first, alone) if alone else (None, why)

    def _failure(self, layout: Layout, rows: Mapping[str, Any], first: int, last: int) -> Optional[Error]:
        try:
            self.run(layout, {name: array[first:last] for name, array in rows.items()})
        except Error as error:
            return error
        return None

    def __repr__(self) -> str:
        return f"<skriptnd.batch.Predictor of {self.path}>"


def held() -> List[Model]:
    """The models that this process has made for predictors."""
    with _lock:
        return list(_held.values())
