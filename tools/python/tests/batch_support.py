"""What the tests of many inputs share: a model with a table that indices may miss, and rows that are computed."""

import atexit
import importlib.util
import os
import shutil
import signal
import tempfile
import unittest
from unittest import mock

import numpy
from support import ModelTest

from skriptnd import batch

LOOKUP = """
import layout;
import math;

graph Lookup {
    @input { i: int[n|64, 2]; x: real[n|64, 3]; }
    @variable { table: real[10, 3]; }
    @output { y: real[n|64, 2, 3]; z: real[n|64, 3]; }
    @compose {
        y = layout.gather{axis=0}(table, i);
        z = math.mul(x, 2.0);
    }
}
"""

TABLE = numpy.arange(30, dtype="float32").reshape(10, 3)

#: What a run says of an index that the table has not.
OUTSIDE = "index 10 is outside of dimension 0 of `data`, whose extent is 10"


class Computed:
    """Rows that are made when they are asked for, whatever their number. The process that asks for the row `deadly` dies."""

    def __init__(self, count, deadly=None):
        self.shape, self.dtype, self.deadly = (count, 3), numpy.dtype("float32"), deadly

    def __getitem__(self, place):
        if self.deadly is not None and place.start <= self.deadly < place.stop:
            os.kill(os.getpid(), signal.SIGKILL)
        return numpy.repeat(numpy.arange(place.start, place.stop, dtype="float32")[:, None], 3, 1)


def needs(*packages):
    """Skips where one is not installed."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


#: A cache for all tests of this process: the model is the same.
CACHE = tempfile.mkdtemp()
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)


class LookupTest(ModelTest):
    """A model of two inputs, with rows in a file and rows that are computed."""

    def setUp(self):
        super().setUp()
        self.enter(mock.patch.dict(os.environ, {"SKRIPTND_CACHE": CACHE}))

    def lookup(self, **options):
        """`y` has the table's rows of indices, `z` is 2 times `x`."""
        folder = self.write(LOOKUP, "lookup", table=TABLE)
        return batch.Predictor(folder, **options)

    def indices(self, count, wrong=()):
        """A file of indices; those of the rows `wrong` are outside."""
        found = numpy.arange(2 * count).reshape(count, 2) % 10
        for row in wrong:
            found[row, 1] = 10
        numpy.save(self.folder / "i.npy", found)
        return found

    def job(self, count, wrong=(), deadly=None, rows=10, **options):
        """A job over so many rows, `rows` of them a chunk."""
        self.indices(count, wrong)
        inputs = {"i": self.folder / "i.npy", "x": Computed(count, deadly)}
        return batch.Job(self.lookup(**options), inputs, self.folder / "results", rows=rows)

    def assert_all_there(self, job, count):
        """The results are those of all rows, in their order, and nothing else lies there."""
        y, z = job.output("y"), job.output("z")
        numpy.testing.assert_array_equal(y[:], TABLE[numpy.arange(2 * count).reshape(count, 2) % 10])
        numpy.testing.assert_array_equal(z[:], 2 * Computed(count)[0:count])
        self.assertEqual(list((self.folder / "results" / "work").iterdir()), [])
        self.assertEqual(list((self.folder / "results" / "failed").iterdir()), [])
