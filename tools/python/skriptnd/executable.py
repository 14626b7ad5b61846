"""The compiler, which runs as a process of its own: whatever happens in it, Python lives on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Dict, NamedTuple, Optional, Sequence

from . import errors

#: Where the wheel has it.
PACKAGED = Path(__file__).parent / "bin" / "skriptnd"


def find() -> Path:
    """The executable: ``$SKRIPTND``, that of the package, or the one that ``PATH`` leads to."""
    given = os.environ.get("SKRIPTND")
    if given:
        return Path(given)
    if PACKAGED.is_file():
        return PACKAGED
    found = shutil.which("skriptnd")
    if found is None:
        raise errors.Error("there is no executable `skriptnd` in the package or in PATH; SKRIPTND may name its file")
    return Path(found)


def environment(path: Path) -> Dict[str, str]:
    """The environment of the executable; that of the package finds the libraries that came with it."""
    inherited = dict(os.environ)
    if path == PACKAGED:
        places = [str(PACKAGED.parent / "lib"), *filter(None, [inherited.get("LD_LIBRARY_PATH")])]
        inherited["LD_LIBRARY_PATH"] = os.pathsep.join(places)
    return inherited


def identity() -> str:
    """What tells one build of the compiler from another, without asking it."""
    path = find()
    try:
        status = os.stat(path)
    except OSError as error:
        raise errors.Error(f"the compiler {path} is not there: {error.strerror}") from error
    return f"{status.st_size}:{status.st_mtime_ns}"


class Ended(NamedTuple):
    """How the compiler ended."""

    code: int
    output: str
    text: str


def run(arguments: Sequence[str], folder: Optional[Path] = None) -> str:
    """Runs the compiler, in a folder; what it prints.

    Raises CompileError with its text where it refuses what it is given.
    """
    ended = execute(arguments, folder)
    if ended.code:
        raise errors.CompileError(ended.text or f"`skriptnd {arguments[0]}` failed with exit code {ended.code}")
    return ended.output


def execute(arguments: Sequence[str], folder: Optional[Path] = None) -> Ended:
    """Runs the compiler to its end, whatever it says."""
    path = find()
    try:
        done = subprocess.run(
            [str(path.absolute()), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment(path),
            cwd=folder,
        )
    except OSError as error:
        raise errors.Error(f"the compiler {path} did not start: {error.strerror}") from error
    text = done.stderr.decode(errors="replace").strip()
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        raise errors.CompileError(f"the compiler ended by {name}; please report this\n{text}".rstrip())
    return Ended(done.returncode, done.stdout.decode(errors="replace"), text)
