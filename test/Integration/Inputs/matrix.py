"""Writes a matrix of small whole numbers as an .npy file: `matrix.py FILE ROWS COLUMNS SEED`."""
import random
import struct
import sys

file, rows, columns, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
numbers = random.Random(seed)
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(file, "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    for _ in range(rows * columns):
        out.write(struct.pack("<f", numbers.randint(-4, 4)))
