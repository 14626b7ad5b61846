"""Measures skriptnd and its peers on the models of models.py, and writes what was found into pages.

Usage: bench.py SKRIPTND MODELS RESULTS.json [--seconds S] [--models NAME,..]   measures
       bench.py --write RESULTS.json README.md CHART.svg                        writes the table and the chart

All runtimes of a model are alive at the same time and asked in turn, so that what else the machine does meets all of them; the
shortest of all runs counts. Outputs are compared: where one differs by more than a thousandth of the largest element, it is said.
"""

import argparse
import array
import contextlib
import html
import json
import math
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
# In the order of tables. Peers that are not installed are left out.
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
        return {"error": f"it ended with {self.process.wait()}"}

    def ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return {"error": f"it ended with {self.process.wait()}"}
        return self.answer()

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            if self.process.poll() is None:
                self.process.stdin.write("quit\n")
            self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def command(peer, skriptnd, model, threads):
    if peer == "skriptnd":
        return [skriptnd, "bench", str(model), "--worker", "--threads", str(threads)]
    return [sys.executable, str(HERE / "peer.py"), peer, str(model), str(threads)]


def measure(workers, model, seconds):
    """The shortest times by peer, in microseconds, and versions. Workers that fail are said and left out."""
    workers = dict(workers)
    outputs, least = {}, {peer: float("inf") for peer in workers}

    def leave(peer, answer):
        print(f"{model.stem}: {peer}: {answer['error']}", file=sys.stderr)
        workers.pop(peer).close()
        outputs.pop(peer, None)

    with tempfile.TemporaryDirectory() as folder:
        for peer, worker in list(workers.items()):
            answer = worker.ready if "error" in worker.ready else worker.ask(f"out {folder}/{peer}")
            if "error" in answer:
                leave(peer, answer)
            else:
                outputs[peer] = floats(f"{folder}/{peer}.0")
    begin = time.monotonic()
    while workers and (time.monotonic() - begin < seconds or any(least[peer] == float("inf") for peer in workers)):
        for peer, worker in list(workers.items()):
            answer = worker.ask(f"run {runs(least[peer])}")
            if "error" in answer:
                leave(peer, answer)
            else:
                least[peer] = min([least[peer], *answer["lat_us"]])
    found = {}
    for peer, worker in workers.items():
        found[peer] = {"us": least[peer], "version": worker.ready.get("version", "")}
        worker.close()
    if "onnxruntime" in outputs and "skriptnd" in outputs:
        error = difference(outputs["skriptnd"], outputs["onnxruntime"])
        found["skriptnd"]["difference"] = error
        if not error <= TOLERANCE:
            print(f"{model.stem}: the outputs differ by {error:.1e} of the largest element", file=sys.stderr)
    return found


def runs(us):
    """How many runs are asked for at a time: some 50 ms of them."""
    return 1 if us == float("inf") else max(1, min(200, int(50_000 / max(us, 1))))


def floats(file):
    values = array.array("f")
    values.frombytes(pathlib.Path(file).read_bytes())
    return values


def difference(found, expected):
    """The largest difference of elements, as a part of the largest of those that are expected; infinite where there are others."""
    if len(found) != len(expected):
        return float("inf")
    most = max((abs(value) for value in expected), default=0.0)
    furthest = max((abs(a - b) for a, b in zip(found, expected)), default=0.0)
    return furthest / most if most > 0 else furthest


def inputs(model):
    """Puts the input of a model where `skriptnd bench --worker` reads it: the elements of the .npy file, which are floats in C order."""
    content = model.with_suffix(".npy").read_bytes()
    length = int.from_bytes(content[8:10], "little")
    header = content[10 : 10 + length].decode("latin-1")
    if not content.startswith(b"\x93NUMPY\x01") or "'<f4'" not in header or "'fortran_order': False" not in header:
        sys.exit(f"{model.with_suffix('.npy')}: expected floats in C order")
    pathlib.Path(f"{model}.in0.bin").write_bytes(content[10 + length :])


def processor():
    for line in open("/proc/cpuinfo", encoding="utf-8") if platform.system() == "Linux" else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def measure_all(options):
    models = {model.stem: model for model in sorted(pathlib.Path(options.folder).glob("*.onnx"))}
    chosen = [name for name in options.models.split(",") if name] or list(models)
    unknown = [name for name in chosen if name not in models]
    if unknown:
        sys.exit(f"--models: there is no `{unknown[0]}`; there are {', '.join(models)}")
    results = {"processor": processor(), "models": {}}
    for model in (models[name] for name in chosen):
        inputs(model)
        for threads in THREADS:
            workers = {peer: Worker(command(peer, options.skriptnd, model, threads)) for peer in PEERS}
            found = measure(workers, model, options.seconds)
            results["models"].setdefault(model.stem, {})[str(threads)] = found
            line = ", ".join(f"{peer} {entry['us'] / 1e3:.3f} ms" for peer, entry in found.items())
            print(f"{model.stem}, {threads} thread(s): {line}", file=sys.stderr)
    replace(options.results, json.dumps(results, indent=1) + "\n")


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
        best = {threads: min((entry["us"] for entry in found.values()), default=0.0) for threads, found in by_threads.items()}
        cells = [
            ", ".join(cell(found.get(peer), best[threads]) for threads, found in by_threads.items()) for peer in peers
        ]
        lines.append(f"| {model} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def milliseconds(us):
    """Three digits, never as a power of ten."""
    value = us / 1e3
    digits = 2 if value == 0 else 2 - math.floor(math.log10(value))
    return f"{value:.{max(digits, 0)}f}"


def cell(entry, best):
    """The time of a runtime, in bold where it is the shortest."""
    if entry is None:
        return "-"
    text = milliseconds(entry["us"])
    return f"**{text}**" if entry["us"] <= best else text


def chart(results):
    """SVG: what part of the slowest runtime's time each takes, on one thread."""
    models = [(name, found["1"]) for name, found in results["models"].items() if found.get("1")]
    height, left, width = 54, 130, 720
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height * len(models) + 64}" width="{width}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="16" y="26" font-size="16" fill="#222">Time of a run on one thread, shorter is better</text>',
    ]
    for number, (name, found) in enumerate(models):
        top, most = 46 + height * number, max(entry["us"] for entry in found.values())
        parts.append(f'<text x="{left - 10}" y="{top + 24}" text-anchor="end" fill="#222">{html.escape(name)}</text>')
        for row, (peer, entry) in enumerate(found.items()):
            y, length = top + 14 * row, (width - left - 170) * entry["us"] / most
            parts.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="11" fill="{COLOURS[peer]}"/>')
            text = f'{milliseconds(entry["us"])} ms {TITLES[peer]}'
            parts.append(f'<text x="{left + length + 6:.1f}" y="{y + 10}" font-size="11" fill="#444">{text}</text>')
    return "\n".join([*parts, "</svg>", ""])


def write(results, page, picture):
    found = json.loads(pathlib.Path(results).read_text(encoding="utf-8"))
    text = pathlib.Path(page).read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{page}: expected `{BEGIN}` and `{END}`, once each")
    before, rest = text.split(BEGIN)
    behind = rest.split(END)[1]
    replace(page, f"{before}{BEGIN}\n{table(found)}\n{END}{behind}")
    replace(picture, chart(found))


def replace(path, text):
    """Writes a file whole, or leaves it as it is."""
    path = pathlib.Path(path)
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


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
