"""ONNX's backend interface: ``onnx.backend.base.Backend``.

Where a model can only be imported when the values of some inputs are known, such as shapes and axes, it is compiled for
the values that ``run`` gets, and kept for those that follow.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy
import onnx
import onnx.backend.base
import onnx.helper
import onnx.numpy_helper

from . import packs
from .compiling import compile as compile_model
from .dtypes import numpy_dtype
from .errors import CompileError, ShapeError
from .interface import Port
from .model import Model

#: What the importer says where a value must be known.
_NEEDS_VALUE = "give it by `--value`"

#: Inputs with more elements are not taken for shapes, axes and the like.
_MOST_ELEMENTS = 64

#: How many models are kept for values of inputs.
_MOST_MODELS = 32

#: The values of inputs that a model is compiled for.
Values = Dict[str, numpy.ndarray]


class Representation(onnx.backend.base.BackendRep):
    """A model that is ready to run, as soon as what it needs is known."""

    def __init__(self, model: onnx.ModelProto, options: Mapping[str, Any]) -> None:
        self._content = model.SerializeToString()
        self._options = dict(options)
        initialized = {tensor.name for tensor in model.graph.initializer}
        self._inputs = [value for value in model.graph.input if value.name not in initialized]
        self._output_types = {value.name: _element_type(value) for value in model.graph.output}
        self._output_names = [value.name for value in model.graph.output]
        self._models: Dict[Any, Tuple[Model, Values]] = {}
        self._needed: Optional[List[str]] = None
        try:
            self._models[()] = (self._compile({}), {})
            self._needed = []
        except CompileError as error:
            if _NEEDS_VALUE not in str(error):
                raise

    def _compile(self, values: Values) -> Model:
        return compile_model(self._content, values=values, **self._options)

    def run(self, inputs: Any, **named: Any) -> Tuple[Any, ...]:
        """Runs on inputs in the order of the model, or by name."""
        feeds = self._feeds(inputs)
        model, values = self._model(feeds)
        ports = model._interface.inputs
        arrays = [_given(feeds[port.info.name], port) for port in ports]
        results = model.execute(arrays)
        found = {port.info.name: packs.items(array, port) for port, array in zip(model._interface.outputs, results)}
        outputs = [_cast(found[name], self._output_types[name]) for name in self._output_names]
        return onnx.backend.base.namedtupledict("Outputs", self._output_names)(*outputs)

    def _feeds(self, inputs: Any) -> Dict[str, Any]:
        if isinstance(inputs, Mapping):
            return dict(inputs)
        if isinstance(inputs, numpy.ndarray) or not isinstance(inputs, Sequence):
            inputs = [inputs]
        if len(inputs) > len(self._inputs):
            raise ShapeError(f"the model has {len(self._inputs)} inputs; {len(inputs)} were given")
        return {value.name: array for value, array in zip(self._inputs, inputs)}

    def _model(self, feeds: Dict[str, Any]) -> Tuple[Model, Values]:
        if self._needed is None:
            return self._specialised(feeds)
        key = _key({name: feeds[name] for name in self._needed})
        if key not in self._models:
            self._keep(key, {name: feeds[name] for name in self._needed})
        return self._models[key]

    def _keep(self, key: Any, values: Values) -> Tuple[Model, Values]:
        if len(self._models) >= _MOST_MODELS:
            self._models.clear()
        self._models[key] = (self._compile(values), values)
        return self._models[key]

    def _specialised(self, feeds: Dict[str, Any]) -> Tuple[Model, Values]:
        """Finds out which inputs must be known: those that the importer names, then those that look like it."""
        values: Values = {}
        while True:
            try:
                found = self._keep(_key(values), dict(values))
                self._needed = list(values)
                return found
            except CompileError as error:
                if _NEEDS_VALUE not in str(error):
                    raise
                more = self._more(str(error), feeds, values)
                if not more:
                    raise
                values.update({name: feeds[name] for name in more})

    def _more(self, text: str, feeds: Dict[str, Any], values: Values) -> List[str]:
        left = {
            name: array
            for name, array in feeds.items()
            if name not in values and isinstance(array, numpy.ndarray) and array.size <= _MOST_ELEMENTS
        }
        named = [name for name in re.findall(r"`([^`]+)`", text) if name in left]
        whole = [name for name, array in left.items() if array.dtype.kind in "iub"]
        real = [name for name, array in left.items() if array.ndim <= 1 and array.dtype.kind == "f"]
        return list(dict.fromkeys(named)) or whole or real


def _key(values: Mapping[str, Any]) -> Any:
    return tuple(
        (name, array.dtype.str, array.shape, array.tobytes())
        for name, array in ((name, numpy.asarray(value)) for name, value in sorted(values.items()))
    )


def _element_type(value: onnx.ValueInfoProto) -> Optional[numpy.dtype]:
    """The type of an output's elements; None where it is no tensor or says nothing."""
    kind = value.type
    while kind.HasField("sequence_type") or kind.HasField("optional_type"):
        kind = kind.sequence_type.elem_type if kind.HasField("sequence_type") else kind.optional_type.elem_type
    if not kind.HasField("tensor_type") or not kind.tensor_type.elem_type:
        return None
    try:
        return onnx.helper.tensor_dtype_to_np_dtype(kind.tensor_type.elem_type)
    except KeyError:
        return None


def _given(value: Any, port: Port) -> Any:
    """A value as the compiled model takes it: items of a sequence side by side, types that it has not, widened."""
    value = packs.joined(value, port)
    if isinstance(value, onnx.TensorProto):
        value = onnx.numpy_helper.to_array(value)
    value = numpy.asarray(value)
    if value.dtype != port.numpy and numpy_dtype(value.dtype.name) is not None:
        value = value.astype(port.numpy_or_error())
    return numpy.ascontiguousarray(value).reshape(value.shape)


def _cast(value: Any, dtype: Optional[numpy.dtype]) -> Any:
    """A result in the type that the model says, where the interface has a wider one for it."""
    if dtype is None:
        return value
    if isinstance(value, list):
        return [_cast(item, dtype) for item in value]
    return value if value.dtype == dtype else value.astype(dtype)


class Backend(onnx.backend.base.Backend):
    """Compiles ONNX models and runs them on the CPU."""

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **options: Any) -> Representation:
        """Compiles a model; options are those of `skriptnd.compile`."""
        if not cls.supports_device(device):
            raise NotImplementedError(f"skriptnd has no device `{device}`")
        super().prepare(model, device)
        return Representation(model, options)

    @classmethod
    def run_model(cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU", **options: Any) -> Tuple[Any, ...]:
        """Compiles a model and runs it."""
        return cls.prepare(model, device, **options).run(inputs)

    @classmethod
    def run_node(
        cls, node: onnx.NodeProto, inputs: Any, device: str = "CPU", outputs_info: Any = None, **options: Any
    ) -> Tuple[Any, ...]:
        """Runs one node."""
        if outputs_info is None:
            raise NotImplementedError("skriptnd runs a node only if `outputs_info` says what it gives")
        names = [name for name in node.input if name]
        described = [
            onnx.helper.make_tensor_value_info(
                name, onnx.helper.np_dtype_to_tensor_dtype(numpy.asarray(value).dtype), numpy.asarray(value).shape
            )
            for name, value in zip(names, inputs)
        ]
        results = [
            onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(numpy.dtype(dtype)), shape)
            for name, (dtype, shape) in zip(node.output, outputs_info)
        ]
        graph = onnx.helper.make_graph([node], "node", described, results)
        return cls.run_model(onnx.helper.make_model(graph), inputs, device, **options)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether models run there."""
        return device.partition(":")[0] == "CPU"


prepare = Backend.prepare
run_model = Backend.run_model
run_node = Backend.run_node
supports_device = Backend.supports_device
is_compatible = Backend.is_compatible
