"""Settings of the operators of `quantized`, computed with Python's integers and fractions from their text."""

import math
from fractions import Fraction

import numpy as np

from oracle import Module, ints, reals

quantized = Module("quantized")


def each(function, *operands):
    """What a function of numbers gives for all elements; shapes are broadcast."""
    operands = [np.asarray(operand) for operand in np.broadcast_arrays(*operands)]
    results = [function(*(item.item() for item in items)) for items in zip(*(operand.ravel() for operand in operands))]
    return np.array(results, dtype=np.int64).reshape(operands[0].shape)


def half_away(x):
    """The nearest integer to a fraction, halves away from zero."""
    x = Fraction(x)
    whole = int(abs(x) + Fraction(1, 2))
    return whole if x >= 0 else -whole


def limited(x, least, most):
    return max(least, min(most, x))


def scaled(sum_, multiplier, shift, zero, least, most):
    """The nearest integer to `sum * multiplier / 2 ** shift`, halves up."""
    exact = Fraction(limited(sum_, -2**31, 2**31 - 1) * multiplier, 2**shift)
    return limited((exact + Fraction(1, 2)).__floor__() + zero, least, most)


def multipliers(factors):
    """The nearest integers to factors times a power of 2, of which the greatest has 31 bits."""
    greatest = max(factors.tolist())
    shift = max([k for k in range(1, 62) if Fraction(greatest) * 2**k < 2**31], default=0)
    found = [limited(half_away(Fraction(factor) * 2**max(shift, 1)), 0, 2**31 - 1) for factor in factors.tolist()]
    return np.array(found), np.array(shift)


def multiplier():
    operator = quantized.operator("multiplier")

    def setting(name, factors, **options):
        factors = np.array(factors, np.float32)
        found, shift = multipliers(factors)
        operator.setting(name, {"factor": factors.astype(float)}, {"multiplier": found, "shift": shift}, **options)

    setting("one", [0.0123])
    setting("channels", reals(7, low=1e-5, high=0.02))
    setting("powers", [1.0, 0.5, 2.0, 0.25])
    setting("far_apart", [0.9, 1e-9, 3e-12])
    setting("great", [3e9, 1.0])
    setting("small", [1e-12, 1e-20, 0.0])
    setting("dynamic", reals(3, low=0.1, high=1.0), declared={"factor": "real[n|5]", "multiplier": "int[n]"})


def requantize():
    operator = quantized.operator("requantize")

    def setting(name, x, multiplier, shift, zero, limits=(-128, 127), axis=0, **options):
        multiplier = np.atleast_1d(multiplier)
        shape = [1] * x.ndim
        if x.ndim:
            shape[axis] = -1
        zeros = np.reshape(zero, shape) if np.ndim(zero) else zero
        y = each(lambda sum_, m, z: scaled(sum_, m, shift, z, *limits), x, multiplier.reshape(shape), zeros)
        attributes = {"least": limits[0], "most": limits[1], "axis": axis}
        inputs = {"x": x, "multiplier": multiplier, "shift": shift, "zero": zero}
        operator.setting(name, inputs, {"y": y}, attributes, **options)

    x = ints(2, 3, 5, low=-30000, high=30000)
    setting("one", x, 1518500250, 38, 3)
    setting("unsigned", x, 1518500250, 39, 128, (0, 255))
    setting("channels", x, ints(3, low=1, high=2**31, seed=1), 39, -7, axis=1)
    setting("last_axis", x, ints(5, low=1, high=2**31, seed=2), 40, 0, (-32768, 32767), axis=2)
    setting("zeros", x, ints(3, low=1, high=2**31, seed=4), 39, ints(3, low=-300, high=300, seed=5), (0, 255), axis=1)
    setting("last_zeros", x, 1518500250, 38, ints(5, low=-500, high=500, seed=6), axis=2)
    # Halves go up.
    setting("halves", np.arange(-9, 10), 2**30, 31, 0)
    setting("quarters", np.arange(-9, 10), 2**30, 32, 1)
    setting("least_shift", np.arange(-9, 10), 3, 1, 0)
    setting("greatest_shift", np.array([2**31 - 1, -2**31]), 2**31 - 1, 61, 5)
    setting("beyond", np.array([2**31, -2**31 - 1, 2**40, -2**40, 2**62]), 2**30, 33, 0, (-2**31, 2**31 - 1))
    setting("images", ints(1, 67, 6, 5, low=-99999, high=99999), ints(67, low=1, high=2**31, seed=3), 42, 9, axis=1)
    setting("dynamic", x, 1518500250, 38, 3, declared={"x": "int[n|4, 3, 5]", "y": "int[n, 3, 5]"})
    one = {"multiplier": np.array([5]), "shift": 31, "zero": 0}
    operator.invalid("channel_count", {"x": x, **one, "multiplier": np.array([5, 6])}, "there must be one multiplier",
                     {"least": 0, "most": 9, "axis": 1}, outputs={"y": x})
    zeros = {"x": x, **one, "zero": np.array([1, 2])}
    operator.invalid("zero_count", zeros, "there must be one zero", {"least": 0, "most": 9, "axis": 1}, outputs={"y": x})
    operator.invalid("limits", {"x": x, **one}, "`least` must not be greater", {"least": 1, "most": 0}, outputs={"y": x})


def requantize_halves():
    operator = quantized.operator("requantize_halves")

    def setting(name, x, multiplier, shift, zero, limits=(-32768, 32767), axis=0, **options):
        multiplier = np.atleast_1d(multiplier)
        shape = [1] * x.ndim
        shape[axis] = -1
        zeros = np.reshape(zero, shape) if np.ndim(zero) else zero
        upper, lower = x // 256, x % 256

        def one(sum_, m, z):
            exact = Fraction(sum_ * (limited(m + 16, 0, 2**31 - 1) // 32), 2**max(shift - 5, 1))
            return limited((exact + Fraction(1, 2)).__floor__() + z, *limits)

        attributes = {"least": limits[0], "most": limits[1], "axis": axis}
        inputs = {"upper": upper, "lower": lower, "multiplier": multiplier, "shift": shift, "zero": zero}
        operator.setting(name, inputs, {"y": each(one, x, multiplier.reshape(shape), zeros)}, attributes, **options)

    x = ints(2, 3, 5, low=-2**34, high=2**34)
    setting("one", x, 1518500250, 50, 3)
    setting("channels", x, ints(3, low=1, high=2**31, seed=1), 49, -7, axis=1)
    setting("zeros", x, ints(5, low=1, high=2**31, seed=2), 51, ints(5, low=-300, high=300, seed=3), (0, 65535), axis=2)
    # Halves go up.
    setting("halves", np.arange(-9, 10), 2**30, 31, 0)
    setting("few", np.arange(-300, 300, 7), 1518500250, 32, 0)
    setting("dynamic", x, 1518500250, 50, 3, declared={"upper": "int[n|4, 3, 5]", "lower": "int[n, 3, 5]", "y": "int[n, 3, 5]"})
    one = {"upper": x, "lower": x, "multiplier": np.array([5]), "shift": 31, "zero": 0}
    attributes = {"least": 0, "most": 9, "axis": 1}
    for name, wrong, message in (("channel_count", {"multiplier": np.array([5, 6])}, "there must be one multiplier"),
                                 ("zero_count", {"zero": np.array([1, 2])}, "there must be one zero")):
        operator.invalid(name, one | wrong, message, attributes, outputs={"y": x})
    operator.invalid("limits", one, "`least` must not be greater", attributes | {"least": 10}, outputs={"y": x})


def begin():
    operator = quantized.operator("begin")

    def setting(name, x, steps, step, scale, zero, most, **options):
        x, step, scale = (np.asarray(value, np.float32) for value in (x, step, scale))
        left = x - np.asarray(steps).astype(np.float32) * step
        y = each(lambda quotient: limited(half_away(quotient) + zero, -most, most), (left / scale).astype(float))
        inputs = {"x": x.astype(float), "steps": steps, "step": step.astype(float), "scale": scale.astype(float), "zero": zero}
        operator.setting(name, inputs, {"y": y}, {"most": most}, **options)

    # Powers of 2 make products exact, whether or not they are rounded before they are subtracted.
    setting("nothing", [0.5, -0.25, 3.0], np.array([4, -2, 24]), [0.125], [0.5], 3, 510)
    setting("several", [0.5, -0.25, 3.0], np.array([4, -2, 4]), [0.125, 0.0625, 0.25], [0.5], -7, 510)
    setting("beyond", [1e6, -1e6], np.array([2**30 - 1, -2**30]), [2.0**-40], [0.5], 0, 510)
    operator.invalid("count", {"x": reals(3), "steps": ints(3), "step": reals(2), "scale": reals(1), "zero": 0},
                     "there must be one step", {"most": 510}, outputs={"y": ints(3)})


def steps():
    operator = quantized.operator("steps")

    def setting(name, x, step, **options):
        x, step = np.asarray(x, np.float32), np.asarray(step, np.float32)
        # The quotient has 32 bits.
        with np.errstate(over="ignore", divide="ignore"):
            quotient = (x / step).astype(float)
        y = each(lambda q: limited(half_away(q) if abs(q) < 1e30 else (-2**62 if q < 0 else 2**62), -2**30, 2**30 - 1),
                 np.broadcast_to(quotient, x.shape))
        operator.setting(name, {"x": x.astype(float), "step": step.astype(float)}, {"y": y}, **options)

    setting("one", reals(9), [0.01])
    setting("several", reals(5), reals(5, low=0.001, high=0.1))
    setting("halves", [0.5, 1.5, -0.5, -1.5, 0.25], [1.0])
    setting("beyond", [1e30, -1e30, np.inf, -np.inf], [1e-3])
    operator.invalid("count", {"x": reals(3), "step": reals(2)}, "there must be one step", outputs={"y": ints(3)})


def quantization():
    operator = quantized.operator("quantize")
    x = reals(2, 3, 4)

    def setting(name, x, scale, zero, limits=(-128, 127), axis=0, **options):
        scale, zero = np.array(scale, np.float32), np.array(zero)
        shape = [1] * x.ndim
        shape[axis] = -1

        def one(x, scale, zero):
            if np.isnan(x):
                return limited(zero, *limits)
            with np.errstate(over="ignore"):
                quotient = float(np.float32(x) / np.float32(scale))
            if np.isinf(quotient):
                return limits[1] if x > 0 else limits[0]
            return limited(half_away(quotient) + zero, *limits)

        y = each(one, x, scale.reshape(shape), zero.reshape(shape))
        attributes = {"least": limits[0], "most": limits[1], "axis": axis}
        operator.setting(name, {"x": x, "scale": scale.astype(float), "zero": zero}, {"y": y}, attributes, **options)

    setting("one", x, [0.03], [5])
    setting("unsigned", x, [0.02], [128], (0, 255))
    setting("channels", x, [0.1, 0.02, 0.3], [0, 4, -9], axis=1)
    setting("halves", np.array([0.5, 1.5, -0.5, -1.5, 2.5]), [1.0], [0])
    # What is not a number becomes what stands for 0.
    setting("special", np.array([np.inf, -np.inf, np.nan, 3e38, -3e38, 1e19, -1e19]), [0.5], [3])
    operator.invalid("count", {"x": x, "scale": reals(2), "zero": ints(2)}, "there must be one scale",
                     {"least": 0, "most": 9, "axis": 1}, outputs={"y": ints(2, 3, 4)})

    back = quantized.operator("dequantize")
    q = ints(2, 3, 4, low=-128, high=128)

    def reverse(name, scale, zero, axis=0):
        shape = [1, 1, 1]
        shape[axis] = -1
        scale, zero = np.array(scale, np.float32).reshape(shape), np.array(zero).reshape(shape)
        y = ((q - zero).astype(np.float32) * scale).astype(float)
        inputs = {"x": q, "scale": scale.ravel().astype(float), "zero": zero.ravel()}
        back.setting(name, inputs, {"y": y}, {"axis": axis})

    reverse("one", [0.03], [5])
    reverse("channels", [0.1, 0.02, 0.3], [0, 4, -9], axis=1)
    reverse("last_axis", [0.1, 0.02, 0.3, 4.0], [0, 127, -128, 1], axis=2)
    back.invalid("count", {"x": q, "scale": reals(2), "zero": ints(2)}, "there must be one scale", {"axis": 1},
                 outputs={"y": reals(2, 3, 4)})


def addition():
    operator = quantized.operator("add")

    def setting(name, x, y, zeros, m, shift, zero, limits=(-128, 127), **options):
        def one(a, b):
            a, b = (limited(item - own, -2**19, 2**19 - 1) for item, own in zip((a, b), zeros))
            exact = Fraction(a * m[0] + b * m[1], 2**shift)
            return limited((exact + Fraction(1, 2)).__floor__() + zero, *limits)

        inputs = {"x": x, "y": y, "zeros": np.array(zeros), "multipliers": np.array(m), "shift": shift, "zero": zero}
        operator.setting(name, inputs, {"z": each(one, x, y)}, {"least": limits[0], "most": limits[1]}, **options)

    x, y = ints(2, 3, 67, low=0, high=256), ints(2, 3, 67, low=-128, high=128, seed=1)
    setting("same_shape", x, y, [128, 3], [1518500250, 987654321], 31, 4)
    setting("broadcast", x, y[0, :, :1], [0, 0], [2**30, 2**29], 30, 0, (0, 255))
    setting("halves", np.arange(8), np.arange(8)[::-1] * 3, [0, 0], [2**30, 2**30], 32, -1)
    setting("beyond", np.array([2**40, -2**40]), np.array([0, 1]), [0, 0], [2**31 - 1, 2**31 - 1], 40, 0)
    setting("dynamic", x, y, [128, 3], [1518500250, 987654321], 31, 4,
            declared={"x": "int[n|4, 3, 67]", "y": "int[n, 3, 67]", "z": "int[n, 3, 67]"})
    rest = {"zeros": ints(2), "multipliers": ints(2), "shift": 31, "zero": 0}
    operator.invalid("mismatch", {"x": x, "y": ints(2), **rest}, "can't be broadcast", {"least": 0, "most": 9},
                     outputs={"z": x})


def lookup():
    operator = quantized.operator("lookup")
    table = ints(256, low=-128, high=128)

    def setting(name, x, values, least, **options):
        y = each(lambda item: values[limited(item - least, 0, len(values) - 1)], x)
        operator.setting(name, {"x": x, "values": values}, {"y": y}, {"least": least}, **options)

    setting("bytes", ints(3, 67, low=0, high=256), table, 0)
    setting("signed", ints(2, 5, low=-128, high=128), table, -128)
    setting("beyond", np.array([-5, 0, 3, 9]), table[:4], 0)
    setting("dynamic", ints(3, 4, low=0, high=256), table, 0, declared={"x": "int[n|5, 4]", "y": "int[n, 4]"})
    operator.invalid("no_values", {"x": ints(3), "values": ints(0)}, "at least one value", {"least": 0},
                     outputs={"y": ints(3)})


def softmax():
    operator = quantized.operator("softmax")

    def setting(name, x, scale, to_scale, zero, axes, limits=(-128, 127), **options):
        below = x.max(axes, keepdims=True, initial=-10**9) - x
        powers = np.array([half_away(np.exp(-step * scale) * 2**23) for step in range(256)])
        parts = powers[below.clip(0, 255)]
        sums = np.broadcast_to(parts.sum(axes, keepdims=True), x.shape)
        shift = 22 - max(0, int(np.ceil(np.log2(1 / to_scale / 256))))
        ones = half_away(2.0**(shift - 6) / to_scale)

        def share(part, all_):
            part, all_ = (part + 128) // 256, max(all_ // 256, 2**15)
            worth = (ones * 64 + all_ // 2) // all_
            return limited((part * worth + 2**(shift - 1)) // 2**shift + zero, *limits)

        y = each(share, parts, sums)
        exact = np.exp(-below * scale)
        exact = exact / exact.sum(axes, keepdims=True) / to_scale + zero
        assert (abs(y - exact.clip(*limits)) < 0.6).all(), name
        inputs = {"x": x, "powers": powers, "ones": ones, "zero": zero}
        attributes = {"axes": list(axes), "shift": shift, "least": limits[0], "most": limits[1]}
        operator.setting(name, inputs, {"y": y}, attributes, **options)

    setting("rows", ints(3, 7, low=-128, high=128), 0.05, 1 / 256, -128, (1,))
    setting("unsigned", ints(2, 67, low=0, high=256), 0.02, 1 / 256, 0, (1,), (0, 255))
    setting("columns", ints(5, 3, low=-128, high=128), 0.1, 1 / 256, -128, (0,))
    setting("both", ints(2, 3, 4, low=-128, high=128), 0.03, 1 / 200, -100, (1, 2))
    setting("alike", np.full((2, 300), 77), 0.1, 1 / 256, -128, (1,))
    setting("many", ints(1, 2000, low=-128, high=128), 0.01, 1 / 512, 0, (1,), (0, 255))
    setting("one", ints(3, 1, low=-128, high=128), 0.1, 1 / 256, -128, (1,))
    setting("fine", ints(2, 67, low=0, high=256), 0.05, 1 / 3000, 0, (1,), (0, 255))
    setting("coarse", ints(2, 5, low=-128, high=128), 0.1, 0.25, 1, (1,))
    setting("dynamic", ints(3, 4, low=-128, high=128), 0.05, 1 / 256, -128, (1,),
            declared={"x": "int[n|5, m|9]", "y": "int[n, m]"})
    inputs = {"x": ints(2, 2), "powers": ints(3), "ones": 256, "zero": 0}
    operator.invalid("limits", inputs, "`least` must not be greater",
                     {"axes": [1], "shift": 22, "least": 1, "most": 0}, outputs={"y": ints(2, 2)})
    operator.invalid("shift", inputs, "`shift` must lie between", {"axes": [1], "shift": 0, "least": 0, "most": 1},
                     outputs={"y": ints(2, 2)})


def fine_softmax():
    operator = quantized.operator("fine_softmax")

    def setting(name, x, scale, to_scale, zero, axes, limits=(-32768, 32767), **options):
        below = x.max(axes, keepdims=True, initial=-10**9) - x
        table = lambda count, stride: np.array([half_away(np.exp(-step * stride * scale) * 2**30) for step in range(count)])
        coarse, fine = table(int(below.max(initial=0)) // 256 + 1, 256), table(256, 1)
        parts = each(lambda b: (int(coarse[b // 256]) * int(fine[b % 256]) + 2**29) >> 30, below)
        sums = np.broadcast_to(parts.sum(axes, keepdims=True), x.shape)
        exponent = int(np.ceil(np.log2(1 / to_scale)))
        ones = half_away(Fraction(1 / to_scale) * 2**(61 - exponent))

        def share(part, all_):
            all_ = max(all_, 2**30)
            worth = limited((ones + all_ // 2) // all_, 0, 2**31 - 1)
            return limited(((part * worth + 2**(60 - exponent)) >> (61 - exponent)) + zero, *limits)

        y = each(share, parts, sums)
        exact = np.exp(-below * scale)
        exact = exact / exact.sum(axes, keepdims=True) / to_scale + zero
        assert (abs(y - exact.clip(*limits)) < 0.65).all(), name
        inputs = {"x": x, "coarse": coarse, "fine": fine, "zero": zero}
        attributes = {"axes": list(axes), "ones": ones, "shift": 61 - exponent, "least": limits[0], "most": limits[1]}
        operator.setting(name, inputs, {"y": y}, attributes, **options)

    words = lambda *shape: ints(*shape, low=-32768, high=32768)
    setting("rows", words(3, 7), 0.0002, 1 / 65536, -32768, (1,))
    setting("unsigned", ints(2, 67, low=0, high=65536), 0.0001, 1 / 65535, 0, (1,), (0, 65535))
    setting("columns", words(5, 3), 0.0003, 1 / 32768, 0, (0,))
    setting("both", words(2, 3, 4), 0.0002, 1 / 40000, -100, (1, 2))
    setting("alike", np.full((2, 300), 77), 0.1, 1 / 65536, -32768, (1,))
    setting("of_bytes", ints(2, 67, low=0, high=256), 0.05, 1 / 65536, 0, (1,), (0, 65535))
    setting("to_bytes", words(3, 67), 0.0003, 1 / 256, -128, (1,), (-128, 127))
    setting("far", np.array([[-32768, 32767, 32766, 0]]), 0.01, 1 / 65536, 0, (1,), (0, 65535))
    setting("dynamic", words(3, 4), 0.0002, 1 / 65536, 0, (1,), (0, 65535),
            declared={"x": "int[n|5, m|9]", "y": "int[n, m]"})
    inputs = {"x": ints(2, 2), "coarse": ints(3), "fine": ints(256), "zero": 0}
    attributes = {"axes": [1], "ones": 256, "shift": 22, "least": 0, "most": 1}
    for name, wrong, message in (("limits", {"least": 2}, "`least` must not be greater"),
                                 ("shift", {"shift": 0}, "`shift` must lie between")):
        operator.invalid(name, inputs, message, attributes | wrong, outputs={"y": ints(2, 2)})
    operator.invalid("no_values", inputs | {"coarse": ints(0)}, "at least one value", attributes, outputs={"y": ints(2, 2)})


def blend():
    operator = quantized.operator("blend")

    def setting(name, x, index, weight, axis, **options):
        shape = [1] * (x.ndim + 1)
        shape[axis:axis + 2] = weight.shape
        y = (np.take(x, index, axis) * weight.reshape(shape)).sum(axis + 1)
        operator.setting(name, {"x": x, "index": index, "weight": weight}, {"y": y}, {"axis": axis}, **options)

    setting("rows", ints(3, 4, low=-128, high=128), ints(5, 2, low=0, high=3), ints(5, 2, low=0, high=1025), 0)
    setting("last", ints(2, 67, low=-128, high=128), ints(9, 2, low=0, high=67), ints(9, 2, low=0, high=1025), 1)
    setting("between", ints(2, 3, 37, low=0, high=256), ints(4, 2, low=0, high=3), ints(4, 2, low=0, high=1025), 1)
    setting("three", ints(4, low=0, high=256), ints(2, 3, low=0, high=4), ints(2, 3, low=-9, high=9), 0)
    setting("dynamic", ints(2, 3, low=0, high=256), ints(4, 2, low=0, high=3), ints(4, 2, low=0, high=1025), 1,
            declared={"x": "int[n|5, 3]", "y": "int[n, 4]"})


def deviations():
    operator = quantized.operator("deviations")

    def worth(spread, precision, places):
        """`2 ** precision` by the root of a variance, departing by 2 ** -24 of that and by half of a step."""
        root = math.isqrt(max(spread, 1) << 60)
        return min(half_away(Fraction(2**(precision + 30 + places // 2), root)), 2**31 - 1)

    def setting(name, x, axes, epsilon, centered=True, places=20, precision=32, ahead=12, shift=33, **options):
        count = math.prod(x.shape[axis] for axis in axes)
        total = x.sum(axes, keepdims=True) if centered else x.sum(axes, keepdims=True) * 0
        spread = (count * (x * x).sum(axes, keepdims=True) - total * total) * 2**places + epsilon
        worths = each(lambda item: newton(item, 61 - places // 2 - precision), spread)
        near = each(lambda item: worth(item, precision, places), spread)
        assert (abs(worths - near) <= near * 2.0**-24 + 1).all(), name
        most = 2**24 - 1

        def one(item, sum_, worth):
            return limited(((item * count - sum_) * 2**ahead * worth + 2**(shift - 1)) >> shift, -most, most)

        y = each(one, x, total, worths)
        exact = (x * count - total) / np.sqrt(np.maximum(spread / 2.0**places, 1e-9)) * 2.0**(precision + ahead - shift)
        assert (abs(y - exact) < 1 + abs(exact) * 2.0**-23).all(), name
        attributes = {"axes": list(axes), "centered": centered, "epsilon": epsilon, "places": places, "precision": precision,
                      "ahead": ahead, "shift": shift, "most": most}
        operator.setting(name, {"x": x}, {"y": y}, attributes, **options)

    setting("rows", ints(3, 7, low=-128, high=128), (1,), 2**20)
    setting("unsigned", ints(2, 67, low=0, high=256), (1,), 5 * 2**20)
    setting("columns", ints(5, 3, low=-128, high=128), (0,), 1)
    setting("both", ints(2, 3, 4, low=-128, high=128), (1, 2), 12345678)
    setting("from_zero", ints(3, 67, low=-128, high=128), (1,), 2**18, centered=False)
    setting("words", ints(2, 5, low=-32768, high=32768), (1,), 2**20, places=10, precision=40, ahead=8, shift=31)
    # Rows of one number have no deviations, whether something is added or not.
    setting("alike", np.full((2, 30), 77), (1,), 0)
    setting("nearly", np.array([[5, 5, 5, 6], [-128, 127, 127, 127]]), (1,), 3, precision=31)
    setting("dynamic", ints(3, 4, low=-128, high=128), (1,), 2**20, declared={"x": "int[n|5, 4]", "y": "int[n, 4]"})
    x = ints(2, 2)
    attributes = {"axes": [1], "epsilon": 1, "places": 20, "precision": 32, "ahead": 12, "shift": 33, "most": 9}
    for name, wrong, message in (("axis", {"axes": [2]}, "`axes` must lie between"),
                                 ("odd", {"places": 3}, "`places` must be even"),
                                 ("ahead", {"ahead": 32}, "`ahead` must lie between"),
                                 ("shift", {"shift": 0}, "`shift` must lie between")):
        operator.invalid(name, {"x": x}, message, attributes | wrong, outputs={"y": x})


def newton(spread, shift):
    """The reciprocal of a root, by the steps of `_root_worth`."""
    x, doubled = limited(spread, 1, 2**62 - 1), 1
    for bits, by in ((30, 16), (46, 8), (54, 4), (58, 2), (60, 1)):
        if x < 2**bits:
            x, doubled = x << 2 * by, doubled << by
    m = x >> 31
    root = 2289969188 - (m * 1308569161 >> 31)
    for _ in range(3):
        root = root * (3 * 2**30 - ((root * root >> 30) * m >> 31)) >> 31
    return limited((root * doubled + 2**(shift - 1)) >> shift, 0, 2**31 - 1)


def scale():
    operator = quantized.operator("scale")

    def fixed(x, step, places, most):
        steps = np.asarray(x, np.float32) / np.float32(step) * np.float32(2.0**places)
        return each(lambda item: limited(half_away(item), -most, most), steps.astype(float))

    def setting(name, x, factor, offset, step=0.03125, zero=3, limits=(-128, 127), axis=0, places=22, shift=29,
                fraction=8, **options):
        shape = [1] * x.ndim
        shape[axis] = -1
        along = lambda items: items if len(items) == 1 else items.reshape(shape)
        factors = along(fixed(factor, step, places, 2**31 - 1))
        offsets = along(fixed(offset, step, fraction, 2**29))

        def one(item, factor, offset):
            product = (item * factor + 2**(shift - 1)) >> shift
            return limited(((product + offset + 2**(fraction - 1)) >> fraction) + zero, *limits)

        attributes = {"axis": axis, "places": places, "shift": shift, "fraction": fraction, "least": limits[0], "most": limits[1]}
        inputs = {"x": x, "factor": np.asarray(factor, float), "offset": np.asarray(offset, float), "step": np.array([step]), "zero": zero}
        operator.setting(name, inputs, {"y": each(one, x, factors, offsets)}, attributes, **options)

    x = ints(2, 3, 5, low=-99999, high=99999)
    setting("one", x, [1.0], [0.0])
    setting("channels", x, reals(5, low=-2.0, high=2.0), reals(5), axis=2)
    setting("rows", x, reals(3, low=-2.0, high=2.0), reals(3), axis=1, limits=(0, 255), zero=128)
    setting("one_offset", x, reals(5), [0.25], axis=2)
    setting("one_factor", x, [-0.75], reals(2), axis=0)
    setting("words", x, reals(5), reals(5), 2.0**-13, 0, (-32768, 32767), 2, 14, 25, 5)
    setting("beyond", x, [1e9, -1e9], [1e30, -1e30], axis=0)
    setting("halves", np.arange(-9, 10) * 2**14, [1.0], [0.0], 1.0, 0, places=15, shift=29, fraction=1)
    setting("dynamic", x, reals(5), reals(5), axis=2, declared={"x": "int[n|4, 3, 5]", "y": "int[n, 3, 5]"})
    inputs = {"x": x, "factor": reals(5), "offset": reals(5), "step": reals(1), "zero": 0}
    attributes = {"axis": 2, "places": 22, "shift": 29, "fraction": 8, "least": 0, "most": 9}
    for name, wrong, message in (("factors", {"factor": reals(2)}, "there must be one factor"),
                                 ("offsets", {"offset": reals(2)}, "there must be one offset")):
        operator.invalid(name, inputs | wrong, message, attributes, outputs={"y": x})
    for name, wrong, message in (("limits", {"least": 10}, "`least` must not be greater"),
                                 ("shift", {"shift": 62}, "`shift` must lie between"),
                                 ("fraction", {"fraction": 31}, "`fraction` must lie between")):
        operator.invalid(name, inputs, message, attributes | wrong, outputs={"y": x})


for part in (multiplier, requantize, requantize_halves, begin, steps, quantization, addition, lookup, softmax, fine_softmax, blend, deviations, scale):
    part()
quantized.write()
