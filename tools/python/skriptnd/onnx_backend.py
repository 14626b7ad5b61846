"""ONNX's backend interface: ``onnx.backend.base.Backend``.

Where a model can only be imported when the values of some inputs are known, such as shapes and axes, or how many items
a sequence has, it is compiled for what ``run`` gets, and kept for what follows.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

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
_NEEDS_VALUE = "by `--value`"

#: Inputs with more elements are not taken for shapes, axes and the like.
_MOST_ELEMENTS = 64

#: How many models are kept for values of inputs.
_MOST_MODELS = 32

#: The values of inputs that a model is compiled for.
Values = Dict[str, numpy.ndarray]


class Forms(NamedTuple):
    """What a model is compiled for besides values, by names of inputs."""

    #: How many items sequences have; optionals that hold nothing have none.
    counts: Dict[str, int]
    #: The extents of tensors of which the model says none; None where those of a sequence differ.
    shapes: Dict[str, Tuple[Optional[int], ...]]


class Representation(onnx.backend.base.BackendRep):
    """A model that is ready to run, as soon as what it needs is known."""

    def __init__(self, model: onnx.ModelProto, options: Mapping[str, Any]) -> None:
        self._proto = onnx.ModelProto()
        self._proto.CopyFrom(model)
        self._options = dict(options)
        initialized = {tensor.name for tensor in model.graph.initializer}
        self._inputs = [value for value in model.graph.input if value.name not in initialized]
        self._countable = {value.name for value in self._inputs if not value.type.HasField("tensor_type")}
        self._unshaped = {value.name for value in self._inputs if not _tensor_type(value).HasField("shape")}
        self._output_types = {value.name: _element_type(value) for value in model.graph.output}
        self._output_names = [value.name for value in model.graph.output]
        self._models: Dict[Any, Model] = {}
        #: The inputs whose values must be known, once that is known.
        self._needed: Optional[List[str]] = None
        if self._countable or self._unshaped:
            return
        try:
            self._keep({}, Forms({}, {}))
            self._needed = []
        except CompileError as error:
            if _NEEDS_VALUE not in str(error):
                raise

    def _compile(self, values: Values, forms: Forms) -> Model:
        bounds = {**(self._options.get("bounds") or {}), **forms.counts}
        content = self._shaped(forms.shapes).SerializeToString()
        return compile_model(content, values=values, **{**self._options, "bounds": bounds})

    def _shaped(self, shapes: Mapping[str, Tuple[Optional[int], ...]]) -> onnx.ModelProto:
        """The model with shapes of inputs."""
        if not shapes:
            return self._proto
        proto = onnx.ModelProto()
        proto.CopyFrom(self._proto)
        for value in proto.graph.input:
            if value.name in shapes:
                shape = _tensor_type(value).shape
                shape.SetInParent()
                for extent in shapes[value.name]:
                    dimension = shape.dim.add()
                    if extent is not None:
                        dimension.dim_value = extent
        return proto

    def run(self, inputs: Any, **named: Any) -> Tuple[Any, ...]:
        """Runs on inputs in the order of the model, or by name. Sequences are lists, what is not there is None."""
        feeds = self._feeds(inputs)
        model = self._model(feeds)
        feeds = packs.spread(feeds, model.sequences("inputs"))
        arrays = [_given(feeds[port.info.name], port) for port in model._interface.inputs]
        results = model.execute(arrays)
        own = {port.info.name: packs.items(array, port) for port, array in zip(model._interface.outputs, results)}
        # A sequence without items has no outputs.
        found = {**{name: [] for name in self._output_names}, **packs.gathered(own, model.sequences("outputs"))}
        outputs = [_cast(found[name], self._output_types[name]) for name in self._output_names]
        return onnx.backend.base.namedtupledict("Outputs", self._output_names)(*outputs)

    def _feeds(self, inputs: Any) -> Dict[str, Any]:
        if isinstance(inputs, Mapping):
            return {name: _plain(value) for name, value in inputs.items()}
        if isinstance(inputs, numpy.ndarray) or not isinstance(inputs, Sequence):
            inputs = [inputs]
        if len(inputs) > len(self._inputs):
            raise ShapeError(f"the model has {len(self._inputs)} inputs; {len(inputs)} were given")
        return {value.name: _plain(array) for value, array in zip(self._inputs, inputs)}

    def _model(self, feeds: Dict[str, Any]) -> Model:
        forms = Forms(
            counts=_counts({name: value for name, value in feeds.items() if name in self._countable}),
            shapes={name: _shape(name, value) for name, value in feeds.items() if name in self._unshaped},
        )
        if self._needed is None:
            return self._specialised(feeds, forms)
        values = {name: feeds[name] for name in self._needed}
        key = _key(values, forms)
        if key not in self._models:
            self._keep(values, forms)
        return self._models[key]

    def _keep(self, values: Values, forms: Forms) -> Model:
        if len(self._models) >= _MOST_MODELS:
            self._models.clear()
        model = self._compile(values, forms)
        self._models[_key(values, forms)] = model
        return model

    def _specialised(self, feeds: Dict[str, Any], forms: Forms) -> Model:
        """Finds out which inputs must be known: those that the importer names, then those that look like it."""
        values: Values = {}
        while True:
            try:
                found = self._keep(values, forms)
                self._needed = list(values)
                return found
            except CompileError as error:
                more = self._more(str(error), feeds, values) if _NEEDS_VALUE in str(error) else []
                if not more:
                    raise
                values = {**values, **{name: feeds[name] for name in more}}

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


def _plain(value: Any) -> Any:
    """Numbers as arrays."""
    return numpy.asarray(value) if isinstance(value, (numpy.generic, bool, int, float)) else value


def _counts(feeds: Mapping[str, Any]) -> Dict[str, int]:
    lists = {name: value for name, value in feeds.items() if value is None or isinstance(value, (list, tuple))}
    return {name: len(value or ()) for name, value in lists.items()}


def _shape(name: str, value: Any) -> Tuple[Optional[int], ...]:
    """The shape of a tensor, or of all those of a sequence."""
    shapes = [numpy.shape(item) for item in value] if isinstance(value, (list, tuple)) else [numpy.shape(value)]
    if len({len(shape) for shape in shapes}) > 1:
        raise ShapeError(f"the items of `{name}` are expected to have the same number of dimensions: {shapes}")
    return tuple(extents[0] if len(set(extents)) == 1 else None for extents in zip(*shapes))


def _key(values: Mapping[str, Any], forms: Forms) -> Any:
    arrays = ((name, numpy.asarray(value)) for name, value in sorted(values.items()))
    known = tuple((name, array.dtype.str, array.shape, array.tobytes()) for name, array in arrays)
    return known, *(tuple(sorted(form.items())) for form in forms)


def _tensor_type(value: onnx.ValueInfoProto) -> Any:
    """The type of a tensor, or of the tensors that a sequence or an optional has."""
    kind = value.type
    while kind.HasField("sequence_type") or kind.HasField("optional_type"):
        kind = kind.sequence_type.elem_type if kind.HasField("sequence_type") else kind.optional_type.elem_type
    return kind.tensor_type


def _element_type(value: onnx.ValueInfoProto) -> Optional[numpy.dtype]:
    """The type of an output's elements; None where it is no tensor or says nothing."""
    element = _tensor_type(value).elem_type
    try:
        return onnx.helper.tensor_dtype_to_np_dtype(element) if element else None
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
