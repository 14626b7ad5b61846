#!/usr/bin/env python3
"""What functions of reals give for zeros, infinities, NaN, numbers below the normal ones and huge ones, computed with Python's
64 bits. Writes the conformance case beside this file anew."""

import math
import os
import struct


def single(value):
    """The nearest real of 32 bits."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


LEAST, NORMAL, LARGEST = 2.0**-149, 2.0**-126, (2 - 2.0**-23) * 2.0**127
SIZES = [0.0, math.inf, LEAST, 2.0**-130, NORMAL, 1e-30, 1e-8, 0.0078125, 0.3, 0.49999997, 0.5, 0.62, 0.625, 0.65, 0.9, 0.99999994,
         1.0, 1.5, 2.5, 3.0, 3.1415927, 10.25, 11.0, 50.0, 80.0, 100.0, 150.5, 8388608.5, 16777216.0, 1e10, 1e20, 1e30, LARGEST]
VALUES = [single(sign * size) for size in SIZES for sign in (1, -1)] + [math.nan]
# Where code takes one element after the other.
FEW = [0.0, -0.0, math.inf, -math.inf, math.nan, -LEAST, -0.3, LARGEST]


def guarded(function, otherwise=math.nan):
    """The function where Python raises an error: it is infinite or no number there."""
    def compute(x):
        try:
            return function(x)
        except OverflowError:
            return otherwise(x) if callable(otherwise) else otherwise
        except ValueError:
            return math.nan
    return compute


def whole(function):
    return lambda x: math.copysign(float(function(x)), x) if math.isfinite(x) else x


def log(x):
    return -math.inf if x == 0 else guarded(math.log)(x)


def atanh(x):
    return math.copysign(math.inf, x) if abs(x) == 1 else guarded(math.atanh)(x)


def away(x):
    return math.floor(abs(x) + 0.5)


def signed_infinity(x):
    return math.copysign(math.inf, x)


# Name, formula, function, and by how many units in the last place results may depart.
FUNCTIONS = [
    ("exp", "exp(x[i,])", guarded(math.exp, math.inf), 2),
    ("log", "log(x[i,])", log, 2),
    ("sqrt", "sqrt(x[i,])", lambda x: x if x == 0 else guarded(math.sqrt)(x), 0),
    ("sin", "sin(x[i,])", guarded(math.sin), 2),
    ("cos", "cos(x[i,])", guarded(math.cos), 2),
    ("tan", "tan(x[i,])", guarded(math.tan), 2),
    ("asin", "asin(x[i,])", guarded(math.asin), 2),
    ("acos", "acos(x[i,])", guarded(math.acos), 2),
    ("atan", "atan(x[i,])", math.atan, 2),
    ("sinh", "sinh(x[i,])", guarded(math.sinh, signed_infinity), 2),
    ("cosh", "cosh(x[i,])", guarded(math.cosh, math.inf), 2),
    ("tanh", "tanh(x[i,])", math.tanh, 2),
    ("asinh", "asinh(x[i,])", math.asinh, 2),
    ("acosh", "acosh(x[i,])", guarded(math.acosh), 2),
    ("atanh", "atanh(x[i,])", atanh, 2),
    ("erf", "erf(x[i,])", math.erf, 2),
    ("floor", "floor(x[i,])", whole(math.floor), 0),
    ("ceil", "ceil(x[i,])", whole(math.ceil), 0),
    ("rounded", "round(x[i,])", whole(lambda x: math.copysign(away(x), x)), 0),
    ("abs", "abs(x[i,])", abs, 0),
    ("sign", "sign(x[i,])", lambda x: x if x == 0 or x != x else math.copysign(1.0, x), 0),
    ("negated", "-x[i,]", lambda x: -x, 0),
    ("halved", "x[i,] / 2.0", lambda x: x / 2, 0),
    ("nothing", "x[i,] * 0.0", lambda x: x * 0, 0),
    ("remainder", "x[i,] % 0.75", lambda x: math.nan if math.isinf(x) else math.fmod(x, 0.75), 0),
    ("inverse", "1.0 / x[i,]", lambda x: math.copysign(math.inf, x) if x == 0 else 1 / x, 0),
    ("cubed", "x[i,] ** 3.0", guarded(lambda x: x**3.0, signed_infinity), 2),
    ("root", "x[i,] ** 0.5", guarded(lambda x: math.pow(x, 0.5)), 2),
    ("power", "x[i,] ** 1.75", guarded(lambda x: math.pow(x, 1.75), math.inf), 2),
]
# Of rows: their reciprocals are computed once.
DIVISORS = [2.0, -2.0, math.inf, 0.0, NORMAL / 4, LARGEST]


def quotient(x, y):
    if x != x or y != y:
        return math.nan
    if y == 0:
        return math.nan if x == 0 else math.copysign(math.inf, x) * math.copysign(1, y)
    return math.nan if math.isinf(x) and math.isinf(y) else x / y


def text(values):
    words = [repr(value) if value == value else "nan" for value in map(single, values)]
    return f"[{', '.join(words)}]"


def case():
    yield "# Section 2.4.4: functions of zeros, which keep their signs, of infinities, of what is no number, and of the least and the"
    yield "# largest numbers: as vectors, what remains beside them, and one by one. Written by special_functions.py.\n"
    for name, formula, _, _ in FUNCTIONS:
        yield f"operator of_{name} {{ @input {{ x: real[n]; }} @output {{ y: real[n]; }} @lower {{ y[i,] = {formula}, i < n; }} }}"
    yield "operator quotients { @input { x: real[m,n]; d: real[m]; } @output { y: real[m,n]; } " \
          "@lower { y[j,i] = x[j,i] / d[j,], j < m, i < n; } }\n"
    for places in sorted({places for _, _, _, places in FUNCTIONS}):
        rows = [(name, function) for name, _, function, own in FUNCTIONS if own == places]
        yield f"graph Within{places} {{\n    @attrib {{ n: int; }}\n    @input {{ x: real[n]; }}"
        yield "    @output { " + " ".join(f"y_{name}: real[n];" for name, _ in rows) + " }"
        yield "    @compose { " + " ".join(f"y_{name} = of_{name}(x);" for name, _ in rows) + " }\n}"
        for given in [VALUES] + [[value] for value in FEW]:
            yield f"#: run Within{places}\n#: attribute n = {len(given)}\n#: tolerance {places} ulp\n#: input x = {text(given)}"
            yield from (f"#: output y_{name} = {text(map(function, given))}" for name, function in rows)
    yield f"graph Quotients {{\n    @input {{ x: real[{len(DIVISORS)},{len(VALUES)}]; d: real[{len(DIVISORS)}]; }}"
    yield f"    @output {{ y: real[{len(DIVISORS)},{len(VALUES)}]; }}\n    @compose {{ y = quotients(x, d); }}\n}}"
    given = ", ".join([text(VALUES)] * len(DIVISORS))
    found = ", ".join(text([quotient(x, single(d)) for x in VALUES]) for d in DIVISORS)
    yield f"#: run Quotients\n#: tolerance 0 ulp\n#: input x = [{given}]\n#: input d = {text(DIVISORS)}\n#: output y = [{found}]"


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "special-functions.sknd"), "w") as file:
    file.write("\n".join(case()) + "\n")
