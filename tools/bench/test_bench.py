"""What bench.py does with times, which are made up here. It needs nothing but Python."""

import argparse
import array
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import bench

SVG = "{http://www.w3.org/2000/svg}"


def entry(us, version="1.2"):
    return {"us": us, "version": version}


RESULTS = {
    "processor": "A processor",
    "models": {
        "conv<3>": {
            "1": {"skriptnd": entry(1000.0, "0.1"), "onnxruntime": entry(2000.0)},
            "2": {"skriptnd": entry(1500.0, "0.1"), "onnxruntime": entry(1250.0)},
        },
        "softmax": {"1": {"skriptnd": entry(0.5, "0.1")}, "2": {}},
        "large": {"1": {"skriptnd": entry(123456.0, "0.1"), "onnxruntime": entry(1234567.0)}},
    },
}

TABLE = """Milliseconds on A processor, one thread, two threads; the fastest in bold.

| model | skriptnd 0.1 | ONNX Runtime 1.2 |
|---|---|---|
| conv<3> | **1.00**, 1.50 | 2.00, **1.25** |
| softmax | **0.000500**, - | -, - |
| large | **123** | 1235 |"""

RATIOS = [
    "   1.20  conv<3>, 2 thread(s)                          1.50 ms      1.25 ms ONNX Runtime",
    "   0.50  conv<3>, 1 thread(s)                          1.00 ms      2.00 ms ONNX Runtime",
    "   0.10  large, 1 thread(s)                             123 ms      1235 ms ONNX Runtime",
    "   0.39  in the geometric mean of 3, 1 of them above 1",
]


class PageTest(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))

    def test_the_table_has_a_row_for_each_model(self):
        self.assertEqual(bench.table(RESULTS), TABLE)

    def test_ratios_are_to_the_fastest_peer_and_sorted(self):
        self.assertEqual(bench.ratios(RESULTS), RATIOS)
        slower = {"1": {"skriptnd": entry(3.0), "openvino": entry(2.0), "onnxruntime": entry(4.0)}}
        self.assertRegex(bench.ratios({"models": {"net": slower}})[0], "1.50  net, .*OpenVINO$")
        self.assertEqual(bench.ratios({"models": {}}), ["    nan  in the geometric mean of 0, 0 of them above 1"])

    def test_the_chart_has_a_bar_for_each_time(self):
        root = xml.etree.ElementTree.fromstring(bench.chart(RESULTS))
        bars = [float(bar.get("width")) for bar in root.findall(f"{SVG}rect") if bar.get("height") == "11"]
        self.assertEqual(len(bars), 5)
        self.assertAlmostEqual(bars[0] / bars[1], 0.5, places=3)
        texts = [text.text for text in root.findall(f"{SVG}text")]
        for expected in ("conv<3>", "1.00 ms skriptnd", "2.00 ms ONNX Runtime", "0.000500 ms skriptnd"):
            self.assertIn(expected, texts)
        self.assertLessEqual(max(bars), float(root.get("width")))

    def test_pages_keep_what_is_around_the_table(self):
        page, picture, results = (self.folder / name for name in ("README.md", "chart.svg", "results.json"))
        results.write_text(json.dumps(RESULTS))
        page.write_text(f"Before.\n{bench.BEGIN}\nold\n{bench.END}\nBehind.\n")
        for _ in range(2):
            bench.write(results, page, picture)
            self.assertEqual(page.read_text(), f"Before.\n{bench.BEGIN}\n{TABLE}\n{bench.END}\nBehind.\n")
        self.assertEqual(picture.read_text(), bench.chart(RESULTS))
        page.write_text("nothing")
        with self.assertRaisesRegex(SystemExit, "README.md: expected `<!-- cargo xtask bench: begin -->` and"):
            bench.write(results, page, picture)
        self.assertEqual(page.read_text(), "nothing")
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["README.md", "chart.svg", "results.json"])

    def test_the_readme_has_a_place_for_the_table(self):
        text = (pathlib.Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
        self.assertEqual((text.count(bench.BEGIN), text.count(bench.END)), (1, 1))


# A runtime that takes as long as it is told, and ends after some answers.
WORKER = """
import array, json, sys
ready, value, times, answers = json.loads(sys.argv[1]), float(sys.argv[2]), json.loads(sys.argv[3]), int(sys.argv[4])
print("something else")
print(json.dumps(ready), flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "quit" or answers == 0:
        sys.exit(3 if answers == 0 else 0)
    answers -= 1
    if words[0] == "out":
        for number, item in enumerate([1.0, value]):
            open(f"{words[1]}.{number}", "wb").write(array.array("f", [item]).tobytes())
        print("{}", flush=True)
    else:
        print(json.dumps({"lat_us": times * int(words[1])}), flush=True)
"""


WORDS = [json.dumps({"ready": 1}), "2", "[5.0]", "1000"]


def worker(value=2.0, times=(30.0, 20.0), answers=1000, ready=None):
    ready = ready or {"ready": 1, "version": "7"}
    words = [json.dumps(ready), str(value), json.dumps(list(times)), str(answers)]
    return bench.Worker([sys.executable, "-c", WORKER, *words])


class MeasureTest(unittest.TestCase):
    def measure(self, workers):
        """What is found, and what is said."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            found = bench.measure(workers, pathlib.Path("net.onnx"), 0.0)
        self.assertTrue(all(worker.process.poll() is not None for worker in workers.values()), "all have ended")
        return found, said.getvalue()

    def test_the_shortest_run_counts_and_outputs_are_compared(self):
        found, said = self.measure({"skriptnd": worker(2.001, (9.0, 8.0)), "onnxruntime": worker()})
        self.assertEqual({peer: entry["us"] for peer, entry in found.items()}, {"skriptnd": 8.0, "onnxruntime": 20.0})
        self.assertAlmostEqual(found["skriptnd"]["difference"], 0.0005, places=6)
        self.assertEqual((found["onnxruntime"]["version"], said), ("7", ""))
        found, said = self.measure({"skriptnd": worker(2.1), "onnxruntime": worker()})
        self.assertEqual(said, "net: the outputs differ by 5.0e-02 of the largest element\n")

    def test_runtimes_that_fail_are_left_out(self):
        lacking = worker(ready={"error": "no module named openvino"})
        found, said = self.measure({"skriptnd": worker(), "openvino": lacking})
        self.assertEqual((list(found), said), (["skriptnd"], "net: openvino: no module named openvino\n"))
        found, said = self.measure({"skriptnd": worker(answers=1), "onnxruntime": worker()})
        self.assertEqual((list(found), said), (["onnxruntime"], "net: skriptnd: it ended with 3\n"))
        found, said = self.measure({"skriptnd": worker(answers=0)})
        self.assertEqual((found, said), ({}, "net: skriptnd: it ended with 3\n"))

    def test_differences_are_parts_of_the_largest(self):
        self.assertEqual(bench.difference([1.0, 2.0], [1.0, 4.0]), 0.5)
        self.assertEqual(bench.difference([1.0], [1.0, 4.0]), float("inf"))
        self.assertEqual((bench.difference([], []), bench.difference([0.5], [0.0])), (0.0, 0.5))

    def test_short_runs_are_asked_for_many_at_a_time(self):
        self.assertEqual([bench.runs(us) for us in (float("inf"), 0.1, 1000.0, 1e6)], [1, 200, 50, 1])

    def test_patterns_choose_models_and_every_number_of_threads_is_measured(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            for name in ("conv", "pool", "softmax"):
                (pathlib.Path(folder) / f"{name}.onnx").touch()
            options = argparse.Namespace(folder=folder, results=f"{folder}/r.json", seconds=0.0, skriptnd="", threads="1,4", models="s*,conv")
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
            stack.enter_context(unittest.mock.patch.object(bench, "command", lambda *_: [sys.executable, "-c", WORKER, *WORDS]))
            bench.measure_all(options)
            found = json.loads(pathlib.Path(options.results).read_text())["models"]
            self.assertEqual([(name, list(by)) for name, by in found.items()], [("softmax", ["1", "4"]), ("conv", ["1", "4"])])
            options.models = "conv,dense*"
            with self.assertRaisesRegex(SystemExit, "there is no `dense\\*`; there are conv, pool, softmax"):
                bench.measure_all(options)


if __name__ == "__main__":
    unittest.main()
