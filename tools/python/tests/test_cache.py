"""The cache of artifacts: what tells them apart, how many there are, many processes at once."""

import os
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

import numpy
from support import AFFINE, COUNTER, ModelTest, onnx_affine

import skriptnd
from skriptnd import cache, digest, executable

ONE = numpy.ones(3, "float32")


class KeyTest(ModelTest):
    def test_one_content_is_compiled_once(self):
        first = self.counter()
        with mock.patch.object(executable, "run", side_effect=AssertionError("compiled again")):
            second = self.counter()
            os.rename(self.folder / "counter", self.folder / "moved")
            third = skriptnd.compile(self.folder / "moved")
        self.assertEqual({first.artifact, second.artifact}, {third.artifact})

    def test_content_and_options_count(self):
        artifacts = {self.counter().artifact}
        folder = self.folder / "counter"
        artifacts.add(skriptnd.compile(folder, cpu="x86-64-v2").artifact)
        numpy.save(folder / "sum.npy", ONE)
        changed = skriptnd.compile(folder)
        self.assertEqual(changed(ONE).tolist(), [2, 2, 2])
        artifacts.add(changed.artifact)
        (folder / "main.sknd").write_text(COUNTER.replace("add(x, sum)", "mul(x, sum)"))
        artifacts.add(skriptnd.compile(folder).artifact)
        self.assertEqual(len(artifacts), 4)

    def test_the_build_of_the_compiler_counts(self):
        before = self.counter().artifact
        with mock.patch.object(executable, "identity", return_value="another"):
            self.assertNotEqual(self.counter().artifact, before)

    def test_schedules_of_this_machine_count(self):
        before = self.counter().artifact
        place = self.cache / "schedules" / "machine"
        place.mkdir(parents=True)
        entry = place / "0123456789abcdef.schedule"
        entry.write_text("// One.\n")
        first = self.counter().artifact
        self.assertEqual(self.counter().artifact, first)
        entry.write_text("// Another.\n")
        second = self.counter().artifact
        self.assertEqual(len({before, first, second}), 3)
        folder = self.folder / "counter"
        self.assertEqual(skriptnd.compile(folder, tuned="none").artifact, skriptnd.compile(folder, tuned="none").artifact)
        other = skriptnd.compile(folder, tuned=self.folder / "none")
        self.assertEqual(other(ONE).tolist(), [1, 1, 1])
        entry.write_text("// A third one.\n")
        with mock.patch.object(executable, "run", side_effect=AssertionError) as run:
            with self.assertRaises(AssertionError):
                skriptnd.compile(folder, tuned=self.cache / "schedules")
        arguments = run.call_args.args[0]
        self.assertEqual(arguments[arguments.index("--tuned") + 1], str(self.cache / "schedules"))

    def test_weights_outlive_the_model(self):
        model = self.counter()
        (self.folder / "counter" / "sum.npy").unlink()
        self.assertEqual(skriptnd.load(model.artifact)(ONE).tolist(), [1, 1, 1])

    def test_failures_leave_nothing(self):
        for _ in range(2):
            with self.assertRaises(skriptnd.CompileError):
                skriptnd.compile(self.write("graph {", "wrong"))
        self.assertEqual(self.entries(), [])


class DigestTest(ModelTest):
    def test_external_files_are_found(self):
        long_name = "w" * 200 + ".bin"
        for name in ("weights.bin", long_name):
            (self.folder / name).write_bytes(b"1")
            found = digest.external_files(onnx_affine(file=name), self.folder)
            self.assertEqual(found, [self.folder / name])
        self.assertEqual(digest.external_files(onnx_affine(), self.folder), [])
        uncommon = b"\x12\x0bweights.bin\x0a\x08location"
        self.assertEqual(len(digest.external_files(uncommon, self.folder)), 2)

    def test_external_weights_count(self):
        model, weights = self.folder / "model.onnx", self.folder / "weights.bin"
        model.write_bytes(onnx_affine(file="weights.bin"))
        weights.write_bytes(numpy.array([1, 2, 3], "float32").tobytes())
        before = digest.of_onnx(model, self.cache)
        self.assertEqual(digest.of_onnx(model, self.cache), before)
        weights.write_bytes(numpy.array([1, 2, 4], "float32").tobytes())
        self.assertNotEqual(digest.of_onnx(model, self.cache), before)

    def test_large_files_are_read_once(self):
        path = self.folder / "large"
        path.write_bytes(bytes(2 << 20))
        os.utime(path, (1, 1))
        with mock.patch.object(digest, "_RECENT", -1.0):
            before = digest.of_file(path, self.cache)
        with mock.patch.object(digest, "_digest", side_effect=AssertionError("read again")):
            self.assertEqual(digest.of_file(path, self.cache), before)
        path.write_bytes(bytes(2 << 20) + b"1")
        self.assertNotEqual(digest.of_file(path, self.cache), before)

    def test_what_was_just_written_is_not_trusted(self):
        path = self.folder / "large"
        path.write_bytes(bytes(2 << 20))
        digest.of_file(path, self.cache)
        self.assertFalse(self.cache.exists())


class BoundTest(ModelTest):
    def test_the_longest_unused_goes(self):
        first, second = self.counter().artifact, self.affine().artifact
        os.utime(first / "artifact.json", (2, 2))
        os.utime(second / "artifact.json", (1, 1))
        size = sum(file.stat().st_size for file in first.iterdir())
        with mock.patch.dict(os.environ, {"SKRIPTND_CACHE_BYTES": str(size + 100)}):
            cache.Cache().trim()
        self.assertEqual(self.entries(), [first.name])

    def test_what_was_just_made_stays(self):
        with mock.patch.dict(os.environ, {"SKRIPTND_CACHE_BYTES": "1"}):
            model = self.affine()
            self.assertEqual(self.counter()(ONE).tolist(), [1, 1, 1])
            self.assertEqual(len(self.entries()), 1)
            self.assertEqual(model(numpy.ones((1, 3), "float32"))[0].tolist(), [[1, 2, 3]])

    def test_what_is_no_number_is_refused(self):
        with mock.patch.dict(os.environ, {"SKRIPTND_CACHE_BYTES": "8 GB"}):
            with self.assertRaisesRegex(skriptnd.Error, "`8 GB`, which is no number of bytes"):
                self.counter()

    def test_a_cache_that_can_not_be_is_told(self):
        (self.folder / "file").write_text("")
        with mock.patch.dict(os.environ, {"SKRIPTND_CACHE": str(self.folder / "file")}):
            with self.assertRaisesRegex(skriptnd.Error, "SKRIPTND_CACHE may name another folder"):
                self.counter()

    def test_halves_of_entries_are_made_anew(self):
        artifact = self.counter().artifact
        (artifact / "artifact.json").unlink()
        self.assertEqual(self.counter()(ONE).tolist(), [1, 1, 1])


class ProcessTest(ModelTest):
    def test_processes_compile_the_same_at_once(self):
        folder = self.write(AFFINE, scale=ONE)
        script = (
            "import skriptnd, numpy, sys; model = skriptnd.compile(sys.argv[1]);"
            "print(model(numpy.ones((1, 3), 'float32'))[0].tolist(), model.artifact.name)"
        )
        package = str(pathlib.Path(skriptnd.__file__).parent.parent)
        environment = {**os.environ, "PYTHONPATH": package, "SKRIPTND_CACHE_BYTES": "1"}
        processes = [
            subprocess.Popen([sys.executable, "-c", script, str(folder)], env=environment, stdout=subprocess.PIPE)
            for _ in range(4)
        ]
        said = {process.communicate()[0].decode() for process in processes}
        self.assertEqual([process.returncode for process in processes], [0] * 4)
        self.assertEqual(said, {f"[[1.0, 1.0, 1.0]] {self.entries()[0]}\n"})


if __name__ == "__main__":
    unittest.main()
