"""Writes the variables of integers-within.sknd as .npy files to the folder where it runs."""
import struct

VALUES = {"one": ("q", (1, 1), 1), "zero": ("q", (1, 1), 0), "small": ("f", (1,), 1e-9), "half": ("f", (1,), 0.5), "large": ("q", (1,), 1_900_000_000)}

for name, (form, shape, value) in VALUES.items():
    kind = {"q": "<i8", "f": "<f4"}[form]
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}}}".encode()
    header = header.ljust(117) + b"\n"
    with open(f"{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<" + form, value))
