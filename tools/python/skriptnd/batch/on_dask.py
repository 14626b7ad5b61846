"""Jobs on the workers of a Dask cluster."""

from __future__ import annotations

import asyncio
import time
from typing import Callable, Dict, Iterable, List, Optional

from dask.distributed import Client, Future, KilledWorker, wait

from ..errors import Error
from .job import Job, Listener, Outcome, Report

#: Seconds that a worker has lived before it does a chunk. Where one dies sooner, Dask's nanny may not have noticed that it was there, and
#: starts none in its place.
_SETTLED = 1.0

#: Seconds between looks at the workers while none has done a chunk.
_LOOK = 5.0

_begun = time.monotonic()


def run(job: Job, client: Client, *, told: Optional[Listener] = None, patience: float = 60.0) -> Report:
    """Does what is not done of a job, on the workers of a cluster; `told` hears of each chunk.

    Each worker process makes the model once. What a worker did that died is done again by others, until as many have died of it as the cluster's
    setting `distributed.scheduler.allowed-failures` says: then the chunk alone has failed. Raises an error where there has been no worker for
    `patience` seconds.
    """
    failed: List[Outcome] = []
    killed: List[Outcome] = []
    for outcome in _outcomes(job, client, job.missing(), lambda: _at_a_time(client), patience):
        (killed if outcome.process is None else failed if outcome.error else []).append(outcome)
        if told is not None and outcome.process is not None:
            told(outcome)
    # Dask blames a death on all chunks that waited for the worker: alone, each shows whether it is to blame.
    for suspect in killed:
        for outcome in _outcomes(job, client, [suspect.chunk], lambda: 1, patience):
            if outcome.error is not None:
                failed.append(outcome)
            if told is not None:
                told(outcome)
    return job.report(failed)


def _do(job: Job, chunk: int) -> Outcome:
    """What a worker does."""
    time.sleep(max(_SETTLED - (time.monotonic() - _begun), 0.0))
    return job.do(chunk)


def _at_a_time(client: Client) -> int:
    """How many chunks are given out: some more than there are threads, however many the job has."""
    threads = sum(client.nthreads().values())
    return max(2 * threads, 2)


def _outcomes(job: Job, client: Client, chunks: Iterable[int], most: Callable[[], int], patience: float) -> Iterable[Outcome]:
    """What becomes of chunks, of which at most so many are given out at a time."""
    todo = iter(chunks)
    pending: Dict[Future, int] = {}
    try:
        while True:
            room = most() - len(pending)
            while room > 0 and (chunk := next(todo, None)) is not None:
                pending[client.submit(_do, job, chunk, pure=False)] = chunk
                room -= 1
            if not pending:
                return
            for future in _ended(client, list(pending), patience):
                yield _outcome(job, pending.pop(future), future)
    finally:
        client.cancel(list(pending))


def _ended(client: Client, futures: List[Future], patience: float) -> List[Future]:
    """Waits until some have ended."""
    seen = time.monotonic()
    while True:
        try:
            return list(wait(futures, timeout=min(patience, _LOOK), return_when="FIRST_COMPLETED").done)
        except asyncio.TimeoutError:
            if client.scheduler_info()["workers"]:
                seen = time.monotonic()
            elif time.monotonic() - seen >= patience:
                raise Error(f"the cluster has had no worker for {patience:g} seconds; what is done stays") from None
            _revive(client)


def _revive(client: Client) -> None:
    """Starts the workers of a local cluster that it has given up: one that is starting anew when Dask looks is taken for lost."""
    cluster = client.cluster
    specified = getattr(cluster, "worker_spec", None)
    if cluster is not None and specified:
        cluster.scale(len(specified))


def _outcome(job: Job, chunk: int, future: Future) -> Outcome:
    try:
        return future.result()
    except KilledWorker as error:
        return job.fail(chunk, f"the processes that did it died: {error}")
    except Exception as error:  # noqa: BLE001 - of whatever kind, it concerns this chunk
        return job.fail(chunk, f"it was lost: {type(error).__name__}: {error}")
