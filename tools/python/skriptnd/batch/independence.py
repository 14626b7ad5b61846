"""Whether the rows of a model depend on each other, tried out on two of them."""

from __future__ import annotations

from typing import Any, Dict, Mapping

import numpy

from ..errors import Error
from ..interface import TensorInfo
from ..model import Model
from .layout import Layout

#: Extents that are open, as they are tried.
_OPEN = 4

#: How far sums of other orders may be apart.
_TOLERANCE = 1e-3


def check_independent(model: Model, layout: Layout, constants: Mapping[str, Any]) -> bool:
    """Refuses models whose results for a row change with the rows beside it; False where that could not be tried.

    Two rows run together, then each alone, with the values of inputs that are no rows. It finds what reduces, normalizes or sorts along the rows; it proves nothing.
    """
    if layout.is_fixed or layout.batch < 2:
        return False
    draw = numpy.random.default_rng(0)
    rows = {info.name: _two(info, model, draw) for info in layout.inputs}
    try:
        together, again = (_run(model, layout, {**rows, **constants}) for _ in range(2))
        alone = [
            _run(model, layout, {**{name: both[row : row + 1] for name, both in rows.items()}, **constants}) for row in range(2)
        ]
    except Error:
        # Values that are drawn may be none for this model.
        return False
    if not all(numpy.array_equal(both, again[name], equal_nan=both.dtype.kind in "fc") for name, both in together.items()):
        # Its results are drawn, too.
        return False
    for name, both in together.items():
        if len(both) != 2:
            raise Error(f"output `{name}` has {len(both)} rows for 2 of the inputs: rows can't run together")
        for row in range(2):
            if both.shape[1:] != alone[row][name].shape[1:] or not _agree(both[row], alone[row][name][0]):
                raise Error(
                    f"the rows of the model depend on each other: in output `{name}`, a row is another one beside others than alone; "
                    "such rows can't run together"
                )
    return True


def _two(info: TensorInfo, model: Model, draw: numpy.random.Generator) -> numpy.ndarray:
    shape = [2]
    for extent in info.shape[1:]:
        bound = model.bounds.get(str(extent))
        shape.append(extent if isinstance(extent, int) else min(bound, _OPEN) if bound else _OPEN)
    if info.dtype.startswith(("float", "bfloat")):
        return draw.standard_normal(shape).astype(info.dtype)
    rows = numpy.zeros(shape, info.dtype)
    rows[1] = 1
    return rows


def _run(model: Model, layout: Layout, feeds: Mapping[str, Any]) -> Dict[str, numpy.ndarray]:
    names = list(layout.outputs)
    return dict(zip(names, model.run(names, feeds)))


def _agree(one: numpy.ndarray, other: numpy.ndarray) -> bool:
    first, second = one.astype("float64"), other.astype("float64")
    size = numpy.abs(second[numpy.isfinite(second)]).max(initial=0.0)
    return bool(numpy.allclose(first, second, rtol=_TOLERANCE, atol=_TOLERANCE * float(size), equal_nan=True))
