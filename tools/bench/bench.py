"""Measures skriptnd and its peers on the models of models.py, and writes what was found into pages.

Usage: bench.py SKRIPTND MODELS RESULTS.json [--seconds S] [--models NAME,..]   measures
       bench.py --write RESULTS.json README.md CHART.svg                        writes the table and the chart

All runtimes of a model are alive at the same time and asked in turn, so that what else the machine does meets all of them; the
shortest of all runs counts. Outputs are compared: where one differs by more than a thousandth of the largest element, it is said.
"""

import argparse
import json
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).parent
PEERS = ["skriptnd", "onnxruntime", "openvino"]
TITLES = {"skriptnd": "skriptnd", "onnxruntime": "ONNX Runtime", "openvino": "OpenVINO"}
COLOURS = {"skriptnd": "#1c7ed6", "onnxruntime": "#868e96", "openvino": "#ced4da"}
THREADS = [1, 2]
BEGIN, END = "<!-- cargo xtask bench: begin -->", "<!-- cargo xtask bench: end -->"
# What an output may differ by, as a part of its largest element.
TOLERANCE = 1e-3


class Worker:
    """A runtime that is asked by lines."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ready = self.answer()

    def answer(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        return {"error": "it ended"}

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.answer()

    def close(self):
        if self.process.poll() is None:
            self.process.stdin.write("quit\n")
            self.process.stdin.close()
        self.process.wait()


def command(peer, skriptnd, model, threads):
    if peer == "skriptnd":
        return [skriptnd, "bench", str(model), "--worker", "--threads", str(threads)]
    return [sys.executable, str(HERE / "peer.py"), peer, str(model), str(threads)]


def measure(skriptnd, model, threads, seconds):
    """The shortest times by peer, in microseconds, and versions."""
    value = np.load(model.with_suffix(".npy"))
    value.tofile(f"{model}.in0.bin")
    workers = {peer: Worker(command(peer, skriptnd, model, threads)) for peer in PEERS}
    found, outputs = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for peer, worker in list(workers.items()):
            if "error" in worker.ready:
                print(f"{peer}: {worker.ready['error']}", file=sys.stderr)
                workers.pop(peer).close()
                continue
            worker.ask(f"out {folder}/{peer}")
            outputs[peer] = np.fromfile(f"{folder}/{peer}.0", np.float32)
    least = {peer: float("inf") for peer in workers}
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        for peer, worker in workers.items():
            runs = max(1, min(200, int(50_000 / max(least[peer], 1)))) if least[peer] < float("inf") else 1
            least[peer] = min([least[peer], *worker.ask(f"run {runs}")["lat_us"]])
    for peer, worker in workers.items():
        found[peer] = {"us": least[peer], "version": worker.ready["version"]}
        worker.close()
    reference = outputs.get("onnxruntime")
    if reference is not None and "skriptnd" in outputs:
        error = float(np.abs(outputs["skriptnd"] - reference).max() / np.abs(reference).max())
        found["skriptnd"]["difference"] = error
        if not error <= TOLERANCE:
            print(f"{model.stem}: the outputs differ by {error:.1e} of the largest element", file=sys.stderr)
    return found


def processor():
    for line in open("/proc/cpuinfo", encoding="utf-8") if platform.system() == "Linux" else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def measure_all(options):
    models = sorted(pathlib.Path(options.folder).glob("*.onnx"))
    chosen = [model for model in models if not options.models or model.stem in options.models.split(",")]
    results = {"processor": processor(), "models": {}}
    for model in chosen:
        for threads in THREADS:
            found = measure(options.skriptnd, model, threads, options.seconds)
            results["models"].setdefault(model.stem, {})[str(threads)] = found
            line = ", ".join(f"{peer} {entry['us'] / 1e3:.3f} ms" for peer, entry in found.items())
            print(f"{model.stem}, {threads} thread(s): {line}", file=sys.stderr)
    pathlib.Path(options.results).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def table(results):
    """Markdown: milliseconds on one and on two threads."""
    versions = {}
    for found in (found for model in results["models"].values() for found in model.values()):
        versions.update({peer: entry["version"] for peer, entry in found.items()})
    peers = [peer for peer in PEERS if peer in versions]
    titles = [f"{TITLES[peer]} {versions[peer]}" for peer in peers]
    lines = [f"Milliseconds on {results['processor']}, one thread, two threads; the fastest in bold.", ""]
    lines += ["| model | " + " | ".join(titles) + " |", "|---" * (len(peers) + 1) + "|"]
    for model, by_threads in results["models"].items():
        best = {threads: min(entry["us"] for entry in found.values()) for threads, found in by_threads.items()}
        cell = lambda us, threads: f"**{us / 1e3:.3g}**" if us <= best[threads] else f"{us / 1e3:.3g}"
        cells = [
            ", ".join(cell(found[peer]["us"], threads) if peer in found else "-" for threads, found in by_threads.items())
            for peer in peers
        ]
        lines.append(f"| {model} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def chart(results):
    """SVG: what part of the slowest runtime's time each takes, on one thread."""
    models = [(name, found["1"]) for name, found in results["models"].items() if "1" in found]
    height, left, width = 54, 130, 720
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height * len(models) + 64}" width="{width}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="16" y="26" font-size="16" fill="#222">Time of a run on one thread, shorter is better</text>',
    ]
    for number, (name, found) in enumerate(models):
        top, most = 46 + height * number, max(entry["us"] for entry in found.values())
        parts.append(f'<text x="{left - 10}" y="{top + 24}" text-anchor="end" fill="#222">{name}</text>')
        for row, (peer, entry) in enumerate(found.items()):
            y, length = top + 14 * row, (width - left - 170) * entry["us"] / most
            parts.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="11" fill="{COLOURS[peer]}"/>')
            text = f'{entry["us"] / 1e3:.3g} ms {TITLES[peer]}'
            parts.append(f'<text x="{left + length + 6:.1f}" y="{y + 10}" font-size="11" fill="#444">{text}</text>')
    return "\n".join([*parts, "</svg>", ""])


def write(results, page, picture):
    found = json.loads(pathlib.Path(results).read_text(encoding="utf-8"))
    text = pathlib.Path(page).read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{page}: expected `{BEGIN}` and `{END}`, once each")
    before, rest = text.split(BEGIN)
    behind = rest.split(END)[1]
    pathlib.Path(page).write_text(f"{before}{BEGIN}\n{table(found)}\n{END}{behind}", encoding="utf-8")
    pathlib.Path(picture).write_text(chart(found), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write(*sys.argv[2:])
    else:
        parser = argparse.ArgumentParser()
        parser.add_argument("skriptnd")
        parser.add_argument("folder")
        parser.add_argument("results")
        parser.add_argument("--seconds", type=float, default=5)
        parser.add_argument("--models", default="")
        measure_all(parser.parse_args())
