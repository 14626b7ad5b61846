"""A model of the server: where it comes from, what it takes and gives, and the processes that run it."""

from __future__ import annotations

import logging
from typing import Any, Dict, List, NamedTuple, Optional

from .. import artifact
from ..batch.independence import check_independent
from ..batch.layout import Layout
from ..batch.predictor import Predictor
from ..dtypes import numpy_dtype
from ..errors import Error
from ..files import PathLike
from . import tensors
from .batching import Batcher
from .metrics import Metrics
from .process import FAILURES, ModelFailed, Process
from .protocol import Signature

#: The one version of each model that is served.
VERSION = "1"

_log = logging.getLogger("skriptnd.serve")


class Running(NamedTuple):
    """How models are run."""

    #: Processes of each model, and the threads of each.
    processes: int = 1
    threads: int = 1
    #: Rows that run together; 1: each request alone.
    batch: int = 1
    #: Seconds that a request waits for others to run with.
    delay: float = 0.0
    #: Seconds that a run may take.
    seconds: float = 10.0


class Served:
    """A model that is loaded, or will be."""

    def __init__(self, name: str, model: PathLike, running: Running, **options: Any) -> None:
        self.name, self._running = name, running
        self._predictor = Predictor(model, threads=running.threads, **options)
        self._layout: Optional[Layout] = None
        self._processes: List[Process] = []
        self._place = ""
        self.signature = Signature((), ())
        #: There when the model is ready.
        self.batcher: Optional[Batcher] = None

    def load(self) -> None:
        """Compiles the model or takes it from the cache, and starts its processes. Raises an error where it can't be served."""
        try:
            self._load()
        except (Error, *FAILURES) as error:
            self.stop()
            raise Error(f"model `{self.name}`: {error}") from error

    def _load(self) -> None:
        model = self._predictor.model()
        if model.states:
            names = ", ".join(info.name for info in model.states)
            raise Error(f"it has states ({names}), and requests do not belong together; give them as inputs and outputs")
        for info in (*model.inputs, *model.outputs):
            if numpy_dtype(info.dtype) is None:
                raise Error(f"`{info.name}`: NumPy has no {info.dtype}; install `ml_dtypes`")
        running = self._running
        if running.batch > 1:
            self._layout = Layout(model, running.batch, None, ())
            if self._layout.is_fixed:
                raise Error(f"its inputs have {self._layout.extent} rows, always; requests can't run together")
            if not check_independent(model, self._layout, {}):
                _log.warning("warning: model `%s`: it could not be tried whether its rows depend on each other", self.name)
        self._place = str(model.artifact)
        self.signature = Signature(model.inputs, model.outputs)
        self._processes = [Process(self._artifact, running.threads, running.seconds) for _ in range(running.processes)]
        for process in self._processes:
            process.start()

    def _artifact(self) -> str:
        """The folder of the artifact, which the cache may have dropped meanwhile."""
        if self._place != str(self._predictor.path) and not artifact.is_whole(self._place):
            try:
                self._predictor.made()
            except Error as error:
                raise ModelFailed(f"the cache has the model no more, and it can't be compiled again: {error}") from error
        return self._place

    def begin(self, metrics: Metrics) -> None:
        """Takes requests from now on."""
        self.batcher = Batcher(self.name, self._processes, self._layout, self._running.delay, metrics)

    @property
    def pids(self) -> List[int]:
        """The processes that run the model now."""
        return [process.pid for process in self._processes if process.pid is not None]

    def describe(self) -> Dict[str, Any]:
        """What the protocol says of a model."""
        inputs, outputs = ([tensors.described(info) for info in infos] for infos in self.signature)
        return {"name": self.name, "versions": [VERSION], "platform": "skriptnd", "inputs": inputs, "outputs": outputs}

    def stop(self) -> None:
        """Ends its processes."""
        for process in self._processes:
            process.stop()
