"""The command line of the server."""

from __future__ import annotations

import argparse
import logging
import os
import re
import signal
import socket
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from ..errors import Error

try:
    import uvicorn

    from .admission import Limits
    from .app import Server
    from .served import Running, Served
except ImportError as _error:
    sys.exit(f"error: the server needs a package that is not installed: {_error}\nhelp: pip install skriptnd[serve]")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found `{text}`")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value < 1e6:
        raise argparse.ArgumentTypeError(f"expected a number of seconds, found `{text}`")
    return value


def _some_seconds(text: str) -> float:
    value = _seconds(text)
    if value == 0.0:
        raise argparse.ArgumentTypeError("expected a number of seconds, found none")
    return value


def _model(text: str) -> Tuple[str, str]:
    name, equals, path = text.partition("=")
    if not equals:
        name, path = Path(text).stem, text
    if not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
        raise argparse.ArgumentTypeError(f"`{name}` is no name of a model; letters, digits, `_`, `.` and `-` are, as in scores=model.onnx")
    return name, path


def _bound(text: str) -> Tuple[str, int]:
    name, equals, number = text.partition("=")
    if not equals or not number.isdecimal():
        raise argparse.ArgumentTypeError(f"expected NAME=NUMBER, found `{text}`")
    return name, int(number)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m skriptnd.serve", description="Serves models by the Open Inference Protocol (v2, REST).")
    limits, running = Limits(), Running()
    add = parser.add_argument
    add("models", nargs="+", type=_model, metavar="[NAME=]MODEL", help="an ONNX file, a SkriptND model, or what was compiled")
    add("--host", default="127.0.0.1", help="the address to listen at (%(default)s)")
    add("--port", type=int, default=8000, help="its port; 0: any that is free (%(default)s)")
    add("--batch", type=_positive, default=running.batch, metavar="ROWS", help="rows of requests that may run together (%(default)s)")
    add("--delay", type=_seconds, default=running.delay, metavar="SECONDS", help="how long a request waits for others (%(default)s)")
    add("--processes", type=_positive, default=running.processes, metavar="N", help="processes for each model (%(default)s)")
    add("--threads", type=_positive, metavar="N", help="threads of each process (the processors, shared out)")
    add("--run-seconds", type=_some_seconds, default=running.seconds, metavar="SECONDS", help="the longest run (%(default)s)")
    add("--bound", type=_bound, action="append", default=[], metavar="NAME=N", help="a bound of an extent of ONNX models")
    add("--requests", type=_positive, default=limits.requests, metavar="N", help="requests at a time; more are refused (%(default)s)")
    add("--bytes", type=_positive, default=limits.total_bytes, metavar="N", help="bytes of their bodies together (%(default)s)")
    add("--body-bytes", type=_positive, default=limits.body_bytes, metavar="N", help="bytes of one body (%(default)s)")
    add("--seconds", type=_some_seconds, default=limits.seconds, metavar="SECONDS", help="from a request to its answer (%(default)s)")
    return parser


def _running(options: argparse.Namespace) -> Running:
    processes = options.processes * len(options.models)
    threads = options.threads or max(len(os.sched_getaffinity(0)) // processes, 1)
    return Running(options.processes, threads, options.batch, options.delay, options.run_seconds)


def _served(options: argparse.Namespace) -> List[Served]:
    further: Dict[str, Any] = {"bounds": dict(options.bound)} if options.bound else {}
    names = [name for name, _ in options.models]
    for name in names:
        if names.count(name) > 1:
            raise Error(f"two models are called `{name}`; other names stand before `=`")
    return [Served(name, path, _running(options), **further) for name, path in options.models]


def _listening(host: str, port: int) -> socket.socket:
    """What takes connections, and says where."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=1024)
    told, number = listener.getsockname()[:2]
    print(f"listening at http://{f'[{told}]' if ':' in told else told}:{number}", flush=True)
    return listener


def _serve(models: List[Served], limits: Limits, listener: socket.socket) -> bool:
    """Serves to the end; whether that was asked for."""
    failures: List[str] = []

    def failed(text: str) -> None:
        failures.append(text)
        server.should_exit = True

    own = Server(models, limits, failed)
    config = uvicorn.Config(
        own.application(),
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=int(limits.seconds) + 1,
        # Health and figures are answered beside as many requests as there may be.
        limit_concurrency=4 * limits.requests + 64,
    )
    server = uvicorn.Server(config)
    # Before uvicorn takes signals, and after it has done what they say.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: setattr(server, "should_exit", True))
    server.run(sockets=[listener])
    told = ", ".join(f"{count} with {status}" for status, count in sorted(own.answered.items()))
    print(f"stopped; requests answered: {told or 'none'}", flush=True)
    return not failures


def main(arguments: Optional[List[str]] = None) -> int:
    """Serves until SIGTERM or Ctrl-C; then requests that are inside are answered first."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        models, listener = _served(options), _listening(options.host, options.port)
    except (Error, OSError, OverflowError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    limits = Limits(options.requests, options.bytes, options.body_bytes, options.seconds)
    return 0 if _serve(models, limits, listener) else 1


if __name__ == "__main__":
    sys.exit(main())
