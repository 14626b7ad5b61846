"""What Prometheus reads of the server."""

from __future__ import annotations

from typing import Any, Callable, Dict

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Metrics:
    """The figures of all models of a server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        own: Dict[str, Any] = {"registry": self.registry}
        self.requests = Counter("skriptnd_requests", "Requests of inference, by status", ["model", "code"], **own)
        self.seconds = Histogram(
            "skriptnd_request_seconds", "From a request to its answer", ["model"], buckets=_SECONDS, **own
        )
        self.run_seconds = Histogram("skriptnd_run_seconds", "Runs of the model", ["model"], buckets=_SECONDS, **own)
        self.batch = Histogram("skriptnd_run_requests", "Requests that one run served", ["model"], buckets=_ROWS, **own)
        self.alone = Counter(
            "skriptnd_requests_alone", "Requests that ran again alone, as they failed together with others", ["model"], **own
        )
        self.waiting = Gauge("skriptnd_requests_waiting", "Requests that wait for a process", ["model"], **own)
        self.starts = Gauge("skriptnd_process_starts", "How often processes of the model were started", ["model"], **own)
        self.open = Gauge("skriptnd_requests_open", "Requests that are read, wait or run", **own)
        self.bytes = Gauge("skriptnd_request_bytes", "Bytes of the bodies of these", **own)

    def watch(self, model: str, waiting: Callable[[], float], starts: Callable[[], float]) -> None:
        """Takes figures of a model when they are asked for."""
        self.waiting.labels(model).set_function(waiting)
        self.starts.labels(model).set_function(starts)

    def text(self) -> bytes:
        """All figures, as Prometheus takes them."""
        return generate_latest(self.registry)
