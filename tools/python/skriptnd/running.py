"""What models and sessions have in common: they are called."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Sequence, Tuple

from .interface import Interface, Out, TensorInfo


class Callable:
    """Something that runs a model."""

    _interface: Interface

    def execute(self, values: Sequence[Any], outs: Optional[Sequence[Any]] = None) -> List[Any]:
        """Runs on inputs in the order of the model; outputs in its order, in the memory of `outs` where it is given."""
        raise NotImplementedError

    @property
    def inputs(self) -> Tuple[TensorInfo, ...]:
        """What a run takes."""
        return tuple(port.info for port in self._interface.inputs)

    @property
    def outputs(self) -> Tuple[TensorInfo, ...]:
        """What a run gives."""
        return tuple(port.info for port in self._interface.outputs)

    @property
    def states(self) -> Tuple[TensorInfo, ...]:
        """The variables that runs change."""
        return tuple(port.info for port in self._interface.states)

    def __call__(self, *arrays: Any, out: Out = None, **named: Any) -> Any:
        """Runs on inputs in the order of the model or by name; one output as it is, several as a tuple."""
        values = self._interface.in_order(arrays, named) if named else arrays
        results = self.execute(values, None if out is None else self._interface.outs_in_order(out))
        return results[0] if len(results) == 1 else tuple(results)

    def run(self, names: Optional[Sequence[str]], feeds: Mapping[str, Any], *, out: Out = None) -> List[Any]:
        """Runs on inputs by name; the outputs of these names, or all."""
        interface = self._interface
        results = self.execute(interface.in_order((), feeds), interface.outs_in_order(out))
        return results if names is None else [results[interface.output_index(name)] for name in names]
