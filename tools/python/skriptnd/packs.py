"""Packs of tensors: one array for the library, with the tensors one behind the other; a list for users of ONNX.

The sequences of an imported model are no packs: each item has an input or an output of its own.
"""

from __future__ import annotations

from typing import Any, Dict, Mapping, Sequence

import numpy

from .errors import ShapeError
from .interface import Port

#: The names of the items of sequences, by the names of those.
Sequences = Mapping[str, Sequence[str]]


def joined(value: Any, port: Port) -> Any:
    """A list of tensors as the one array of a pack."""
    if not port.is_pack or not isinstance(value, (list, tuple)):
        return value
    shape = (0, *(extent if isinstance(extent, int) else 0 for extent in port.info.shape[1:]))
    return numpy.stack(value) if value else numpy.empty(shape, port.numpy_or_error())


def items(array: numpy.ndarray, port: Port) -> Any:
    """The list of tensors that the array of a pack has; other arrays as they are."""
    return list(array) if port.is_pack else array


def spread(feeds: Mapping[str, Any], sequences: Sequences) -> Dict[str, Any]:
    """Inputs by name, with the items of sequences in the place of these."""
    found = {}
    for name, value in feeds.items():
        items = sequences.get(name)
        if items is None:
            found[name] = value
            continue
        if len(value) != len(items):
            raise ShapeError(f"the sequence `{name}` was compiled for {len(items)} items; {len(value)} were given")
        found.update(zip(items, value))
    return found


def gathered(results: Mapping[str, Any], sequences: Sequences) -> Dict[str, Any]:
    """Outputs by name, with sequences as lists in the place of their items."""
    owners = {item: name for name, items in sequences.items() for item in items}
    found: Dict[str, Any] = {}
    for name, value in results.items():
        if name in owners:
            found.setdefault(owners[name], []).append(value)
        else:
            found[name] = value
    return found
