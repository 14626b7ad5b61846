"""Memory of arrays: where it is, without a copy, whichever package made them."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Tuple

import numpy

from .dtypes import BY_DLPACK, UNKNOWN, Dtype
from .errors import DtypeError, Error, ShapeError

_CPU_DEVICES = {1, 3, 11}  # kDLCPU, kDLCUDAHost, kDLROCMHost
_READ_ONLY = 1  # DLPACK_FLAG_BITMASK_READ_ONLY


class Memory(NamedTuple):
    """A dense tensor in memory."""

    address: int
    shape: Tuple[int, ...]
    #: What must live as long as the memory is used.
    owner: Any


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _DLVersionedTensor(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _DLTensor),
    ]


# Of its own, as others may declare the types of `ctypes.pythonapi` differently.
_python = ctypes.PyDLL(None)
_python.PyCapsule_IsValid.argtypes = (ctypes.py_object, ctypes.c_char_p)
_python.PyCapsule_IsValid.restype = ctypes.c_int
_python.PyCapsule_GetPointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p

_view, _address = ctypes.c_char.from_buffer, ctypes.addressof

#: Where tensors without elements are said to be: an address that is not NULL.
_NOWHERE = ctypes.create_string_buffer(64)
_NOWHERE_ADDRESS = (ctypes.addressof(_NOWHERE) + 15) // 16 * 16


def address_of(array: numpy.ndarray) -> int:
    """Where the elements of an array lie."""
    try:
        # Three times as fast as NumPy's own ways, for what may be written to, and has elements.
        return _address(_view(array))
    except (TypeError, ValueError, BufferError):
        return int(array.__array_interface__["data"][0])


def borrow(value: Any, dtype: Dtype, expected: numpy.dtype, what: str, *, writable: bool = False) -> Memory:
    """The memory of an array that must have elements of a type, side by side.

    NumPy's arrays and what has ``__dlpack__`` are never copied; Python's numbers and lists become arrays.
    """
    if isinstance(value, numpy.ndarray):
        return _of_numpy(value, dtype, expected, what, writable)
    if hasattr(value, "__dlpack__"):
        return _of_dlpack(value, dtype, what, writable)
    if writable:
        raise Error(f"{what}: {_kind(value)} is no memory to write to; give a NumPy array or one with DLPack")
    if isinstance(value, numpy.generic) or hasattr(value, "__array_interface__"):
        return _of_numpy(numpy.asarray(value), dtype, expected, what, False)
    return _of_plain(value, dtype, expected, what)


def _kind(value: Any) -> str:
    return f"`{type(value).__module__}.{type(value).__qualname__}`"


def _wrong_dtype(what: str, found: str, dtype: Dtype) -> DtypeError:
    return DtypeError(f"{what}: the elements are {found}, but the model has {dtype.name}")


def _of_numpy(
    array: numpy.ndarray, dtype: Dtype, expected: numpy.dtype, what: str, writable: bool
) -> Memory:
    if array.dtype != expected:
        found = array.dtype.name if array.dtype.isnative else f"{array.dtype.name} of another byte order"
        raise _wrong_dtype(what, found, dtype)
    if not array.flags.c_contiguous:
        raise _scattered(what, "numpy.ascontiguousarray(x)")
    if writable and not array.flags.writeable:
        raise Error(f"{what}: the array is read-only")
    return Memory(address_of(array), array.shape, array)


def _scattered(what: str, remedy: str) -> ShapeError:
    return ShapeError(f"{what}: the elements do not lie side by side (C order); `{remedy}` makes such a copy")


def _of_plain(value: Any, dtype: Dtype, expected: numpy.dtype, what: str) -> Memory:
    """Numbers and lists of them, where every number has a counterpart of the type: ints are reals, reals no ints."""
    try:
        array = numpy.asarray(value)
        kinds = "biuf" if dtype.dlpack[0] in (2, 4) else "b" if dtype.name == "bool" else "iu"
        if array.size and array.dtype.kind not in kinds:
            raise _wrong_dtype(what, array.dtype.name, dtype)
        if expected is UNKNOWN:
            raise _wrong_dtype(what, array.dtype.name, dtype)
        array = numpy.ascontiguousarray(numpy.array(value, dtype=expected)).reshape(array.shape)
    except (ValueError, OverflowError, TypeError) as error:
        if isinstance(error, Error):
            raise
        raise DtypeError(f"{what}: {_kind(value)} is no tensor of {dtype.name}: {error}") from error
    return Memory(address_of(array), array.shape, array)


def _capsule(value: Any, what: str) -> Any:
    device = getattr(value, "__dlpack_device__", None)
    if device is not None and int(device()[0]) not in _CPU_DEVICES:
        raise Error(f"{what}: the tensor is on the device {tuple(device())} of DLPack; move it to the CPU first")
    try:
        try:
            return value.__dlpack__(max_version=(1, 1))
        except TypeError:  # Made for DLPack before 1.0.
            return value.__dlpack__()
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise Error(f"{what}: {_kind(value)} does not give its memory: {error}") from error


def _of_dlpack(value: Any, dtype: Dtype, what: str, writable: bool) -> Memory:
    capsule = _capsule(value, what)
    is_read_only = False
    if _python.PyCapsule_IsValid(capsule, b"dltensor_versioned"):
        address = _python.PyCapsule_GetPointer(capsule, b"dltensor_versioned")
        versioned = _DLVersionedTensor.from_address(address)
        if versioned.major != 1:
            raise Error(f"{what}: version {versioned.major} of DLPack is not known")
        is_read_only, tensor = bool(versioned.flags & _READ_ONLY), versioned.tensor
    elif _python.PyCapsule_IsValid(capsule, b"dltensor"):
        tensor = _DLTensor.from_address(_python.PyCapsule_GetPointer(capsule, b"dltensor"))
    else:
        raise Error(f"{what}: what `__dlpack__` gives is no tensor")
    if writable and is_read_only:
        raise Error(f"{what}: the tensor is read-only")
    return _described(tensor, capsule, dtype, what)


def _described(tensor: _DLTensor, capsule: Any, dtype: Dtype, what: str) -> Memory:
    if tensor.device_type not in _CPU_DEVICES:
        kind = tensor.device_type
        raise Error(f"{what}: the tensor is on a device of DLPack's type {kind}; move it to the CPU first")
    found = BY_DLPACK.get((tensor.code, tensor.bits))
    if found is not dtype or tensor.lanes != 1:
        name = found.name if found else f"of DLPack's type {tensor.code} with {tensor.bits} bits"
        raise _wrong_dtype(what, name if tensor.lanes == 1 else f"vectors of {name}", dtype)
    shape = tuple(tensor.shape[: tensor.ndim])
    if tensor.strides and not _is_dense(shape, tensor.strides[: tensor.ndim]):
        raise _scattered(what, "x.contiguous()")
    address = (tensor.data or 0) + tensor.byte_offset
    # The capsule is not renamed: it frees the tensor when it goes.
    return Memory(_NOWHERE_ADDRESS if 0 in shape else address, shape, capsule)


def _is_dense(shape: Tuple[int, ...], strides: Any) -> bool:
    if 0 in shape:
        return True
    expected = 1
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True
