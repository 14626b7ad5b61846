"""Artifacts on disk, found by what they were made of.

``$SKRIPTND_CACHE`` is the folder (``~/.cache/skriptnd`` without it), ``$SKRIPTND_CACHE_BYTES`` how much may lie there.
An entry is a folder that is made under another name and renamed: processes see it whole or not at all. The least
recently used go first. What runs of an entry that goes is not disturbed: libraries are loaded from copies, and mapped
files stay.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Callable, Iterator, List, Tuple

from .artifact import DESCRIPTION, Artifact
from .errors import Error

_DEFAULT_BYTES = 8 << 30
_WORK = ".work-"

#: Folders of processes that ended in the middle, in seconds.
_ABANDONED = 24 * 3600.0


class Cache:
    """The folder of artifacts."""

    def __init__(self) -> None:
        given = os.environ.get("SKRIPTND_CACHE")
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self.folder = Path(given).absolute() if given else Path(base) / "skriptnd"
        self.entries = self.folder / "artifacts"
        #: What is known of files.
        self.memory = self.folder / "digests"

    @staticmethod
    def limit() -> int:
        """How many bytes may lie there."""
        given = os.environ.get("SKRIPTND_CACHE_BYTES")
        if not given:
            return _DEFAULT_BYTES
        if not given.isdecimal():
            raise Error(f"SKRIPTND_CACHE_BYTES is `{given}`, which is no number of bytes")
        return int(given)

    def find(self, key: str) -> "Artifact | None":
        """The artifact of a key, if it is there."""
        entry = self.entries / key
        try:
            os.utime(entry / DESCRIPTION)
            return Artifact.open(entry)
        except OSError:
            return None

    def get(self, key: str, make: Callable[[Path], None]) -> Artifact:
        """The artifact of a key; `make` fills an empty folder with it where it is not there."""
        found = self.find(key)
        if found is not None:
            return found
        with self._locked(key):
            found = self.find(key)
            if found is not None:
                return found
            work = Path(tempfile.mkdtemp(dir=self.entries, prefix=_WORK))
            try:
                make(work)
                os.chmod(work, 0o755)
                self._place(work, self.entries / key)
            finally:
                shutil.rmtree(work, ignore_errors=True)
            artifact = Artifact.open(self.entries / key)
        self.trim(keep=key)
        return artifact

    def _place(self, work: Path, entry: Path) -> None:
        if not (entry / DESCRIPTION).is_file():
            shutil.rmtree(entry, ignore_errors=True)
        os.rename(work, entry)

    @contextlib.contextmanager
    def _locked(self, key: str) -> Iterator[None]:
        """One at a time makes an artifact; others wait for it."""
        try:
            self.entries.mkdir(parents=True, exist_ok=True)
            locks = self.folder / "locks"
            locks.mkdir(exist_ok=True)
            # Of few names, so that they need not be taken away.
            handle = os.open(locks / key[:2], os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            help_text = "SKRIPTND_CACHE may name another folder"
            raise Error(f"the cache {self.folder} can't be written: {error.strerror}; {help_text}") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def trim(self, keep: str = "") -> None:
        """Removes what was used longest ago until the rest is small enough; never the entry of `keep`."""
        limit, total = self.limit(), 0
        for _, size, entry in sorted(self._listed(), reverse=True):
            total += size
            if total > limit and entry.name != keep:
                self._remove(entry)

    def _listed(self) -> List[Tuple[float, int, Path]]:
        """Entries with the time of their last use and their bytes."""
        found = []
        for entry in self.entries.iterdir():
            with contextlib.suppress(OSError):
                if entry.name.startswith(_WORK):
                    if time.time() - entry.stat().st_mtime > _ABANDONED:
                        shutil.rmtree(entry, ignore_errors=True)
                    continue
                size = sum(file.stat().st_size for file in entry.rglob("*") if file.is_file())
                found.append(((entry / DESCRIPTION).stat().st_mtime, size, entry))
        return found

    def _remove(self, entry: Path) -> None:
        """Takes an entry away at once, then frees it."""
        with contextlib.suppress(OSError):
            grave = Path(tempfile.mkdtemp(dir=self.entries, prefix=_WORK))
            os.rename(entry, grave / "entry")
            shutil.rmtree(grave, ignore_errors=True)
