"""The functions of libskriptnd, which loads and runs what the compiler made."""

from __future__ import annotations

import ctypes
import functools
import os
from pathlib import Path
from typing import Any, Type

from . import errors, executable

INPUT, VARIABLE, OUTPUT, STATE = range(4)

_TYPE, _FAULT = -7, -13
_SHAPES = (-3, -6, -8, -9)
_NAME = -10


class Tensor(ctypes.Structure):
    """``skriptnd_tensor``"""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("shape", ctypes.c_void_p),
        ("rank", ctypes.c_int32),
        ("dtype", ctypes.c_int32),
        ("capacity", ctypes.c_size_t),
        ("bytes", ctypes.c_size_t),
    ]


class TensorDescription(ctypes.Structure):
    """``skriptnd_tensor_info``"""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("dtype", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
    ]


_P, _S, _I, _SIZE = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_size_t

_STATUS_FUNCTIONS = {
    "library_load": (_S, _P),
    "library_count": (_P, _I, _P),
    "library_tensor": (_P, _I, _SIZE, _P),
    "library_extent": (_P, _I, _SIZE, _SIZE, _P, _P),
    "library_extent_count": (_P, _P),
    "library_open_extent": (_P, _SIZE, _P, _P),
    "model_new": (_P, _P, _SIZE, _P),
    "model_load": (_P, _P),
    "model_read": (_P, _S, _P),
    "session_new": (_P, _P),
    "session_threads": (_P, _SIZE),
    "session_run": (_P, _P, _SIZE, _P, _SIZE),
    "session_shapes": (_P, _P, _SIZE, _P, _SIZE),
    "session_get_state": (_P, _S, _P),
    "session_set_state": (_P, _S, _P),
    "session_reset": (_P,),
    "session_seed": (_P, ctypes.c_uint64),
    "session_save": (_P, _S),
    "session_load": (_P, _S),
}
_TEXT_FUNCTIONS = {"message": (_I,), "last_error": (), "library_metadata": (_P,), "session_fault": (_P,)}
_FREE_FUNCTIONS = ("library_free", "model_free", "session_free")


def find() -> Path:
    """The file of libskriptnd: ``$SKRIPTND_LIBRARY``, that of the package, or the one beside the executable."""
    given = os.environ.get("SKRIPTND_LIBRARY")
    if given:
        return Path(given)
    beside = (executable.PACKAGED.parent, executable.find().parent)
    for folder in beside:
        if (folder / "libskriptnd.so").is_file():
            return folder / "libskriptnd.so"
    places = " or ".join(str(folder) for folder in dict.fromkeys(beside))
    raise errors.Error(f"there is no libskriptnd.so in {places}; SKRIPTND_LIBRARY may name its file")


@functools.cache
def functions() -> Any:
    """libskriptnd, loaded once, with its functions declared."""
    path = find()
    try:
        loaded = ctypes.CDLL(str(path))
    except OSError as error:
        raise errors.Error(f"{path} can't be loaded: {error}") from error
    for names, result in ((_STATUS_FUNCTIONS, _I), (_TEXT_FUNCTIONS, _S)):
        for name, arguments in names.items():
            function = getattr(loaded, f"skriptnd_{name}")
            function.argtypes, function.restype = arguments, result
    for name in _FREE_FUNCTIONS:
        function = getattr(loaded, f"skriptnd_{name}")
        function.argtypes, function.restype = (_P,), None
    return loaded


def function(name: str) -> Any:
    """``skriptnd_NAME``"""
    return getattr(functions(), f"skriptnd_{name}")


def failure(status: int, what: str = "") -> errors.Error:
    """What a status that is not 0 means, with the details of this thread's last failure."""
    message = function("message")(status).decode()
    details = function("last_error")().decode(errors="replace")
    text = ": ".join(part for part in (what, details or message) if part)
    if status == _TYPE:
        kind: Type[errors.Error] = errors.DtypeError
    elif status in _SHAPES:
        kind = errors.ShapeError
    elif status == _NAME:
        kind = errors.NameError
    else:
        kind = errors.FaultError if status == _FAULT else errors.Error
    error = kind(text)
    error.status = status
    return error


def call(name: str, *arguments: Any, what: str = "") -> None:
    """Calls ``skriptnd_NAME``; raises what its status says."""
    status = function(name)(*arguments)
    if status:
        raise failure(status, what)


class Handle:
    """Something that the library made and that is freed with its last user."""

    __slots__ = ("address", "_free")

    def __init__(self, maker: str, *arguments: Any, what: str = "") -> None:
        # Kept here: while the interpreter ends, the module may be gone before this object.
        self._free = function(maker.partition("_")[0] + "_free")
        self.address: Any = ctypes.c_void_p()
        call(maker, *arguments, ctypes.byref(self.address), what=what)

    def __del__(self) -> None:
        if getattr(self, "address", None):
            self._free(self.address)
