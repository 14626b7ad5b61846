"""integers.py FILE.npy TYPE SHAPE LEAST MOST: a tensor of integers from the least to the greatest, without a pattern; both occur in it."""
import random
import struct
import sys

path, kind, shape, least, most = sys.argv[1:]
code = {"i1": "b", "i2": "h", "i4": "i", "i8": "q"}[kind]
extents = [int(extent) for extent in shape.split("x") if extent]
count = 1
for extent in extents:
    count *= extent
numbers = random.Random(path.rsplit("/", 1)[-1])
items = [numbers.randint(int(least), int(most)) for _ in range(count)]
items[: min(count, 2)] = [int(least), int(most)][:count]
order = "|" if kind == "i1" else "<"
head = f"{{'descr': '{order}{kind}', 'fortran_order': False, 'shape': ({''.join(f'{extent},' for extent in extents)}), }}"
head += " " * (-(len(head) + 11) % 64) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{count}{code}", *items))
