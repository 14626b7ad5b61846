"""integers.py make FOLDER: writes x.npy. integers.py check FOLDER NAME: whether NAME/y.npy has what 32 bits hold."""

import array
import struct
import sys

LEAST, MOST = -(2**31), 2**31 - 1
NUMBERS = [0.0, 2.75, -2.75, 65536.0, 50000.0, -46341.0, 2147483520.0, -2147483648.0, 1e10, -1e10, float("inf"), float("nan")]


def whole(number):
    """Rounded towards zero; what is beyond becomes the nearest integer, and what is no number 0."""
    if number != number:
        return 0
    return LEAST if number <= LEAST else MOST if number >= MOST else int(number)


def wrapped(number):
    return (number - LEAST) % 2**32 + LEAST


def single(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


COMPUTED = {
    "cast": lambda x: x,
    "square": lambda x: wrapped(x * x),
    "neg": lambda x: wrapped(-x),
    "shifted": lambda x: wrapped(x + 2000000000),
}

folder = sys.argv[2]
if sys.argv[1] == "make":
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % len(NUMBERS)
    header = header.ljust(117) + "\n"
    with open(f"{folder}/x.npy", "wb") as file:
        head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
        file.write(head + array.array("f", NUMBERS).tobytes())
else:
    name = sys.argv[3]
    with open(f"{folder}/{name}/y.npy", "rb") as file:
        content = file.read()
    found = list(array.array("f", content[10 + int.from_bytes(content[8:10], "little"):]))
    expected = [single(COMPUTED[name](whole(number))) for number in NUMBERS]
    assert found == expected, f"expected {expected}, found {found}"
