"""Calls of models: names, types, shapes, memory, states, threads."""

import gc
import pickle
import re
import threading
import unittest

import numpy
from support import AFFINE, COUNTER, FOUND, GATHER, KINDS, PACKS, ModelTest

import skriptnd

X = numpy.arange(6, dtype="float32").reshape(2, 3)
Y = X * numpy.array([1, 2, 3], "float32")


#: What is worth sharing among threads.
LARGE = """import linalg;
import math;

graph G {
    @input {
        x: real[128, 128];
    }
    @output {
        y: real[128, 128];
    }
    @compose {
        z = linalg.matmul(x, x);
        y = math.sqrt(z);
    }
}
"""


class Exported:
    """An array that gives its memory by DLPack alone."""

    def __init__(self, array, version=True):
        self.array, self.version = array, version

    def __dlpack__(self, **named):
        if named and not self.version:
            raise TypeError("made before version 1")
        return self.array.__dlpack__(**named) if self.version else self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Elsewhere(Exported):
    """A tensor of a GPU."""

    def __dlpack_device__(self):
        return 2, 0


class CallTest(ModelTest):
    def test_describes_its_tensors(self):
        model = self.affine()
        self.assertEqual(model.inputs, (("x", "float32", ("n", 3)),))
        self.assertEqual(model.outputs, (("y", "float32", ("n", 3)), ("doubled", "float32", ("2 * n", 3))))
        self.assertEqual(model.bounds, {"n": 64})
        self.assertEqual(model.states, ())
        self.assertIn("`x` -> `y`, `doubled`", repr(model))

    def test_takes_inputs_by_place_and_by_name(self):
        model = self.affine()
        for y, doubled in (model(X), model(x=X), model.session()(X)):
            numpy.testing.assert_array_equal(y, Y)
            numpy.testing.assert_array_equal(doubled, numpy.concatenate([Y, Y]))
        (doubled,) = model.run(["doubled"], {"x": X})
        self.assertEqual(doubled.shape, (4, 3))
        self.assertEqual(len(model.run(None, {"x": X})), 2)

    def test_takes_other_extents_each_time(self):
        model = self.affine()
        for rows in (1, 64, 0, 5, 1):
            x = numpy.ones((rows, 3), "float32")
            y, doubled = model(x)
            self.assertEqual((y.shape, doubled.shape), ((rows, 3), (2 * rows, 3)))
            self.assertTrue((y == [1, 2, 3]).all())

    def test_remembers_few_of_many_shapes(self):
        session = self.affine().session()
        for rows in [*range(65), *range(65)]:
            self.assertEqual(session(numpy.ones((rows, 3), "float32"))[0].shape, (rows, 3))

    def test_gives_new_arrays(self):
        model = self.affine()
        first, _ = model(X)
        second, _ = model(2 * X)
        numpy.testing.assert_array_equal(first, Y)
        numpy.testing.assert_array_equal(second, 2 * Y)

    def test_tells_shapes_that_data_determine(self):
        model = skriptnd.compile(self.write(FOUND))
        self.assertIsInstance(model.outputs[0].shape[1], str)
        for truths in ([0, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 0]):
            x = numpy.array(truths, "bool")
            numpy.testing.assert_array_equal(model(x), numpy.nonzero(x))
        out = numpy.full((1, 16), -1)
        found = model(numpy.array([0, 1, 0, 0], "bool"), out=out)
        self.assertEqual((found.tolist(), numpy.shares_memory(found, out)), ([[1]], True))

    def test_has_integers_and_truth_values(self):
        model = skriptnd.compile(self.write(KINDS))
        self.assertEqual([port.dtype for port in model.inputs], ["int64", "bool"])
        j, c = model(numpy.array([1, 2]), numpy.array([True, False]))
        self.assertEqual((j.dtype, j.tolist()), (numpy.int64, [2, 4]))
        self.assertEqual((c.dtype, c.tolist()), (numpy.bool_, [False, True]))

    def test_takes_numbers_and_lists(self):
        model = self.affine()
        numpy.testing.assert_array_equal(model([[0, 1, 2], [3, 4, 5.0]])[0], Y)
        kinds = skriptnd.compile(self.write(KINDS))
        self.assertEqual(kinds([1, 2], [True, False])[0].tolist(), [2, 4])
        with self.assertRaisesRegex(skriptnd.DtypeError, "`i`: the elements are float64, but the model has int64"):
            kinds([1.5, 2], [True, False])
        with self.assertRaisesRegex(skriptnd.DtypeError, "`b`: the elements are int64, but the model has bool"):
            kinds([1, 2], [1, 0])

    def test_packs_are_arrays_of_tensors(self):
        model = skriptnd.compile(self.write(PACKS))
        self.assertEqual([port.shape for port in model.inputs], [("n", 2), (2,)])
        z = numpy.array([7, 8], "float32")
        for count in (0, 1, 4):
            xs = numpy.arange(2 * count, dtype="float32").reshape(count, 2)
            ys = model(xs, z)
            numpy.testing.assert_array_equal(ys, numpy.concatenate([[z], -xs]))
            numpy.testing.assert_array_equal(model(list(xs) or xs, z), ys)
        with self.assertRaises(skriptnd.ShapeError):
            model(numpy.zeros((5, 2), "float32"), z)

    def test_packs_are_lists_in_onnx(self):
        from skriptnd import packs

        xs, z = skriptnd.compile(self.write(PACKS))._interface.inputs
        self.assertEqual((xs.is_pack, z.is_pack), (True, False))
        pair = [numpy.zeros(2, "float32"), numpy.ones(2, "float32")]
        self.assertEqual(packs.joined(pair, xs).tolist(), [[0, 0], [1, 1]])
        self.assertEqual(packs.joined([], xs).shape, (0, 2))
        self.assertEqual([item.tolist() for item in packs.items(numpy.stack(pair), xs)], [[0, 0], [1, 1]])
        self.assertIs(packs.items(pair[0], z), pair[0])


class FormTest(ModelTest):
    """Tensors that are stored in other forms than they are computed with."""

    def test_integers_stay_narrow(self):
        for name, kind in (("int8", "i8"), ("uint16", "u16"), ("int32", "i32"), ("uint64", "u64")):
            model = skriptnd.compile(self.write(KINDS), storage={"i": kind, "j": kind})
            self.assertEqual((model.inputs[0].dtype, model.outputs[0].dtype), (name, name))
            i = numpy.array([1, 2], name)
            j, _ = model(i, [True, False])
            self.assertEqual((j.dtype.name, j.tolist()), (name, [2, 4]))
            out = numpy.empty(2, name)
            self.assertIs(model(i, [True, False], out=[out, None])[0], out)
            with self.assertRaisesRegex(skriptnd.DtypeError, f"the elements are int64, but the model has {name}"):
                model(i.astype("int64"), [True, False])
            with self.assertRaises(skriptnd.DtypeError):
                model([1 << 65, 0], [True, False])

    def test_reals_have_other_precisions(self):
        for name, kind in (("float16", "f16"), ("float64", "f64")):
            model = skriptnd.compile(
                self.write(AFFINE, scale=numpy.array([1, 2, 3], "float32")), storage={"x": kind, "y": kind}
            )
            for x in (X.astype(name), Exported(X.astype(name))):
                y, doubled = model(x)
                self.assertEqual((y.dtype.name, doubled.dtype.name), (name, "float32"))
                numpy.testing.assert_array_equal(y, Y)

    def test_bfloat16_needs_a_package_or_memory(self):
        model = skriptnd.compile(
            self.write(AFFINE, scale=numpy.array([1, 2, 3], "float32")), storage={"x": "bf16", "y": "bf16"}
        )
        self.assertEqual(model.inputs[0].dtype, "bfloat16")
        with self.assertRaisesRegex(skriptnd.DtypeError, "the elements are float64, but the model has bfloat16"):
            model(X.astype("float64"))
        try:
            import ml_dtypes
        except ImportError:
            with self.assertRaisesRegex(skriptnd.Error, "has no bfloat16; install `ml_dtypes`"):
                model._interface.outputs[0].numpy_or_error()
            return
        y, _ = model(X.astype(ml_dtypes.bfloat16))
        self.assertEqual(y.dtype, ml_dtypes.bfloat16)
        numpy.testing.assert_array_equal(y.astype("float32"), Y)


class RefusalTest(ModelTest):
    def setUp(self):
        super().setUp()
        self.model = self.affine()

    def test_other_types_are_not_cast(self):
        for name in ("float64", "float16", "int32", "bool", "complex64"):
            with self.assertRaisesRegex(
                skriptnd.DtypeError, f"input `x`: the elements are {name}, but the model has float32"
            ):
                self.model(X.astype(name))
        with self.assertRaisesRegex(skriptnd.DtypeError, "float32 of another byte order"):
            self.model(X.astype(">f4"))
        with self.assertRaisesRegex(skriptnd.DtypeError, "the elements are float64, but the model has float32"):
            self.model(Exported(X.astype("float64")))
        self.assertTrue(issubclass(skriptnd.DtypeError, TypeError))

    def test_other_shapes(self):
        for shape in ((2, 4), (65, 3), (3,), (1, 2, 3)):
            with self.assertRaises(skriptnd.ShapeError):
                self.model(numpy.ones(shape, "float32"))
        self.assertTrue(issubclass(skriptnd.ShapeError, ValueError))

    def test_elements_that_lie_apart(self):
        for scattered in (X.T.copy().T, Exported(X.T.copy().T)):
            with self.assertRaisesRegex(skriptnd.ShapeError, "do not lie side by side"):
                self.model(scattered)

    def test_other_names_and_counts(self):
        for call, text in (
            (lambda: self.model(z=X), "no input `z`; its inputs: `x`"),
            (lambda: self.model.run(None, {}), "the model has 1 inputs"),
            (lambda: self.model(X, x=X), "`x` is given twice"),
            (lambda: self.model(X, X), r"has 1 inputs \(x\); 2 were given"),
            (lambda: self.model.run(["z"], {"x": X}), "no output `z`; its outputs: `y`, `doubled`"),
            (lambda: self.model(X, out=X), "has 2 outputs; memory for 1 was given"),
        ):
            with self.assertRaisesRegex(skriptnd.Error, text):
                call()

    def test_devices(self):
        with self.assertRaisesRegex(skriptnd.Error, r"on the device \(2, 0\) of DLPack"):
            self.model(Elsewhere(X))

    def test_faults_of_data(self):
        model = skriptnd.compile(self.write(GATHER))
        x, good = numpy.arange(4, dtype="float32"), numpy.array([3, 0])
        self.assertEqual(model(x, good).tolist(), [3, 0])
        with self.assertRaisesRegex(skriptnd.FaultError, "main.sknd:"):
            model(x, numpy.array([0, 4]))
        self.assertEqual(model(x, good).tolist(), [3, 0])

    def test_models_that_are_wrong(self):
        for text, said in (("graph", "main.sknd:1:"), (COUNTER.replace("x, sum", "x, summ"), "summ")):
            with self.assertRaisesRegex(skriptnd.CompileError, said):
                skriptnd.compile(self.write(text, "wrong"))
        with self.assertRaisesRegex(skriptnd.Error, "is not there"):
            skriptnd.compile(self.folder / "none.onnx")
        with self.assertRaisesRegex(TypeError, "not `builtins.int`"):
            skriptnd.compile(3)
        with self.assertRaisesRegex(skriptnd.Error, "for ONNX models"):
            skriptnd.compile(self.write(COUNTER, "wrong"), bounds={"n": 3})
        for path in ("none", "wrong"):
            with self.assertRaisesRegex(skriptnd.Error, "artifact"):
                skriptnd.load(self.folder / path)


class MemoryTest(ModelTest):
    def test_takes_memory_by_dlpack(self):
        model = self.affine()
        for exported in (Exported(X), Exported(X, version=False), Exported(X[1:]), Exported(X[:0])):
            numpy.testing.assert_array_equal(model(exported)[0], model(exported.array)[0])

    def test_memory_that_is_lent_is_given_back(self):
        x = numpy.ones((2, 3), "float32")
        model, exported = self.affine(), Exported(x)
        import sys

        model(exported)
        before = sys.getrefcount(x)
        for _ in range(10):
            model(exported)
        self.assertEqual(sys.getrefcount(x), before)

    def test_takes_what_must_not_be_written_to(self):
        x = X.copy()
        x.flags.writeable = False
        numpy.testing.assert_array_equal(self.affine()(x)[0], Y)

    def test_writes_to_given_memory(self):
        model = self.affine()
        y, doubled = numpy.empty((2, 3), "float32"), numpy.empty((4, 3), "float32")
        found = model(X, out=(y, doubled))
        self.assertIs(found[0], y)
        self.assertIs(found[1], doubled)
        numpy.testing.assert_array_equal(y, Y)
        y[:] = 0
        found = model.run(["y"], {"x": X}, out={"y": y})
        self.assertIs(found[0], y)
        numpy.testing.assert_array_equal(y, Y)
        y[:] = 0
        model(X, out=[Exported(y), None])
        numpy.testing.assert_array_equal(y, Y)

    def test_refuses_memory_that_will_not_do(self):
        model, read_only = self.affine(), numpy.empty((2, 3), "float32")
        read_only.flags.writeable = False
        for out, text in (
            (numpy.empty((3, 3), "float32"), r"`y`: the array's shape is \(3, 3\), but the output's is \(2, 3\)"),
            (numpy.empty((2, 3)), "output `y`: the elements are float64"),
            (numpy.empty((3, 2), "float32").T, "do not lie side by side"),
            (read_only, "read-only"),
            ([[0.0]], "is no memory to write to"),
            (X, "memory of output 0 is used twice"),
        ):
            with self.assertRaisesRegex(skriptnd.Error, text):
                model(X, out=[out, None])


class StateTest(ModelTest):
    def test_sessions_have_states_of_their_own(self):
        model, one = self.counter(), numpy.ones(3, "float32")
        self.assertEqual([state.shape for state in model.states], [(3,)])
        (name,) = [state.name for state in model.states]
        first, second = model.session(), model.session()
        first(one)
        self.assertEqual(first(one).tolist(), [2, 2, 2])
        self.assertEqual(second(one).tolist(), [1, 1, 1])
        self.assertEqual(first.get_state(name).tolist(), [2, 2, 2])
        first.set_state(name, numpy.full(3, 10, "float32"))
        self.assertEqual(first(one).tolist(), [11, 11, 11])
        first.save(self.folder / "states")
        first.reset()
        self.assertEqual(first(one).tolist(), [1, 1, 1])
        second.load(self.folder / "states")
        self.assertEqual(second(one).tolist(), [12, 12, 12])
        self.assertEqual([model(one)[0], model(one)[0]], [1, 2])

    def test_other_states_are_refused(self):
        session = self.counter().session()
        (name,) = [state.name for state in session.states]
        with self.assertRaisesRegex(skriptnd.Error, f"no state `z`; its states: `{name}`"):
            session.get_state("z")
        with self.assertRaises(skriptnd.DtypeError):
            session.set_state(name, numpy.zeros(3))
        with self.assertRaises(skriptnd.Error):
            session.set_state(name, numpy.zeros(4, "float32"))
        with self.assertRaises(skriptnd.Error):
            session.load(self.folder / "none")
        with self.assertRaisesRegex(skriptnd.Error, "64 bits"):
            session.seed(-1)


class ThreadTest(ModelTest):
    def together(self, work, count=4):
        failures = []

        def guarded(number):
            try:
                work(number)
            except Exception as error:  # noqa: BLE001 - told below
                failures.append(error)

        threads = [threading.Thread(target=guarded, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_threads_call_one_model(self):
        model = self.affine()

        def work(number):
            for rows in range(1, 30):
                x = numpy.full((rows, 3), number, "float32")
                self.assertTrue((model(x)[0] == x * [1, 2, 3]).all())

        self.together(work)

    def test_threads_take_turns_on_states(self):
        model, one = self.counter(), numpy.ones(3, "float32")
        self.together(lambda number: [model(one) for _ in range(25)])
        self.assertEqual(model(one).tolist(), [101, 101, 101])

    def test_threads_share_the_work_of_a_run(self):
        folder = self.folder / "large"
        folder.mkdir()
        (folder / "main.sknd").write_text(LARGE)
        x = numpy.random.default_rng(1).random((128, 128), "float32")
        model = skriptnd.compile(folder, threads=1)
        alone = model(x)
        self.assertTrue(numpy.allclose(alone, numpy.sqrt(x @ x), rtol=1e-4))
        for threads in (0, 2, 3, 16):
            self.assertEqual(skriptnd.load(model.artifact, threads=threads)(x).tobytes(), alone.tobytes())
        self.assertEqual(skriptnd.compile(folder, threads=2).artifact, model.artifact)
        several = skriptnd.load(model.artifact, threads=2)
        self.together(lambda number: [self.assertEqual(several(x).tobytes(), alone.tobytes()) for _ in range(20)])
        for wrong in (-1, 5000, 2.5, True, "2", None):
            with self.assertRaisesRegex(skriptnd.Error, "threads are a whole number from 0 to 1024"):
                skriptnd.load(model.artifact, threads=wrong)

    def test_threads_share_a_session(self):
        session = self.affine().session()
        self.together(lambda number: [session(X) for _ in range(25)])


class KeepingTest(ModelTest):
    def test_models_are_pickled(self):
        copy = pickle.loads(pickle.dumps(self.affine()))
        numpy.testing.assert_array_equal(copy(X)[0], Y)

    def test_models_are_saved_and_loaded(self):
        folder = self.affine().save(self.folder / "kept")
        numpy.testing.assert_array_equal(skriptnd.load(folder)(X)[0], Y)
        with self.assertRaisesRegex(skriptnd.Error, "is there already"):
            self.affine().save(folder)

    def test_loads_what_the_compiler_wrote(self):
        from skriptnd import executable

        model = self.write(COUNTER, sum=numpy.ones(3, "float32"))
        library = self.folder / "counter.so"
        executable.run(["compile", str(model), "-o", str(library)])
        loaded = skriptnd.load(library)
        self.assertEqual(loaded(numpy.ones(3, "float32")).tolist(), [2, 2, 2])
        again = skriptnd.load(loaded.save(self.folder / "kept"))
        self.assertEqual(again(numpy.ones(3, "float32")).tolist(), [2, 2, 2])

    def test_libraries_have_their_weights_or_know_where_they_are(self):
        from skriptnd import executable

        model = self.write(COUNTER, sum=numpy.ones(3, "float32"))
        (self.folder / "home").mkdir()
        beside, alone = self.folder / "home" / "beside.so", self.folder / "alone.so"
        model = model.rename(self.folder / "home" / "model")
        executable.run(["compile", str(model), "-o", str(beside)])
        executable.run(["compile", str(model), "-o", str(alone), "--embed-weights"])
        (self.folder / "home").rename(self.folder / "moved")
        for library in (self.folder / "moved" / "beside.so", alone):
            loaded = skriptnd.load(library)
            self.assertEqual(loaded(numpy.ones(3, "float32")).tolist(), [2, 2, 2])
            again = skriptnd.load(loaded.save(self.folder / f"kept-{library.stem}"))
            self.assertEqual(again(numpy.ones(3, "float32")).tolist(), [2, 2, 2])

    def test_libraries_of_other_releases_are_refused(self):
        from skriptnd import executable

        library = self.folder / "counter.so"
        model = self.write(COUNTER, sum=numpy.ones(3, "float32"))
        executable.run(["compile", str(model), "-o", str(library), "--embed-weights"])
        library.write_bytes(re.sub(rb'"abi":\d', b'"abi":1', library.read_bytes()))
        with self.assertRaisesRegex(skriptnd.Error, r"interface is version 1, made by release .*; expected version \d"):
            skriptnd.load(library)

    def test_models_and_sessions_are_freed(self):
        from skriptnd import library

        def living():
            gc.collect()
            return sum(isinstance(thing, library.Tensor) for thing in gc.get_objects())

        model = self.affine()
        path = model.artifact
        model(X)
        del model
        before = living()
        for _ in range(5):
            skriptnd.load(path)(X)
        self.assertEqual(living(), before)

    def test_a_model_ends_without_the_collector(self):
        import weakref

        gc.disable()
        self.addCleanup(gc.enable)
        model = self.affine()
        model(X)
        handle = weakref.ref(model)
        del model
        self.assertIsNone(handle())


if __name__ == "__main__":
    unittest.main()
