"""Which requests of a server run together, and what becomes of each where a run fails; the processes are stand-ins."""

import asyncio
import unittest
from types import SimpleNamespace

import numpy
from batch_support import needs


def request(*values, width=2):
    """Rows of a value each."""
    return [numpy.repeat(numpy.array(values, "float32")[:, None], width, 1)]


class Process:
    """Gives 10 times its input. Rows of 1 are refused, rows of 2 end the process, and rows of 3 end it the first time."""

    def __init__(self, failures):
        self.failures, self.starts, self.runs, self.ended, self.stopped = failures, 1, [], 0, False

    def run(self, arrays):
        rows = arrays[0][:, 0].tolist()
        self.runs.append(rows)
        if 1 in rows:
            raise self.failures.RequestFailed(f"refused in a run of {len(rows)}")
        if 2 in rows or 3 in rows and not self.ended:
            self.ended += 1
            raise self.failures.ProcessDied("the process ended")
        if 4 in rows and len(rows) > 1:
            return [numpy.zeros((1, 2))]
        return [10 * arrays[0]]

    def stop(self):
        self.stopped = True


@needs("prometheus_client")
class BatcherTest(unittest.TestCase):
    def infer(self, requests, rows=8, delay=0.0, between=None):
        """The first elements of the results of requests that come at the same time, or why there are none; and the process."""
        from skriptnd.serve import process as failures
        from skriptnd.serve.batching import Batcher
        from skriptnd.serve.metrics import Metrics

        process, metrics = Process(failures), Metrics()

        async def main():
            layout = SimpleNamespace(batch=rows) if rows else None
            batcher = Batcher("m", [process], layout, delay, metrics)
            tasks = [asyncio.create_task(batcher.infer(arrays)) for arrays in requests]
            if between:
                await asyncio.sleep(0)
                between(tasks)
            found = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 30)
            await batcher.close()
            return found

        found = asyncio.run(main())
        self.assertTrue(process.stopped)
        self.text = metrics.text().decode()
        return [result if isinstance(result, BaseException) else result[0][:, 0].tolist() for result in found], process

    def test_requests_run_together(self):
        found, process = self.infer([request(5), request(6, 7), request(8)])
        self.assertEqual(found, [[50], [60, 70], [80]])
        self.assertEqual(process.runs, [[5, 6, 7, 8]])
        self.assertIn('skriptnd_run_requests_sum{model="m"} 3.0', self.text)

    def test_no_run_has_more_rows_than_it_may(self):
        found, process = self.infer([request(5, 5, 5), request(6, 6), request(7), request(8, 8, 8, 8, 8)], rows=4)
        self.assertEqual(found, [[50] * 3, [60] * 2, [70], [80] * 5])
        self.assertEqual(process.runs, [[5, 5, 5, 7], [6, 6], [8] * 5])

    def test_only_what_is_alike_runs_together(self):
        empty = [numpy.zeros((0, 2), "float32")]
        found, process = self.infer([request(5), request(6, width=3), empty, request(7)])
        self.assertEqual(found, [[50], [60], [], [70]])
        self.assertEqual(process.runs, [[5, 7], [6], []])
        _, process = self.infer([request(5), request(6)], rows=None)
        self.assertEqual(process.runs, [[5], [6]])

    def test_a_request_that_is_refused_fails_alone(self):
        found, process = self.infer([request(5), request(1), request(6)])
        self.assertEqual([found[0], str(found[1]), found[2]], [[50], "refused in a run of 1", [60]])
        self.assertEqual(process.runs, [[5, 1, 6], [5], [1], [6]])
        self.assertIn('skriptnd_requests_alone_total{model="m"} 3.0', self.text)
        (found,), process = self.infer([request(1)])
        self.assertEqual((str(found), process.runs), ("refused in a run of 1", [[1]]))

    def test_a_request_that_ends_the_process_fails_alone(self):
        found, process = self.infer([request(5), request(2), request(6)])
        self.assertEqual([found[0], str(found[1]), found[2]], [[50], "the process ended", [60]])
        self.assertEqual(process.runs, [[5, 2, 6], [5], [2], [2], [6]])
        (found,), process = self.infer([request(2)])
        self.assertEqual((str(found), process.runs), ("the process ended", [[2], [2]]))

    def test_a_process_that_something_else_ended_costs_no_request(self):
        self.assertEqual(self.infer([request(5), request(3), request(6)])[0], [[50], [30], [60]])
        self.assertEqual(self.infer([request(3)])[0], [[30]])

    def test_nor_does_one_that_ended_while_each_runs_alone(self):
        found, process = self.infer([request(3), request(1)])
        self.assertEqual((found[0], str(found[1])), ([30], "refused in a run of 1"))
        self.assertEqual(process.runs, [[3, 1], [3], [3], [1]])

    def test_results_of_other_rows_are_not_given_out(self):
        found, process = self.infer([request(4), request(5)])
        self.assertEqual((found, process.runs), ([[40], [50]], [[4, 5], [4], [5]]))

    def test_what_nobody_waits_for_is_not_run(self):
        found, process = self.infer([request(5), request(6), request(7)], rows=None, between=lambda tasks: tasks[1].cancel())
        self.assertIsInstance(found[1], asyncio.CancelledError)
        self.assertEqual(process.runs, [[5], [7]])

    def test_the_end_fails_what_waits(self):
        from skriptnd.serve import process as failures
        from skriptnd.serve.batching import Batcher
        from skriptnd.serve.metrics import Metrics

        async def main():
            batcher = Batcher("m", [Process(failures)], None, 0.0, Metrics())
            task = asyncio.create_task(batcher.infer(request(5)))
            await asyncio.sleep(0)
            await batcher.close()
            return (await asyncio.wait_for(asyncio.gather(task, return_exceptions=True), 30))[0]

        self.assertIn("stops", str(asyncio.run(main())))


if __name__ == "__main__":
    unittest.main()
