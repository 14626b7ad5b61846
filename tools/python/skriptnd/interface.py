"""What a model says of its tensors."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy

from . import library
from .dtypes import BY_CODE, UNKNOWN, Dtype, numpy_dtype
from .errors import Error, NameError, ShapeError

#: An extent: a number, or an expression of the extents that a run knows.
Extent = Union[int, str]

#: Where outputs go: one array, arrays in the order of the outputs, or arrays by name. None: new NumPy arrays.
Out = Union[None, Any, Sequence[Any], Mapping[str, Any]]

#: What stands for an input that was not given.
_MISSING: Any = object()


class TensorInfo(NamedTuple):
    """An input, an output or a state of a model."""

    name: str
    #: The type of elements by NumPy's name.
    dtype: str
    #: The extents; texts are names of extents that only a run knows, or expressions of them.
    shape: Tuple[Extent, ...]


class Port:
    """A tensor of the interface as calls need it."""

    __slots__ = ("dtype", "info", "is_pack", "numpy", "own_name", "rank")

    def __init__(self, own_name: str, name: str, dtype: Dtype, shape: Tuple[Extent, ...], is_pack: bool) -> None:
        #: Its name in the compiled library.
        self.own_name = own_name
        self.info = TensorInfo(name, dtype.name, shape)
        self.dtype = dtype
        #: Whether it is a pack of tensors, which stand one behind the other.
        self.is_pack = is_pack
        self.rank = len(shape)
        self.numpy = numpy_dtype(dtype.name) or UNKNOWN

    def numpy_or_error(self) -> numpy.dtype:
        """NumPy's type of its elements."""
        if self.numpy is UNKNOWN:
            name, dtype = self.info.name, self.dtype.name
            raise Error(f"`{name}`: NumPy has no {dtype}; install `ml_dtypes`, or give memory for it by `out`")
        return self.numpy


class Library:
    """A compiled library that is loaded."""

    def __init__(self, path: str) -> None:
        self._handle = library.Handle("library_load", path.encode(), what=path)
        self.address = self._handle.address
        self._metadata: Dict[str, Any] = json.loads(library.function("library_metadata")(self.address))

    def ports(self, role: int, names: Mapping[str, str]) -> List[Port]:
        """The tensors of a role; `names` has the names that users know by those of the library."""
        count = ctypes.c_size_t()
        library.call("library_count", self.address, role, ctypes.byref(count))
        return [self._port(role, index, names) for index in range(count.value)]

    def _port(self, role: int, index: int, names: Mapping[str, str]) -> Port:
        description = library.TensorDescription()
        library.call("library_tensor", self.address, role, index, ctypes.byref(description))
        name = description.name.decode()
        extents = [description.shape[dimension] for dimension in range(description.rank)]
        shape = tuple(
            extent if extent >= 0 else self._expression(role, index, dimension)
            for dimension, extent in enumerate(extents)
        )
        listed = {library.INPUT: "inputs", library.OUTPUT: "outputs"}.get(role, "")
        described = self._metadata.get(listed, [])
        is_pack = index < len(described) and bool(described[index].get("pack"))
        return Port(name, names.get(name, name), BY_CODE[description.dtype], shape, is_pack)

    def _expression(self, role: int, index: int, dimension: int) -> str:
        text, bound = ctypes.c_char_p(), ctypes.c_int64()
        places = ctypes.byref(text), ctypes.byref(bound)
        library.call("library_extent", self.address, role, index, dimension, *places)
        return (text.value or b"").decode().partition("|")[0].strip()

    def bounds(self) -> Dict[str, Optional[int]]:
        """The extents that inputs leave to a run, with their upper bounds."""
        count = ctypes.c_size_t()
        library.call("library_extent_count", self.address, ctypes.byref(count))
        found: Dict[str, Optional[int]] = {}
        for index in range(count.value):
            name, bound = ctypes.c_char_p(), ctypes.c_int64()
            library.call("library_open_extent", self.address, index, ctypes.byref(name), ctypes.byref(bound))
            found[(name.value or b"").decode()] = bound.value if bound.value >= 0 else None
        return found


class Interface:
    """The tensors of a model, found by place and by name."""

    def __init__(self, compiled: Library, inputs: Mapping[str, str], outputs: Mapping[str, str]) -> None:
        self.inputs = compiled.ports(library.INPUT, inputs)
        self.outputs = compiled.ports(library.OUTPUT, outputs)
        self.states = compiled.ports(library.STATE, {})
        self.bounds = compiled.bounds()
        self._input_names = {port.info.name: index for index, port in enumerate(self.inputs)}
        self._output_names = {port.info.name: index for index, port in enumerate(self.outputs)}

    def in_order(self, arrays: Sequence[Any], named: Mapping[str, Any]) -> Sequence[Any]:
        """The values of the inputs in the order of the model."""
        if not named:
            return arrays
        values = list(arrays) + [_MISSING] * (len(self.inputs) - len(arrays))
        for name, value in named.items():
            index = self._input_names.get(name)
            if index is None:
                raise NameError(f"the model has no input `{name}`; its inputs: {listed(self.inputs)}")
            if values[index] is not _MISSING:
                raise NameError(f"the input `{name}` is given twice")
            values[index] = value
        missing = [port for port, value in zip(self.inputs, values) if value is _MISSING]
        if missing:
            raise NameError(f"inputs are missing: {listed(missing)}")
        return values

    def outs_in_order(self, out: Out) -> Optional[Sequence[Any]]:
        """The memory of the outputs in the order of the model."""
        if out is None:
            return None
        if isinstance(out, Mapping):
            outs: List[Any] = [None] * len(self.outputs)
            for name, array in out.items():
                outs[self.output_index(name)] = array
            return outs
        outs = list(out) if isinstance(out, (list, tuple)) else [out]
        if len(outs) != len(self.outputs):
            raise ShapeError(f"the model has {len(self.outputs)} outputs; memory for {len(outs)} was given")
        return outs

    def output_index(self, name: str) -> int:
        """The place of an output in the order of the model."""
        index = self._output_names.get(name)
        if index is None:
            raise NameError(f"the model has no output `{name}`; its outputs: {listed(self.outputs)}")
        return index

    def state(self, name: str) -> Port:
        """The state of a name."""
        for port in self.states:
            if port.info.name == name:
                return port
        raise NameError(f"the model has no state `{name}`; its states: {listed(self.states)}")


def listed(ports: Sequence[Port]) -> str:
    """Names for a message."""
    return ", ".join(f"`{port.info.name}`" for port in ports) or "none"
