"""Jobs on actors of Ray."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Tuple

import ray

from ..errors import Error
from .job import Job, Listener, Outcome, Report


class _Worker:
    """A process of Ray, which makes the model once."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def do(self, chunk: int) -> Outcome:
        """Does a chunk."""
        return self._job.do(chunk)


def run(job: Job, *, workers: int = 2, told: Optional[Listener] = None, tries: int = 3) -> Report:
    """Does what is not done of a job, by so many actors, each with the processors that a run uses; `told` hears of each chunk.

    What an actor did that died is done again by a new one, up to `tries` times: then the chunk alone has failed.
    """
    if workers < 1 or tries < 1:
        raise Error(f"a job needs at least one worker and one try, not {workers} and {tries}")
    kind = ray.remote(num_cpus=max(job.predictor.threads, 1), max_restarts=0)(_Worker)
    failed: List[Outcome] = []
    for outcome in _outcomes(job, lambda: kind.remote(job), workers, tries):
        if outcome.error is not None:
            failed.append(outcome)
        if told is not None:
            told(outcome)
    return job.report(failed)


def _outcomes(job: Job, make: Any, workers: int, tries: int) -> Iterator[Outcome]:
    todo = iter(job.missing())
    again: List[Tuple[int, int]] = []
    idle = [make() for _ in range(min(workers, max(job.chunks, 1)))]
    pending: Dict[Any, Tuple[Any, int, int]] = {}
    try:
        while True:
            while idle:
                chunk, number = again.pop() if again else (next(todo, None), 1)
                if chunk is None:
                    break
                worker = idle.pop()
                pending[worker.do.remote(chunk)] = worker, chunk, number
            if not pending:
                return
            (ended, *_), _ = ray.wait(list(pending), num_returns=1)
            worker, chunk, number = pending.pop(ended)
            try:
                yield ray.get(ended)
                idle.append(worker)
            except ray.exceptions.RayError as error:
                ray.kill(worker)
                idle.append(make())
                if number < tries:
                    again.append((chunk, number + 1))
                else:
                    yield job.fail(chunk, f"the {tries} processes that did it died: {error}")
    finally:
        for worker in [*idle, *(entry[0] for entry in pending.values())]:
            ray.kill(worker)
