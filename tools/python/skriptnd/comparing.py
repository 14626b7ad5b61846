"""Comparing what the compiler makes of an ONNX model with what ONNX Runtime computes, node by node."""

from __future__ import annotations

import importlib
import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy

from . import executable
from .compiling import Options, Source, model_content, model_options, option_arguments
from .errors import CompileError, Error, NameError
from .files import PathLike

#: A message of ONNX holds so many bytes at most.
_MOST_BYTES = (1 << 31) - (1 << 20)

#: Types of results that ONNX Runtime can't give as arrays.
_NOT_OF_NUMPY = ("bfloat16", "float8", "float4", "int4")


class OutputDifference(NamedTuple):
    """How far an output is from what is expected, relative to the largest element."""

    name: str
    difference: float
    agrees: bool


class Departure(NamedTuple):
    """The first node of which a result departs."""

    #: The node's name, or that of what it gives where it has none.
    name: str
    operator: str
    #: The result, by the model's name.
    tensor: str
    #: The place of the element that is farthest; None where types or shapes differ.
    index: Optional[Tuple[int, ...]]
    computed: Optional[str]
    expected: Optional[str]
    difference: float


class Comparison(NamedTuple):
    """What a comparison found."""

    #: Whether all that was compared agrees.
    agrees: bool
    outputs: Tuple[OutputDifference, ...]
    departure: Optional[Departure]
    #: The file of a model of the departing node alone, where that was asked for.
    model: Optional[Path]
    #: How many results of nodes were compared.
    compared: int
    #: Results of nodes that ONNX Runtime did not give.
    missing: Tuple[str, ...]
    #: What the compiler says of it.
    text: str


def compare(
    model: Source,
    feeds: Union[Mapping[str, Any], Sequence[Any]],
    *,
    tolerance: float = 1e-4,
    output_dir: Optional[PathLike] = None,
    bounds: Optional[Mapping[str, int]] = None,
    values: Optional[Mapping[str, Any]] = None,
) -> Comparison:
    """Runs an ONNX model in ONNX Runtime and here, and names the first node whose result departs.

    `feeds` are the inputs by name, or in their order. `tolerance` is the largest difference that is allowed, relative to
    the largest element that is expected. `output_dir` is a folder for a model of the departing node alone, with what it
    is given. `bounds` and `values` are those of `compile`; a value is given to ONNX Runtime as well.
    """
    options = model_options(bounds=bounds, values=values)
    with tempfile.TemporaryDirectory(prefix="skriptnd-") as scratch:
        path, dump = Path(scratch) / "model.onnx", Path(scratch) / "dump.npz"
        content = model_content(model)
        if content is None:
            path = Path(os.fspath(model))
        else:
            path.write_bytes(content)
        _write_dump(dump, _computed(path, feeds, options, Path(scratch)))
        arguments = ["compare", str(path), "--against", str(dump), f"--tolerance={float(tolerance)!r}", "--json"]
        arguments += option_arguments(options, Path(scratch))
        if output_dir is not None:
            arguments += ["--output-dir", os.fspath(output_dir)]
        return _comparison(executable.execute(arguments))


def _comparison(ended: executable.Ended) -> Comparison:
    try:
        told: Dict[str, Any] = json.loads(ended.output)
    except ValueError:
        told = {}
    if "compared" not in told:
        raise CompileError(ended.text or f"`skriptnd compare` failed with exit code {ended.code}")
    node = told.get("node")
    if node is not None:
        index = None if node["index"] is None else tuple(node["index"])
        node = Departure(**{**node, "index": index, "difference": _number(node["difference"])})
    outputs = (
        OutputDifference(output["name"], _number(output["difference"]), output["agrees"]) for output in told["outputs"]
    )
    kept = told.get("reproducer")
    return Comparison(
        agrees=ended.code == 0,
        outputs=tuple(outputs),
        departure=node,
        model=None if kept is None else Path(kept),
        compared=told["compared"],
        missing=tuple(told["missing"]),
        text=ended.text,
    )


def _number(told: Optional[float]) -> float:
    """JSON has no infinities."""
    return float("inf") if told is None else float(told)


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Error(f"`compare` needs the package `{name}`, which is not installed: pip install {name}") from error


def _computed(
    path: Path, feeds: Union[Mapping[str, Any], Sequence[Any]], options: Options, scratch: Path
) -> Dict[str, Any]:
    """Inputs, and all that the nodes of a model give in ONNX Runtime, by name."""
    runtime, onnx = _package("onnxruntime"), _package("onnx")
    model = onnx.load(str(path))
    known = {info.name for info in model.graph.output}
    results = [name for node in model.graph.node for name in node.output if name and name not in known]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in dict.fromkeys(results))
    session_options = runtime.SessionOptions()
    # Nodes that are put together give no results of their own.
    session_options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    is_large = model.ByteSize() > _MOST_BYTES
    source = str(scratch / "all-results.onnx") if is_large else model.SerializeToString()
    if is_large:
        onnx.save_model(model, source, save_as_external_data=True)
    session = runtime.InferenceSession(source, session_options, providers=["CPUExecutionProvider"])
    given = {**_by_name(feeds, session, options), **dict(options.values)}
    # NumPy has no arrays of the other types.
    names = [info.name for info in session.get_outputs() if not any(kind in info.type for kind in _NOT_OF_NUMPY)]
    return {**given, **dict(zip(names, session.run(names, given)))}


def _by_name(feeds: Union[Mapping[str, Any], Sequence[Any]], session: Any, options: Options) -> Dict[str, Any]:
    inputs = [info.name for info in session.get_inputs()]
    fixed = {name for name, _ in options.values}
    names = [name for name in inputs if name not in fixed]
    unknown = [name for name in (*fixed, *(feeds if isinstance(feeds, Mapping) else ())) if name not in inputs]
    if unknown:
        raise NameError(f"the model has no input `{unknown[0]}`; its inputs are: {', '.join(inputs)}")
    if isinstance(feeds, Mapping):
        missing = [name for name in names if name not in feeds]
        if missing:
            raise NameError(f"no value is given for the input `{missing[0]}`")
        return {name: _array(value) for name, value in feeds.items()}
    if len(feeds) != len(names):
        raise Error(f"the model has {len(names)} inputs ({', '.join(names)}), but {len(feeds)} are given")
    return dict(zip(names, map(_array, feeds)))


def _array(value: Any) -> Any:
    return [numpy.asarray(item) for item in value] if isinstance(value, list) else numpy.asarray(value)


def _write_dump(path: Path, tensors: Mapping[str, Any]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, array in _arrays(tensors):
            with archive.open(f"{name}.npy", "w", force_zip64=True) as out:
                numpy.lib.format.write_array(out, array, allow_pickle=False)


def _arrays(tensors: Mapping[str, Any]) -> Iterator[Tuple[str, numpy.ndarray]]:
    """What can be compared: arrays of numbers and truth values, and those that sequences have."""
    for name, value in tensors.items():
        items: List[Tuple[str, Any]] = [(name, value)]
        if isinstance(value, list):
            items = [(f"{name}.{at}", item) for at, item in enumerate(value)]
        for item_name, item in items:
            if isinstance(item, (numpy.ndarray, numpy.generic)) and item.dtype.kind in "biuf":
                yield item_name, numpy.asarray(item)
