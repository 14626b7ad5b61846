"""Packs of tensors: one array for the library, with the tensors one behind the other; a list for users of ONNX."""

from __future__ import annotations

from typing import Any

import numpy

from .interface import Port


def joined(value: Any, port: Port) -> Any:
    """A list of tensors as the one array of a pack."""
    if not port.is_pack or not isinstance(value, (list, tuple)):
        return value
    shape = (0, *(extent if isinstance(extent, int) else 0 for extent in port.info.shape[1:]))
    return numpy.stack(value) if value else numpy.empty(shape, port.numpy_or_error())


def items(array: numpy.ndarray, port: Port) -> Any:
    """The list of tensors that the array of a pack has; other arrays as they are."""
    return list(array) if port.is_pack else array
