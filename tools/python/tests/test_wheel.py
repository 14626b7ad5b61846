"""The wheel is whole, and the same each time."""

import base64
import contextlib
import hashlib
import importlib.util
import io
import os
import pathlib
import shutil
import unittest
import zipfile

from support import ModelTest

from skriptnd import library

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "wheel.py"


class WheelTest(ModelTest):
    def setUp(self):
        super().setUp()
        description = importlib.util.spec_from_file_location("wheel", SCRIPT)
        self.wheel = importlib.util.module_from_spec(description)
        description.loader.exec_module(self.wheel)
        self.binaries = self.folder / "binaries"
        self.binaries.mkdir()
        # The executable is large, and any file of its kind will do.
        for name in ("libskriptnd.so", "skriptnd"):
            shutil.copyfile(library.find(), self.binaries / name)

    def write_wheel(self):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.wheel.main(self.binaries, "1.2.3", self.folder / "wheels")
        return pathlib.Path(printed.getvalue().strip())

    def test_the_same_files_make_the_same_bytes(self):
        first = self.write_wheel().read_bytes()
        os.utime(self.binaries / "skriptnd", (1, 1))
        self.assertEqual(self.write_wheel().read_bytes(), first)

    def test_it_has_what_it_lists(self):
        path = self.write_wheel()
        self.assertRegex(path.name, r"^skriptnd-1\.2\.3-py3-none-manylinux_2_\d+_\w+\.whl$")
        with zipfile.ZipFile(path) as archive:
            about = "skriptnd-1.2.3.dist-info"
            lines = archive.read(f"{about}/RECORD").decode().splitlines()
            listed = dict(line.split(",", 1) for line in lines)
            self.assertEqual(list(listed), archive.namelist())
            for name in set(listed) - {f"{about}/RECORD"}:
                content = archive.read(name)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual(listed[name], f"sha256={digest},{len(content)}")
            names = ("skriptnd/py.typed", "skriptnd/bin/libskriptnd.so", f"{about}/licenses/LICENSE")
            self.assertLessEqual(set(names), set(listed))
            mode = archive.getinfo("skriptnd/bin/skriptnd").external_attr >> 16
            self.assertEqual(mode, 0o100755)


if __name__ == "__main__":
    unittest.main()
