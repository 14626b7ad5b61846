"""Where rows come from: anything with a type, a shape and slices of its first dimension; files of NumPy among them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol, Tuple, Union

import numpy

from ..errors import Error, ShapeError
from ..files import PathLike


class Rows(Protocol):
    """Rows of a data set, such as an array of zarr or a class that computes them; it goes to other processes by pickle."""

    @property
    def shape(self) -> Tuple[int, ...]:
        """The number of rows, then the shape of each."""

    @property
    def dtype(self) -> Any:
        """NumPy's type of the elements."""

    def __getitem__(self, place: Any) -> Any:
        """The rows of a slice, as an array."""


class NpyRows:
    """The rows of a .npy file, of which a slice is read when it is asked for."""

    def __init__(self, path: PathLike) -> None:
        self._path = Path(path).absolute()
        try:
            with open(self._path, "rb") as file:
                version = numpy.lib.format.read_magic(file)
                read = numpy.lib.format.read_array_header_1_0 if version == (1, 0) else numpy.lib.format.read_array_header_2_0
                self.shape, columns_first, self.dtype = read(file)
                self._begin = file.tell()
                size = os.fstat(file.fileno()).st_size
        except OSError as error:
            raise Error(f"{self._path} can't be read: {error.strerror}") from error
        except ValueError as error:
            raise Error(f"{self._path} is no .npy file: {error}") from error
        self._check(columns_first, size)

    def _check(self, columns_first: bool, size: int) -> None:
        if not self.shape:
            raise ShapeError(f"{self._path} has one number, no rows")
        if self.dtype.hasobject:
            raise Error(f"{self._path} has objects of Python, no numbers")
        if columns_first and len(self.shape) > 1:
            raise ShapeError(f"{self._path}: the elements of a row do not lie side by side; save `numpy.ascontiguousarray(x)`")
        needed = self._begin + self.shape[0] * self._row_bytes
        if size < needed:
            raise Error(f"{self._path} has {size} bytes; its {self.shape[0]} rows need {needed}")

    @property
    def _row_bytes(self) -> int:
        count = 1
        for extent in self.shape[1:]:
            count *= extent
        return count * int(self.dtype.itemsize)

    def __getitem__(self, place: slice) -> numpy.ndarray:
        first, last, step = place.indices(self.shape[0])
        if step != 1:
            raise Error(f"rows are read one behind the other, not each {step}th")
        array = numpy.empty((max(last - first, 0), *self.shape[1:]), self.dtype)
        # Read, not mapped: a file that gets shorter meanwhile is an error here, and a signal there.
        with open(self._path, "rb") as file:
            file.seek(self._begin + first * self._row_bytes)
            read = file.readinto(memoryview(array.reshape(-1).view("u1")))
        if read != array.nbytes:
            raise Error(f"{self._path}: the rows {first} to {last - 1} are there no more")
        return array

    def __repr__(self) -> str:
        return f"<rows of {self._path}: {self.dtype}{list(self.shape)}>"


def rows_of(source: Union[PathLike, Rows], name: str) -> Rows:
    """Rows of a source: of the path of a .npy file, or of something that has rows itself."""
    if isinstance(source, (str, os.PathLike)):
        return NpyRows(source)
    if isinstance(source, numpy.memmap):
        raise Error(f"input `{name}`: a mapped array would go to each process as a whole; give the path of its .npy file")
    if not all(hasattr(source, wanted) for wanted in ("shape", "dtype", "__getitem__")):
        kind = f"`{type(source).__module__}.{type(source).__qualname__}`"
        raise Error(f"input `{name}`: {kind} has no rows; expected the path of a .npy file, or `shape`, `dtype` and slices")
    if not tuple(source.shape):
        raise ShapeError(f"input `{name}` has one number, no rows")
    return source
