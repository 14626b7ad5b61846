"""ONNX models: names, symbols, values, weights beside them."""

import os
import unittest
from unittest import mock

import numpy
from support import (
    DOUBLE, FLOAT, FLOAT16, INT32, INT64, UINT8, ModelTest, node, onnx_affine, onnx_model, tensor, value_info,
)

import skriptnd
from skriptnd import executable

X = numpy.arange(6, dtype="float32").reshape(2, 3)
Y = X * numpy.array([1, 2, 3], "float32")

RESHAPE = onnx_model(
    [node("Reshape", ["data:0", "shape"], ["out.y"])],
    [value_info("data:0", FLOAT, [2, 3]), value_info("shape", INT64, [2])],
    [value_info("out.y", FLOAT, ["a", "b"])],
)


class OnnxTest(ModelTest):
    def test_takes_paths_and_bytes(self):
        path = self.folder / "model.onnx"
        path.write_bytes(onnx_affine())
        for model in (path, str(path), onnx_affine(), bytearray(onnx_affine())):
            numpy.testing.assert_array_equal(skriptnd.compile(model)(X), Y)

    def test_symbols_are_names_of_extents(self):
        model = skriptnd.compile(onnx_affine(), bounds={"N": 8})
        (port,) = model.inputs
        self.assertEqual((port.name, port.dtype, port.shape[1]), ("x", "float32", 3))
        self.assertEqual(port.shape[0].lower(), "n")
        self.assertEqual(list(model.bounds.values()), [8])
        with self.assertRaises(skriptnd.ShapeError):
            model(numpy.ones((9, 3), "float32"))

    def test_names_are_those_of_the_model(self):
        model = skriptnd.compile(RESHAPE, values={"shape": numpy.array([3, 2])})
        self.assertEqual([port.name for port in model.inputs], ["data:0"])
        (y,) = model.run(["out.y"], {"data:0": X})
        numpy.testing.assert_array_equal(y, X.reshape(3, 2))

    def test_errors_have_the_names_of_the_model(self):
        nodes = [node("Add", ["x.1", "x.2"], ["y.1"])]
        ports = [value_info("x.1", FLOAT, ["n", 3]), value_info("x.2", FLOAT, ["n", 3])]
        model = skriptnd.compile(onnx_model(nodes, ports, [value_info("y.1", FLOAT, ["n", 3])]))
        with self.assertRaisesRegex(skriptnd.ShapeError, r"input `x\.1` must have shape \[any, 3\], but \[2, 4\] is given"):
            model(numpy.ones((2, 4), "float32"), X)
        with self.assertRaisesRegex(skriptnd.ShapeError, r"input `x\.2` must have shape \[2, 3\], but \[1, 3\] is given"):
            model(X, X[:1])
        with self.assertRaisesRegex(skriptnd.Error, r"output `y\.1`"):
            model(X, X, out=numpy.empty((1, 3), "float32"))
        with self.assertRaisesRegex(skriptnd.DtypeError, r"input `x\.1`"):
            model(X.astype("float64"), X)

    def test_errors_name_the_node(self):
        table = tensor("table", numpy.arange(20, dtype="float32").reshape(5, 4))
        gather = onnx_model(
            [node("Gather", ["table", "i.1"], ["e.1"]), node("Relu", ["e.1"], ["y"])],
            [value_info("i.1", INT64, [2])],
            [value_info("y", FLOAT, [2, 4])],
            [table],
        )
        path = self.folder / "gather.onnx"
        path.write_bytes(gather)
        for source, name in ((gather, "model.onnx"), (path, "(gather|model).onnx")):
            model = skriptnd.compile(source)
            with self.assertRaisesRegex(skriptnd.FaultError, f"^[^/]*{name}: node `e.1` \\(Gather\\): error: index 7"):
                model(numpy.array([0, 7]))
        with self.assertRaisesRegex(skriptnd.CompileError, "node `y` \\(Nothing\\)"):
            skriptnd.compile(onnx_model([node("Nothing", ["x"], ["y"])], [value_info("x", FLOAT, [2])], [value_info("y", FLOAT, [2])]))

    def test_storage_is_said_by_the_names_of_the_model(self):
        nodes = [node("Neg", ["x.1"], ["y.1"])]
        model = onnx_model(nodes, [value_info("x.1", FLOAT, [3])], [value_info("y.1", FLOAT, [3])])
        compiled = skriptnd.compile(model, storage={"x.1": "f16"})
        self.assertEqual([port.dtype for port in (*compiled.inputs, *compiled.outputs)], ["float16", "float32"])

    def test_what_must_be_known_is_told(self):
        with self.assertRaisesRegex(skriptnd.CompileError, "give it by `--value`"):
            skriptnd.compile(RESHAPE)

    def test_doubles_are_warned_of(self):
        ports = [value_info(name, DOUBLE, [2]) for name in "xy"]
        model = onnx_model([node("Exp", ["x"], ["y"])], ports[:1], ports[1:])
        with self.assertWarnsRegex(UserWarning, "computed with 32 bits"):
            compiled = skriptnd.compile(model)
        x = numpy.array([0.0, 1.0])
        numpy.testing.assert_allclose(compiled(x), numpy.exp(x), rtol=1e-6)

    def test_halves_are_rounded_behind_each_node(self):
        nodes = [node("Mul", ["x", "x"], ["square"]), node("Add", ["square", "x"], ["y"])]
        compiled = skriptnd.compile(onnx_model(nodes, *([value_info(name, FLOAT16, [300])] for name in "xy")))
        x = numpy.linspace(-3, 260, 300).astype("float16")
        with numpy.errstate(over="ignore"):
            numpy.testing.assert_array_equal(compiled(x), x * x + x)

    def test_steps_without_a_bound_are_given_one(self):
        weights = {"W": numpy.full((1, 8, 3), 0.1, "f"), "R": numpy.full((1, 8, 2), -0.2, "f")}
        model = onnx_model(
            [
                node("Slice", ["x", "first", "end", "axis"], ["inside"]),
                node("LSTM", ["inside", "W", "R"], ["y", "h"], hidden_size=2),
            ],
            [value_info("x", FLOAT, ["width", "batch", 3])],
            [value_info("h", FLOAT, [1, "batch", 2])],
            [tensor(name, values) for name, values in weights.items()]
            + [tensor(name, numpy.array([at])) for name, at in (("first", 1), ("end", -1), ("axis", 0))],
        )
        with self.assertWarnsRegex(UserWarning, "follows from `width`, which has no bound: 4096 is taken"):
            compiled = skriptnd.compile(model)
        x = numpy.linspace(-1, 1, 7 * 2 * 3, dtype="f").reshape(7, 2, 3)
        h, c = numpy.zeros((2, 2)), numpy.zeros((2, 2))
        for step in x[1:-1].astype("d"):
            gates = step @ weights["W"][0].T + h @ weights["R"][0].T
            i, o, f, g = numpy.split(gates, 4, axis=1)
            logistic = lambda v: 1 / (1 + numpy.exp(-v))
            c = logistic(f) * c + logistic(i) * numpy.tanh(g)
            h = logistic(o) * numpy.tanh(c)
        numpy.testing.assert_allclose(compiled(x)[0], h, atol=1e-6)
        # Steps that a bound limits are not warned of.
        self.assertEqual(skriptnd.compile(model, bounds={"width": 9}).bounds["width"], 9)

    def test_sums_of_integers_are_exact(self):
        # 600 products of 255 and -128 are more than a float has bits for; 40000 products are more than 32 bits.
        for depth, weight in ((64, -128), (600, -128), (40000, 127)):
            weights = numpy.full((depth, 2), weight, "int8")
            weights[0, 1] = 1
            model = onnx_model(
                [node("MatMulInteger", ["x", "w"], ["sums"])],
                [value_info("x", UINT8, [1, depth])],
                [value_info("sums", INT32, [1, 2])],
                [tensor("w", weights)],
            )
            x = numpy.full((1, depth), 255, "uint8")
            with numpy.errstate(over="ignore"):
                expected = x.astype("int32") @ weights.astype("int32")
            numpy.testing.assert_array_equal(skriptnd.compile(model)(x), expected)

    def test_weights_lie_beside_the_model(self):
        path, weights = self.folder / "model.onnx", self.folder / "weights.bin"
        path.write_bytes(onnx_affine(file="weights.bin"))
        weights.write_bytes(numpy.array([1, 2, 3], "float32").tobytes())
        model = skriptnd.compile(path)
        weights.write_bytes(numpy.array([0, 0, 0], "float32").tobytes())
        numpy.testing.assert_array_equal(skriptnd.compile(path)(X), 0 * X)
        numpy.testing.assert_array_equal(skriptnd.load(model.artifact)(X), Y)

    def test_weights_are_given_in_place_of_the_models(self):
        path = self.folder / "weights.safetensors"
        for factor in (2, 5):
            header = b'{"scale":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}'
            scale = numpy.full(3, factor, "float32")
            path.write_bytes(len(header).to_bytes(8, "little") + header + scale.tobytes())
            numpy.testing.assert_array_equal(skriptnd.compile(onnx_affine(), weights=path)(X), factor * X)

    def test_a_second_start_asks_no_compiler(self):
        skriptnd.compile(onnx_affine())
        with mock.patch.object(executable, "run", side_effect=AssertionError("compiled again")):
            numpy.testing.assert_array_equal(skriptnd.compile(onnx_affine())(X), Y)

    def test_files_that_are_none_are_refused(self):
        for content in (b"", b"\xff" * 40, onnx_affine()[:-9]):
            with self.assertRaises(skriptnd.CompileError):
                skriptnd.compile(content)
        self.assertEqual(os.listdir(self.cache / "artifacts"), [])


class InferenceTest(ModelTest):
    def session(self, **named):
        return skriptnd.InferenceSession(onnx_affine(), **named)

    def test_runs_as_onnx_runtime_does(self):
        session = self.session(providers=["CPUExecutionProvider"])
        (x,), (y,) = session.get_inputs(), session.get_outputs()
        self.assertEqual((x.name, x.type, x.shape[1]), ("x", "tensor(float)", 3))
        self.assertEqual((y.name, y.type), ("y", "tensor(float)"))
        for names in (None, [], ["y"]):
            (found,) = session.run(names, {"x": X})
            numpy.testing.assert_array_equal(found, Y)
        (found,) = session.run(None, {"x": X.T.copy().T})
        numpy.testing.assert_array_equal(found, Y)
        self.assertIn("CPUExecutionProvider", session.get_providers())
        self.assertIn("CPUExecutionProvider", skriptnd.get_available_providers())

    def test_takes_options(self):
        options = skriptnd.SessionOptions()
        options.intra_op_num_threads = 1
        options.graph_optimization_level = skriptnd.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.bounds = {"N": 4}
        session = self.session(sess_options=options)
        self.assertEqual(list(session.model.bounds.values()), [4])

    def test_binds_memory(self):
        session, y = self.session(), numpy.empty((2, 3), "float32")
        binding = session.io_binding()
        binding.bind_cpu_input("x", X)
        binding.bind_output("y")
        session.run_with_iobinding(binding)
        numpy.testing.assert_array_equal(binding.copy_outputs_to_cpu()[0], Y)
        binding.bind_input("x", "cpu", 0, numpy.float32, X.shape, X.ctypes.data)
        binding.bind_output("y", "cpu", 0, numpy.float32, y.shape, y.ctypes.data)
        session.run_with_iobinding(binding)
        numpy.testing.assert_array_equal(y, Y)
        value = skriptnd.OrtValue.ortvalue_from_numpy(2 * X)
        binding.bind_ortvalue_input("x", value)
        binding.bind_ortvalue_output("y", skriptnd.OrtValue.ortvalue_from_numpy(y))
        session.run_with_iobinding(binding)
        numpy.testing.assert_array_equal(y, 2 * Y)
        self.assertEqual(binding.get_outputs()[0].shape(), [2, 3])

    def test_what_is_missing_says_so(self):
        session, options = self.session(), skriptnd.SessionOptions()
        for call, name in (
            (lambda: self.session(providers=["CUDAExecutionProvider"]), "provider `CUDAExecutionProvider`"),
            (lambda: setattr(options, "enable_profiling", True), "`enable_profiling`"),
            (lambda: setattr(options, "no_such_option", True), "`no_such_option`"),
            (lambda: options.register_custom_ops_library("a.so"), "custom operators"),
            (lambda: options.add_session_config_entry("session.set_denormal_as_zero", "1"), "denormal"),
            (lambda: session.run_async(None, {}, print), "`run_async`"),
            (session.get_modelmeta, "`get_modelmeta`"),
            (lambda: session.io_binding().bind_output("y", "cuda"), "device `cuda`"),
        ):
            with self.assertRaisesRegex(NotImplementedError, name):
                call()

    def test_options_of_the_inside_have_no_effect(self):
        options = skriptnd.SessionOptions()
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.assertEqual(options.get_session_config_entry("session.intra_op.allow_spinning"), "0")
        session = skriptnd.InferenceSession(onnx_affine(), options)
        # What is `None` is not given.
        numpy.testing.assert_array_equal(session.run(None, {"x": X, "other": None})[0], Y)

    def test_other_providers_are_warned_of(self):
        with self.assertWarnsRegex(UserWarning, "no provider `CUDAExecutionProvider`"):
            self.session(providers=["CUDAExecutionProvider", "CPUExecutionProvider"])


try:
    import onnx
except ImportError:
    onnx = None


@unittest.skipIf(onnx is None, "the package `onnx` is not installed")
class BackendTest(ModelTest):
    def test_runs_models(self):
        from skriptnd import onnx_backend

        model = onnx.load_from_string(onnx_affine())
        prepared = onnx_backend.prepare(model)
        for inputs in ([X], X, {"x": X}):
            numpy.testing.assert_array_equal(prepared.run(inputs)[0], Y)
        numpy.testing.assert_array_equal(onnx_backend.run_model(model, [X]).y, Y)
        self.assertTrue(onnx_backend.supports_device("CPU"))
        self.assertFalse(onnx_backend.supports_device("CUDA"))
        with self.assertRaises(NotImplementedError):
            onnx_backend.prepare(model, "CUDA")

    def test_compiles_for_values_of_inputs(self):
        from skriptnd import onnx_backend

        prepared = onnx_backend.prepare(onnx.load_from_string(RESHAPE))
        for shape in ([3, 2], [6, 1], [3, 2]):
            (y,) = prepared.run([X, numpy.array(shape)])
            numpy.testing.assert_array_equal(y, X.reshape(shape))
        self.assertEqual(len(prepared._models), 2)

    def test_compiles_for_lengths_of_sequences(self):
        from skriptnd import InferenceSession, onnx_backend

        node = onnx.helper.make_node("SequenceInsert", ["s", "x"], ["t"])
        x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [2, 3])
        s, t = (onnx.helper.make_tensor_sequence_value_info(name, onnx.TensorProto.FLOAT, None) for name in "st")
        model = onnx.helper.make_model(onnx.helper.make_graph([node], "graph", [s, x], [t]))
        prepared = onnx_backend.prepare(model)
        for items in ([], [Y], [Y, X[:1]]):
            (found,) = prepared.run([items, X])
            self.assertEqual([item.tolist() for item in found], [item.tolist() for item in [*items, X]])
        with self.assertRaisesRegex(skriptnd.ShapeError, "the same number of dimensions"):
            prepared.run([[Y, Y[0]], X])
        options = skriptnd.SessionOptions()
        options.bounds = {"s": 1}
        s.type.sequence_type.elem_type.tensor_type.CopyFrom(x.type.tensor_type)
        shaped = onnx.helper.make_model(onnx.helper.make_graph([node], "graph", [s, x], [t]))
        session = InferenceSession(shaped.SerializeToString(), options)
        self.assertEqual([(node.name, node.type) for node in session.get_inputs()][0], ("s", "seq(tensor(float))"))
        self.assertEqual([node.name for node in session.get_outputs()], ["t"])
        ((first, second),) = session.run(["t"], {"s": [Y], "x": X})
        numpy.testing.assert_array_equal([first, second], [Y, X])
        with self.assertRaisesRegex(skriptnd.ShapeError, "`s` was compiled for 1 items; 2 were given"):
            session.run(None, {"s": [Y, Y], "x": X})

    def test_optionals_may_hold_nothing(self):
        from skriptnd import onnx_backend

        node = onnx.helper.make_node("OptionalHasElement", ["x"], ["y"])
        held = onnx.helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, [2, 3])
        x = onnx.helper.make_value_info("x", onnx.helper.make_optional_type_proto(held))
        y = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.BOOL, [])
        prepared = onnx_backend.prepare(onnx.helper.make_model(onnx.helper.make_graph([node], "graph", [x], [y])))
        for given in (X, None):
            self.assertEqual(prepared.run([given]).y, given is not None)

    def test_runs_nodes(self):
        from skriptnd import onnx_backend

        add = onnx.helper.make_node("Add", ["a", "b"], ["c"])
        (c,) = onnx_backend.run_node(add, [X, X], outputs_info=[(X.dtype, X.shape)])
        numpy.testing.assert_array_equal(c, 2 * X)


if __name__ == "__main__":
    unittest.main()
