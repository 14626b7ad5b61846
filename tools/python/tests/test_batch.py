"""Models over data sets: chunks, rows that fail, jobs that go on, in one process."""

import os
import pickle
import subprocess
import sys
import unittest
from unittest import mock

import numpy
from batch_support import OUTSIDE, TABLE, Computed, LookupTest, needs
from support import AFFINE, FLOAT, GATHER, ModelTest, node, onnx_model, value_info

import skriptnd
from skriptnd import batch, compiling
from skriptnd.batch.independence import check_independent

X = numpy.arange(15, dtype="float32").reshape(5, 3)


def onnx_rows(count):
    """`y = -x`, for so many rows, or any number of them."""
    tensors = [value_info("x", FLOAT, [count, 3])], [value_info("y", FLOAT, [count, 3])]
    return onnx_model([node("Neg", ["x"], ["y"])], *tensors)


class PredictorTest(LookupTest):
    def onnx(self, count, **options):
        path = self.folder / "rows.onnx"
        path.write_bytes(onnx_rows(count))
        return batch.Predictor(path, **options)

    def test_takes_any_number_of_rows(self):
        predictor = self.lookup(batch=4)
        for count in (0, 1, 3, 4, 5, 9):
            indices = numpy.full((count, 2), 7)
            found = predictor({"i": indices, "x": Computed(count)[0:count]})
            self.assertEqual(list(found), ["y", "z"])
            numpy.testing.assert_array_equal(found["y"], TABLE[indices])
            self.assertEqual(found["z"].shape, (count, 3))

    def test_a_batch_is_what_the_model_takes(self):
        self.assertEqual(self.lookup(batch=1000).layout().batch, 64)
        self.assertEqual(self.lookup(batch=7).layout().batch, 7)
        self.assertEqual(self.onnx("N", batch=1000).layout().batch, 1000)
        self.assertEqual(self.onnx("N", bounds={"N": 8}).layout().batch, 8)
        self.assertEqual(self.onnx(4, batch=2).layout().batch, 4)

    def test_the_last_batch_is_filled_up_where_a_model_has_a_number_of_rows(self):
        predictor = self.onnx(4)
        for count in (0, 1, 4, 5):
            numpy.testing.assert_array_equal(predictor({"x": X[:count]})["y"], -X[:count])

    def test_a_process_makes_a_model_once(self):
        predictor = self.lookup()
        held = mock.patch("skriptnd.batch.predictor._held", {})
        with held, mock.patch.object(compiling, "compile", wraps=compiling.compile) as made:
            for _ in range(3):
                copy = pickle.loads(pickle.dumps(predictor))
                self.assertIs(copy.model(), predictor.model())
        self.assertEqual(made.call_count, 1)
        self.assertLess(len(pickle.dumps(predictor)), 1000)

    def test_another_model_at_the_same_place_is_another_model(self):
        before = self.onnx("N")
        self.assertEqual(before({"x": X})["y"].tolist(), (-X).tolist())
        self.assertEqual(self.onnx(4).layout().batch, 4)
        with mock.patch("skriptnd.batch.predictor._held", {}):
            with self.assertRaisesRegex(skriptnd.Error, "is another model than when the predictor was made"):
                before.model()

    def test_a_process_keeps_some_models(self):
        with mock.patch("skriptnd.batch.predictor._held", {}) as held, mock.patch("skriptnd.batch.predictor._MOST_HELD", 2):
            models = [self.lookup(threads=threads).model() for threads in (1, 2, 1, 3)]
            self.assertIs(models[0], models[2])
            self.assertEqual(list(held.values()), models[2:])

    def test_takes_what_is_compiled(self):
        predictor = batch.Predictor(self.lookup().model().save(self.folder / "compiled"))
        self.assertEqual(predictor({"i": numpy.zeros((1, 2), "int64"), "x": X[:1]})["z"].tolist(), [[0, 2, 4]])
        with self.assertRaisesRegex(skriptnd.Error, "is compiled: cpu can't be chosen any more"):
            batch.Predictor(self.folder / "compiled", cpu="generic").model()

    def test_constants_are_the_same_for_all(self):
        folder = self.write(GATHER, "gather")
        predictor = batch.Predictor(folder, constants={"x": X[0, :1].repeat(4)})
        self.assertEqual(predictor({"i": numpy.array([1, 2])})["y"].tolist(), [0, 0])
        with self.assertRaisesRegex(skriptnd.Error, "no input `z`; its inputs: `x`, `i`"):
            batch.Predictor(folder, constants={"z": 1}).layout()
        with self.assertRaisesRegex(skriptnd.ShapeError, r"different first extents: `x` \[4\], `i` \[2\]; `constants`"):
            batch.Predictor(folder).layout()

    def test_outputs_have_a_row_for_each(self):
        folder = self.write(AFFINE, "affine", scale=numpy.ones(3, "float32"))
        with self.assertRaisesRegex(skriptnd.ShapeError, r"output `doubled` is \[4, 3\] for 2 rows; `outputs` names"):
            batch.Predictor(folder)({"x": X[:2]})
        self.assertEqual(list(batch.Predictor(folder, outputs=["y"])({"x": X})), ["y"])
        for wanted, message in ((["no"], "no output `no`; its outputs: `y`, `doubled`"), ([], "no output is wanted")):
            with self.assertRaisesRegex(skriptnd.Error, message):
                batch.Predictor(folder, outputs=wanted).layout()

    def test_states_are_refused(self):
        self.counter()
        with self.assertRaisesRegex(skriptnd.Error, r"has states \(`main.Counter.sum`\): its results depend on what ran before"):
            batch.Predictor(self.folder / "counter").layout()

    def test_what_is_given_wrong_is_told(self):
        for arguments, kind, message in (
            ({"batch": 0}, skriptnd.Error, "at least one row, not 0"),
            ({"threads": -1}, skriptnd.Error, "threads are a whole number"),
            ({"bound": 1}, TypeError, "bound"),
        ):
            with self.assertRaisesRegex(kind, message):
                self.lookup(**arguments)
        with self.assertRaisesRegex(TypeError, "a predictor's model is a path"):
            batch.Predictor(b"")


class IndependenceTest(ModelTest):
    NORM = """
import math;

graph Norm {
    @input { x: real[n|64, 3]; }
    @output { y: real[n|64, 3]; }
    @compose {
        m = math.mean_reduce{axes=[AXIS]}(x);
        y = math.sub(x, m);
    }
}
"""

    def checked(self, axis):
        predictor = batch.Predictor(self.write(self.NORM.replace("AXIS", str(axis)), f"norm{axis}"))
        return check_independent(predictor.model(), predictor.layout(), {})

    def test_rows_that_depend_on_each_other_are_found(self):
        self.assertTrue(self.checked(1))
        with self.assertRaisesRegex(skriptnd.Error, "in output `y`, a row is another one beside others than alone"):
            self.checked(0)
        numpy.save(self.folder / "x.npy", X)
        with self.assertRaisesRegex(skriptnd.Error, "the rows of the model depend on each other"):
            batch.Job(batch.Predictor(self.folder / "norm0"), {"x": self.folder / "x.npy"}, self.folder / "results")
        self.assertFalse((self.folder / "results").exists())


class SourceTest(ModelTest):
    def test_files_are_read_by_rows(self):
        for array in (X, X[:0], numpy.ones((2, 0), "int8"), numpy.arange(3), numpy.ones((3, 2), ">f4")):
            numpy.save(self.folder / "a.npy", array)
            rows = pickle.loads(pickle.dumps(batch.NpyRows(self.folder / "a.npy")))
            self.assertEqual((rows.shape, rows.dtype), (array.shape, array.dtype))
            for place in (slice(0, 2), slice(1, 100), slice(0, 0), slice(2, 1)):
                numpy.testing.assert_array_equal(rows[place], array[place])

    def test_what_is_no_file_of_rows_is_told(self):
        path = self.folder / "a.npy"
        numpy.save(path, X)
        whole = path.read_bytes()
        wrong = numpy.asfortranarray(X), numpy.float32(1), numpy.array([None])
        told = "elements of a row do not lie side by side", "one number, no rows", "objects of Python"
        for array, message in zip(wrong, told):
            numpy.save(path, array, allow_pickle=True)
            with self.assertRaisesRegex(skriptnd.Error, message):
                batch.NpyRows(path)
        for content, message in ((whole[:-1], "187 bytes; its 5 rows need 188"), (b"text", "is no .npy file"), (b"", "no .npy")):
            path.write_bytes(content)
            with self.assertRaisesRegex(skriptnd.Error, message):
                batch.NpyRows(path)
        with self.assertRaisesRegex(skriptnd.Error, "b.npy can't be read: No such file"):
            batch.NpyRows(self.folder / "b.npy")

    def test_a_file_that_gets_shorter_is_an_error(self):
        numpy.save(self.folder / "a.npy", X)
        rows = batch.NpyRows(self.folder / "a.npy")
        os.truncate(self.folder / "a.npy", 150)
        with self.assertRaisesRegex(skriptnd.Error, "the rows 3 to 4 are there no more"):
            rows[3:5]


class JobTest(LookupTest):
    def test_chunks_are_in_order(self):
        for count in (1, 9, 10, 11, 35):
            with self.subTest(count=count):
                job = self.job(count, batch=4)
                self.assertEqual(job.chunks, -(-count // 10))
                self.assertEqual(str(job.run()), f"{job.chunks} chunks done, 0 failed")
                self.assert_all_there(job, count)
                job.output("y").save(self.folder / "y.npy")
                numpy.testing.assert_array_equal(numpy.load(self.folder / "y.npy"), job.output("y")[:])
                numpy.testing.assert_array_equal(job.output("z")[7:12], 2 * Computed(count)[7 : min(12, count)][: max(count - 7, 0)])
                self.setUp()

    def test_no_rows_are_no_chunks(self):
        job = self.job(0)
        self.assertEqual((job.chunks, str(job.run())), (0, "0 chunks done, 0 failed"))
        self.assertEqual((job.output("y").shape, job.output("y")[:].dtype), ((0, 2, 3), "float32"))

    def test_a_row_that_fails_is_told_and_others_are_done(self):
        job = self.job(35, wrong=[17], batch=4)
        report = job.run()
        self.assertEqual((report.done, [outcome.chunk for outcome in report.failed]), (3, [1]))
        self.assertIn(f"chunk 1 (rows 10 to 19) failed: row 17: stdlib/layout.sknd:", str(report))
        self.assertIn(OUTSIDE, str(report))
        self.assertIn("lookup/main.sknd:10:", report.failed[0].error)
        self.assertEqual((self.folder / "results" / "failed" / "000000001.txt").read_text(), str(report.failed[0]) + "\n")
        with self.assertRaisesRegex(skriptnd.Error, "1 of 4 chunks are not done; the first is chunk 1"):
            job.output("y")

    def test_the_first_row_of_several_is_told(self):
        for wrong in ([0, 3], [3], [9, 5]):
            report = self.job(10, wrong=wrong).run()
            self.assertIn(f"row {min(wrong)}: ", report.failed[0].error)

    def test_a_job_goes_on_where_it_stopped(self):
        self.job(35, wrong=[17]).run()
        told = []
        job = self.job(35)
        self.assertEqual(job.run(told.append).done, 4)
        self.assertEqual([outcome.chunk for outcome in told], [1])
        self.assert_all_there(job, 35)
        self.assertEqual(list(job.missing()), [])

    def test_sources_that_fail_are_told(self):
        job = self.job(20)
        with mock.patch.object(Computed, "__getitem__", side_effect=ValueError("no such row")):
            report = job.run()
        self.assertEqual([outcome.error for outcome in report.failed], ["ValueError: no such row"] * 2)
        with mock.patch.object(Computed, "__getitem__", return_value=X):
            report = job.run()
        self.assertIn("input `x` gives 5 rows for 0 to 9", report.failed[0].error)

    def test_results_of_another_job_are_refused(self):
        self.job(20)
        for options, differing in (({"rows": 7}, "rows of a chunk"), ({"outputs": ["y"]}, "outputs"), ({"cpu": "generic"}, "options")):
            with self.assertRaisesRegex(skriptnd.Error, f"results of another job: it differs in {differing}; give another folder"):
                self.job(20, **options)
        with self.assertRaisesRegex(skriptnd.Error, "differs in shapes"):
            self.job(21)
        with mock.patch("batch_support.TABLE", 2 * TABLE), self.assertRaisesRegex(skriptnd.Error, "differs in model"):
            self.job(20)

    def test_data_of_another_kind_is_refused(self):
        predictor = self.lookup()
        numpy.save(self.folder / "i.npy", numpy.zeros((20, 2), "int32"))
        numpy.save(self.folder / "k.npy", numpy.zeros((20, 3), "int64"))
        i, k, x = self.folder / "i.npy", self.folder / "k.npy", Computed(20)
        for inputs, message in (
            ({"i": i, "x": x}, "input `i`: the elements are int32, but the model has int64"),
            ({"i": k, "x": x}, r"input `i`: rows are \[3\], but the model has \[2\]"),
            ({"i": i, "x": Computed(19)}, "different numbers of rows: `i` 20, `x` 19"),
            ({"i": i}, "inputs are missing: `x`"),
            ({"i": i, "x": x, "z": x}, "no input with rows is called `z`"),
            ({"i": i, "x": 5}, "input `x`: `builtins.int` has no rows"),
            ({"i": numpy.load(i, mmap_mode="r"), "x": x}, "give the path of its .npy file"),
        ):
            with self.assertRaisesRegex(skriptnd.Error, message):
                batch.Job(predictor, inputs, self.folder / "results")
        self.assertFalse((self.folder / "results").exists())

    def test_outputs_of_a_job_are_rows_of_another(self):
        first = self.job(25)
        first.run()
        (self.folder / "rows.onnx").write_bytes(onnx_rows("N"))
        second = batch.Job(batch.Predictor(self.folder / "rows.onnx"), {"x": first.output("z")}, self.folder / "second", rows=4)
        self.assertEqual(second.run().failed, ())
        numpy.testing.assert_array_equal(second.output("y")[:], -2 * Computed(25)[0:25])

    @needs("zarr")
    def test_arrays_of_zarr_have_rows(self):
        import zarr

        self.indices(25)
        x = zarr.create_array(str(self.folder / "x.zarr"), shape=(25, 3), chunks=(4, 3), dtype="float32")
        x[:] = Computed(25)[0:25]
        job = batch.Job(self.lookup(), {"i": self.folder / "i.npy", "x": x}, self.folder / "results", rows=10)
        self.assertEqual(pickle.loads(pickle.dumps(job)).run().done, 3)
        self.assert_all_there(job, 25)

    def test_a_full_disk_leaves_no_half_chunks(self):
        job = self.job(20)
        with mock.patch("os.fsync", side_effect=OSError(28, "No space left on device")):
            report = job.run()
        self.assertEqual([outcome.error for outcome in report.failed], ["OSError: [Errno 28] No space left on device"] * 2)
        self.assertEqual(list((self.folder / "results" / "work").iterdir()), [])
        self.assertEqual(job.run().done, 2)
        self.assert_all_there(job, 20)

    def test_a_process_that_is_killed_leaves_no_half_chunks(self):
        job = self.job(35, deadly=25)
        script = "import pickle, sys; pickle.load(sys.stdin.buffer).run()"
        tests, package = (os.path.dirname(os.path.dirname(os.path.abspath(place))) for place in (__file__, skriptnd.__file__))
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.path.join(tests, "tests"), package])}
        ended = subprocess.run([sys.executable, "-c", script], input=pickle.dumps(job), env=environment)
        self.assertEqual(ended.returncode, -9)
        self.assertEqual(list(job.missing()), [2, 3])
        self.assertEqual(len(list((self.folder / "results" / "work").iterdir())), 1)
        job = self.job(35)
        self.assertEqual(job.run().done, 4)
        self.assert_all_there(job, 35)


if __name__ == "__main__":
    unittest.main()
