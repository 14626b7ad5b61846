"""The types of elements that tensors have at the interface of a model."""

from __future__ import annotations

from typing import Dict, NamedTuple, Optional, Tuple

import numpy


class Dtype(NamedTuple):
    """A type of elements."""

    #: SKRIPTND_F32 and so on of ``skriptnd_runtime.h``.
    code: int
    #: NumPy's name of it.
    name: str
    #: What ``--storage`` of the compiler calls it.
    storage: str
    #: The kind and the number of bits in DLPack.
    dlpack: Tuple[int, int]
    #: What ONNX Runtime calls it.
    onnx: str

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return self.dlpack[1] // 8


_INT, _UINT, _FLOAT, _BFLOAT, _BOOL = 0, 1, 2, 4, 6

DTYPES = (
    Dtype(1, "float32", "f32", (_FLOAT, 32), "float"),
    Dtype(2, "int64", "i64", (_INT, 64), "int64"),
    Dtype(3, "bool", "bool", (_BOOL, 8), "bool"),
    Dtype(4, "float16", "f16", (_FLOAT, 16), "float16"),
    Dtype(5, "bfloat16", "bf16", (_BFLOAT, 16), "bfloat16"),
    Dtype(6, "float64", "f64", (_FLOAT, 64), "double"),
    Dtype(7, "int8", "i8", (_INT, 8), "int8"),
    Dtype(8, "uint8", "u8", (_UINT, 8), "uint8"),
    Dtype(9, "int16", "i16", (_INT, 16), "int16"),
    Dtype(10, "uint16", "u16", (_UINT, 16), "uint16"),
    Dtype(11, "int32", "i32", (_INT, 32), "int32"),
    Dtype(12, "uint32", "u32", (_UINT, 32), "uint32"),
    Dtype(13, "uint64", "u64", (_UINT, 64), "uint64"),
)

BY_CODE: Dict[int, Dtype] = {dtype.code: dtype for dtype in DTYPES}
BY_NAME: Dict[str, Dtype] = {dtype.name: dtype for dtype in DTYPES}
BY_ONNX: Dict[str, Dtype] = {dtype.onnx: dtype for dtype in DTYPES}
BY_DLPACK: Dict[Tuple[int, int], Dtype] = {dtype.dlpack: dtype for dtype in DTYPES}


#: Stands for a type that NumPy has not: no array has it. None would not do, as NumPy takes that for float64.
UNKNOWN = numpy.dtype([("unknown", "u1")])


def numpy_dtype(name: str) -> Optional[numpy.dtype]:
    """NumPy's type of a name; None where it has none. bfloat16 and reals of 8 bits come with ``ml_dtypes``."""
    try:
        return numpy.dtype(name)
    except TypeError:
        pass
    try:
        import ml_dtypes
    except ImportError:
        return None
    found = getattr(ml_dtypes, name, None)
    return None if found is None else numpy.dtype(found)
