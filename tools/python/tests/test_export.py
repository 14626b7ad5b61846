"""Models that are written as ONNX: ONNX's checker takes them, and ONNX Runtime computes what the interpreter does."""

import importlib
import importlib.util
import pathlib
import unittest

import numpy
from support import AFFINE, COUNTER, ModelTest

from skriptnd import executable

MODELS = pathlib.Path(__file__).resolve().parents[3] / "test" / "models"
HAS_ORACLE = all(importlib.util.find_spec(name) for name in ("onnx", "onnxruntime"))

#: Rows that attend to each other; the scale is an operator of the model that is composed, the mask one with a formula.
ATTENTION = """
import layout;
import linalg;
import math;
import nn;

graph Attention {
    @input { x: real[n|16, 8]; }
    @variable { query: real[8, 8]; key: real[8, 8]; value: real[8, 8]; }
    @output { y: real[n|16, 8]; }
    @compose {
        q = nn.linear(x, query);
        k = nn.linear(x, key);
        v = nn.linear(x, value);
        scores = linalg.matmul{transB=true}(q, k);
        scaled = scale{factor=0.125}(scores);
        masked = causal(scaled);
        weights = nn.softmax{axes=[1]}(masked);
        y = linalg.matmul(weights, v);
    }
}

operator scale {
    @attrib { factor: real; }
    @input { x: real[s..]; }
    @output { y: real[s..]; }
    @compose { y = math.mul(x, factor); }
}

operator causal {
    @input { x: real[n, m]; }
    @output { y: real[n, m]; }
    @lower { y[i, j] = j <= i ? x[i, j] : -1000.0, i < n, j < m; }
}
"""

#: A network with steps, windows, and an operator whose iterations depend on the ones before.
STEPS = """
import layout;
import nn;

graph Steps {
    @input { x: real[5, 2, 3]; image: real[1, 2, 9, 8]; }
    @variable { W: real[16, 3]; R: real[16, 4]; B: real[16]; filter: real[4, 2, 3, 3]; }
    @output { y: real[5, 2, 4]; h: real[2, 4]; pooled: real[1, 4, 2, 2]; last: int[2]; }
    @compose {
        y, h, _c = nn.lstm(x, W, R, B);
        conv = nn.conv{stride=[2, 2], padding=[1, 1, 1, 1]}(image, filter);
        active = nn.relu(conv);
        pooled = nn.max_pool{size=[2, 2], stride=[2, 2], padding=[0, 0, 0, 0]}(active);
        last = last_largest(h);
    }
}

operator last_largest {
    @input { x: real[n, m]; }
    @output { y: int[n]; }
    @lower {
        y[i,] = 0, i < n;
        y[i,] := j, i < n, j < m | x[i, j] >= x[i, y[i,]];
    }
}
"""

#: Windows whose padding follows from extents of a run, of reals and of integers in groups.
WINDOWS = """
import nn;

graph Windows {
    @input { x: real[n|4, 2, h|16, v|16]; k: int[n|4, 4, h|16, v|16]; f: int[6, 2, 3, 3]; }
    @variable { w: real[4, 2, 3, 3]; b: real[4]; }
    @output { y: real[~, 4, ~, ~]; least: real[~, 2, ~, ~]; mean: real[~, 2, ~, ~]; z: int[~, 6, ~, ~]; u: real[~, 2, ~, ~]; }
    @compose {
        y = nn.conv{stride=[2, 3], padding_align='LOWER', ceil_mode=true}(x, w, b);
        least = nn.max_pool{size=[2, 2], padding=[3, -1, 3, 1]}(x);
        mean = nn.avg_pool{size=[3, 3], stride=[2, 2]}(x);
        z = nn.conv{stride=2, groups=2}(k, f);
        u = nn.deconv{stride=2, padding=[-1, 0, 2, -1]}(y, w);
    }
}
"""

#: What is read of tensors that may have no elements, and what follows from none.
EMPTY = """
import layout;
import math;

graph Empty {
    @input { x: real[n|4, m|4]; k: int[n|4]; }
    @output { y: real[~, ~]; mean: real[~]; last: real[n|4]; by: int[n|4]; whole: int[n|4, m|4]; }
    @compose {
        y = moved(x);
        mean = math.mean_reduce{axes=[0], squeeze=true}(x);
        last = last(x);
        by = divided(k);
        whole = layout.cast<int>(x);
    }
}

operator moved {
    @input { x: real[n, m]; }
    @output { y: real[n + 2, m + 1]; }
    @lower { y[i, j] += x[|i - 1|, |j - 1|], i < n + 2, j < m + 1; }
}

operator last {
    @input { x: real[n, m]; }
    @output { y: real[n]; }
    @lower { y[i,] = 5.0, i < n; y[i,] := x[i, j], i < n, j < m; }
}

operator divided {
    @input { k: int[n]; }
    @output { y: int[n]; }
    @lower { y[i,] = k[i,] ** 23 / n + 7 ** (k[i,] % 9), i < n; }
}
"""

SEEDED = """
import math;
import rand;

graph Seeded {
    @input { x: real[3]; }
    @output { y: real[3]; z: real[3]; }
    @compose {
        a = rand.uniform{shape=[3], seed=1}();
        b = rand.normal{shape=[3], seed=2}();
        y = math.add(x, a);
        z = math.add(x, b);
    }
}
"""


@unittest.skipUnless(HAS_ORACLE, "the packages `onnx` and `onnxruntime` are not installed")
class OnnxTest(ModelTest):
    def command(self, *arguments):
        """Runs the compiler, which must do what it is asked."""
        done = executable.execute(arguments)
        self.assertEqual(done.code, 0, done.text)

    def exported(self, model, *options):
        """A session of ONNX Runtime, of a model in a folder or a text."""
        if "\n" in str(model):
            path = self.folder / "model.sknd"
            path.write_text(model, encoding="utf-8")
            model = path
        target = self.folder / "model.onnx"
        self.command("export", str(model), "-o", str(target), *options)
        importlib.import_module("onnx").checker.check_model(str(target))
        return model, importlib.import_module("onnxruntime").InferenceSession(str(target), providers=["CPUExecutionProvider"])

    def agree(self, model, feeds, *options):
        """Whether ONNX Runtime computes what the interpreter does."""
        model, session = self.exported(model, *options)
        given = []
        for name, value in feeds.items():
            numpy.save(self.folder / f"{name}.npy", value)
            given += ["--input", f"{name}={self.folder / name}.npy"]
        folder = self.folder / "results"
        self.command("run", str(model), "--backend", "interpret", *given, "--output-dir", str(folder), *options)
        results = session.run(None, feeds)
        for output, found in zip(session.get_outputs(), results):
            expected = numpy.load(folder / f"{output.name}.npy")
            numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5, err_msg=output.name)
        return session

    def test_a_network_with_weights(self):
        image = numpy.random.default_rng(1).random((1, 1, 8, 8), dtype="float32")
        model, session = self.exported(MODELS / "digits")
        shape = [extent if isinstance(extent, int) else 1 for extent in session.get_inputs()[0].shape]
        self.agree(model, {session.get_inputs()[0].name: numpy.resize(image, shape).astype("float32")})

    def test_attention_of_any_number_of_rows(self):
        for rows in (1, 5):
            rows = numpy.random.default_rng(2).standard_normal((rows, 8)).astype("float32")
            self.agree(ATTENTION, {"x": rows}, "--random-variables", "3")

    def test_own_operators_are_functions(self):
        x = numpy.arange(6, dtype="float32").reshape(2, 3)
        self.agree(AFFINE, {"x": x}, "--random-variables", "1")
        model = importlib.import_module("onnx").load(str(self.folder / "model.onnx"))
        self.assertEqual([(function.domain, function.name) for function in model.functions], [("skriptnd.main", "twice")])

    def test_steps_windows_and_dependent_iterations(self):
        numbers = numpy.random.default_rng(4)
        feeds = {name: numbers.standard_normal(shape).astype("float32") for name, shape in (("x", (5, 2, 3)), ("image", (1, 2, 9, 8)))}
        self.agree(STEPS, feeds, "--random-variables", "5")

    def test_windows_over_extents_that_only_a_run_knows(self):
        numbers = numpy.random.default_rng(6)
        for n, h, v in ((1, 7, 8), (2, 5, 5), (0, 6, 9)):
            x = numbers.standard_normal((n, 2, h, v)).astype("float32")
            k, f = numbers.integers(-9, 9, (n, 4, h, v)), numbers.integers(-9, 9, (6, 2, 3, 3))
            session = self.agree(WINDOWS, {"x": x, "k": k, "f": f}, "--random-variables", "7")
            self.assertEqual(len(session.get_outputs()), 5)

    def test_tensors_without_elements(self):
        special = numpy.array([[numpy.inf, -numpy.inf, numpy.nan], [1e20, -9.3e18, 2.5]], "float32")
        for x in (special, special[:0], special[:, :0], special[:0, :0]):
            self.agree(EMPTY, {"x": x, "k": numpy.arange(3, 3 + len(x))})

    def test_names_of_an_imported_model_are_its_own(self):
        onnx = importlib.import_module("onnx")
        floats = lambda name: onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [3])
        node = onnx.helper.make_node("Relu", ["206"], ["out/9"])
        graph = onnx.helper.make_graph([node], "graph", [floats("206")], [floats("out/9")])
        onnx.save(onnx.helper.make_model(graph), str(self.folder / "named.onnx"))
        _, session = self.exported(self.folder / "named.onnx")
        ports = [port.name for port in session.get_inputs() + session.get_outputs()]
        self.assertEqual(ports, ["206", "out/9"])

    def test_what_changes_is_an_input_and_an_output(self):
        _, session = self.exported(COUNTER, "--random-variables", "1")
        x, state = numpy.ones(3, "float32"), numpy.array([1, 2, 3], "float32")
        names = [output.name for output in session.get_outputs()]
        self.assertEqual(names, ["y", "sum.next"])
        for _ in range(2):
            y, state = session.run(None, {"x": x, "sum": state})
        self.assertEqual((y.tolist(), state.tolist()), ([3, 4, 5], [3, 4, 5]))


class RefusedTest(ModelTest):
    def test_all_that_has_no_form_is_told_and_nothing_is_written(self):
        (self.folder / "model.sknd").write_text(SEEDED, encoding="utf-8")
        target = self.folder / "model.onnx"
        done = executable.execute(["export", str(self.folder / "model.sknd"), "-o", str(target)])
        self.assertEqual(done.code, 1, done.text)
        for place, operator in (("9:", "rand.uniform"), ("10:", "rand.normal")):
            self.assertIn(f"model.sknd:{place}", done.text)
            self.assertIn(f"operator `{operator}` has no form in ONNX", done.text)
        self.assertFalse(target.exists())
