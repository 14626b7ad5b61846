"""ONNX's own tests of backends, through ``skriptnd.onnx_backend``: each in a process of its own, with a time limit.

``python3 tools/python/tests/onnx_suite.py --help`` says how to run them all, or some, and how to write the page.
"""

import argparse
import json
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import re
import signal
import sys
import time
import warnings
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Tuple

import onnx_page
from onnx_page import Key

#: What is run of ONNX's tests, by the names of their classes.
KINDS = {
    "node": "OnnxBackendNodeModelTest",
    "pytorch-converted": "OnnxBackendPyTorchConvertedModelTest",
    "pytorch-operator": "OnnxBackendPyTorchOperatorModelTest",
}

#: How far results may be off where they have 16 bits; else it is what the test says.
TOLERANCES = {"float16": 5e-3, "bfloat16": 1e-2}

#: What ONNX appends to the names of tests for a backend's device.
_DEVICE = "_cpu"


def load() -> Dict[Key, Callable[[], None]]:
    """All tests, in the order of their names; each is a function that raises where the test fails."""
    from onnx.backend.test.runner import Runner

    from skriptnd import onnx_backend

    class Tests(Runner):
        @classmethod
        def assert_similar_outputs(cls, ref_outputs, outputs, rtol, atol, model_dir=None):
            """Compares one by one: each type has its tolerance."""
            assert len(outputs) == len(ref_outputs), f"{len(outputs)} outputs, expected {len(ref_outputs)}"
            for expected, found in zip(ref_outputs, outputs):
                if isinstance(expected, (list, tuple)):
                    assert isinstance(found, (list, tuple)), f"{type(found).__name__} for an output that is a sequence"
                    cls.assert_similar_outputs(expected, found, rtol, atol, model_dir)
                    continue
                least = TOLERANCES.get(getattr(getattr(expected, "dtype", None), "name", ""), 0)
                super().assert_similar_outputs([expected], [found], max(rtol, least), max(atol, least), model_dir)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        classes = Tests(onnx_backend.Backend).test_cases
    found = {}
    for kind, name in KINDS.items():
        methods = [method for method in sorted(vars(classes[name])) if method.endswith(_DEVICE)]
        for method in methods:
            found[kind, method[: -len(_DEVICE)]] = getattr(classes[name](method), method)
    return found


def sample(keys: Iterable[Key], count: int) -> Iterator[Key]:
    """About so many of them, the same each time, of all kinds."""
    ordered = sorted(keys)
    return iter(ordered[:: max(1, len(ordered) // count)])


def told(error: BaseException) -> str:
    """The reason for a failure in one line that is the same in each run."""
    text = str(error)
    if isinstance(error, AssertionError):
        return _difference(text)
    errors = [line for line in text.splitlines() if line.startswith("skriptnd: error: ")] or text.splitlines()[:1]
    first = errors[0] if errors else ""
    first = re.sub(r"^skriptnd: error: (\S*\.onnx: )?", "", first)
    first = re.sub(r"\S*/(main\.sknd\S*)", r"\1", first)
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    kind = "" if type(error).__name__ == "CompileError" else f"{type(error).__name__}: "
    return kind + first + more


def _difference(text: str) -> str:
    """What NumPy says of arrays that differ, without the arrays."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    kept = [line for line in lines if line.startswith(("Mismatched", "Max ", "ACTUAL", "DESIRED", "Output"))]
    return "; ".join(kept or lines[:1])


def _attempt(test: Callable[[], None], answer: Any) -> None:
    """Runs a test in a child process, which leads what it starts."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            test()
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the reason
        answer.send(told(error))
    else:
        answer.send(None)


class Attempt:
    """A test that runs."""

    def __init__(self, key: Key, test: Callable[[], None], limit: float) -> None:
        context = multiprocessing.get_context("fork")
        self.key, self.limit, self.deadline = key, limit, time.monotonic() + limit
        self.answer, sending = context.Pipe(duplex=False)
        self.process = context.Process(target=_attempt, args=(test, sending))
        self.process.start()
        sending.close()

    def outcome(self) -> Tuple[bool, Optional[str]]:
        """Whether it has ended, and the reason where it failed."""
        if self.answer.poll():
            try:
                return True, self.answer.recv()
            except EOFError:
                self.process.join()
                code = self.process.exitcode or 0
                return True, f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        if time.monotonic() < self.deadline:
            return False, None
        return True, f"took longer than {self.limit:g} s"

    def end(self) -> None:
        """Ends it and what it started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.join()
        self.answer.close()


def run(
    tests: Dict[Key, Callable[[], None]], workers: int = 2, limit: float = 120
) -> Iterator[Tuple[Key, Optional[str]]]:
    """Runs tests; each with the reason where it failed, as they end."""
    waiting, running = list(tests.items()), []
    waiting.reverse()
    while waiting or running:
        while waiting and len(running) < workers:
            running.append(Attempt(*waiting.pop(), limit))
        multiprocessing.connection.wait([attempt.answer for attempt in running], timeout=1)
        for attempt in list(running):
            ended, reason = attempt.outcome()
            if ended:
                attempt.end()
                running.remove(attempt)
                yield attempt.key, reason


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="REGEX", default="", help="run tests whose names have this")
    parser.add_argument(
        "--results", metavar="FILE", type=pathlib.Path, help="keep outcomes here, and run what it has none of"
    )
    parser.add_argument("--again", action="store_true", help="run what failed according to --results as well")
    parser.add_argument("--workers", metavar="N", type=int, default=2, help="so many at once")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=120, help="the time for each")
    parser.add_argument("--first", metavar="N", type=int, help="run so many, by name")
    parser.add_argument("--backend", default="native", help="what `skriptnd run` calls what computes")
    parser.add_argument("--page", metavar="FILE", type=pathlib.Path, help="write a page about all of them")
    parser.add_argument(
        "--emulated", metavar="FILE", type=pathlib.Path, help="what --results kept of --backend hexagon, for the page"
    )
    options = parser.parse_args()
    if options.page and (options.only or options.first or options.backend != "native"):
        parser.error("--page is about all tests and native code")
    return options


def main() -> int:
    """Runs what the arguments say, and prints what fails, and the tally."""
    options = _options()
    outcomes = _read(options.results)
    tests = load()
    chosen = [key for key in tests if re.search(options.only, key[1])][: options.first]
    left = [key for key in chosen if key not in outcomes or (options.again and outcomes[key] is not None)]
    from onnx_emulator import emulating

    with emulating(options.backend):
        for number, (key, reason) in enumerate(run({key: tests[key] for key in left}, options.workers, options.limit)):
            outcomes[key] = reason
            if reason is not None:
                print(*key, reason, flush=True)
            if number % 20 == 0:
                _write(options.results, outcomes)
    _write(options.results, outcomes)
    known = {key: outcomes[key] for key in chosen}
    for kind in KINDS:
        reasons = [reason for (its, _), reason in known.items() if its == kind]
        print(f"{kind}: {reasons.count(None)} of {len(reasons)} passed")
    if options.page:
        import onnx

        options.page.write_text(onnx_page.text_of(onnx.__version__, known, _read(options.emulated)))
    return 0


def _read(path: Optional[pathlib.Path]) -> Dict[Key, Optional[str]]:
    if path is None or not path.exists():
        return {}
    return {(kind, name): reason for kind, name, reason in json.loads(path.read_text())}


def _write(path: Optional[pathlib.Path], outcomes: Dict[Key, Optional[str]]) -> None:
    if path is not None:
        path.write_text(json.dumps([[*key, reason] for key, reason in outcomes.items()], indent=0))


if __name__ == "__main__":
    sys.exit(main())
