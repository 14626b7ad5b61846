"""The page that lists which of ONNX's own tests fail: writing it, and reading what it says."""

import re
from typing import Dict, List, Optional, Set, Tuple

#: A kind and a name of a test.
Key = Tuple[str, str]

#: Why values differ, by names of tests. What the importer refuses says so itself.
_DIFFERENCES = (
    (r"^test_(bernoulli|training_dropout)", "the numbers of NumPy's generator are expected where any random ones do"),
    (r"^test_dft_inverse", "rounding errors of 2e-7 are expected where 0 is exact, give or take 1e-7"),
    (r"^test_operator_add", "doubles are computed with 32 bits, which have no numbers as large or as small as these"),
)

_HEAD = """\
# ONNX's own tests

Of the tests of backends that the package `onnx` {version} has, so many pass through `skriptnd.onnx_backend`: imported, compiled
for the CPU and run, without another implementation to fall back to. Results may be off as far as each test says; 5e-3 where they
are of `float16`, 1e-2 of `bfloat16`.

{totals}

`python3 tools/python/tests/onnx_suite.py --page docs/onnx-tests.md` runs them all and writes this page, in half an hour;
`tools/python/tests/test_onnx_suite.py` runs some, or all where `SKRIPTND_WHOLE=1` is set, and holds them against it. Where shapes,
axes or lengths of sequences are inputs, models are compiled for those of the test.

## What fails

| test | of | why |
|---|---|---|
"""


_EMULATED = """
## On Hexagon

As code for Hexagon, on the emulator, {passed} of {which} pass. `onnx_suite.py --backend hexagon --results FILE` runs them, in an hour or
two, and `--page PAGE --emulated FILE` says so here. {others}
"""


def reason_of(name: str, text: str) -> str:
    """The reason for a failure as the page has it: the same in each run, and for tests that fail alike."""
    if text.startswith(("Mismatched", "Max ", "ACTUAL")):
        return next((reason for pattern, reason in _DIFFERENCES if re.search(pattern, name)), "the values differ")
    text = re.sub(r" \(and \d+ more\)$", "", text)
    text = re.sub(r"^node `[^`]*` \(([^)]*)\): ", r"`\1`: ", text)
    return re.sub(r"^`[^`]*`: (?=elements of type)", "", text).replace("|", "\\|")


def emulated(outcomes: Dict[Key, Optional[str]], native: Dict[Key, Optional[str]]) -> str:
    """What is said of tests that ran on the emulator: those that fail there only, with their reasons."""
    failed = {key: reason for key, reason in sorted(outcomes.items()) if reason is not None}
    own = [f"- `{name}`: {reason_of(name, failed[kind, name])}" for kind, name in failed if native[kind, name] is None]
    others = "What fails fails natively, too." if not own else "Natively pass, and fail there:\n\n" + "\n".join(own)
    which = f"{len(outcomes)} tests" if len(outcomes) == len(native) else f"the first {len(outcomes)} tests by name"
    return _EMULATED.format(passed=len(outcomes) - len(failed), which=which, others=others)


def text_of(
    version: str, outcomes: Dict[Key, Optional[str]], on_emulator: Optional[Dict[Key, Optional[str]]] = None
) -> str:
    """The page about the outcomes of all tests: the reasons of those that failed."""
    kinds = list(dict.fromkeys(kind for kind, _ in outcomes))
    rows = ["| tests | number | passed | |", "|---|---|---|---|"]
    for kind in kinds:
        reasons = [reason for (its, _), reason in outcomes.items() if its == kind]
        count, passed = len(reasons), reasons.count(None)
        rows.append(f"| {kind} | {count} | {passed} | {100 * passed / count:.1f} % |")
    failed = [(key, reason_of(key[1], reason)) for key, reason in sorted(outcomes.items()) if reason is not None]
    lines = [f"| `{name}` | {kind} | {reason} |\n" for (kind, name), reason in failed]
    last = emulated(on_emulator, outcomes) if on_emulator else ""
    return _HEAD.format(version=version, totals="\n".join(rows)) + "".join(lines) + last


def version_of(page: str) -> str:
    """The version of ONNX that a page is about."""
    found = re.search(r"`onnx` (\S+)", page)
    return found.group(1) if found else ""


def failing(page: str) -> Set[Key]:
    """What fails according to a page."""
    rows: List[Tuple[str, str]] = re.findall(r"^\| `(test_\w+)` \| ([\w-]+) \|", page, re.MULTILINE)
    return {(kind, name) for name, kind in rows}
