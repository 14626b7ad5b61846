"""Settings of `onnx`'s operators that compute each element on its own."""

import numpy as np

import onnx_node
from oracle import ints, reals

WIDTHS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32}
MISMATCH = "can't be broadcast"


def add(onnx):
    for operator in (rounding, softsign, wrap, divisions, shifts, bitwise, quantize, dequantize, requantize, probit):
        operator(onnx)


def rounding(onnx):
    halves = np.array([0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 0.49999997, -0.49999997, 2.4999998, 8388607.5, 8388609.0,
                       -3e9, np.inf, -np.inf, np.nan])
    x = reals(3, 5)
    onnx.unary("round", [(name, x, onnx_node.run("Round", x), {}, *declared) for name, x, *declared in [
        ("halves", halves), ("values", reals(2, 3, 4, low=-99, high=99)), ("rank_0", np.array(-1.5)),
        ("dynamic", x, "real[n|4, m|8]", "real[n, m]")]])


def softsign(onnx):
    x = reals(3, 5)
    onnx.unary("softsign", [(name, x, onnx_node.run("Softsign", x), {}, *declared) for name, x, *declared in [
        ("values", np.array([[0.0, 1.0, -1.0, 1e30, -1e-30]])), ("empty", np.zeros((2, 0))),
        ("dynamic", x, "real[n|4, m|8]", "real[n, m]")]])


def wrap(onnx):
    """Conversion to integers of fewer bits, as numpy does it."""
    operator = onnx.operator("wrap")

    def attributes(name):
        return {"bits": int(name[1:])} | ({"signed": False} if name[0] == "u" else {})

    def setting(case, x, names, **options):
        operator.variants(case, {"x": x}, {name: (attributes(name), x.astype(WIDTHS[name])) for name in names},
                          **options)

    near = np.array([power + off for power in (0, 2**7, 2**8, 2**15, 2**16, 2**31, 2**32) for off in (-1, 0, 1)])
    setting("near_limits", np.stack([near, -near]), WIDTHS)
    setting("large", ints(3, 4, low=-2**62, high=2**62), WIDTHS)
    setting("dynamic", ints(5, low=-999, high=999), ["i8", "u8"],
            declared={"x": "int[n|8]", "i8": "int[n]", "u8": "int[n]"})
    operator.invalid("bits", {"x": ints(2)}, "`bits` must lie between 1 and 62", {"bits": 63},
                     outputs={"y": ints(2)})


def broadcasting(operator, compute, x, y):
    """Operands of different shapes: x has two dimensions of more than one element, y has as many in the last."""
    def setting(name, x, y, **options):
        operator.setting(name, {"x": x, "y": y}, {"z": compute(x, y)}, **options)

    setting("equal_shapes", x, y)
    setting("broadcast", x[None, :, :1], y)
    setting("scalar_left", x[0, 0], y)
    letter = "int" if x.dtype.kind == "i" else "real"
    rows, columns = x.shape
    setting("dynamic", x, y[:1], declared={"x": f"{letter}[n|{rows + 2}, {columns}]", "y": f"{letter}[1, {columns}]",
                                           "z": f"{letter}[n, {columns}]"})
    operator.invalid("mismatch", {"x": x, "y": y[:, 1:]}, MISMATCH, outputs={"z": x})


def divisions(onnx):
    numbers = np.array([[7, -7, 8, -8, 0], [1, -1, 9, -9, 5]])
    divisors = np.array([[2, 2, -3, -3, 4], [7, 7, -10, 4, -5]])
    broadcasting(onnx.operator("div_trunc"), lambda x, y: onnx_node.run("Div", x, y), numbers, divisors)
    broadcasting(onnx.operator("mod_trunc"), lambda x, y: onnx_node.run("Mod", x, y, fmod=1), numbers, divisors)
    # ONNX's reference takes the sign of the divisor, where `fmod` is not said.
    broadcasting(onnx.operator("mod_floor"), lambda x, y: np.mod(x, y).astype(np.float32), numbers * 0.75,
                 divisors * 0.5)


def shifts(onnx):
    left, right = onnx.operator("shift_left"), onnx.operator("shift_right")
    count = np.array([[0, 1, 3, 7], [8, 2, 15, 4]])
    byte, word = ints(2, 4, low=0, high=256), ints(2, 4, low=0, high=2**40)

    def setting(operator, case, direction, x, y, bits, kind, attributes, **options):
        z = onnx_node.evaluate("BitShift", x.astype(kind), y.astype(kind), direction=direction).astype(np.int64)
        # What C leaves open: all bits are moved out.
        z = np.where(np.asarray(y) < bits, z, 0)
        operator.setting(case, {"x": x, "y": y}, {"z": z}, {"bits": bits, **attributes}, **options)

    # Bits above those of the type are cut off by whoever asks.
    wide = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    setting(left, "fitting", "LEFT", wide, count % 4, 8, np.uint8, {})
    setting(left, "beyond", "LEFT", wide, count, 64, np.uint64, {})
    setting(left, "broadcast", "LEFT", word, np.array([3]), 32, np.uint64, {},
            declared={"x": "int[n|4, 4]", "z": "int[n, 4]"})
    setting(right, "unsigned", "RIGHT", byte, count, 8, np.uint8, {"signed": False})
    setting(right, "words", "RIGHT", word, count * 4 + 3, 64, np.uint64, {"signed": False})
    negative = np.array([-1, -2**63, -12345, 2**62])
    for case, signed, kind in [("highest_bit", False, np.uint64), ("sign", True, np.int64)]:
        by = np.array([[0], [1], [31], [62], [63]])
        moved = np.right_shift(negative.astype(kind), by.astype(kind)).astype(np.int64)
        right.setting(case, {"x": negative, "y": by}, {"z": moved}, {"bits": 64, "signed": signed})
    right.setting("beyond_sign", {"x": negative[:3], "y": np.array([64, -1, 99])}, {"z": -np.ones(3, int)},
                  {"bits": 64, "signed": True}, note="The sign fills all bits.")
    for operator, more in [(left, {}), (right, {"signed": False})]:
        operator.invalid("mismatch", {"x": ints(2), "y": ints(3)}, MISMATCH, {"bits": 8, **more},
                         outputs={"z": ints(2)})


def bitwise(onnx):
    operator = onnx.operator("bitwise")
    kinds = {"AND": "BitwiseAnd", "OR": "BitwiseOr", "XOR": "BitwiseXor"}

    def setting(case, x, y, bits, **options):
        results = {kind.lower() + "_": ({"kind": kind, "bits": bits}, onnx_node.run(name, x, y))
                   for kind, name in kinds.items()}
        operator.variants(case, {"x": x, "y": y}, results, **options)

    bytes = ints(2, 2, 3, low=0, high=256).astype(np.uint8)
    setting("unsigned", bytes[0], bytes[1], 8)
    setting("signed", ints(2, 3, low=-128, high=128).astype(np.int8), np.array([[-128], [127]], np.int8), 7)
    setting("words", np.array([-1, 0, -2**63, 2**63 - 1, 12345, -54321]), np.array([2**40 + 5]), 63)
    operator.invalid("kind", {"x": ints(2), "y": ints(2)}, "`kind` must be one of", {"kind": "NOT", "bits": 8},
                     outputs={"z": ints(2)})
    operator.invalid("bits", {"x": ints(2), "y": ints(2)}, "`bits` must lie between 1 and 63",
                     {"kind": "OR", "bits": 64}, outputs={"z": ints(2)})
    operator.invalid("mismatch", {"x": ints(2), "y": ints(3)}, MISMATCH, {"kind": "OR", "bits": 8},
                     outputs={"z": ints(2)})


TYPES = {np.int8: (-128, 127), np.uint8: (0, 255), np.int16: (-32768, 32767), np.uint16: (0, 65535)}


def quantize(onnx):
    operator = onnx.operator("quantize")

    def setting(case, x, scale, zero, kind=np.int8, axis=1, shape=(), **options):
        """Scales along an axis stand in a shape that can be broadcast."""
        y = onnx_node.run("QuantizeLinear", x, scale, None if zero is None else np.asarray(zero, kind), axis=axis,
                          **({"output_dtype": 3} if zero is None else {}))
        least, most = TYPES[kind]
        inputs = {"x": x, "scale": np.reshape(scale, shape)}
        inputs |= {} if zero is None else {"zero": np.reshape(zero, shape)}
        operator.setting(case, inputs, {"y": y}, {"least": least, "most": most}, **options)

    steps = np.array([[0.5, 1.5, 2.5, -0.5, -1.5], [1e3, -1e3, 126.5, 127.5, -128.5]])
    setting("halves", steps, np.float32(1.0), None)
    x = reals(3, 4, low=-9, high=9)
    setting("unsigned", x, np.float32(0.03), 128, np.uint8)
    setting("words", x, np.float32(0.0003), 7, np.int16)
    setting("unsigned_words", x, np.float32(0.0001), 32768, np.uint16)
    setting("channels", x, np.array([0.1, 0.05, 0.02], np.float32), [3, 0, -4], axis=0, shape=(3, 1))
    setting("dynamic", x, np.array([0.1, 0.05, 0.02, 0.3], np.float32), [3, 0, -4, 1], shape=(4,),
            declared={"x": "real[n|4, 4]", "y": "int[n, 4]"})
    for case, inputs in [("scales", {"scale": reals(3)}), ("zeros", {"scale": reals(4), "zero": ints(3)})]:
        operator.invalid(case, {"x": x, **inputs}, MISMATCH, {"least": 0, "most": 255}, outputs={"y": ints(3, 4)})


def dequantize(onnx):
    operator = onnx.operator("dequantize")

    def setting(case, x, scale, zero, axis=1, shape=(), **options):
        y = onnx_node.run("DequantizeLinear", x, scale, None if zero is None else np.asarray(zero, x.dtype), axis=axis)
        inputs = {"x": x, "scale": np.reshape(scale, shape)}
        inputs |= {} if zero is None else {"zero": np.reshape(zero, shape)}
        operator.setting(case, inputs, {"y": y}, **options)

    x = ints(3, 4, low=-128, high=128).astype(np.int8)
    setting("one_scale", x, np.float32(0.03), None)
    setting("zero", ints(3, 4, low=0, high=256).astype(np.uint8), np.float32(0.5), 128)
    setting("channels", x, np.array([0.1, 0.05, 0.02], np.float32), [3, 0, -4], axis=0, shape=(3, 1))
    setting("dynamic", x, np.array([0.1, 0.05, 0.02, 0.3], np.float32), [3, 0, -4, 1], shape=(4,),
            declared={"x": "int[n|4, 4]", "y": "real[n, 4]"})
    for case, inputs in [("scales", {"scale": reals(3)}), ("zeros", {"scale": reals(4), "zero": ints(3)})]:
        operator.invalid(case, {"x": x, **inputs}, MISMATCH, outputs={"y": reals(3, 4)})


def requantize(onnx):
    operator = onnx.operator("requantize")

    def setting(case, x, factor, zero, kind=np.int8, **options):
        product = x.astype(np.float32) * np.asarray(factor, np.float32)
        y = onnx_node.run("QuantizeLinear", product, np.float32(1.0), None if zero is None else np.asarray(zero, kind),
                          **({"output_dtype": 3} if zero is None else {}))
        least, most = TYPES[kind]
        inputs = {"x": x, "factor": np.asarray(factor, np.float32)} | ({} if zero is None else {"zero": np.asarray(zero)})
        operator.setting(case, inputs, {"y": y}, {"least": least, "most": most}, **options)

    x = ints(3, 4, low=-5000, high=5000)
    setting("without_zero", x, 0.0123, None)
    setting("unsigned", x, 0.02, 128, np.uint8)
    setting("channels", x, [0.01, 0.02, 0.003, 0.5], -7)
    # Halves go to the even integer.
    setting("halves", np.array([-5, -3, -1, 1, 3, 5]), 0.5, 0)
    setting("dynamic", x, 0.0123, 3, declared={"x": "int[n|4, 4]", "y": "int[n, 4]"})


def probit(onnx):
    def computed(x):
        """A linear model of one weight, 1, ends with it."""
        found = onnx_node.run("LinearRegressor", np.ravel(x)[:, None], domain="ai.onnx.ml", coefficients=[1.0],
                              post_transform="PROBIT")
        return np.reshape(found, np.shape(x))

    x = np.array([[0.5, 0.25, 0.75], [0.01, 0.99, 0.499]])
    onnx.unary("probit", [(name, x, computed(x), {}, *declared) for name, x, *declared in [
        ("values", x), ("rank_0", np.array(0.3)), ("dynamic", x, "real[n|4, 3]", "real[n, 3]")]])
