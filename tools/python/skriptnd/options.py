"""Options and providers by ONNX Runtime's names."""

from __future__ import annotations

import enum
import warnings
from typing import Any, Dict, List, NoReturn, Optional, Sequence

#: The name of what runs models here. Programs that ask for the one of processors get it as well.
PROVIDER, CPU = "SkriptNDExecutionProvider", "CPUExecutionProvider"


def get_available_providers() -> List[str]:
    """What runs models."""
    return [PROVIDER, CPU]


def get_device() -> str:
    """The device that models run on."""
    return "CPU"


def missing(what: str, remedy: str = "") -> NoReturn:
    raise NotImplementedError(f"skriptnd has no {what} of ONNX Runtime{'; ' + remedy if remedy else ''}")


class GraphOptimizationLevel(enum.IntEnum):
    """How much ONNX Runtime changes a graph; it has no effect here."""

    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


class ExecutionMode(enum.IntEnum):
    """In which order ONNX Runtime runs nodes; it has no effect here."""

    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


def set_default_logger_severity(severity: int) -> None:
    """Has no effect: nothing is logged."""


class RunOptions:
    """Options of a run. Those of logging change nothing here."""

    def __init__(self) -> None:
        self.log_severity_level = 2
        self.log_verbosity_level = 0
        self.logid = ""

    def add_run_config_entry(self, name: str, value: str) -> None:
        """Not here."""
        missing(f"run option `{name}`")


class SessionOptions:
    """Options of a session. Those that change neither results nor what a program sees are taken and have no effect."""

    _WITHOUT_EFFECT = {
        "enable_cpu_mem_arena": True,
        "enable_mem_pattern": True,
        "enable_mem_reuse": True,
        "execution_mode": ExecutionMode.ORT_SEQUENTIAL,
        "graph_optimization_level": GraphOptimizationLevel.ORT_ENABLE_ALL,
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

    _CHANGES_RESULTS = ("session.set_denormal_as_zero",)

    def __init__(self) -> None:
        self.__dict__.update(self._WITHOUT_EFFECT)
        self.__dict__["_entries"] = {}
        #: How many threads share the work of a run; 0 are as many as the processor has.
        self.intra_op_num_threads = 0
        #: Upper bounds of the symbols in the model's shapes, as `skriptnd.compile` takes them.
        self.bounds: Dict[str, int] = {}
        #: Inputs with fixed values, as `skriptnd.compile` takes them.
        self.values: Dict[str, Any] = {}

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._ELSEWHERE and value:
            missing(f"session option `{name}`", self._ELSEWHERE[name])
        own = ("intra_op_num_threads", "bounds", "values")
        if name not in self._WITHOUT_EFFECT and name not in self._ELSEWHERE and name not in own:
            missing(f"session option `{name}`")
        self.__dict__[name] = value

    def add_session_config_entry(self, name: str, value: str) -> None:
        """Taken without effect, but where it would change results."""
        if name in self._CHANGES_RESULTS and value not in ("", "0"):
            missing(f"session option `{name}`")
        self._entries[name] = value

    def get_session_config_entry(self, name: str) -> str:
        """What was given for a name."""
        if name not in self._entries:
            raise RuntimeError(f"no session option `{name}` was given")
        return self._entries[name]

    def add_free_dimension_override_by_name(self, name: str, extent: int) -> None:
        """Not here."""
        missing("override of free dimensions", "`bounds` of the options give them upper bounds")

    def add_free_dimension_override_by_denotation(self, name: str, extent: int) -> None:
        """Not here."""
        missing("override of free dimensions", "`bounds` of the options give them upper bounds")

    def add_initializer(self, name: str, value: Any) -> None:
        """Not here."""
        missing("initializers from outside of the model", "`values` of the options fix inputs")

    def register_custom_ops_library(self, path: str) -> None:
        """Not here."""
        missing("libraries of custom operators", "write them in SkriptND")


def check_providers(providers: Optional[Sequence[Any]]) -> None:
    if providers is None:
        return
    names = [provider if isinstance(provider, str) else provider[0] for provider in providers]
    others = [name for name in names if name not in (PROVIDER, CPU)]
    if others and len(others) == len(names):
        missing(f"provider `{others[0]}`", f"there are `{PROVIDER}` and `{CPU}`")
    for name in others:
        warnings.warn(f"skriptnd has no provider `{name}`: the model runs on the CPU", stacklevel=3)
