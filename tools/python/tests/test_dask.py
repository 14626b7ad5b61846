"""Jobs on a Dask cluster of two processes: workers that die, rows that fail, what the workers share."""

import logging
import os
import signal
import unittest
from unittest import mock

from batch_support import CACHE, OUTSIDE, LookupTest, needs

import skriptnd
from skriptnd.batch import predictor


def held():
    """The process, and the models and compiled artifacts that it has."""
    models = predictor.held()
    return os.getpid(), [str(model.artifact) for model in models], [model._threads for model in models]


@needs("dask", "distributed")
class DaskTest(LookupTest):
    @classmethod
    def setUpClass(cls):
        from dask import config
        from dask.distributed import Client, LocalCluster

        # Workers that start again have the environment of that time.
        environment = mock.patch.dict(os.environ, {"SKRIPTND_CACHE": CACHE, "SKRIPTND_TUNED": ""})
        environment.start()
        cls.addClassCleanup(environment.stop)
        # A worker takes seconds to start again: one death less than usual is enough to see.
        with config.set({"distributed.scheduler.allowed-failures": 1}):
            cls.cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL)
        cls.addClassCleanup(cls.cluster.close)
        cls.client = Client(cls.cluster)
        cls.addClassCleanup(cls.client.close)

    def run_job(self, job, told=None):
        from skriptnd.batch import on_dask

        return on_dask.run(job, self.client, told=told)

    def test_workers_share_a_job_and_the_artifact(self):
        job, told = self.job(205, batch=4), []
        report = self.run_job(job, told.append)
        self.assertEqual((report.done, report.failed), (21, ()))
        self.assertEqual(sorted(outcome.chunk for outcome in told), list(range(21)))
        self.assert_all_there(job, 205)
        workers = self.client.run(held)
        self.assertEqual({outcome.process for outcome in told}, {process for process, _, _ in workers.values()})
        artifact = str(job.predictor.model().artifact)
        for _, artifacts, threads in workers.values():
            self.assertEqual((artifacts, threads), ([artifact], [1]))

    def test_a_row_that_fails_is_told_and_others_are_done(self):
        job = self.job(205, wrong=[17, 101], batch=4)
        report = self.run_job(job)
        self.assertEqual((report.done, [outcome.chunk for outcome in report.failed]), (19, [1, 10]))
        self.assertIn("chunk 10 (rows 100 to 109) failed: row 101: stdlib/layout.sknd:", str(report))
        self.assertIn(OUTSIDE, report.failed[0].error)
        job = self.job(205)
        told = []
        self.assertEqual(self.run_job(job, told.append).failed, ())
        self.assertEqual(sorted(outcome.chunk for outcome in told), [1, 10])
        self.assert_all_there(job, 205)

    def test_what_a_killed_worker_did_is_done_by_others(self):
        job, told = self.job(605, batch=4), []

        def kill(outcome):
            told.append(outcome)
            if len(told) == 7:
                os.kill(outcome.process, signal.SIGKILL)

        report = self.run_job(job, kill)
        self.assertEqual((report.done, report.failed), (61, ()))
        self.assertEqual(sorted(outcome.chunk for outcome in told), list(range(61)))
        self.assertGreater(len({outcome.process for outcome in told}), 1)
        self.assert_all_there(job, 605)

    def test_rows_that_kill_each_worker_are_told_and_others_are_done(self):
        job, told = self.job(205, deadly=55), []
        report = self.run_job(job, told.append)
        self.assertEqual((report.done, [outcome.chunk for outcome in report.failed]), (20, [5]))
        self.assertRegex(report.failed[0].error, "the processes that did it died: .* on 2 different workers")
        self.assertEqual(sorted(outcome.chunk for outcome in told), list(range(21)))
        self.assertEqual(list(job.missing()), [5])
        self.assertEqual(list((self.folder / "results" / "work").iterdir()), [])

    def test_a_cluster_without_workers_is_an_error(self):
        from dask.distributed import Client, LocalCluster

        from skriptnd.batch import on_dask

        with LocalCluster(n_workers=0, dashboard_address=":0") as cluster, Client(cluster) as client:
            with self.assertRaisesRegex(skriptnd.Error, "the cluster has had no worker for 0.2 seconds; what is done stays"):
                on_dask.run(self.job(5), client, patience=0.2)


if __name__ == "__main__":
    unittest.main()
