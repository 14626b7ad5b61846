"""What the tests share: small models, an encoder of ONNX files, and a cache of their own."""

import contextlib
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import numpy

import skriptnd

AFFINE = """
import math;

graph Affine {
    @input { x: real[n|64, 3]; }
    @variable { scale: real[3]; }
    @output { y: real[n|64, 3]; doubled: real[2 * n|128, 3]; }
    @compose {
        y = math.mul(x, scale);
        doubled = twice(y);
    }
}

operator twice {
    @input { x: real[n, m]; }
    @output { y: real[2 * n, m]; }
    @lower { y[i, j] = x[i % n, j], i < 2 * n, j < m; }
}
"""

COUNTER = """
import math;

graph Counter {
    @input { x: real[3]; }
    @output { y: real[3]; }
    @variable { sum: real[3]; }
    @compose { y = math.add(x, sum); }
    @update { sum = y; }
}
"""

FOUND = """
import layout;

graph Found {
    @input { x: bool[n|16]; }
    @output { places: int[1, m|16]; }
    @compose { places = layout.nonzero(x); }
}
"""

KINDS = """
import math;

graph Kinds {
    @input { i: int[n|4]; b: bool[n|4]; }
    @output { j: int[n|4]; c: bool[n|4]; }
    @compose {
        j = math.add(i, i);
        c = math.not(b);
    }
}
"""

PACKS = """
import math;

graph Packs {
    @input { xs: real[2]..(n|4); z: real[2]; }
    @output { ys: real[2]..(n + 1); }
    @compose {
        negated = for x : xs do..(n) math.neg(x);
        ys = [z, negated..];
    }
}
"""

GATHER = """
import layout;

graph Gather {
    @input { x: real[4]; i: int[2]; }
    @output { y: real[2]; }
    @compose { y = layout.gather{axis=0}(x, i); }
}
"""


class ModelTest(unittest.TestCase):
    """A folder for models, and a cache that is empty in the beginning."""

    def setUp(self):
        self.folder = pathlib.Path(self.enter(tempfile.TemporaryDirectory()))
        self.cache = self.folder / "cache"
        self.enter(mock.patch.dict(os.environ, {"SKRIPTND_CACHE": str(self.cache), "SKRIPTND_TUNED": ""}))

    def enter(self, context):
        """`enterContext`, which Python 3.9 has not."""
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        return stack.enter_context(context)

    def write(self, text, name="model", **variables):
        """Writes a model's folder."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        (folder / "main.sknd").write_text(text)
        for variable, value in variables.items():
            numpy.save(folder / f"{variable}.npy", value)
        return folder

    def affine(self):
        """x times [1, 2, 3], once and twice; the rows are counted by a run."""
        return skriptnd.compile(self.write(AFFINE, "affine", scale=numpy.array([1, 2, 3], "float32")))

    def counter(self):
        """Gives the sum of all inputs so far."""
        return skriptnd.compile(self.write(COUNTER, "counter", sum=numpy.zeros(3, "float32")))

    def entries(self):
        """What lies in the cache."""
        return sorted(path.name for path in (self.cache / "artifacts").iterdir())


def varint(value):
    """A number as protocol buffers write it."""
    coded = bytearray()
    while value > 0x7F:
        coded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(coded + bytearray([value]))


def message(*fields):
    """Fields of a message: pairs of number and int, text or bytes."""
    coded = b""
    for number, value in fields:
        if isinstance(value, int):
            coded += varint(number << 3) + varint(value)
        else:
            content = value.encode() if isinstance(value, str) else value
            coded += varint(number << 3 | 2) + varint(len(content)) + content
    return coded


FLOAT, UINT8, INT8, INT32, INT64, BOOL, FLOAT16, DOUBLE = 1, 2, 3, 6, 7, 9, 10, 11


def value_info(name, element_type, shape):
    """An input or an output of a graph."""
    extents = [message((1, message((2 if isinstance(extent, str) else 1, extent)))) for extent in shape]
    tensor = message((1, element_type), (2, b"".join(extents)))
    return message((1, name), (2, message((1, tensor))))


def node(operator, inputs, outputs, **integers):
    """A node whose attributes are integers."""
    attributes = [message((1, name), (3, value), (20, 2)) for name, value in integers.items()]
    names = [*((1, name) for name in inputs), *((2, name) for name in outputs)]
    return message(*names, (4, operator), *((5, attribute) for attribute in attributes))


def tensor(name, array, file=None):
    """A constant; its elements are in a file beside the model if that is given."""
    element_type = {"float32": FLOAT, "int64": INT64, "uint8": UINT8, "int8": INT8}[array.dtype.name]
    fields = [*((1, extent) for extent in array.shape), (2, element_type), (8, name)]
    if file is None:
        return message(*fields, (9, array.tobytes()))
    entry = message((1, "location"), (2, file))
    return message(*fields, (13, entry), (14, 1))


def onnx_model(nodes, inputs, outputs, tensors=(), opset=17):
    """The bytes of an ONNX model."""
    graph = message(
        *((1, coded) for coded in nodes),
        (2, "graph"),
        *((5, coded) for coded in tensors),
        *((11, coded) for coded in inputs),
        *((12, coded) for coded in outputs),
    )
    return message((1, 8), (7, graph), (8, message((1, ""), (2, opset))))


def onnx_affine(file=None):
    """`y = x * scale`, where `x` has `N` rows and `scale` is [1, 2, 3]."""
    return onnx_model(
        [node("Mul", ["x", "scale"], ["y"])],
        [value_info("x", FLOAT, ["N", 3])],
        [value_info("y", FLOAT, ["N", 3])],
        [tensor("scale", numpy.array([1, 2, 3], "float32"), file)],
    )
