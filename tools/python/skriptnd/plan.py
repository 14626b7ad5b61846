"""What runs on inputs of the same shapes share: the descriptors that the library takes, filled in but for addresses."""

from __future__ import annotations

import ctypes
from typing import Any, List, Sequence, Tuple

import numpy

from . import library
from .interface import Port

Shape = Tuple[int, ...]


def describe(tensor: library.Tensor, dtype: int, shape: Sequence[int]) -> Any:
    """Fills in a descriptor but for its memory; what it points to, to be kept."""
    extents = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    tensor.shape, tensor.rank, tensor.dtype = ctypes.addressof(extents), len(shape), dtype
    return extents


class Output:
    """An output of runs on inputs of some shapes."""

    __slots__ = ("descriptor", "dtype", "extents", "shape", "size")

    def __init__(self, descriptor: library.Tensor, extents: Any, port: Port) -> None:
        self.descriptor, self.extents, self.dtype = descriptor, extents, port.dtype
        #: The shape, the largest one where the data determine it.
        self.shape: Shape = ()
        #: The bytes of that.
        self.size = 0

    def settle(self, rank: int) -> None:
        """Takes the shape that the library told."""
        self.shape = tuple(self.extents[:rank])
        self.size = self.descriptor.bytes
        self.descriptor.capacity = self.size

    def found(self, array: Any) -> Any:
        """What a run wrote to an array that has room for the largest shape."""
        descriptor = self.descriptor
        if descriptor.bytes == self.size and self.size:
            return array
        shape = tuple(self.extents[: descriptor.rank])
        if shape == self.shape:
            return array
        return array.reshape(-1)[: descriptor.bytes // self.dtype.size].reshape(shape)


class Plan:
    """The descriptors of one session's runs on inputs of some shapes."""

    __slots__ = ("_extents", "input_count", "inputs", "input_descriptors", "output_count", "outputs", "output_array")

    def __init__(
        self, session: Any, inputs: List[Port], outputs: List[Port], shapes: List[Shape], addresses: List[int]
    ) -> None:
        self.input_count, self.output_count = len(inputs), len(outputs)
        self.inputs = (library.Tensor * max(len(inputs), 1))()
        self.output_array = (library.Tensor * max(len(outputs), 1))()
        self.input_descriptors = [self.inputs[index] for index in range(len(inputs))]
        self._extents = []
        for descriptor, port, shape, address in zip(self.input_descriptors, inputs, shapes, addresses):
            self._extents.append(describe(descriptor, port.dtype.code, shape))
            descriptor.data, descriptor.capacity = address, _volume(shape) * port.dtype.size
        self.outputs = [self._output(index, port) for index, port in enumerate(outputs)]
        library.call("session_shapes", session, self.inputs, self.input_count, self.output_array, self.output_count)
        for output, port in zip(self.outputs, outputs):
            output.settle(port.rank)

    def _output(self, index: int, port: Port) -> Output:
        descriptor = self.output_array[index]
        return Output(descriptor, describe(descriptor, port.dtype.code, [0] * port.rank), port)


def _volume(shape: Shape) -> int:
    volume = 1
    for extent in shape:
        volume *= extent
    return volume


def make_array(output: Output, port: Port) -> numpy.ndarray:
    """Memory for an output."""
    return numpy.empty(output.shape, port.numpy_or_error())
