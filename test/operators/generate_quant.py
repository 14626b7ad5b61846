"""Settings of the operators of `quant`, computed by numpy from their definitions."""

import numpy as np

import onnx_node
from oracle import Literal, Module

random = np.random.default_rng(4)
quant = Module("quant")


def half_away(x):
    """The nearest whole number, half away from zero."""
    return np.sign(x) * np.floor(np.abs(x) + 0.5)


def along(values, axis, rank):
    """A value, or one for each element of an axis."""
    if not isinstance(values, list):
        return values
    shape = [1] * rank
    shape[axis] = -1
    return np.array(values, dtype=float).reshape(shape)


def zero_point(x, zero_point, scale, bits, signed=True, symmetric=False, channel_axis=1):
    zero_point, scale = along(zero_point, channel_axis, x.ndim), along(scale, channel_axis, x.ndim)
    largest = 2 ** (bits - 1) - 1 if signed else 2 ** bits - 1
    smallest = 0 if not signed else -largest if symmetric else -largest - 1
    return (np.clip(zero_point + half_away(x / scale), smallest, largest) - zero_point) * scale


def min_max(x, min, max, bits, signed=True, symmetric=False, channel_axis=1):
    low, high = along(min, channel_axis, x.ndim), along(max, channel_axis, x.ndim)
    steps = 2 ** bits - 1 - int(signed and symmetric)
    shift = 2 ** (bits - 1) - int(symmetric) if signed else 0
    with np.errstate(divide="ignore", invalid="ignore"):
        step = half_away((np.clip(x, low, high) - low) / (high - low) * steps) - shift
    # A range of one value is that value.
    return np.where(high > low, (step + shift) / steps * (high - low) + low, np.clip(x, low, high))


def add(name, function, ranges):
    """Settings of an operator, whose range is given by two attributes, uniform and by channel."""
    operator = quant.operator(name)
    uniform, channels = ranges
    x = 2 * random.normal(size=(2, 3, 40))

    def setting(case, attributes, data=x, **options):
        operator.setting(case, {"input": data}, {"output": function(data, **attributes)}, attributes, **options)

    setting("signed", {**uniform, "bits": 8})
    setting("unsigned", {**uniform, "bits": 8, "signed": False})
    setting("symmetric", {**uniform, "bits": 4, "symmetric": True})
    setting("unsigned_symmetric", {**uniform, "bits": 4, "signed": False, "symmetric": True})
    setting("four_bits", {**uniform, "bits": 4})
    setting("sixteen_bits", {**uniform, "bits": 16})
    setting("two_bits", {**uniform, "bits": 2})
    setting("channels", {**channels, "bits": 8})
    setting("channels_unsigned", {**channels, "bits": 6, "signed": False})
    setting("other_axis", {**channels, "bits": 5, "channel_axis": 0}, data=np.moveaxis(x, 1, 0))
    setting("last_axis", {**channels, "bits": 5, "channel_axis": -1}, data=np.moveaxis(x, 1, 2))
    setting("dynamic", {**channels, "bits": 8}, declared={"input": "real[n|4, 3, m|50]", "output": "real[n, 3, m]"})
    # A vector or scalar has one channel, unless it is the channels.
    setting("vector", {**uniform, "bits": 8}, data=x[0, 0])
    setting("scalar", {**uniform, "bits": 8}, data=x[0, 0, 0])
    setting("vector_of_channels", {**channels, "bits": 8, "channel_axis": 0}, data=x[0, :, 0])
    first, second = channels
    setting("one_by_channel", {first: channels[first], second: uniform[second], "bits": 8})
    setting("no_elements", {**uniform, "bits": 8}, data=x[:0])
    setting("one_bit", {**uniform, "bits": 1})
    setting("thirty_two_bits", {**uniform, "bits": 32})
    operator.invalid("no_such_axis", {"input": x}, "`channel_axis` must lie between",
                     {**uniform, "bits": 8, "channel_axis": 3})
    operator.invalid("no_such_axis_from_end", {"input": x[0, 0]}, "`channel_axis` must lie between",
                     {**uniform, "bits": 8, "channel_axis": -2})
    operator.invalid("no_bits", {"input": x}, "`bits` must be positive", {**uniform, "bits": 0})
    operator.invalid("bits_too_many", {"input": x}, "`bits` must be at most 62", {**uniform, "bits": 63})
    operator.invalid("unsigned_bits_too_many", {"input": x}, "`bits` must be at most 62",
                     {**uniform, "bits": 64, "signed": False})
    operator.invalid("one_bit_symmetric", {"input": x}, "a signed symmetric value needs at least 2 `bits`",
                     {**uniform, "bits": 1, "symmetric": True})
    setting("two_bits_symmetric", {**uniform, "bits": 2, "symmetric": True})
    setting("sixty_two_bits", {**uniform, "bits": 62})
    setting("one_bit_unsigned_symmetric", {**uniform, "bits": 1, "signed": False, "symmetric": True})
    operator.invalid("channels_missing", {"input": x}, f"`{first}`", {**channels, first: channels[first][:2], "bits": 8})
    return operator, setting, x


operator, setting, x = add("zero_point_linear_quantize", zero_point, (
    {"zero_point": 3, "scale": 0.0625}, {"zero_point": [0, -4, 7], "scale": [0.03125, 0.125, 0.5]}))
# Quotients half-way between whole numbers.
halves = np.array([[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]]) * 0.25
setting("rounding", {"zero_point": 0, "scale": 0.25, "bits": 8}, data=halves)
setting("saturation", {"zero_point": -100, "scale": 0.5, "bits": 8}, data=np.array([[-1e9, -20.0, 0.0, 100.0, 1e9, np.inf]]))
operator.invalid("scale_zero", {"input": x}, "`scale` must be positive", {"zero_point": 0, "scale": 0.0, "bits": 8})
operator.invalid("scale_negative", {"input": x}, "`scale` must be positive",
                 {"zero_point": 0, "scale": [1.0, -1.0, 1.0], "bits": 8})

for name, scale in [("scale_vanishing", 1e-50), ("scale_beyond_32_bits", 1e39), ("scale_infinite", Literal("inf"))]:
    operator.invalid(name, {"input": x}, "`scale` must be positive and finite in 32 bits",
                     {"zero_point": 0, "scale": scale, "bits": 8})
operator.invalid("scale_undefined", {"input": x}, "`scale` must be positive",
                 {"zero_point": 0, "scale": Literal("[1.0, inf - inf, 1.0]"), "bits": 8})
for name, limit in [("zero_point_too_large", 2 ** 63 - 1), ("zero_point_too_small", -(2 ** 62) - 1)]:
    operator.invalid(name, {"input": x}, "`zero_point` must lie between", {"zero_point": limit, "scale": 1.0, "bits": 8})
setting("least_scale", {"zero_point": 0, "scale": 2.0 ** -149, "bits": 8}, data=np.array([[-1.0, 0.0, 1.0]]))
setting("largest_zero_point", {"zero_point": 2 ** 62, "scale": 1.0, "bits": 8}, data=np.array([[-1.0, 0.0, 1.0]]))

operator, setting, x = add("min_max_linear_quantize", min_max, (
    {"min": -1.0, "max": 1.5}, {"min": [-1.0, -0.5, -3.0], "max": [1.0, 2.5, 0.5]}))
setting("constant", {"min": 2.0, "max": 2.0, "bits": 8})
setting("constant_zero", {"min": 0.0, "max": 0.0, "bits": 8, "signed": False})
setting("constant_channel", {"min": [-1.0, 0.5, -3.0], "max": [1.0, 0.5, 0.5], "bits": 8})
setting("vanishing", {"min": 0.0, "max": 1e-50, "bits": 8})
setting("vanishing_channel", {"min": [-1.0, -1e-46, 0.0], "max": [1.0, 1e-46, 1e-50], "bits": 8})
setting("least_range", {"min": 0.0, "max": 2.0 ** -149, "bits": 8})
setting("equal_in_32_bits", {"min": 1.0, "max": 1.0000000001, "bits": 8})
setting("widest", {"min": -1.7e38, "max": 1.7e38, "bits": 8}, data=np.array([[-3e38, 0.0, 1e38, 3e38]]))
operator.invalid("empty_range", {"input": x}, "`min` must not be greater than `max`",
                 {"min": [0.0, 1.0, 0.0], "max": [1.0, 0.5, 1.0], "bits": 8})
operator.invalid("range_undefined", {"input": x}, "`min` must not be greater than `max`",
                 {"min": Literal("inf - inf"), "max": 1.0, "bits": 8})
finite = "`min`, `max` and their difference must be finite in 32 bits"
operator.invalid("range_too_wide", {"input": x}, finite, {"min": -3e38, "max": 3e38, "bits": 8})
operator.invalid("range_infinite", {"input": x}, finite, {"min": 0.0, "max": Literal("inf"), "bits": 8})
operator.invalid("range_beyond_32_bits", {"input": x}, finite, {"min": 1e39, "max": 1e39, "bits": 8})
setting("positive_range", {"min": 0.0, "max": 1.0, "bits": 8, "signed": False})
setting("saturation", {"min": -2.0, "max": 2.0, "bits": 3}, data=np.array([[-1e9, -2.0, 0.0, 2.0, 1e9, np.inf]]))

# The data is far enough from halves that rounding half to even gives the same.
levels = onnx_node.run("QuantizeLinear", x, np.float32(0.0625), np.int8(3), opset=21)
check = onnx_node.run("DequantizeLinear", levels, np.float32(0.0625), np.int8(3), opset=21)
assert np.allclose(check, zero_point(x, 3, 0.0625, 8), atol=1e-6)

quant.write()
