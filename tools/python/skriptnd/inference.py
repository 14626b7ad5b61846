"""ONNX Runtime's interface, so that a program changes one import.

What is here does what it does there; what isn't raises NotImplementedError that says so.
"""

from __future__ import annotations

import ctypes
import os
import warnings
from typing import Any, Dict, List, Mapping, NamedTuple, NoReturn, Optional, Sequence, Tuple, Union

import numpy

from .compiling import compile as compile_model
from .dtypes import BY_NAME
from .errors import Error
from .interface import Port
from .model import Model

Array = numpy.ndarray

#: The name of what runs models here. Programs that ask for the one of processors get it as well.
PROVIDER, CPU = "SkriptNDExecutionProvider", "CPUExecutionProvider"


def get_available_providers() -> List[str]:
    """What runs models."""
    return [PROVIDER, CPU]


def get_device() -> str:
    """The device that models run on."""
    return "CPU"


def _missing(what: str, remedy: str = "") -> NoReturn:
    raise NotImplementedError(f"skriptnd has no {what} of ONNX Runtime{'; ' + remedy if remedy else ''}")


class NodeArg(NamedTuple):
    """An input or an output."""

    name: str
    type: str
    shape: List[Union[int, str]]


class RunOptions:
    """Options of a run. Those of logging change nothing here."""

    def __init__(self) -> None:
        self.log_severity_level = 2
        self.log_verbosity_level = 0
        self.logid = ""

    def add_run_config_entry(self, name: str, value: str) -> None:
        """Not here."""
        _missing(f"run option `{name}`")


class SessionOptions:
    """Options of a session. Those that change neither results nor what a program sees are taken and have no effect."""

    _WITHOUT_EFFECT = {
        "enable_cpu_mem_arena": True,
        "enable_mem_pattern": True,
        "enable_mem_reuse": True,
        "execution_mode": 0,
        "graph_optimization_level": 99,
        "inter_op_num_threads": 0,
        "log_severity_level": 2,
        "log_verbosity_level": 0,
        "logid": "",
        "use_deterministic_compute": False,
    }
    _ELSEWHERE = {
        "enable_profiling": "`skriptnd bench` measures models",
        "optimized_model_filepath": "`session.model.save(folder)` keeps what was compiled",
        "profile_file_prefix": "`skriptnd bench` measures models",
    }

    def __init__(self) -> None:
        self.__dict__.update(self._WITHOUT_EFFECT)
        #: How many threads a run uses; 0 lets the compiler decide.
        self.intra_op_num_threads = 0
        #: Upper bounds of the symbols in the model's shapes, as `skriptnd.compile` takes them.
        self.bounds: Dict[str, int] = {}
        #: Inputs with fixed values, as `skriptnd.compile` takes them.
        self.values: Dict[str, Any] = {}

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._ELSEWHERE and value:
            _missing(f"session option `{name}`", self._ELSEWHERE[name])
        own = ("intra_op_num_threads", "bounds", "values")
        if name not in self._WITHOUT_EFFECT and name not in self._ELSEWHERE and name not in own:
            _missing(f"session option `{name}`")
        self.__dict__[name] = value

    def add_session_config_entry(self, name: str, value: str) -> None:
        """Not here."""
        _missing(f"session option `{name}`")

    def add_free_dimension_override_by_name(self, name: str, extent: int) -> None:
        """Not here."""
        _missing("override of free dimensions", "`bounds` of the options give them upper bounds")

    def add_free_dimension_override_by_denotation(self, name: str, extent: int) -> None:
        """Not here."""
        _missing("override of free dimensions", "`bounds` of the options give them upper bounds")

    def add_initializer(self, name: str, value: Any) -> None:
        """Not here."""
        _missing("initializers from outside of the model", "`values` of the options fix inputs")

    def register_custom_ops_library(self, path: str) -> None:
        """Not here."""
        _missing("libraries of custom operators", "write them in SkriptND")


class OrtValue:
    """A tensor that programs keep between runs."""

    def __init__(self, array: Array) -> None:
        self._array = array

    @classmethod
    def ortvalue_from_numpy(cls, array: Array, device_type: str = "cpu", device_id: int = 0) -> OrtValue:
        """A tensor of an array, whose memory it uses."""
        _only_cpu(device_type)
        return cls(array)

    @classmethod
    def ortvalue_from_shape_and_type(
        cls, shape: Sequence[int], element_type: Any, device_type: str = "cpu", device_id: int = 0
    ) -> OrtValue:
        """A tensor whose elements are not set."""
        _only_cpu(device_type)
        return cls(numpy.empty(tuple(shape), element_type))

    def numpy(self) -> Array:
        """Its array."""
        return self._array

    def shape(self) -> Tuple[int, ...]:
        """Its extents."""
        return self._array.shape

    def data_type(self) -> str:
        """Its type, such as ``tensor(float)``."""
        return _type_of(self._array.dtype.name)

    def element_type(self) -> int:
        """Not here."""
        _missing("numbers of element types", "`data_type` has the name")

    def data_ptr(self) -> int:
        """Where its elements lie."""
        return self._array.ctypes.data

    def device_name(self) -> str:
        """Where it is."""
        return "cpu"

    def is_tensor(self) -> bool:
        """Always."""
        return True

    def has_value(self) -> bool:
        """Always."""
        return True

    def update_inplace(self, array: Array) -> None:
        """Takes the elements of an array of the same shape and type."""
        if array.shape != self._array.shape or array.dtype != self._array.dtype:
            raise Error(f"the tensor is {self._array.dtype}{self._array.shape}, the array {array.dtype}{array.shape}")
        numpy.copyto(self._array, array)


def _only_cpu(device_type: str) -> None:
    if device_type.lower() != "cpu":
        _missing(f"device `{device_type}`", "tensors are in the memory of the CPU")


def _type_of(dtype: str) -> str:
    known = BY_NAME.get(dtype)
    return f"tensor({known.onnx if known else dtype})"


class IOBinding:
    """Inputs and outputs whose memory is bound before a run."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session
        self._inputs: Dict[str, Array] = {}
        self._outputs: Dict[str, Optional[Array]] = {}
        self._results: List[Array] = []

    def bind_cpu_input(self, name: str, array: Array) -> None:
        """Binds an input to an array."""
        self._inputs[name] = array

    def bind_ortvalue_input(self, name: str, value: OrtValue) -> None:
        """Binds an input to a tensor."""
        self._inputs[name] = value.numpy()

    def bind_input(
        self, name: str, device_type: str, device_id: int, element_type: Any, shape: Sequence[int], buffer_ptr: int
    ) -> None:
        """Binds an input to memory."""
        _only_cpu(device_type)
        self._inputs[name] = _array_at(buffer_ptr, shape, element_type)

    def bind_output(
        self,
        name: str,
        device_type: str = "cpu",
        device_id: int = 0,
        element_type: Any = None,
        shape: Optional[Sequence[int]] = None,
        buffer_ptr: Optional[int] = None,
    ) -> None:
        """Binds an output to memory or, without a pointer, to whatever the run makes."""
        _only_cpu(device_type)
        is_given = buffer_ptr is not None and shape is not None
        self._outputs[name] = _array_at(buffer_ptr or 0, shape or (), element_type) if is_given else None

    def bind_ortvalue_output(self, name: str, value: OrtValue) -> None:
        """Binds an output to a tensor."""
        self._outputs[name] = value.numpy()

    def synchronize_inputs(self) -> None:
        """There is nothing to wait for."""

    def synchronize_outputs(self) -> None:
        """There is nothing to wait for."""

    def clear_binding_inputs(self) -> None:
        """Forgets all inputs."""
        self._inputs.clear()

    def clear_binding_outputs(self) -> None:
        """Forgets all outputs."""
        self._outputs.clear()
        self._results.clear()

    def copy_outputs_to_cpu(self) -> List[Array]:
        """The outputs of the last run, in the order in which they were bound."""
        return list(self._results)

    def get_outputs(self) -> List[OrtValue]:
        """The outputs of the last run, in the order in which they were bound."""
        return [OrtValue(array) for array in self._results]

    def run(self) -> None:
        """Runs the session on what is bound."""
        model = self._session.model
        out = {name: array for name, array in self._outputs.items() if array is not None}
        self._results = model.run(list(self._outputs), self._session.adapted(self._inputs), out=out or None)


def _array_at(address: int, shape: Sequence[int], element_type: Any) -> Array:
    dtype = numpy.dtype(element_type)
    count = int(numpy.prod(shape, dtype=numpy.int64))
    memory = (ctypes.c_char * max(count * dtype.itemsize, 1)).from_address(address)
    return numpy.frombuffer(memory, dtype, count).reshape(tuple(shape))


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
                _missing(f"argument `{name}` of InferenceSession")
        _check_providers(providers)
        self._options = sess_options if sess_options is not None else SessionOptions()
        options = self._options
        self._model = compile_model(
            path_or_bytes,
            bounds=options.bounds or None,
            values=options.values or None,
            threads=options.intra_op_num_threads or 1,
        )
        self._path = os.fspath(path_or_bytes) if isinstance(path_or_bytes, (str, os.PathLike)) else None

    @property
    def model(self) -> Model:
        """What the session runs."""
        return self._model

    def get_inputs(self) -> List[NodeArg]:
        """What a run takes."""
        return [_node(port) for port in self._model._interface.inputs]

    def get_outputs(self) -> List[NodeArg]:
        """What a run gives."""
        return [_node(port) for port in self._model._interface.outputs]

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
    ) -> List[Array]:
        """Runs on inputs by name; the outputs of these names, or all."""
        return self._model.run(output_names or None, self.adapted(input_feed))

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
        _missing("`run_async`", "call `run` in a thread: Python's lock is not held while a model runs")

    def get_modelmeta(self) -> NoReturn:
        """Not here."""
        _missing("`get_modelmeta`", "`onnx.load` reads the metadata of a file")

    def end_profiling(self) -> NoReturn:
        """Not here."""
        _missing("`end_profiling`", "`skriptnd bench` measures models")

    def get_profiling_start_time_ns(self) -> NoReturn:
        """Not here."""
        _missing("`get_profiling_start_time_ns`", "`skriptnd bench` measures models")

    def set_providers(self, providers: Sequence[Any], provider_options: Any = None) -> None:
        """Nothing changes where the CPU is among them."""
        _check_providers(providers)

    def enable_fallback(self) -> None:
        """There is nothing to fall back to."""

    def disable_fallback(self) -> None:
        """There is nothing to fall back to."""


def _check_providers(providers: Optional[Sequence[Any]]) -> None:
    if providers is None:
        return
    names = [provider if isinstance(provider, str) else provider[0] for provider in providers]
    others = [name for name in names if name not in (PROVIDER, CPU)]
    if others and len(others) == len(names):
        _missing(f"provider `{others[0]}`", f"there are `{PROVIDER}` and `{CPU}`")
    for name in others:
        warnings.warn(f"skriptnd has no provider `{name}`: the model runs on the CPU", stacklevel=3)


def _node(port: Port) -> NodeArg:
    name, dtype, shape = port.info
    kind = _type_of(dtype)
    return NodeArg(name, f"seq({kind})" if port.is_pack else kind, list(shape))
