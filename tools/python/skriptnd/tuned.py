"""Schedules that ``skriptnd tune`` measured on this machine, as far as the cache has to know of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import List, Optional

#: In place of a folder: none is taken.
NONE = "none"


def folder(given: Optional[str]) -> Optional[Path]:
    """Where the compiler takes schedules from, if from anywhere."""
    named = given or os.environ.get("SKRIPTND_TUNED")
    if named:
        return None if named == NONE else Path(named).absolute()
    cache = os.environ.get("SKRIPTND_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return (Path(cache).absolute() if cache else Path(base) / "skriptnd") / "schedules"


def identity(given: Optional[str]) -> List[str]:
    """What changes when a schedule is added, replaced or taken away."""
    found = folder(given)
    files = [] if found is None else sorted(found.glob("*/*.schedule"))
    states = []
    for file in files:
        try:
            status = file.stat()
        except OSError:
            continue
        states.append(f"{file.parent.name}/{file.name} {status.st_size} {status.st_mtime_ns}")
    return states
