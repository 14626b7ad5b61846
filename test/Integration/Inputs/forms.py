"""Writes numbers to a file of NumPy, `write FILE TYPE NUMBER...`, or prints the types and numbers of such files, `read FILE...`."""

import ast
import struct
import sys

CODES = {"u1": "B", "i1": "b", "u2": "H", "i4": "i", "u8": "Q", "f2": "e", "f4": "f", "f8": "d"}


def write(path, kind, *numbers):
    values = [float(number) if kind[0] == "f" else int(number) for number in numbers]
    order = "|" if kind[1] == "1" else "<"
    head = str({"descr": order + kind, "fortran_order": False, "shape": (len(values),)}).ljust(117) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        file.write(struct.pack(f"<{len(values)}{CODES[kind]}", *values))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    end = 10 + struct.unpack("<H", data[8:10])[0]
    kind = ast.literal_eval(data[10:end].decode())["descr"]
    size = int(kind[2:])
    print(kind, struct.unpack(f"<{(len(data) - end) // size}{CODES[kind[1:]]}", data[end:]))


if sys.argv[1] == "write":
    write(*sys.argv[2:])
else:
    for name in sys.argv[2:]:
        read(name)
