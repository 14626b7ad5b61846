"""Measures skriptnd and its peers on the models of models.py or operators.py, and tells what was found.

Usage: bench.py SKRIPTND MODELS RESULTS.json [--seconds S] [--models NAME,..] [--threads N,..]   measures
       bench.py --write RESULTS.json README.md CHART.svg                                         writes the table and the chart
       bench.py --ratios RESULTS.json                            prints our times over the fastest peer's, the greatest first

All runtimes of a model are alive at the same time and asked in turn, so that what else the machine does meets all of them; the
shortest of all runs counts. Outputs are compared: where one differs by more than a thousandth of the largest element, it is said.
"""

import argparse
import array
import contextlib
import fnmatch
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
        return [skriptnd, "bench", str(model), "--worker", "--threads", threads]
    return [sys.executable, str(HERE / "peer.py"), peer, str(model), threads]


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
                outputs[peer] = floats(sorted(pathlib.Path(folder).glob(f"{peer}.*")))
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


def floats(files):
    """The elements of all outputs."""
    values = array.array("f")
    for file in files:
        values.frombytes(file.read_bytes())
    return values


def difference(found, expected):
    """The largest difference of elements, as a part of the largest of those that are expected; infinite where there are others."""
    if len(found) != len(expected):
        return float("inf")
    most = max((abs(value) for value in expected), default=0.0)
    furthest = max((abs(a - b) for a, b in zip(found, expected)), default=0.0)
    return furthest / most if most > 0 else furthest


def processor():
    for line in open("/proc/cpuinfo", encoding="utf-8") if platform.system() == "Linux" else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def measure_all(options):
    models = {model.stem: model for model in sorted(pathlib.Path(options.folder).glob("*.onnx"))}
    chosen = {pattern: fnmatch.filter(models, pattern) for pattern in options.models.split(",")}
    for pattern, names in chosen.items():
        if not names:
            sys.exit(f"--models: there is no `{pattern}`; there are {', '.join(models)}")
    results = {"processor": processor(), "models": {}}
    for model in (models[name] for names in chosen.values() for name in names):
        for threads in options.threads.split(","):
            workers = {peer: Worker(command(peer, options.skriptnd, model, threads)) for peer in PEERS}
            found = measure(workers, model, options.seconds)
            results["models"].setdefault(model.stem, {})[threads] = found
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


def ratios(results):
    """Lines: our time over that of the fastest peer for each model and number of threads, the greatest first, and the geometric mean."""
    rows = []
    for model, threads, found in ((model, threads, found) for model, by in results["models"].items() for threads, found in by.items()):
        peers = [peer for peer in found if peer != "skriptnd"]
        if peers and "skriptnd" in found:
            fastest = min(peers, key=lambda peer: found[peer]["us"])
            ours, theirs = found["skriptnd"]["us"], found[fastest]["us"]
            rows.append((ours / theirs, f"{model}, {threads} thread(s)", ours, theirs, fastest))
    lines = [
        f"{ratio:7.2f}  {name:40}{milliseconds(ours):>10} ms{milliseconds(theirs):>10} ms {TITLES[fastest]}"
        for ratio, name, ours, theirs, fastest in sorted(rows, reverse=True)
    ]
    mean = math.exp(sum(math.log(row[0]) for row in rows) / len(rows)) if rows else math.nan
    above = sum(row[0] > 1 for row in rows)
    return [*lines, f"{mean:7.2f}  in the geometric mean of {len(rows)}, {above} of them above 1"]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write(*sys.argv[2:])
    elif sys.argv[1:2] == ["--ratios"]:
        print(*ratios(json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))), sep="\n")
    else:
        parser = argparse.ArgumentParser()
        parser.add_argument("skriptnd")
        parser.add_argument("folder")
        parser.add_argument("results")
        parser.add_argument("--seconds", type=float, default=5)
        parser.add_argument("--models", default="*")
        parser.add_argument("--threads", default="1,2")
        measure_all(parser.parse_args())
