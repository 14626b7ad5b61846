"""Tensors as the protocol writes them: as JSON, or as bytes behind it."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Sequence

import numpy

from ..dtypes import BY_NAME, numpy_dtype
from ..errors import Error
from ..interface import TensorInfo
from ..memory import borrow

#: The protocol's names of types, by those of NumPy.
DATATYPES: Dict[str, str] = {
    "bool": "BOOL",
    "int8": "INT8",
    "int16": "INT16",
    "int32": "INT32",
    "int64": "INT64",
    "uint8": "UINT8",
    "uint16": "UINT16",
    "uint32": "UINT32",
    "uint64": "UINT64",
    "float16": "FP16",
    "bfloat16": "BF16",
    "float32": "FP32",
    "float64": "FP64",
}


class Malformed(Exception):
    """A request is not what the protocol says, or not for the model."""


def described(info: TensorInfo) -> Dict[str, Any]:
    """A tensor in the description of a model; extents that a request chooses are -1."""
    shape = [extent if isinstance(extent, int) else -1 for extent in info.shape]
    return {"name": info.name, "datatype": DATATYPES[info.dtype], "shape": shape}


def shape_of(given: Any, what: str) -> List[int]:
    """The shape that a request says."""
    if not isinstance(given, list) or not all(type(extent) is int and extent >= 0 for extent in given):
        raise Malformed(f"{what}: expected `shape`, a list of whole numbers, found {shortened(given)}")
    return given


def check_shape(shape: Sequence[int], info: TensorInfo, what: str) -> None:
    """Refuses shapes that no run can take: extents that are open are checked by the run."""
    expected = info.shape
    alike = len(shape) == len(expected) and all(
        not isinstance(extent, int) or extent == found for extent, found in zip(expected, shape)
    )
    if not alike:
        told = ", ".join(map(str, expected))
        raise Malformed(f"{what}: its shape is {list(shape)}, but the model has [{told}]")


def from_json(data: Any, shape: Sequence[int], info: TensorInfo, what: str) -> numpy.ndarray:
    """The array of numbers in JSON, in a flat list or lists of lists."""
    if not isinstance(data, list):
        raise Malformed(f"{what}: expected `data`, a list of numbers, found {shortened(data)}")
    dtype, wanted = BY_NAME[info.dtype], numpy_dtype(info.dtype)
    assert wanted is not None
    try:
        with numpy.errstate(over="ignore"):
            array = borrow(data, dtype, wanted, what).owner
    except (Error, RecursionError) as error:
        raise Malformed(str(error)) from error
    if array.dtype.kind == "f" and not numpy.isfinite(array).all():
        raise Malformed(f"{what}: a number is too large for {info.dtype}")
    return _shaped(array, shape, what)


def from_bytes(content: bytes, shape: Sequence[int], info: TensorInfo, what: str) -> numpy.ndarray:
    """The array of little-endian bytes."""
    wanted = numpy_dtype(info.dtype)
    assert wanted is not None
    if len(content) != math.prod(shape) * wanted.itemsize:
        raise Malformed(f"{what}: {len(content)} bytes for the shape {list(shape)} of {DATATYPES[info.dtype]}")
    # Aligned, and whole: bytes of JSON before it may be of any number.
    array = numpy.frombuffer(content, "u1").copy().view(wanted)
    if info.dtype == "bool" and array.view("u1").max(initial=0) > 1:
        raise Malformed(f"{what}: truth values are bytes 0 and 1")
    return _shaped(array, shape, what)


def _shaped(array: numpy.ndarray, shape: Sequence[int], what: str) -> numpy.ndarray:
    if array.size != math.prod(shape):
        raise Malformed(f"{what}: {array.size} elements for the shape {list(shape)}")
    return array.reshape(tuple(shape))


def to_json(array: numpy.ndarray, name: str) -> List[Any]:
    """The elements in one list."""
    if array.dtype.kind not in "biu":
        array = array.astype("float64")
        if not numpy.isfinite(array).all():
            help_text = 'ask for it with "binary_data": true'
            raise Malformed(f"output `{name}` has values that JSON has not (infinite, or no numbers); {help_text}")
    elements: List[Any] = array.reshape(-1).tolist()
    return elements


def to_bytes(array: numpy.ndarray) -> bytes:
    """The elements, little-endian, one behind the other."""
    return numpy.ascontiguousarray(array).tobytes()


def shortened(value: Any) -> str:
    """A value in a message."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
