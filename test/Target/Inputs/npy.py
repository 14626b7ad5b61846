"""Writes numbers of 32 bits to a .npy file: `npy.py FILE SHAPE NUMBER..`, SHAPE as 2x3. Numbers are repeated; without them they
rise from 0 to 1."""
import itertools
import math
import struct
import sys

path, shape, *numbers = sys.argv[1:]
extents = [int(extent) for extent in shape.split("x")]
count = math.prod(extents)
items = itertools.islice(itertools.cycle(map(float, numbers)), count) if numbers else (at / count for at in range(count))
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({', '.join(map(str, extents))},), }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack(f"<{count}f", *items))
