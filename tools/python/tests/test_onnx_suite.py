"""ONNX's own tests pass but for those that a page lists: a sample of them, or all where ``SKRIPTND_WHOLE=1`` is set."""

import os
import pathlib
import shutil
import tempfile
import unittest
from unittest import mock

import onnx_emulator
import onnx_page
import onnx_suite

try:
    import onnx
except ImportError:
    onnx = None

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "onnx-tests.md"
SAMPLED = 40

#: On the emulator.
EMULATED = 6


@unittest.skipIf(onnx is None, "the package `onnx` is not installed")
class SuiteTest(unittest.TestCase):
    def test_what_fails_is_on_the_page(self):
        page = PAGE.read_text()
        if onnx.__version__ != onnx_page.version_of(page):
            self.skipTest(f"onnx {onnx.__version__} is installed; the page is about {onnx_page.version_of(page)}")
        tests, failing = onnx_suite.load(), onnx_page.failing(page)
        self.assertLessEqual(failing, set(tests))
        if os.environ.get("SKRIPTND_WHOLE") != "1":
            # Few fail: one of them is always among those that are run.
            keys = {*onnx_suite.sample(tests, SAMPLED), *onnx_suite.sample(failing, 1)}
            tests = {key: tests[key] for key in sorted(keys)}
        with tempfile.TemporaryDirectory() as cache, mock.patch.dict(os.environ, {"SKRIPTND_CACHE": cache}):
            for key, reason in onnx_suite.run(tests, limit=600):
                with self.subTest(test=" ".join(key)):
                    expected = "failure" if key in failing else "success"
                    self.assertEqual("success" if reason is None else "failure", expected, reason)


    @unittest.skipIf(shutil.which("qemu-hexagon") is None, "there is no emulator of Hexagon")
    def test_what_passes_passes_on_hexagon(self):
        tests, failing = onnx_suite.load(), onnx_page.failing(PAGE.read_text())
        keys = onnx_suite.sample(set(tests) - failing, EMULATED)
        with tempfile.TemporaryDirectory() as cache, mock.patch.dict(os.environ, {"SKRIPTND_CACHE": cache}):
            with onnx_emulator.emulating("hexagon"):
                for key, reason in onnx_suite.run({key: tests[key] for key in keys}, limit=600):
                    with self.subTest(test=" ".join(key)):
                        self.assertIsNone(reason)


class PageTest(unittest.TestCase):
    def test_pages_say_what_failed(self):
        outcomes = {
            ("node", "test_abs"): None,
            ("node", "test_bernoulli"): "Mismatched elements: 4 / 10 (40%)",
            ("node", "test_concat"): "`x`: elements of type string can't be said (and 1 more)",
            ("pytorch-operator", "test_cut"): "node `y` (Cut): there is no translation of this operator",
            ("pytorch-operator", "test_off"): "Mismatched elements: 1 / 2 (50%)",
        }
        page = onnx_page.text_of("1.2.3", outcomes)
        self.assertEqual(onnx_page.version_of(page), "1.2.3")
        self.assertEqual(onnx_page.failing(page), {key for key, reason in outcomes.items() if reason is not None})
        for row in (
            "| node | 3 | 1 | 33.3 % |",
            "| `test_concat` | node | elements of type string can't be said |",
            "| `test_cut` | pytorch-operator | `Cut`: there is no translation of this operator |",
            "| `test_off` | pytorch-operator | the values differ |",
        ):
            self.assertIn(row + "\n", page)

    def test_pages_say_what_fails_on_the_emulator(self):
        native = {("node", "test_abs"): None, ("node", "test_add"): None, ("node", "test_cut"): "no `cut`"}
        page = onnx_page.text_of("1.2.3", native, {**native, ("node", "test_add"): "the linker failed"})
        self.assertEqual(onnx_page.failing(page), {("node", "test_cut")})
        self.assertIn("1 of 3 tests pass", page)
        self.assertIn("- `test_add`: the linker failed\n", page)
        self.assertIn("What fails fails natively, too.", onnx_page.text_of("1.2.3", native, native))
        first = {("node", "test_abs"): None}
        self.assertIn("1 of the first 1 tests by name pass", onnx_page.text_of("1.2.3", native, first))


class RunTest(unittest.TestCase):
    def test_failures_crashes_and_waits_are_outcomes(self):
        def fail():
            raise AssertionError("\nNot equal\nMismatched elements: 1 / 2 (50%)\n x: array([1, 2])")

        def sleep():
            import time

            time.sleep(60)

        tests = {
            "passes": lambda: None,
            "fails": fail,
            "crashes": lambda: os.abort(),
            "leaves": lambda: os._exit(3),
            "waits": sleep,
        }
        found = dict(onnx_suite.run({("node", name): test for name, test in tests.items()}, limit=2))
        self.assertEqual(
            {name: reason for (_, name), reason in found.items()},
            {
                "passes": None,
                "fails": "Mismatched elements: 1 / 2 (50%)",
                "crashes": "ended by SIGABRT",
                "leaves": "ended with exit code 3",
                "waits": "took longer than 2 s",
            },
        )

    def test_reasons_are_the_same_in_each_run(self):
        from skriptnd import CompileError

        for text, reason in (
            ("skriptnd: error: /tmp/a1/model.onnx: node `y` (Cut): no", "node `y` (Cut): no"),
            ("skriptnd: error: /tmp/a/model.onnx: x\nskriptnd: error: /tmp/a/model.onnx: y", "x (and 1 more)"),
            ("/tmp/b2/main.sknd:5:9: error: cut", "main.sknd:5:9: error: cut"),
        ):
            self.assertEqual(onnx_suite.told(CompileError(text)), reason)
        self.assertEqual(onnx_suite.told(TypeError("off")), "TypeError: off")


if __name__ == "__main__":
    unittest.main()
