"""Compiles neural networks to native code and runs them.

    import skriptnd

    model = skriptnd.compile("model.onnx")
    y = model(x)
"""

from ._version import __version__
from .binding import IOBinding, OrtValue
from .comparing import Comparison, Departure, OutputDifference, compare
from .compiling import compile  # noqa: A004
from .errors import CompileError, DtypeError, Error, FaultError, ShapeError
from .inference import InferenceSession, NodeArg
from .interface import TensorInfo
from .model import Model, load
from .options import (
    ExecutionMode,
    GraphOptimizationLevel,
    RunOptions,
    SessionOptions,
    get_available_providers,
    get_device,
    set_default_logger_severity,
)
from .session import Session

__all__ = [
    "Comparison",
    "CompileError",
    "Departure",
    "DtypeError",
    "Error",
    "ExecutionMode",
    "FaultError",
    "GraphOptimizationLevel",
    "IOBinding",
    "InferenceSession",
    "Model",
    "NodeArg",
    "OrtValue",
    "OutputDifference",
    "RunOptions",
    "Session",
    "SessionOptions",
    "ShapeError",
    "TensorInfo",
    "__version__",
    "compare",
    "compile",
    "get_available_providers",
    "get_device",
    "load",
    "set_default_logger_severity",
]
