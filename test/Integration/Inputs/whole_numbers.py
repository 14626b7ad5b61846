"""Writes the tensors of storage.test to a folder: bytes without and with sign, as real numbers."""

import struct
import sys


def write(name, shape, values):
    head = str({"descr": "<f4", "fortran_order": False, "shape": shape}).ljust(117) + "\n"
    with open(f"{sys.argv[1]}/{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        file.write(struct.pack(f"<{len(values)}f", *values))


write("x", (3, 64), [i % 251 for i in range(192)])
write("w", (64, 64), [i * 7 % 255 - 127 for i in range(4096)])
