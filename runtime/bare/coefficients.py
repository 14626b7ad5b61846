"""Computes the numbers of `math.c`; needs mpmath. `python3 coefficients.py > coefficients.h`"""

from mpmath import asin, atan, cos, erf, expm1, log, log1p, mp, mpf, nint, pi, power, sin, sqrt

mp.prec = 300

# Parts of an octave in the tables of `math.c`, and bits of the reciprocals, whose products with 24 bits are exact.
PARTS = 32
RECIPROCAL_BITS = 24


def interpolate(function, low, high, degree):
    """Coefficients, lowest power first, of the polynomial through the function at the nodes of Chebyshev."""
    count = degree + 1
    nodes = [(low + high + (high - low) * cos((2 * k + 1) * pi / (2 * count))) / 2 for k in range(count)]
    differences = [function(node) for node in nodes]
    for step in range(1, count):
        for k in range(count - 1, step - 1, -1):
            differences[k] = (differences[k] - differences[k - 1]) / (nodes[k] - nodes[k - step])
    polynomial = [mpf(0)] * count
    for k in range(count - 1, -1, -1):
        shifted = [mpf(0)] + polynomial[:-1]
        polynomial = [a - nodes[k] * b for a, b in zip(shifted, polynomial)]
        polynomial[0] += differences[k]
    return polynomial


def in_square(function):
    """Of an odd function: its quotient by the argument, as a function of the argument's square."""
    return lambda z: function(sqrt(z)) / sqrt(z)


def define(name, values, dimensions=""):
    numbers = ", ".join(float(value).hex() for value in values)
    print(f"static const double {name}[{dimensions or len(values)}] = {{{numbers}}};")


def main():
    print("/* Made by coefficients.py. Polynomials have the lowest power first. */")
    print("#include <stdint.h>\n")
    print("/* 2^(i / PARTS), and (2^r - 1) / r for |r| <= 1 / (2 * PARTS). */")
    print(f"enum {{ PARTS = {PARTS} }};")
    define("powers", [power(2, mpf(i) / PARTS) for i in range(PARTS)])
    half = mpf(1) / (2 * PARTS)
    define("power_rest", interpolate(lambda r: expm1(r * log(2)) / r, -half, half, 4))

    print("\n/* Parts of an octave around 1: where the first begins, reciprocals of their middles, and what those add to log2. */")
    print(f"static const uint64_t first_part = {0x3FF0000000000000 - 19 * 2**52 // (2 * PARTS):#x};")
    reciprocals = []
    for i in range(PARTS):
        edges = [octave_edge(i), octave_edge(i + 1)]
        scale = 2**RECIPROCAL_BITS
        reciprocals.append(mpf(1) if edges[0] < 1 < edges[1] else nint(scale * 2 / sum(edges)) / scale)
    define("reciprocals", reciprocals)
    define("logarithms", [-log(c, 2) for c in reciprocals])
    print("/* log2(1 + r) / r for |r| <= 1 / (2 * PARTS). */")
    define("logarithm_rest", interpolate(lambda r: log1p(r) / log(2) / r, -half, half, 6))

    print("\n/* In z = r^2: sin(r) / r and cos(r) for |r| <= pi / 4. */")
    define("sine", interpolate(in_square(sin), mpf(0), (pi / 4) ** 2, 5))
    define("cosine", interpolate(lambda z: cos(sqrt(z)), mpf(0), (pi / 4) ** 2, 5))
    print("/* atan(r) / r for |r| <= tan(pi / 8), and asin(r) / r for |r| <= 1 / 2. */")
    define("arc_tangent", interpolate(in_square(atan), mpf(0), (sqrt(2) - 1) ** 2, 7))
    define("arc_sine", interpolate(in_square(asin), mpf(0), mpf(1) / 4, 9))

    print("\n/* erf(r) / r in z = r^2 for |r| <= 1 / 2; then erf(c + r) for each middle c of half a unit from 1 / 2 to 4. */")
    define("error_start", interpolate(in_square(erf), mpf(0), mpf(1) / 4, 6))
    middles = [mpf(2 * i + 3) / 4 for i in range(7)]
    quarter = mpf(1) / 4
    pieces = [interpolate(lambda r, c=c: erf(c + r), -quarter, quarter, 9) for c in middles]
    rows = ",\n    ".join("{" + ", ".join(float(value).hex() for value in piece) + "}" for piece in pieces)
    print(f"static const double error_pieces[{len(pieces)}][{len(pieces[0])}] = {{\n    {rows}}};")

    print("\n/* 2 / pi in words behind one word for its whole part. */")
    words = [int(mpf(2) / pi * 2 ** (32 * (k + 1))) % 2**32 for k in range(7)]
    print("static const uint32_t two_over_pi[8] = {0, " + ", ".join(f"{word:#010x}" for word in words) + "};")


def octave_edge(i):
    """Where part `i` begins: parts are even on either side of 1, which lies in the middle of one."""
    bits = i - mpf(19) / 2
    return 1 + bits / PARTS if bits >= 0 else 1 + bits / (2 * PARTS)


main()
