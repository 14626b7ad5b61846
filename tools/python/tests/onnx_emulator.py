"""Runs models on an emulator, by the command line of the compiler, in the place of native code."""

import contextlib
import json
import os
import tempfile
from typing import Any, Iterator, List, Sequence
from unittest import mock

import numpy

from skriptnd import executable, onnx_backend


class Emulated:
    """A model with the interface of the native one; what it computes, a backend of ``skriptnd run`` computes."""

    def __init__(self, model: Any, backend: str) -> None:
        self._model, self._backend = model, backend

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def execute(self, values: Sequence[Any]) -> List[numpy.ndarray]:
        """Runs on inputs in the order of the model; outputs in its order."""
        interface = self._model._interface
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["run", str(self._model.artifact), "--backend", self._backend, "--json"]
            arguments += ["--output-dir", os.path.join(folder, "out")]
            for port, value in zip(interface.inputs, values):
                file = os.path.join(folder, f"{port.own_name}.npy")
                numpy.save(file, value.astype("float32") if value.dtype.kind == "V" else value)
                arguments += ["--input", f"{port.own_name}={file}"]
            told = json.loads(executable.run(arguments))
            arrays = [numpy.load(output["files"][0]) for output in told["outputs"]]
        return [array.astype(port.numpy_or_error()) for port, array in zip(interface.outputs, arrays)]


@contextlib.contextmanager
def emulating(backend: str) -> Iterator[None]:
    """ONNX's backend runs models by a backend of ``skriptnd run`` meanwhile; `native` is its own."""
    compile_model = onnx_backend.compile_model
    if backend == "native":
        yield
        return
    with mock.patch.object(onnx_backend, "compile_model", lambda *a, **k: Emulated(compile_model(*a, **k), backend)):
        yield
