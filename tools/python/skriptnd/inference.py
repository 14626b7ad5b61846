"""ONNX Runtime's interface, so that a program changes one import.

What is here does what it does there; what isn't raises NotImplementedError that says so.
"""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, NamedTuple, NoReturn, Optional, Sequence, Tuple, Union

import numpy

from . import packs
from .binding import IOBinding, OrtValue, type_of
from .compiling import compile as compile_model
from .interface import Port
from .model import Model
from .options import CPU, PROVIDER, RunOptions, SessionOptions, check_providers, missing


class NodeArg(NamedTuple):
    """An input or an output."""

    name: str
    type: str
    shape: List[Union[int, str]]


class InferenceSession:
    """A model that is compiled and run."""

    def __init__(
        self,
        path_or_bytes: Any,
        sess_options: Optional[SessionOptions] = None,
        providers: Optional[Sequence[Union[str, Tuple[str, Dict[str, Any]]]]] = None,
        provider_options: Optional[Sequence[Dict[str, Any]]] = None,
        **unknown: Any,
    ) -> None:
        for name in unknown:
            if name != "disabled_optimizers":
                missing(f"argument `{name}` of InferenceSession")
        check_providers(providers)
        self._options = sess_options if sess_options is not None else SessionOptions()
        options = self._options
        self._model = compile_model(
            path_or_bytes,
            bounds=options.bounds or None,
            values=options.values or None,
            threads=options.intra_op_num_threads,
        )
        self._path = os.fspath(path_or_bytes) if isinstance(path_or_bytes, (str, os.PathLike)) else None

    @property
    def model(self) -> Model:
        """What the session runs."""
        return self._model

    def get_inputs(self) -> List[NodeArg]:
        """What a run takes."""
        return _nodes(self._model._interface.inputs, self._model.sequences("inputs"))

    def get_outputs(self) -> List[NodeArg]:
        """What a run gives."""
        return _nodes(self._model._interface.outputs, self._model.sequences("outputs"))

    def get_overridable_initializers(self) -> List[NodeArg]:
        """None: weights are fixed when a model is compiled."""
        return []

    def get_providers(self) -> List[str]:
        """What runs the model."""
        return [PROVIDER, CPU]

    def get_provider_options(self) -> Dict[str, Dict[str, str]]:
        """No provider has options."""
        return {provider: {} for provider in self.get_providers()}

    def get_session_options(self) -> SessionOptions:
        """The options that the session was made with."""
        return self._options

    def adapted(self, feeds: Mapping[str, Any]) -> Dict[str, Any]:
        """As ONNX Runtime, takes arrays whose elements do not lie side by side, by copies of them."""
        found = {}
        for name, value in feeds.items():
            if isinstance(value, OrtValue):
                value = value.numpy()
            is_scattered = isinstance(value, numpy.ndarray) and not value.flags.c_contiguous
            found[name] = numpy.ascontiguousarray(value) if is_scattered else value
        return found

    def run(
        self,
        output_names: Optional[Sequence[str]],
        input_feed: Mapping[str, Any],
        run_options: Optional[RunOptions] = None,
    ) -> List[Any]:
        """Runs on inputs by name; the outputs of these names, or all. Sequences are lists."""
        interface = self._model._interface
        # Nothing is given for an optional input in this way, too.
        input_feed = {name: value for name, value in input_feed.items() if value is not None}
        feeds = packs.spread(input_feed, self._model.sequences("inputs"))
        results = self._model.run(None, self.adapted(feeds))
        own = {port.info.name: packs.items(array, port) for array, port in zip(results, interface.outputs)}
        found = packs.gathered(own, self._model.sequences("outputs"))
        for name in output_names or ():
            if name not in found:
                interface.output_index(name)
        return [found[name] for name in output_names or found]

    def run_with_ort_values(
        self,
        output_names: Optional[Sequence[str]],
        input_dict_ort_values: Mapping[str, OrtValue],
        run_options: Optional[RunOptions] = None,
    ) -> List[OrtValue]:
        """Likewise, with tensors."""
        return [OrtValue(array) for array in self.run(output_names, input_dict_ort_values)]

    def io_binding(self) -> IOBinding:
        """Nothing bound yet."""
        return IOBinding(self)

    def run_with_iobinding(self, iobinding: IOBinding, run_options: Optional[RunOptions] = None) -> None:
        """Runs on what is bound."""
        iobinding.run()

    def run_async(self, *arguments: Any, **named: Any) -> NoReturn:
        """Not here."""
        missing("`run_async`", "call `run` in a thread: Python's lock is not held while a model runs")

    def get_modelmeta(self) -> NoReturn:
        """Not here."""
        missing("`get_modelmeta`", "`onnx.load` reads the metadata of a file")

    def end_profiling(self) -> NoReturn:
        """Not here."""
        missing("`end_profiling`", "`skriptnd bench` measures models")

    def get_profiling_start_time_ns(self) -> NoReturn:
        """Not here."""
        missing("`get_profiling_start_time_ns`", "`skriptnd bench` measures models")

    def set_providers(self, providers: Sequence[Any], provider_options: Any = None) -> None:
        """Nothing changes where the CPU is among them."""
        check_providers(providers)

    def enable_fallback(self) -> None:
        """There is nothing to fall back to."""

    def disable_fallback(self) -> None:
        """There is nothing to fall back to."""


def _nodes(ports: Sequence[Port], sequences: packs.Sequences) -> List[NodeArg]:
    """What stands for ports, and for those of a sequence together."""
    gathered = packs.gathered({port.info.name: port for port in ports}, sequences)
    return [_node(name, port) for name, port in gathered.items()]


def _node(name: str, port: Union[Port, List[Port]]) -> NodeArg:
    if isinstance(port, list):
        return NodeArg(name, f"seq({type_of(port[0].info.dtype)})", [])
    kind = type_of(port.info.dtype)
    return NodeArg(name, f"seq({kind})" if port.is_pack else kind, list(port.info.shape))
