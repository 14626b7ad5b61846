"""Writes a file of numpy's with numbers between -0.5 and 0.5 that differ: waves.py FILE EXTENT..."""

import math
import struct
import sys

shape = tuple(int(extent) for extent in sys.argv[2:])
header = str({"descr": "<f4", "fortran_order": False, "shape": shape}).ljust(117) + "\n"
numbers = [0.5 * math.sin(1.7 * place + 0.3) for place in range(math.prod(shape))]
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack(f"<{len(numbers)}f", *numbers))
