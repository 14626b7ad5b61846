"""Writes a file of numpy's with the numbers from 0 on: ramp.py FILE EXTENT..."""

import struct
import sys

shape = tuple(int(extent) for extent in sys.argv[2:])
count = 1
for extent in shape:
    count *= extent
header = str({"descr": "<f4", "fortran_order": False, "shape": shape}).ljust(117) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack(f"<{count}f", *range(count)))
