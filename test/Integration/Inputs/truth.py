"""Writes one truth value as an .npy file: `truth.py FILE 0|1`."""
import sys

header = "{'descr': '|b1', 'fortran_order': False, 'shape': (), }"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(sys.argv[1], "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    out.write(bytes([int(sys.argv[2])]))
