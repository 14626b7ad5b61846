"""near.py FOUND.npy EXPECTED.npy TOLERANCE: fails where elements are further apart than that part of the largest."""

import array
import ast
import math
import sys


def read(path):
    """The shape and the elements of an array of reals."""
    with open(path, "rb") as file:
        content = file.read()
    start = 10 + int.from_bytes(content[8:10], "little")
    header = ast.literal_eval(content[10:start].decode("latin-1"))
    return header["shape"], array.array({"<f4": "f", "<f8": "d"}[header["descr"]], content[start:])


(found_shape, found), (expected_shape, expected) = map(read, sys.argv[1:3])
if found_shape != expected_shape:
    sys.exit(f"shape {found_shape}, expected {expected_shape}")
allowed = float(sys.argv[3]) * max(map(abs, expected))
for index, (a, b) in enumerate(zip(found, expected)):
    if not abs(a - b) <= allowed and not (math.isnan(a) and math.isnan(b)):
        sys.exit(f"at {index}: found {a}, expected {b} within {allowed}")
