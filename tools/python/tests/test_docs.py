"""The examples of pages do what the pages say.

Blocks run in their order, in one folder: those of Python, those of the shell (`sh`), and files, whose first line is their name. What
needs a package says so in its first line (``# with torch, onnx``).
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import unittest
from typing import Iterator, List, Tuple

import numpy
from support import COUNTER, ModelTest, onnx_affine

from skriptnd import executable

DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs"


def blocks(page: pathlib.Path) -> Iterator[Tuple[str, str]]:
    """The languages and texts of the examples on a page."""
    for language, text in re.findall(r"^```(\w+)\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE):
        is_file = language == "sknd" and re.match(r"# \S+\.sknd\n", text)
        if is_file or language in ("python", "sh"):
            yield language, text


def missing(text: str) -> List[str]:
    """The packages that an example needs and that are not installed."""
    wanted = re.match(r"# with ([\w, ]+)\n", text)
    names = wanted.group(1).split(", ") if wanted else []
    return [name for name in names if importlib.util.find_spec(name) is None]


class PageTest(ModelTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        commands = self.folder / "bin"
        commands.mkdir()
        (commands / "skriptnd").symlink_to(executable.find().resolve())
        self.environment = executable.environment(executable.find())
        self.environment["PATH"] = f"{commands}{os.pathsep}{self.environment['PATH']}"

    def check(self, name: str, least: int) -> None:
        """Runs the examples of a page; there are at least so many."""
        found = list(blocks(DOCS / name))
        self.assertGreaterEqual(len(found), least)
        names, lacking = {}, set()
        for number, (language, text) in enumerate(found):
            with self.subTest(page=name, example=number + 1):
                code = compile(text, f"{name}, example {number + 1}", "exec") if language == "python" else None
                if missing(text):
                    lacking.update(missing(text))
                elif code is not None:
                    exec(code, names)
                elif language == "sh":
                    self.run_in_shell(text)
                else:
                    file = pathlib.Path(text.split("\n", 1)[0][2:])
                    file.parent.mkdir(exist_ok=True)
                    file.write_text(text)
        if lacking:
            self.skipTest(f"examples that need what is not installed are left out: {', '.join(sorted(lacking))}")

    def run_in_shell(self, text: str) -> None:
        done = subprocess.run(["sh", "-e", "-c", text], env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_python(self):
        (self.folder / "model.onnx").write_bytes(onnx_affine())
        self.write(COUNTER, "counter", sum=numpy.zeros(3, "float32"))
        self.check("python.md", 6)

    def test_weights(self):
        self.check("weights.md", 10)

    def test_performance(self):
        self.check("performance.md", 2)

    def test_pytorch(self):
        self.check("pytorch.md", 10)

    def test_scale(self):
        (self.folder / "model.onnx").write_bytes(onnx_affine())
        self.check("scale.md", 6)


if __name__ == "__main__":
    unittest.main()
