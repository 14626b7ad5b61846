"""Jobs on actors of Ray: Ray itself where it is installed, and a stand-in for what is called of it."""

import importlib
import importlib.util
import os
import pathlib
import signal
import sys
import types
import unittest
from unittest import mock

from batch_support import OUTSIDE, LookupTest, needs


HAS_RAY = importlib.util.find_spec("ray") is not None


class Died(Exception):
    """What Ray raises for an actor that has died."""


class StandIn:
    """The calls of Ray that are used, in one process. Actors die of the chunks in `deaths`, so many times."""

    def __init__(self, deaths=()):
        self.deaths, self.made, self.killed = dict(deaths), 0, []
        self.exceptions = types.SimpleNamespace(RayError=Died)

    def remote(self, **options):
        self.options = options
        return lambda kind: types.SimpleNamespace(remote=lambda *arguments: self.actor(kind(*arguments)))

    def actor(self, worker):
        self.made += 1
        return types.SimpleNamespace(do=types.SimpleNamespace(remote=lambda chunk: (worker, chunk)))

    def wait(self, calls, num_returns):
        return calls[-num_returns:], calls[:-num_returns]

    def get(self, call):
        worker, chunk = call
        if self.deaths.get(chunk, 0):
            self.deaths[chunk] -= 1
            raise Died("the actor died")
        return worker.do(chunk)

    def kill(self, actor):
        self.killed.append(actor)


class StandInTest(LookupTest):
    def run_job(self, job, ray, **options):
        if not HAS_RAY:
            self.enter(mock.patch.dict(sys.modules, {"ray": ray}))
        on_ray = importlib.import_module("skriptnd.batch.on_ray")
        with mock.patch.object(on_ray, "ray", ray):
            return on_ray.run(job, **options)

    def test_does_what_is_not_done(self):
        ray, told = StandIn(), []
        job = self.job(205, wrong=[17], batch=4, threads=2)
        report = self.run_job(job, ray, told=told.append)
        self.assertEqual((report.done, [outcome.chunk for outcome in report.failed]), (20, [1]))
        self.assertIn("row 17: ", report.failed[0].error)
        self.assertIn(OUTSIDE, report.failed[0].error)
        self.assertEqual((ray.made, len(ray.killed), ray.options["num_cpus"]), (2, 2, 2))
        self.assertEqual(sorted(outcome.chunk for outcome in told), list(range(21)))
        self.assertEqual(self.run_job(self.job(205, threads=2), StandIn(), workers=5).done, 21)
        self.assert_all_there(job, 205)

    def test_what_an_actor_did_that_died_is_done_again(self):
        ray = StandIn({3: 2, 20: 1})
        report = self.run_job(job := self.job(205), ray)
        self.assertEqual((report.done, report.failed), (21, ()))
        self.assertEqual((ray.made, len(ray.killed)), (5, 5))
        self.assert_all_there(job, 205)

    def test_a_chunk_that_kills_each_actor_fails_alone(self):
        report = self.run_job(self.job(205), StandIn({3: 3}))
        self.assertEqual((report.done, [outcome.chunk for outcome in report.failed]), (20, [3]))
        self.assertEqual(report.failed[0].error, "the 3 processes that did it died: the actor died")


@needs("ray")
class RayTest(LookupTest):
    @classmethod
    def setUpClass(cls):
        import ray

        here = pathlib.Path(__file__).resolve().parent
        paths = os.pathsep.join([str(here), str(here.parent), os.environ.get("PYTHONPATH", "")])
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": paths}})
        cls.addClassCleanup(ray.shutdown)

    def test_what_a_killed_actor_did_is_done_by_others(self):
        from skriptnd.batch import on_ray

        job, told = self.job(605, batch=4), []

        def kill(outcome):
            told.append(outcome)
            if len(told) == 7:
                os.kill(outcome.process, signal.SIGKILL)

        report = on_ray.run(job, told=kill)
        self.assertEqual((report.done, report.failed), (61, ()))
        self.assert_all_there(job, 605)

    def test_rows_that_kill_each_actor_fail_alone(self):
        from skriptnd.batch import on_ray

        report = on_ray.run(self.job(205, wrong=[17], deadly=55))
        self.assertEqual((report.done, [outcome.chunk for outcome in report.failed]), (19, [1, 5]))
        self.assertIn("the 3 processes that did it died: ", report.failed[1].error)


if __name__ == "__main__":
    unittest.main()
