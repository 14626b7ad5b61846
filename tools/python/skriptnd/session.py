"""Sessions: users of a model with states of their own."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, List, Optional, Sequence

import numpy

from . import library
from .errors import Error
from .files import PathLike
from .memory import address_of, borrow
from .plan import describe
from .runner import Runner
from .running import Callable

if TYPE_CHECKING:
    from .model import Model

_CAPACITY = -9


class Session(Callable):
    """One user of a model, with values of its states of its own. Threads that share one take turns."""

    def __init__(self, model: Model, runner: Runner) -> None:
        self._model, self._interface, self._runner = model, model._interface, runner

    @property
    def model(self) -> Model:
        """What the session runs."""
        return self._model

    def execute(self, values: Sequence[Any], outs: Optional[Sequence[Any]] = None) -> List[Any]:
        """Runs on inputs in the order of the model; outputs in its order, in the memory of `outs` where it is given."""
        return self._runner.execute(values, outs)

    def get_state(self, name: str) -> numpy.ndarray:
        """A copy of the value of a state."""
        port = self._interface.state(name)
        tensor = library.Tensor()
        extents = describe(tensor, port.dtype.code, [0] * port.rank)
        probe = ctypes.create_string_buffer(64)
        with self._runner.lock:
            tensor.data, tensor.capacity = (ctypes.addressof(probe) + 15) // 16 * 16, 0
            function = library.function("session_get_state")
            status = function(self._runner.address, port.own_name.encode(), ctypes.byref(tensor))
            if status not in (0, _CAPACITY):
                raise library.failure(status, f"state `{name}`")
            array = numpy.empty(tuple(extents[: port.rank]), port.numpy_or_error())
            tensor.data, tensor.capacity = address_of(array), array.nbytes
            library.call("session_get_state", self._runner.address, port.own_name.encode(), ctypes.byref(tensor))
        return array

    def set_state(self, name: str, value: Any) -> None:
        """Gives a state another value, which is copied."""
        port = self._interface.state(name)
        memory = borrow(value, port.dtype, port.numpy, f"state `{name}`")
        tensor = library.Tensor()
        extents = describe(tensor, port.dtype.code, memory.shape)
        volume = 1
        for extent in memory.shape:
            volume *= extent
        tensor.data, tensor.capacity = memory.address, volume * port.dtype.size
        with self._runner.lock:
            library.call("session_set_state", self._runner.address, port.own_name.encode(), ctypes.byref(tensor))
        del extents, memory

    def reset(self) -> None:
        """Gives all states the values that the model was given."""
        with self._runner.lock:
            library.call("session_reset", self._runner.address)

    def seed(self, seed: int) -> None:
        """Sets what random numbers are drawn from that have no seed in the model."""
        if not 0 <= seed < 1 << 64:
            raise Error(f"a seed has 64 bits; {seed} was given")
        with self._runner.lock:
            library.call("session_seed", self._runner.address, seed)

    def save(self, folder: PathLike) -> None:
        """Writes all states to a folder, each to NAME.npy."""
        with self._runner.lock:
            library.call("session_save", self._runner.address, os.fsencode(folder))

    def load(self, folder: PathLike) -> None:
        """Reads all states from a folder that `save` wrote."""
        with self._runner.lock:
            library.call("session_load", self._runner.address, os.fsencode(folder))
