"""Comparing with ONNX Runtime."""

import importlib
import importlib.util
import unittest
from unittest import mock

import numpy
from support import FLOAT, ModelTest, node, onnx_affine, onnx_model, tensor, value_info

import skriptnd
from skriptnd import comparing, executable

X = numpy.arange(6, dtype="float32").reshape(2, 3)
HAS_ORACLE = all(importlib.util.find_spec(name) for name in ("onnx", "onnxruntime"))

#: `y = relu(x * scale - 1)`
NET = onnx_model(
    [node("Mul", ["x", "scale"], ["/a/scaled"]), node("Sub", ["/a/scaled", "one"], ["moved"]), node("Relu", ["moved"], ["y"])],
    [value_info("x", FLOAT, ["N", 3])],
    [value_info("y", FLOAT, ["N", 3])],
    [tensor("scale", numpy.array([1, 2, 3], "float32")), tensor("one", numpy.array([1], "float32"))],
)


def dump(**changed):
    """Values as another runtime gives them, some of them others."""
    scaled = X * numpy.array([1, 2, 3], "float32")
    right = {"x": X, "/a/scaled": scaled, "moved": scaled - 1, "y": numpy.maximum(scaled - 1, 0)}
    return lambda *_: {**right, **changed}


class CompareTest(ModelTest):
    def compare(self, computed, model=NET, **options):
        with mock.patch.object(comparing, "_computed", computed):
            return skriptnd.compare(model, {"x": X}, **options)

    def test_what_agrees_is_told(self):
        found = self.compare(dump())
        self.assertTrue(found.agrees, found.text)
        self.assertEqual((found.compared, found.missing, found.departure), (3, (), None))
        self.assertEqual([(output.name, output.agrees) for output in found.outputs], [("y", True)])

    def test_the_first_node_that_departs_is_left_alone(self):
        moved = dump()()["moved"].copy()
        moved[1, 2] = 4
        found = self.compare(dump(moved=moved), output_dir=self.folder / "alone")
        self.assertFalse(found.agrees)
        departure = found.departure
        self.assertEqual((departure.operator, departure.tensor, departure.index), ("Sub", "moved", (1, 2)))
        self.assertEqual((departure.computed, departure.expected), ("14.0", "4.0"))
        self.assertIn("it departs alone, too", found.text)
        self.assertEqual(found.model, self.folder / "alone" / "node.onnx")
        names = set(numpy.load(self.folder / "alone" / "node.npz").files)
        self.assertEqual(names, {"/a/scaled", "moved"})

    def test_what_is_missing_is_told(self):
        tensors = dump()()
        del tensors["/a/scaled"]
        found = self.compare(lambda *_: tensors)
        self.assertEqual((found.agrees, found.missing, found.compared), (True, ("/a/scaled",), 2))

    def test_a_model_that_is_none_is_refused(self):
        with self.assertRaises(skriptnd.CompileError):
            self.compare(dump(), model=NET[:-9])

    def test_it_says_which_package_is_missing(self):
        with mock.patch.object(comparing.importlib, "import_module", side_effect=ImportError):
            with self.assertRaisesRegex(skriptnd.Error, "needs the package `onnxruntime`, which is not installed"):
                skriptnd.compare(NET, {"x": X})


@unittest.skipUnless(HAS_ORACLE, "the packages `onnx` and `onnxruntime` are not installed")
class OracleTest(ModelTest):
    def test_all_nodes_agree(self):
        path = self.folder / "net.onnx"
        path.write_bytes(NET)
        for model, feeds in ((NET, {"x": X}), (path, [X]), (str(path), [X])):
            found = skriptnd.compare(model, feeds)
            self.assertTrue(found.agrees and found.compared == 3, found)

    def test_inputs_are_checked(self):
        with self.assertRaisesRegex(skriptnd.Error, "no input `z`; its inputs are: x"):
            skriptnd.compare(onnx_affine(), {"z": X})
        with self.assertRaisesRegex(skriptnd.Error, r"1 inputs \(x\), but 2 are given"):
            skriptnd.compare(onnx_affine(), [X, X])

        with self.assertRaisesRegex(skriptnd.Error, "no value is given for the input `x`"):
            skriptnd.compare(onnx_affine(), {})
        with self.assertRaisesRegex(skriptnd.Error, "the model has no input `sr`; its inputs are: x"):
            skriptnd.compare(onnx_affine(), [X], values={"sr": 1})

    def test_results_that_numpy_has_no_arrays_of_are_left_out(self):
        helper = importlib.import_module("onnx").helper
        bfloat16 = 16
        nodes = [
            helper.make_node("Cast", ["x"], ["narrow"], to=bfloat16),
            helper.make_node("Cast", ["narrow"], ["y"], to=FLOAT),
        ]
        ports = [helper.make_tensor_value_info(name, kind, [2, 3]) for name, kind in (("x", FLOAT), ("narrow", bfloat16), ("y", FLOAT))]
        graph = helper.make_graph(nodes, "g", ports[:1], ports[1:])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
        found = skriptnd.compare(model.SerializeToString(), [X])
        self.assertEqual((found.agrees, found.missing), (True, ("narrow",)), found.text)

    def test_the_compiler_is_asked_once(self):
        with mock.patch.object(executable, "execute", wraps=executable.execute) as asked:
            skriptnd.compare(onnx_affine(), [X])
        self.assertEqual(asked.call_count, 1)


if __name__ == "__main__":
    unittest.main()
