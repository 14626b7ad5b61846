"""Tensors that programs keep, and memory that is bound before a run, by ONNX Runtime's names."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple

import numpy

from .dtypes import BY_NAME
from .errors import Error
from .options import missing

if TYPE_CHECKING:
    from .inference import InferenceSession

Array = numpy.ndarray


def type_of(dtype: str) -> str:
    """What ONNX Runtime calls a tensor of such elements."""
    known = BY_NAME.get(dtype)
    return f"tensor({known.onnx if known else dtype})"


class OrtValue:
    """A tensor that programs keep between runs."""

    def __init__(self, array: Array) -> None:
        self._array = array

    @classmethod
    def ortvalue_from_numpy(cls, array: Array, device_type: str = "cpu", device_id: int = 0) -> OrtValue:
        """A tensor of an array, whose memory it uses."""
        _only_cpu(device_type)
        return cls(array)

    @classmethod
    def ortvalue_from_shape_and_type(
        cls, shape: Sequence[int], element_type: Any, device_type: str = "cpu", device_id: int = 0
    ) -> OrtValue:
        """A tensor whose elements are not set."""
        _only_cpu(device_type)
        return cls(numpy.empty(tuple(shape), element_type))

    def numpy(self) -> Array:
        """Its array."""
        return self._array

    def shape(self) -> List[int]:
        """Its extents."""
        return list(self._array.shape)

    def data_type(self) -> str:
        """Its type, such as ``tensor(float)``."""
        return type_of(self._array.dtype.name)

    def element_type(self) -> int:
        """Not here."""
        missing("numbers of element types", "`data_type` has the name")

    def data_ptr(self) -> int:
        """Where its elements lie."""
        return self._array.ctypes.data

    def device_name(self) -> str:
        """Where it is."""
        return "cpu"

    def is_tensor(self) -> bool:
        """Always."""
        return True

    def has_value(self) -> bool:
        """Always."""
        return True

    def update_inplace(self, array: Array) -> None:
        """Takes the elements of an array of the same shape and type."""
        if array.shape != self._array.shape or array.dtype != self._array.dtype:
            raise Error(f"the tensor is {self._array.dtype}{self._array.shape}, the array {array.dtype}{array.shape}")
        numpy.copyto(self._array, array)


def _only_cpu(device_type: str) -> None:
    if device_type.lower() != "cpu":
        missing(f"device `{device_type}`", "tensors are in the memory of the CPU")


class IOBinding:
    """Inputs and outputs whose memory is bound before a run."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session
        self._inputs: Dict[str, Array] = {}
        self._outputs: Dict[str, Optional[Array]] = {}
        self._results: List[Array] = []

    def bind_cpu_input(self, name: str, array: Array) -> None:
        """Binds an input to an array."""
        self._inputs[name] = array

    def bind_ortvalue_input(self, name: str, value: OrtValue) -> None:
        """Binds an input to a tensor."""
        self._inputs[name] = value.numpy()

    def bind_input(
        self, name: str, device_type: str, device_id: int, element_type: Any, shape: Sequence[int], buffer_ptr: int
    ) -> None:
        """Binds an input to memory."""
        _only_cpu(device_type)
        self._inputs[name] = _array_at(buffer_ptr, shape, element_type)

    def bind_output(
        self,
        name: str,
        device_type: str = "cpu",
        device_id: int = 0,
        element_type: Any = None,
        shape: Optional[Sequence[int]] = None,
        buffer_ptr: Optional[int] = None,
    ) -> None:
        """Binds an output to memory or, without a pointer, to whatever the run makes."""
        _only_cpu(device_type)
        is_given = buffer_ptr is not None and shape is not None
        self._outputs[name] = _array_at(buffer_ptr or 0, shape or (), element_type) if is_given else None

    def bind_ortvalue_output(self, name: str, value: OrtValue) -> None:
        """Binds an output to a tensor."""
        self._outputs[name] = value.numpy()

    def synchronize_inputs(self) -> None:
        """There is nothing to wait for."""

    def synchronize_outputs(self) -> None:
        """There is nothing to wait for."""

    def clear_binding_inputs(self) -> None:
        """Forgets all inputs."""
        self._inputs.clear()

    def clear_binding_outputs(self) -> None:
        """Forgets all outputs."""
        self._outputs.clear()
        self._results.clear()

    def copy_outputs_to_cpu(self) -> List[Array]:
        """The outputs of the last run, in the order in which they were bound."""
        return list(self._results)

    def get_outputs(self) -> List[OrtValue]:
        """The outputs of the last run, in the order in which they were bound."""
        return [OrtValue(array) for array in self._results]

    def run(self) -> None:
        """Runs the session on what is bound."""
        model = self._session.model
        out = {name: array for name, array in self._outputs.items() if array is not None}
        self._results = model.run(list(self._outputs), self._session.adapted(self._inputs), out=out or None)


def _array_at(address: int, shape: Sequence[int], element_type: Any) -> Array:
    dtype = numpy.dtype(element_type)
    count = int(numpy.prod(shape, dtype=numpy.int64))
    memory = (ctypes.c_char * max(count * dtype.itemsize, 1)).from_address(address)
    return numpy.frombuffer(memory, dtype, count).reshape(tuple(shape))
