"""Writes ones as an .npy file, of three dimensions of which one has an extent: `filled.py FILE DIMENSION EXTENT`."""
import sys

file, dimension, extent = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
shape = tuple(extent if at == dimension else 1 for at in range(3))
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(file, "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    out.write(b"\x00\x00\x80\x3f" * extent)
