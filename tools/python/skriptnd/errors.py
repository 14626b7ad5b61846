"""What goes wrong, as exceptions."""

from __future__ import annotations

from typing import Optional


class Error(Exception):
    """Something went wrong. The text is that of the compiler or of the library that runs models."""

    #: The status of the library's function that failed, as ``skriptnd_runtime.h`` numbers them; None where none did.
    status: Optional[int] = None


class CompileError(Error):
    """A model that can't be imported or compiled; the text says where and why."""


class DtypeError(Error, TypeError):
    """An array whose elements have another type than the model's tensor."""


class ShapeError(Error, ValueError):
    """An array of another shape or layout than the model's tensor, or another number of arrays."""


class NameError(Error, KeyError):  # noqa: A001 - the field's word, found as `skriptnd.errors.NameError`
    """Nothing in the model has this name."""

    __str__ = Exception.__str__


class FaultError(Error):
    """Something that the model requires of the data did not hold in a run; the text has the place in its sources."""
