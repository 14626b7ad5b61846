"""What tells models apart: digests of their content, which for large files are remembered."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from pathlib import Path
from typing import Any, Callable, Iterable, List

from .errors import Error
from .files import write_whole

#: Files that are smaller are read each time.
_LARGE = 1 << 20

#: A file that was written so recently may be written again without another time, in seconds.
_RECENT = 2.0

# An entry of external data in ONNX's messages: the key "location" in field 1, the path in field 2, its length a varint.
_LOCATION = re.compile(rb"\x0a\x08location\x12([\x00-\x7f]|[\x80-\xff][\x00-\x7f])", re.DOTALL)
_LOCATION_KEY = b"\x0a\x08location"


def of_bytes(content: bytes) -> str:
    """The digest of some bytes."""
    return hashlib.sha256(content).hexdigest()


def of_file(path: Path, memory: Path) -> str:
    """The digest of a file; what is known of large ones lies in the folder `memory`."""
    return str(_known(path, memory, "content", _digest))


def _known(path: Path, memory: Path, what: str, find: Callable[[Path], Any]) -> Any:
    """What `find` finds in a file; of large files it is remembered as long as the file is the same."""
    try:
        status = path.stat()
        if status.st_size < _LARGE:
            return find(path)
        identity = [status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]
        note = memory / of_bytes(os.fsencode(path.absolute()) + b"\0" + what.encode())
        try:
            known = json.loads(note.read_bytes())
            if known["file"] == identity:
                return known["found"]
        except (OSError, ValueError, KeyError, TypeError):
            pass
        found = find(path)
        if time.time() - max(status.st_mtime, status.st_ctime) > _RECENT:
            write_whole(note, json.dumps({"file": identity, "found": found}).encode())
        return found
    except OSError as error:
        raise Error(f"{path} can't be read: {error.strerror}") from error


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def external_files(model: bytes, folder: Path) -> List[Path]:
    """The files that hold weights of an ONNX model, found without reading its messages: some more, never fewer."""
    places = list(_LOCATION.finditer(model))
    if len(places) != model.count(_LOCATION_KEY):
        # Written in an uncommon order: whatever lies there counts.
        return sorted(path for path in folder.iterdir() if path.is_file())
    found = set()
    for place in places:
        coded = place.group(1)
        length = coded[0] & 0x7F | (coded[1] << 7 if len(coded) > 1 else 0)
        name = model[place.end() : place.end() + length]
        path = folder / os.fsdecode(name) if b"\0" not in name else folder
        if path.is_file():
            found.add(path)
    return sorted(found)


def of_onnx(path: Path, memory: Path) -> str:
    """The digest of an ONNX file with the files that hold its weights."""

    def look(path: Path) -> List[Any]:
        content = path.read_bytes()
        return [of_bytes(content), [str(file) for file in external_files(content, path.parent)]]

    own, others = _known(path, memory, "onnx", look)
    return _together([own, *_named(map(Path, others), path.parent, memory)])


def of_folder(path: Path, memory: Path) -> str:
    """The digest of a model's folder, or of one .sknd file with what lies beside it."""
    folder = path if path.is_dir() else path.parent
    kinds = {".sknd", ".dat", ".npy", ".json"}
    files = sorted(file for file in folder.rglob("*") if file.suffix in kinds and file.is_file())
    return _together([path.name if path != folder else "", *_named(files, folder, memory)])


def _named(files: Iterable[Path], folder: Path, memory: Path) -> List[str]:
    return [f"{os.path.relpath(file, folder)}\0{of_file(file, memory)}" for file in files]


def _together(parts: List[str]) -> str:
    return of_bytes(os.fsencode("\0\0".join(parts)))
