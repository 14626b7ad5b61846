"""Runs a model over more rows than memory holds, in chunks that processes of one or many machines share.

    from skriptnd import batch

    predictor = batch.Predictor("model.onnx", batch=256)
    job = batch.Job(predictor, {"x": "x.npy"}, "results", rows=4096)
    report = job.run()                      # here; `on_dask.run(job, client)` and `on_ray.run(job)` elsewhere
    job.output("y").save("y.npy")

What a job has done lies in its folder, chunk by chunk, each whole or absent: a job that was stopped goes on.
"""

from .job import Job, Outcome, Report
from .predictor import Predictor
from .rows import NpyRows, Rows
from .written import WrittenRows

__all__ = ["Job", "NpyRows", "Outcome", "Predictor", "Report", "Rows", "WrittenRows"]
