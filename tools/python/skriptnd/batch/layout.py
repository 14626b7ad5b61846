"""Which tensors of a model have rows, and how many rows a run takes."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Sequence, Tuple

from ..errors import DtypeError, Error, NameError, ShapeError
from ..interface import Extent, TensorInfo
from ..model import Model


class Layout:
    """The inputs and outputs of a model that have rows."""

    #: What helps where an output has no row for each row of the inputs.
    HELP = "`outputs` names those that have a row for each row of the inputs"

    def __init__(self, model: Model, batch: int, outputs: Optional[Sequence[str]], constants: Sequence[str]) -> None:
        if model.states:
            raise Error(f"the model has states ({_listed(model.states)}): its results depend on what ran before")
        names = {info.name for info in model.inputs}
        for name in constants:
            if name not in names:
                raise NameError(f"the model has no input `{name}`; its inputs: {_listed(model.inputs)}")
        #: The inputs with rows.
        self.inputs: Tuple[TensorInfo, ...] = tuple(info for info in model.inputs if info.name not in constants)
        #: How many rows the inputs have: a number, or the name of an extent that is open.
        self.extent = self._extent(model.bounds)
        self.is_fixed = isinstance(self.extent, int)
        bound = None if self.is_fixed else model.bounds[str(self.extent)]
        #: The number of rows that run at a time.
        self.batch: int = int(self.extent) if self.is_fixed else min(batch, bound) if bound else batch
        #: Types and the shapes of rows, as far as they are known, of the outputs that are wanted.
        self.outputs: Dict[str, Tuple[str, Tuple[int, ...]]] = self._outputs(model, outputs)

    def _extent(self, bounds: Mapping[str, Optional[int]]) -> Extent:
        if not self.inputs:
            raise Error("the model has no input of rows")
        for info in self.inputs:
            if not info.shape:
                raise ShapeError(f"input `{info.name}` has no dimension, so no rows; `constants` takes what is the same for all")
        extents = {info.shape[0] for info in self.inputs}
        extent = next(iter(extents))
        if len(extents) > 1:
            told = ", ".join(f"`{info.name}` {_shape(info.shape)}" for info in self.inputs)
            raise ShapeError(f"the inputs have different first extents: {told}; `constants` takes what is the same for all")
        if extent == 0 or isinstance(extent, str) and extent not in bounds:
            raise ShapeError(f"the first extent of `{self.inputs[0].name}` is {extent}; expected the number of rows")
        return extent

    def _outputs(self, model: Model, wanted: Optional[Sequence[str]]) -> Dict[str, Tuple[str, Tuple[int, ...]]]:
        known = {info.name: info for info in model.outputs}
        found = {}
        for name in known if wanted is None else wanted:
            if name not in known:
                raise NameError(f"the model has no output `{name}`; its outputs: {_listed(model.outputs)}")
            info = known[name]
            # What is neither a number nor a name may turn out to be the number of rows; a run tells.
            first = info.shape[0] if info.shape else 1
            is_plain = isinstance(first, int) or first.isidentifier()
            if not info.shape or is_plain and first != self.extent:
                raise ShapeError(f"output `{name}` is {_shape(info.shape)}, the inputs have {self.extent} rows; {self.HELP}")
            found[name] = info.dtype, tuple(extent if isinstance(extent, int) else 0 for extent in info.shape[1:])
        if not found:
            raise Error("no output is wanted")
        return found

    def count(self, shapes: Mapping[str, Sequence[int]]) -> int:
        """The number of rows of inputs, whose shapes must be those of the model."""
        for name in shapes:
            if name not in {info.name for info in self.inputs}:
                raise NameError(f"no input with rows is called `{name}`; those of the model: {_listed(self.inputs)}")
        missing = [info for info in self.inputs if info.name not in shapes]
        if missing:
            raise NameError(f"inputs are missing: {_listed(missing)}")
        for info in self.inputs:
            given, expected = tuple(shapes[info.name])[1:], info.shape[1:]
            if len(given) != len(expected) or any(
                isinstance(extent, int) and extent != found for extent, found in zip(expected, given)
            ):
                raise ShapeError(f"input `{info.name}`: rows are {_shape(given)}, but the model has {_shape(expected)}")
        counts = {name: int(shape[0]) for name, shape in shapes.items()}
        if len(set(counts.values())) > 1:
            told = ", ".join(f"`{name}` {count}" for name, count in counts.items())
            raise ShapeError(f"the inputs have different numbers of rows: {told}")
        return next(iter(counts.values()))

    def check_types(self, dtypes: Mapping[str, Any]) -> None:
        """Refuses rows whose elements have another type than the model's."""
        for info in self.inputs:
            found = getattr(dtypes[info.name], "name", str(dtypes[info.name]))
            if found != info.dtype:
                raise DtypeError(f"input `{info.name}`: the elements are {found}, but the model has {info.dtype}")


def _listed(infos: Sequence[TensorInfo]) -> str:
    return ", ".join(f"`{info.name}`" for info in infos) or "none"


def _shape(shape: Sequence[Extent]) -> str:
    return f"[{', '.join(map(str, shape))}]"
