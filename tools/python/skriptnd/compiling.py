"""Compiling models, each once."""

from __future__ import annotations

import functools
import json
import os
import platform
import shutil
import tempfile
import warnings
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, cast

import numpy

from . import artifact, digest, executable, tuned as schedules
from .cache import Cache
from .errors import Error
from .files import PathLike
from .model import Model, checked_threads

#: An ONNX file or its bytes or message; a SkriptND file or the folder of one.
Source = Union[PathLike, bytes, bytearray, memoryview, Any]


class Options(NamedTuple):
    """What the compiler is asked for."""

    bounds: Tuple[Tuple[str, int], ...]
    values: Tuple[Tuple[str, numpy.ndarray], ...]
    cpu: Optional[str]
    storage: Tuple[Tuple[str, str], ...]
    quantized: bool
    weights: Optional[Path] = None
    tuned: Optional[str] = None

    def key(self) -> Dict[str, Any]:
        """What tells artifacts apart."""
        key = {**self._asdict(), "values": [[name, _identity_of_array(value)] for name, value in self.values]}
        # Wherever the file is, its content tells.
        del key["weights"]
        key["tuned"] = schedules.identity(self.tuned)
        return key


def compile(  # noqa: A001 - the field's word
    model: Source,
    *,
    bounds: Optional[Mapping[str, int]] = None,
    values: Optional[Mapping[str, Any]] = None,
    threads: int = 0,
    cpu: Optional[str] = None,
    storage: Optional[Mapping[str, str]] = None,
    quantized: bool = False,
    weights: Optional[PathLike] = None,
    tuned: Optional[PathLike] = None,
) -> Model:
    """Compiles a model, or takes it from the cache.

    `model` is the path of an ONNX file, its bytes, or an ``onnx.ModelProto``; or the path of a SkriptND file or folder.

    `bounds` are upper bounds of the symbols in the shapes of an ONNX model; `values` fix inputs of it, which the model
    then has no more. `threads` share the work of each run, the one that calls among them; 0 are as many as the processor
    has; the results are the same for every number. `cpu` is the processor to compile for, by LLVM's name; without it, this one. `storage` says how
    tensors are stored (``{"x": "f16"}``), `quantized` whether to compute with quantized values; both may change.
    `weights` is a safetensors file with values of variables. `tuned` is the folder of the schedules that ``skriptnd tune`` measured
    on this machine, in place of the usual one, or ``"none"`` to take none of them.
    """
    options, threads = model_options(bounds, values, cpu, storage, quantized, weights, tuned), checked_threads(threads)
    content = model_content(model)
    if content is not None:
        return _compile_onnx(content, options, threads)
    path = Path(os.fspath(cast(PathLike, model))).absolute()
    if not path.exists():
        raise Error(f"the model {path} is not there")
    if path.is_dir() or path.suffix == ".sknd":
        return _compile_text(path, options, threads)
    return _compile_onnx(path, options, threads)


def model_options(
    bounds: Optional[Mapping[str, int]] = None,
    values: Optional[Mapping[str, Any]] = None,
    cpu: Optional[str] = None,
    storage: Optional[Mapping[str, str]] = None,
    quantized: bool = False,
    weights: Optional[PathLike] = None,
    tuned: Optional[PathLike] = None,
) -> Options:
    """The options of `compile`, in one order."""
    return Options(
        bounds=tuple(sorted((str(name), int(bound)) for name, bound in (bounds or {}).items())),
        values=tuple(
            sorted(((str(name), numpy.asarray(value)) for name, value in (values or {}).items()), key=lambda pair: pair[0])
        ),
        cpu=cpu,
        storage=tuple(sorted((str(name), str(kind)) for name, kind in (storage or {}).items())),
        quantized=bool(quantized),
        weights=None if weights is None else Path(os.fspath(weights)).absolute(),
        tuned=_named(tuned),
    )


def _named(tuned: Optional[PathLike]) -> Optional[str]:
    """The folder of schedules, wherever the compiler is started."""
    if tuned is None or os.fspath(tuned) == schedules.NONE:
        return None if tuned is None else schedules.NONE
    return str(Path(os.fspath(tuned)).absolute())


def model_content(model: Source) -> Optional[bytes]:
    """The bytes of an ONNX model that is no path."""
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    if hasattr(model, "SerializeToString"):
        return bytes(model.SerializeToString())
    if not isinstance(model, (str, os.PathLike)):
        kind = f"`{type(model).__module__}.{type(model).__qualname__}`"
        raise TypeError(f"a model is a path, bytes or an onnx.ModelProto, not {kind}")
    return None


def _identity_of_array(array: numpy.ndarray) -> List[Any]:
    if array.dtype.hasobject:
        raise Error(f"a value is no array of numbers: {array!r}")
    return [array.dtype.str, list(array.shape), digest.of_bytes(numpy.ascontiguousarray(array).tobytes())]


@functools.cache
def _processor() -> str:
    """What tells processors apart for which different code is made."""
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    except OSError:
        return platform.processor()
    told = ("model name", "flags", "Features", "CPU part", "CPU implementer", "isa")
    return "\n".join(line for line in lines if line.partition("\t")[0].strip() in told)


def _key(kind: str, content: str, options: Options) -> str:
    native = options.cpu is None or "native" in options.cpu
    parts = {
        "format": artifact.FORMAT,
        "kind": kind,
        "content": content,
        "options": options.key(),
        "weights": None if options.weights is None else digest.of_file(options.weights, Cache().memory),
        "compiler": executable.identity(),
        "processor": _processor() if native else platform.machine(),
    }
    return digest.of_bytes(json.dumps(parts, sort_keys=True).encode())


def _loaded(cache: Cache, key: str, make: Any, threads: int) -> Model:
    found = cache.get(key, make)
    try:
        return Model(found, threads)
    except Error:
        # Another process may have taken it away to make room.
        if found.library.is_file():
            raise
    return Model(cache.get(key, make), threads)


def _compile_onnx(model: Union[Path, bytes], options: Options, threads: int) -> Model:
    cache = Cache()
    if isinstance(model, bytes):
        content = digest.of_bytes(model)
    else:
        content = digest.of_onnx(model, cache.memory)

    def make(folder: Path) -> None:
        with tempfile.TemporaryDirectory(prefix="skriptnd-") as scratch:
            path = model
            if isinstance(path, bytes):
                path = Path(scratch) / "model.onnx"
                path.write_bytes(model)
            ports = _build(path, folder, options, option_arguments(options, Path(scratch)))
        # The text and the weights are the artifact's own, wherever that goes.
        written = folder / f"{artifact.LIBRARY}.weights"
        for file in written.iterdir():
            file.rename(folder / file.name)
        written.rmdir()
        artifact.noted_file(folder / artifact.LIBRARY).unlink()
        for told in ports["warnings"]:
            node = f"node `{told['node']}` ({told['operator']}): " if told["node"] else ""
            warnings.warn(node + told["reason"], stacklevel=2)
        artifact.describe(folder, {role: ports[role] for role in ("inputs", "outputs")})

    return _loaded(cache, _key("onnx", content, options), make, threads)


def option_arguments(options: Options, scratch: Path) -> List[str]:
    """What the command line says of an ONNX model, with files in a folder."""
    arguments: List[str] = []
    for name, bound in options.bounds:
        arguments += ["--bound", f"{name}={bound}"]
    for number, (name, value) in enumerate(options.values):
        file = scratch / f"value{number}.npy"
        # Files of arrays have no types that NumPy has not itself, such as bfloat16: the importer casts.
        numpy.save(file, value.astype("float32") if value.dtype.kind == "V" else value)
        arguments += ["--value", f"{name}={file}"]
    if options.weights is not None:
        arguments += ["--weights", str(options.weights)]
    return arguments


def _compile_text(path: Path, options: Options, threads: int) -> Model:
    if options.bounds or options.values:
        raise Error("`bounds` and `values` are for ONNX models; a SkriptND model says its bounds in its text")
    cache = Cache()

    def make(folder: Path) -> None:
        weights = [] if options.weights is None else ["--weights", str(options.weights)]
        _build(path, folder, options, weights)
        artifact.copy_library(folder / artifact.LIBRARY, folder)
        # They lie beside the library now.
        shutil.rmtree(folder / f"{artifact.LIBRARY}.weights", ignore_errors=True)
        artifact.describe(folder, {})

    return _loaded(cache, _key("sknd", digest.of_folder(path, cache.memory), options), make, threads)


def _build(model: Path, folder: Path, options: Options, further: Sequence[str]) -> Dict[str, Any]:
    """Compiles a model to the library of an artifact; what the compiler says of it."""
    # Messages name a file as it is given: without folders, which are others wherever the artifact is found again.
    arguments = ["compile", f"./{model.name}" if model.name.startswith("-") else model.name, "--json"]
    arguments += ["-o", str(folder / artifact.LIBRARY), *further]
    if options.cpu is not None:
        arguments += ["--cpu", options.cpu]
    found = schedules.folder(options.tuned)
    # The environment's folder may be relative, and the compiler is started elsewhere.
    arguments += ["--tuned", schedules.NONE if found is None else str(found)]
    if options.quantized:
        arguments.append("--quantized")
    for name, kind in options.storage:
        arguments += ["--storage", f"{name}={kind}"]
    told: Dict[str, Any] = json.loads(executable.run(arguments, model.parent))
    return told
