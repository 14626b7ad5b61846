"""Requests and responses of the Open Inference Protocol, with its extension for binary tensors."""

from __future__ import annotations

import json
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy

from ..interface import TensorInfo
from . import tensors
from .tensors import DATATYPES, Malformed, shortened

#: The header that says how long the JSON is where bytes of tensors follow.
LENGTH_HEADER = "inference-header-content-length"


class Wanted(NamedTuple):
    """An output that a request asks for."""

    name: str
    #: Whether as bytes behind the JSON.
    binary: bool


class Inference(NamedTuple):
    """A request."""

    id: Optional[str]
    #: In the order of the model.
    arrays: List[numpy.ndarray]
    wanted: List[Wanted]


class Signature(NamedTuple):
    """What a model takes and gives."""

    inputs: Tuple[TensorInfo, ...]
    outputs: Tuple[TensorInfo, ...]


def parse(body: bytes, length: Optional[str], signature: Signature) -> Inference:
    """Reads a request. Raises Malformed where it isn't one for the model."""
    head, tail = _split(body, length)
    request = _object(_json(head), "the request")
    known = ("id", "parameters", "inputs", "outputs")
    _only(request, known, "the request")
    identity = request.get("id")
    if identity is not None and not isinstance(identity, str):
        raise Malformed(f"expected `id`, a text, found {shortened(identity)}")
    parameters = _parameters(request, ("binary_data_output",), "the request")
    arrays = _arrays(_list(request.get("inputs"), "inputs"), tail, signature.inputs)
    binary = _flag(parameters, "binary_data_output", "the request")
    return Inference(identity, arrays, _wanted(request.get("outputs"), binary, signature.outputs))


def _split(body: bytes, length: Optional[str]) -> Tuple[bytes, bytes]:
    if length is None:
        return body, b""
    if not length.isdecimal() or int(length) > len(body):
        raise Malformed(f"the header {LENGTH_HEADER} is {shortened(length)}; expected at most {len(body)}, what the body has")
    return body[: int(length)], body[int(length) :]


def _json(text: bytes) -> Any:
    def refused(constant: str) -> Any:
        raise Malformed(f"the request is no JSON: {constant}; bytes take what JSON has not")

    try:
        return json.loads(text, parse_constant=refused)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"the request is no JSON: {error}") from error


def _object(value: Any, what: str) -> Dict[str, Any]:
    if not isinstance(value, dict):
        raise Malformed(f"{what}: expected an object, found {shortened(value)}")
    return value


def _list(value: Any, name: str) -> List[Any]:
    if not isinstance(value, list):
        raise Malformed(f"expected `{name}`, a list of objects, found {shortened(value)}")
    return value


def _only(value: Dict[str, Any], known: Sequence[str], what: str) -> None:
    for key in value:
        if key not in known:
            raise Malformed(f"{what}: `{shortened(key)[1:-1]}` is not known; expected {', '.join(known)}")


def _parameters(value: Dict[str, Any], known: Sequence[str], what: str) -> Dict[str, Any]:
    parameters = value.get("parameters")
    if parameters is None:
        return {}
    _only(_object(parameters, f"the parameters of {what}"), known, f"the parameters of {what}")
    return {key: entry for key, entry in parameters.items() if entry is not None}


def _flag(parameters: Dict[str, Any], name: str, what: str) -> bool:
    flag = parameters.get(name, False)
    if not isinstance(flag, bool):
        raise Malformed(f"{what}: expected `{name}`, true or false, found {shortened(flag)}")
    return flag


def _arrays(given: List[Any], tail: bytes, inputs: Sequence[TensorInfo]) -> List[numpy.ndarray]:
    expected = {info.name: info for info in inputs}
    listed = ", ".join(f"`{name}`" for name in expected)
    found: Dict[str, numpy.ndarray] = {}
    for entry in given:
        name = _object(entry, "an input").get("name")
        if not isinstance(name, str) or name not in expected:
            raise Malformed(f"the model has no input {shortened(name)}; its inputs: {listed}")
        if name in found:
            raise Malformed(f"the input `{name}` is given twice")
        found[name], tail = _array(entry, tail, expected[name], f"input `{name}`")
    missing = [f"`{name}`" for name in expected if name not in found]
    if missing:
        raise Malformed(f"inputs are missing: {', '.join(missing)}")
    if tail:
        raise Malformed(f"{len(tail)} bytes are left behind the tensors")
    return [found[name] for name in expected]


def _array(entry: Dict[str, Any], tail: bytes, info: TensorInfo, what: str) -> Tuple[numpy.ndarray, bytes]:
    _only(entry, ("name", "shape", "datatype", "parameters", "data"), what)
    datatype = entry.get("datatype")
    if datatype != DATATYPES[info.dtype]:
        raise Malformed(f"{what}: its datatype is {shortened(datatype)}, but the model has {DATATYPES[info.dtype]}")
    shape = tensors.shape_of(entry.get("shape"), what)
    tensors.check_shape(shape, info, what)
    size = _parameters(entry, ("binary_data_size",), what).get("binary_data_size")
    if size is None:
        return tensors.from_json(entry.get("data"), shape, info, what), tail
    if type(size) is not int or not 0 <= size <= len(tail):
        raise Malformed(f"{what}: `binary_data_size` is {shortened(size)}, but {len(tail)} bytes follow")
    if entry.get("data") is not None:
        raise Malformed(f"{what}: it has `data` and bytes")
    return tensors.from_bytes(tail[:size], shape, info, what), tail[size:]


def _wanted(given: Any, binary: bool, outputs: Sequence[TensorInfo]) -> List[Wanted]:
    known = [info.name for info in outputs]
    # Some clients write an empty list for all.
    if not given and (given is None or isinstance(given, list)):
        return [Wanted(name, binary) for name in known]
    found = []
    for entry in _list(given, "outputs"):
        name = _object(entry, "an output").get("name")
        if name not in known:
            listed = ", ".join(f"`{name}`" for name in known)
            raise Malformed(f"the model has no output {shortened(name)}; its outputs: {listed}")
        what = f"output `{name}`"
        _only(entry, ("name", "parameters"), what)
        parameters = _parameters(entry, ("binary_data",), what)
        found.append(Wanted(name, _flag({"binary_data": binary, **parameters}, "binary_data", what)))
    return found


def response(model: str, version: str, request: Inference, outputs: Dict[str, numpy.ndarray]) -> Tuple[bytes, Optional[int]]:
    """The body of an answer, and how long its JSON is where bytes follow. Raises Malformed where JSON can't say a value."""
    entries, tail = [], []
    for wanted in request.wanted:
        array = outputs[wanted.name]
        entry: Dict[str, Any] = {"name": wanted.name, "datatype": DATATYPES[array.dtype.name], "shape": list(array.shape)}
        if wanted.binary:
            tail.append(tensors.to_bytes(array))
            entry["parameters"] = {"binary_data_size": len(tail[-1])}
        else:
            entry["data"] = tensors.to_json(array, wanted.name)
        entries.append(entry)
    answer = {"model_name": model, "model_version": version, "outputs": entries}
    if request.id is not None:
        answer["id"] = request.id
    head = json.dumps(answer).encode()
    return b"".join([head, *tail]), len(head) if tail else None
