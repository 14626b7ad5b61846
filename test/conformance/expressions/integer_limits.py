#!/usr/bin/env python3
"""What operators on `int` give at the limits of 64 bits, computed with Python's integers.

    integer_limits.py            writes the conformance case beside this file anew
    integer_limits.py inputs DIR writes the model, its inputs, and run.sh, which runs it on the backend that it is given
    integer_limits.py check DIR  compares the outputs that are there then
"""

import ast
import math
import os
import struct
import sys

LOW, HIGH = -(2**63), 2**63 - 1
VALUES = [LOW, LOW + 1, -(2**32), -7, -2, -1, 0, 1, 2, 3, 7, 39, 64, 2**31, 2**62, HIGH - 1, HIGH]
REALS = [math.nan, math.inf, -math.inf, -(2.0**63), 2.0**63, 9.3e18, -9.3e18, 2.0**63 - 2.0**39, 2.0**62, 1e10, 2.75,
         1.5, 0.5, 0.0, -0.0, -0.5, -1.5, -2.75, 1e-30, 16777217.0, 3e38, -3e38]


def wrap(value):
    return (value + 2**63) % 2**64 - 2**63


def divided(a, b, up):
    """The quotient rounded down or up; that of the smallest integer by -1 wraps around."""
    return wrap(-(-a // b) if up else a // b)


def power(a, b):
    """Negative powers are rounded towards zero."""
    if b >= 0:
        return wrap(pow(a, b, 2**64))
    return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)


def float32(value):
    """The nearest number of 24 bits; ties go to the even one."""
    if value == 0:
        return 0.0
    shift = max(abs(value).bit_length() - 24, 0)
    quotient, rest = divmod(abs(value), 1 << shift)
    half = 1 << shift >> 1
    if shift and (rest > half or (rest == half and quotient % 2)):
        quotient += 1
    return math.copysign(float(quotient << shift), value)


def truncated(value):
    if math.isnan(value):
        return 0
    return max(LOW, min(HIGH, int(value))) if math.isfinite(value) else (HIGH if value > 0 else LOW)


# Name, type of the result, formula, and the function that computes it.
ANY = [
    ("sums", "int", "a[i,] + b[i,]", lambda a, b: wrap(a + b)),
    ("differences", "int", "a[i,] - b[i,]", lambda a, b: wrap(a - b)),
    ("products", "int", "a[i,] * b[i,]", lambda a, b: wrap(a * b)),
    ("smaller", "int", "a[i,] << b[i,]", min),
    ("larger", "int", "a[i,] >> b[i,]", max),
    ("less", "bool", "a[i,] < b[i,]", lambda a, b: a < b),
    ("at_most", "bool", "a[i,] <= b[i,]", lambda a, b: a <= b),
    ("greater", "bool", "a[i,] > b[i,]", lambda a, b: a > b),
    ("at_least", "bool", "a[i,] >= b[i,]", lambda a, b: a >= b),
    ("equal", "bool", "a[i,] == b[i,]", lambda a, b: a == b),
    ("different", "bool", "a[i,] != b[i,]", lambda a, b: a != b),
]
DIVISIBLE = [
    ("down", "int", "a[i,] / b[i,]", lambda a, b: divided(a, b, False)),
    ("up", "int", "a[i,] \\ b[i,]", lambda a, b: divided(a, b, True)),
    ("rest", "int", "a[i,] % b[i,]", lambda a, b: wrap(a % b)),
]
DEFINED = [("powers", "int", "a[i,] ** b[i,]", power)]
EACH = [
    ("opposite", "int", "-a[i,]", lambda a: wrap(-a)),
    ("magnitude", "int", "abs(a[i,])", lambda a: wrap(abs(a))),
    ("signs", "int", "sign(a[i,])", lambda a: (a > 0) - (a < 0)),
    ("reals", "real", "real(a[i,])", float32),
    ("truths", "bool", "bool(a[i,])", lambda a: a != 0),
    ("by_minus_one", "int", "a[i,] / -1", lambda a: divided(a, -1, False)),
    ("up_by_minus_one", "int", "a[i,] \\ -1", lambda a: divided(a, -1, True)),
    ("rest_by_minus_one", "int", "a[i,] % -1", lambda a: 0),
    ("by_three", "int", "a[i,] / 3", lambda a: divided(a, 3, False)),
    ("up_by_minus_three", "int", "a[i,] \\ -3", lambda a: divided(a, -3, True)),
    ("rest_by_minus_three", "int", "a[i,] % -3", lambda a: a % -3),
    ("cubes", "int", "a[i,] ** 3", lambda a: power(a, 3)),
    ("high_powers", "int", "a[i,] ** 39", lambda a: power(a, 39)),
    ("higher_powers", "int", "a[i,] ** 65", lambda a: power(a, 65)),
    ("exponents", "int", "3 ** a[i,]", lambda a: power(3, a)),
    ("guarded", "int", "a[i,] != 0 ? 7 / a[i,] : 7", lambda a: divided(7, a, False) if a else 7),
]
CONVERTED = [("ints", "int", "int(x[i,])", truncated), ("nonzero", "bool", "bool(x[i,])", lambda x: x != 0)]


def pairs(may):
    return [(a, b) for a in VALUES for b in VALUES if may(a, b)]


def operators():
    """Name, inputs with their types and values, and rows of the table."""
    for name, rows, may in [("of_any", ANY, lambda a, b: True), ("divisions", DIVISIBLE, lambda a, b: b != 0),
                            ("powers_of", DEFINED, lambda a, b: a != 0 or b >= 0)]:
        given = pairs(may)
        yield name, [("a", "int", [a for a, _ in given]), ("b", "int", [b for _, b in given])], rows
    yield "of_each", [("a", "int", VALUES)], EACH
    yield "conversions", [("x", "real", [struct.unpack("<f", struct.pack("<f", x))[0] for x in REALS])], CONVERTED


def expected():
    """By graph: inputs, and outputs with their types and values."""
    for name, inputs, rows in operators():
        columns = list(zip(*(values for _, _, values in inputs)))
        yield name, inputs, [(out, kind, [compute(*column) for column in columns]) for out, kind, _, compute in rows]


def text(value, kind):
    if kind == "bool":
        return "true" if value else "false"
    return repr(value) if kind == "real" else str(value)


def definitions():
    for name, inputs, rows in operators():
        extent = len(inputs[0][2])
        declared = " ".join(f"{own}: {kind}[n];" for own, kind, _ in inputs)
        results = " ".join(f"{own}: {kind}[n];" for own, kind, _, _ in rows)
        yield f"operator {name} {{\n    @input {{ {declared} }}\n    @output {{ {results} }}\n    @lower {{"
        yield from (f"        {own}[i,] = {formula}, i < n;" for own, _, formula, _ in rows)
        yield "    }\n}"
        arguments = ", ".join(own for own, _, _ in inputs)
        declared = declared.replace("[n]", f"[{extent}]")
        yield f"graph {name.title().replace('_', '')} {{\n    @input {{ {declared} }}"
        yield f"    @output {{ {results.replace('[n]', f'[{extent}]')} }}"
        yield f"    @compose {{ {', '.join(own for own, _, _, _ in rows)} = {name}({arguments}); }}\n}}"


def case():
    yield "# Section 2.4: operators on int at the limits of 64 bits, where a run wraps around, and conversions, which saturate."
    yield "# Written by integer_limits.py.\n"
    yield from definitions()
    for name, inputs, outputs in expected():
        yield f"#: run {name.title().replace('_', '')}"
        for keyword, tensors in [("input", inputs), ("output", outputs)]:
            for own, kind, values in tensors:
                yield f"#: {keyword} {own} = [{', '.join(text(value, kind) for value in values)}]"


CODES = {"int": ("<i8", "q"), "real": ("<f4", "f"), "bool": ("|b1", "?")}


def write(path, kind, values):
    header = repr({"descr": CODES[kind][0], "fortran_order": False, "shape": (len(values),)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}{CODES[kind][1]}", *values))


def read(path):
    data = open(path, "rb").read()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:start].decode())
    code = {"<i8": "q", "<f4": "f", "|b1": "?"}[header["descr"]]
    return list(struct.unpack(f"<{header['shape'][0]}{code}", data[start:]))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    mode, folder = sys.argv[1:3] if len(sys.argv) == 3 else ("case", here)
    if mode == "case":
        with open(os.path.join(folder, "integer-limits.sknd"), "w") as file:
            file.write("\n".join(case()) + "\n")
    if mode == "inputs":
        with open(os.path.join(folder, "main.sknd"), "w") as file:
            file.write("\n".join(definitions()) + "\n")
        for name, inputs, _ in expected():
            for own, kind, values in inputs:
                write(os.path.join(folder, f"{name}.{own}.npy"), kind, values)
        with open(os.path.join(folder, "run.sh"), "w") as file:
            for name, inputs, _ in expected():
                given = " ".join(f"--input {own}={name}.{own}.npy" for own, _, _ in inputs)
                graph = name.title().replace("_", "")
                print(f"skriptnd run main.sknd --backend $1 --graph {graph} {given} --output-dir {name}", file=file)
    if mode == "check":
        for name, _, outputs in expected():
            for own, _, values in outputs:
                found = read(os.path.join(folder, name, f"{own}.npy"))
                wrong = [at for at, value in enumerate(values) if found[at] != value]
                assert not wrong, f"{name}: {own}[{wrong[0]}] is {found[wrong[0]]}, expected {values[wrong[0]]}"
        print("all equal")


main()
