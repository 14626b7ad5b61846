"""The examples of docs/python.md do what the page says."""

import importlib.util
import os
import pathlib
import re
import unittest

import numpy
from support import COUNTER, ModelTest, onnx_affine

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "python.md"


class PageTest(ModelTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        (self.folder / "model.onnx").write_bytes(onnx_affine())
        self.write(COUNTER, "counter", sum=numpy.zeros(3, "float32"))

    def test_examples_run(self):
        blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
        self.assertGreater(len(blocks), 5)
        names = {}
        for number, block in enumerate(blocks):
            wanted = re.match(r"# with (\w+)", block)
            with self.subTest(example=number + 1):
                if wanted and importlib.util.find_spec(wanted.group(1)) is None:
                    self.skipTest(f"the package `{wanted.group(1)}` is not installed")
                exec(compile(block, f"{PAGE.name}, example {number + 1}", "exec"), names)


if __name__ == "__main__":
    unittest.main()
