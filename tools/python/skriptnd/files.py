"""Files that are whole or absent."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Union

#: What names a file.
PathLike = Union[str, "os.PathLike[str]"]


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file that others may read meanwhile. It is only a help: where it can't be written, it is not there."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
            raise
