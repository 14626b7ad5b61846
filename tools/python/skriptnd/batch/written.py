"""Results as files: a folder for each chunk, which is there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import urllib.parse
from pathlib import Path
from typing import Any, BinaryIO, Dict, Iterator, Mapping, Sequence, Tuple

import numpy

from ..errors import Error
from ..files import PathLike
from .rows import NpyRows


def file_name(output: str) -> str:
    """The file of an output, whatever its name has."""
    return urllib.parse.quote(output, safe="") + ".npy"


class RowsFile:
    """A .npy file of a known number of rows, written a few at a time."""

    def __init__(self, path: Path, total: int) -> None:
        # Written, not mapped: a full disk is an error here, and a signal there.
        self._file: BinaryIO = open(path, "wb")
        self._total, self._written = total, 0
        self._kind: Any = None

    def append(self, rows: numpy.ndarray) -> None:
        """Writes further rows, which have the type and the shape of those before."""
        kind = (rows.dtype, rows.shape[1:])
        if self._kind is None:
            self._kind = kind
            described = numpy.lib.format.dtype_to_descr(rows.dtype)
            header = {"descr": described, "fortran_order": False, "shape": (self._total, *rows.shape[1:])}
            numpy.lib.format.write_array_header_1_0(self._file, header)
        elif kind != self._kind:
            before, now = (f"{dtype}{list(shape)}" for dtype, shape in (self._kind, kind))
            raise Error(f"rows of one file are alike: those before are {before}, these {now}")
        self._file.write(numpy.ascontiguousarray(rows).reshape(-1).view("u1").data)
        self._written += len(rows)

    def close(self) -> None:
        """Ends the file, which has all its rows."""
        if self._written != self._total:
            raise Error(f"{self._written} of {self._total} rows were written")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def abandon(self) -> None:
        """Closes the file as it is."""
        with contextlib.suppress(OSError):
            self._file.close()


class Store:
    """The folder of a job: chunks that are done, those that failed, and what is under way."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.done, self.failed, self.work = folder / "chunks", folder / "failed", folder / "work"

    def create(self) -> None:
        """Makes the folders."""
        for place in (self.done, self.failed, self.work):
            place.mkdir(parents=True, exist_ok=True)

    def chunk(self, number: int) -> Path:
        """The folder of a chunk, which is there when the chunk is done."""
        return self.done / f"{number:09}"

    def is_done(self, number: int) -> bool:
        """Whether a chunk is there, as a whole."""
        return self.chunk(number).is_dir()

    def note(self, number: int, text: str) -> None:
        """Keeps why a chunk failed."""
        with contextlib.suppress(OSError):
            (self.failed / f"{number:09}.txt").write_text(text + "\n")

    @contextlib.contextmanager
    def writing(self, number: int, total: int, outputs: Sequence[str]) -> Iterator[Dict[str, RowsFile]]:
        """Files for the outputs of a chunk. At the end they are put in their place; where something is raised, nothing stays."""
        self.create()
        folder = Path(tempfile.mkdtemp(dir=self.work, prefix=f"{number:09}-"))
        files: Dict[str, RowsFile] = {}
        try:
            for output in outputs:
                files[output] = RowsFile(folder / file_name(output), total)
            yield files
            for file in files.values():
                file.close()
            self._place(folder, number)
        finally:
            for file in files.values():
                file.abandon()
            shutil.rmtree(folder, ignore_errors=True)

    def _place(self, folder: Path, number: int) -> None:
        os.chmod(folder, 0o755)
        try:
            os.rename(folder, self.chunk(number))
        except OSError:
            # Another process was faster, with the same results.
            if not self.is_done(number):
                raise
        with contextlib.suppress(OSError):
            (self.failed / f"{number:09}.txt").unlink()
        self.sweep(number)

    def sweep(self, number: int) -> None:
        """Removes what processes left that ended in the middle of a chunk."""
        for rest in self.work.glob(f"{number:09}-*"):
            shutil.rmtree(rest, ignore_errors=True)


class WrittenRows:
    """An output of a job, in the order of the inputs: rows for a next job, of which a slice is read when it is asked for."""

    def __init__(self, store: Store, output: str, sizes: Tuple[int, int], kind: Tuple[Any, Tuple[int, ...]]) -> None:
        self._store, self._output = store, output
        self._rows, self._total = sizes
        chunks = range(-(-self._total // self._rows))
        missing = [chunk for chunk in chunks if not store.is_done(chunk)]
        if missing:
            raise Error(f"{len(missing)} of {len(chunks)} chunks are not done; the first is chunk {missing[0]}")
        dtype, shape = kind
        if chunks:
            first = self._chunk(0)
            dtype, shape = first.dtype, first.shape[1:]
        self.dtype, self.shape = numpy.dtype(dtype), (self._total, *shape)

    def _chunk(self, number: int) -> NpyRows:
        return NpyRows(self._store.chunk(number) / file_name(self._output))

    def __getitem__(self, place: slice) -> numpy.ndarray:
        first, last, step = place.indices(self._total)
        if step != 1:
            raise Error(f"rows are read one behind the other, not each {step}th")
        parts = [numpy.empty((0, *self.shape[1:]), self.dtype)]
        while first < last:
            number, begin = divmod(first, self._rows)
            part = self._chunk(number)[begin : begin + last - first]
            if part.shape[1:] != self.shape[1:]:
                raise Error(f"output `{self._output}`: rows are {self.shape[1:]} in chunk 0, {part.shape[1:]} in chunk {number}")
            parts.append(part)
            first += len(part)
        return parts[1] if len(parts) == 2 else numpy.concatenate(parts)

    def save(self, path: PathLike) -> None:
        """Writes all rows to one .npy file, a chunk at a time; it is there as a whole or not at all."""
        path = Path(path)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        os.close(handle)
        file = RowsFile(Path(name), self._total)
        try:
            file.append(self[0:0])
            for first in range(0, self._total, self._rows):
                file.append(self[first : first + self._rows])
            file.close()
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            file.abandon()
            os.unlink(name)
            raise


def described(kinds: Mapping[str, Tuple[str, Tuple[int, ...]]]) -> Dict[str, str]:
    """The types of outputs, as a job keeps them."""
    return {name: dtype for name, (dtype, _) in kinds.items()}
