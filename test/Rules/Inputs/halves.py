"""halves.py make FOLDER: writes a.npy and b.npy. halves.py check FOLDER: whether out/s.npy has the sums of halves, rounded to halves."""

import array
import math
import struct
import sys

FOLDER = sys.argv[2]


def half(value):
    """The nearest half, of two as near the even one, as float."""
    try:
        return struct.unpack("<e", struct.pack("<e", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def numbers():
    for exponent in range(-27, 17):
        for fraction in range(0, 4096, 37):
            yield single(math.ldexp(1 + fraction / 4096, exponent) * (-1) ** fraction)
    # Between two halves, at the largest one, among the smallest ones, and no numbers.
    yield from (1 + 2**-11, 1 + 3 * 2**-11, 65504.0, 65519.0, 65520.0, 2**-24, 2**-25, 3 * 2**-25, 2**-14, 0.0, -0.0)
    yield from (math.inf, -math.inf, math.nan, 1e30)


def write(name, values):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
    header = header.ljust(117) + "\n"
    with open(f"{FOLDER}/{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + array.array("f", values).tobytes())


def read(name):
    with open(f"{FOLDER}/{name}.npy", "rb") as file:
        content = file.read()
    return array.array("f", content[10 + int.from_bytes(content[8:10], "little"):])


a = list(numbers())
b = a[len(a) // 3:] + a[: len(a) // 3]
if sys.argv[1] == "make":
    write("a", a)
    write("b", b)
else:
    found = read("out/s")
    for x, y, sum in zip(a, b, found, strict=True):
        expected = half(half(x) + half(y))
        if sum != expected and not (math.isnan(sum) and math.isnan(expected)):
            sys.exit(f"half of {x} + {y}: found {sum}, expected {expected}")
