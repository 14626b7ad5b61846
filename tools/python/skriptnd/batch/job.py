"""Jobs: a model over all rows of a data set, in chunks."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

from ..errors import Error, NameError
from ..files import PathLike
from .independence import check_independent
from .layout import Layout
from .predictor import Predictor
from .rows import Rows, rows_of
from .written import Store, WrittenRows, described

#: The form of a job's folder.
FORMAT = 1

_DESCRIPTION = "job.json"


class Outcome(NamedTuple):
    """What became of a chunk."""

    chunk: int
    #: The rows of the chunk: the first one, and the one behind the last.
    rows: Tuple[int, int]
    #: Why it failed, with the row; None where it is done.
    error: Optional[str] = None
    #: The process that did it; None where none came to its end.
    process: Optional[int] = None

    def __str__(self) -> str:
        state = "done" if self.error is None else f"failed: {self.error}"
        return f"chunk {self.chunk} (rows {self.rows[0]} to {self.rows[1] - 1}) {state}"


class Report(NamedTuple):
    """What became of a job."""

    #: How many chunks are done, those of earlier runs among them.
    done: int
    #: The chunks that failed, in their order.
    failed: Tuple[Outcome, ...]

    def __str__(self) -> str:
        return "\n".join([f"{self.done} chunks done, {len(self.failed)} failed", *map(str, self.failed)])


#: Hears of each chunk when it has ended.
Listener = Callable[[Outcome], Any]


class Job:
    """A predictor over all rows of its inputs, `rows` of them a chunk, with a folder for the results.

    `inputs` has rows by the names of the inputs: paths of .npy files, or objects with `shape`, `dtype` and slices. They are never read as a
    whole: of each, a process holds a batch. A job can be pickled, and all processes see `folder` under the same path.

    The folder says of which job it is: another model, other options, sizes or types are an error. The content of the data is not looked at.
    """

    def __init__(
        self, predictor: Predictor, inputs: Mapping[str, Union[PathLike, Rows]], folder: PathLike, *, rows: int = 4096
    ) -> None:
        if rows < 1:
            raise Error(f"a chunk has at least one row, not {rows}")
        self.predictor, self.rows = predictor, rows
        self.inputs = {name: rows_of(source, name) for name, source in inputs.items()}
        layout = predictor.layout()
        #: The number of all rows.
        self.total = layout.count({name: source.shape for name, source in self.inputs.items()})
        layout.check_types({name: source.dtype for name, source in self.inputs.items()})
        check_independent(predictor.model(), layout, predictor.constants)
        self.store = Store(Path(folder).absolute())
        self._describe(layout)

    def _describe(self, layout: Layout) -> None:
        shapes = {name: [int(extent) for extent in source.shape] for name, source in self.inputs.items()}
        description = {
            "format": FORMAT,
            "rows of a chunk": self.rows,
            "shapes": shapes,
            "outputs": described(layout.outputs),
            **self.predictor.identity(),
        }
        self.store.create()
        path = self.store.folder / _DESCRIPTION
        _write_new(path, json.dumps(description, indent=1, sort_keys=True))
        try:
            found = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise Error(f"{path} can't be read: {error}") from error
        own = json.loads(json.dumps(description))
        differing = [key for key in own if not isinstance(found, dict) or found.get(key) != own[key]]
        if differing:
            told = ", ".join(differing)
            raise Error(f"{self.store.folder} has the results of another job: it differs in {told}; give another folder")

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return -(-self.total // self.rows)

    def span(self, chunk: int) -> Tuple[int, int]:
        """The rows of a chunk: the first one, and the one behind the last."""
        return chunk * self.rows, min((chunk + 1) * self.rows, self.total)

    def missing(self) -> Iterator[int]:
        """The chunks that are not done, in their order."""
        return (chunk for chunk in range(self.chunks) if not self.store.is_done(chunk))

    def do(self, chunk: int) -> Outcome:
        """Does a chunk, unless it is done. Whatever goes wrong is told by the outcome; nothing of the chunk stays then."""
        outcome = Outcome(chunk, self.span(chunk), None, os.getpid())
        if self.store.is_done(chunk):
            return outcome
        try:
            self._do(*outcome)
        except Exception as error:  # noqa: BLE001 - sources of rows raise what they like
            if self.store.is_done(chunk):
                return outcome
            text = str(error) if isinstance(error, Error) else f"{type(error).__name__}: {error}"
            return self.fail(chunk, text, os.getpid())
        return outcome

    def _do(self, chunk: int, span: Tuple[int, int], *_: Any) -> None:
        layout, (begin, end) = self.predictor.layout(), span
        with self.store.writing(chunk, end - begin, list(layout.outputs)) as files:
            for first in range(begin, end, layout.batch):
                last = min(first + layout.batch, end)
                for name, array in self._results(layout, first, last).items():
                    files[name].append(array)

    def _results(self, layout: Layout, first: int, last: int) -> Dict[str, Any]:
        rows = {name: source[first:last] for name, source in self.inputs.items()}
        for name, array in rows.items():
            if len(array) != last - first:
                raise Error(f"input `{name}` gives {len(array)} rows for {first} to {last - 1}")
        try:
            return self.predictor.run(layout, rows)
        except Error as error:
            row, why = self.predictor.culprit(layout, rows)
            if row is None or why is None:
                raise Error(f"rows {first} to {last - 1}: {error}") from error
            raise Error(f"row {first + row}: {why}") from why

    def fail(self, chunk: int, text: str, process: Optional[int] = None) -> Outcome:
        """The outcome of a chunk that failed; the reason is kept in the job's folder, too."""
        if process is None:
            self.store.sweep(chunk)
        outcome = Outcome(chunk, self.span(chunk), text, process)
        self.store.note(chunk, str(outcome))
        return outcome

    def report(self, failed: List[Outcome]) -> Report:
        """What became of the job, with the chunks that failed."""
        left = sum(1 for _ in self.missing())
        return Report(self.chunks - left, tuple(sorted(failed)))

    def run(self, told: Optional[Listener] = None) -> Report:
        """Does what is not done, in this process, one chunk after the other; `told` hears of each."""
        failed = []
        for chunk in self.missing():
            outcome = self.do(chunk)
            if told is not None:
                told(outcome)
            if outcome.error is not None:
                failed.append(outcome)
        return self.report(failed)

    def output(self, name: str) -> WrittenRows:
        """The rows of an output, when all chunks are done."""
        outputs = self.predictor.layout().outputs
        if name not in outputs:
            raise NameError(f"the job has no output `{name}`; its outputs: {', '.join(outputs)}")
        return WrittenRows(self.store, name, (self.rows, self.total), outputs[name])


def _write_new(path: Path, text: str) -> None:
    """Writes a file as a whole unless it is there."""
    if path.exists():
        return
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text + "\n")
        os.chmod(name, 0o644)
        os.link(name, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(name)
