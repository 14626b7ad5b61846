"""uniform.py FILE SEED EXTENT...: writes reals between -1 and 1 as .npy; with `int=N` for the seed, the integer N everywhere;
with `zero`, zeros that take no room on the disk."""

import array
import math
import random
import struct
import sys

file, seed, shape = sys.argv[1], sys.argv[2], [int(extent) for extent in sys.argv[3:]]
count = math.prod(shape)
if seed.startswith("int="):
    kind, elements = "<i8", array.array("q", [int(seed[4:])] * count)
elif seed == "zero":
    kind, elements = "<f4", array.array("f")
else:
    random.seed(int(seed))
    kind, elements = "<f4", array.array("f", (random.uniform(-1, 1) for _ in range(count)))
extents = "".join(f"{extent}, " for extent in shape)
header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({extents}), }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(file, "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin-1") + elements.tobytes())
    out.truncate(10 + len(header) + count * (8 if kind == "<i8" else 4))
