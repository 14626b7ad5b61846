"""Settings of `onnx`'s operators that treat reals as types of fewer bits have them; ml_dtypes has these types."""

import ml_dtypes
import numpy as np
from onnx import numpy_helper

import onnx_node
from oracle import ints, reals

# Mantissa, least exponent, greatest number, and whether there are infinities.
GRIDS = {"f16": (np.float16, 10, -14, 65504.0, True),
         "bf16": (ml_dtypes.bfloat16, 7, -126, 3.3895313892515355e38, True),
         "e5m2": (ml_dtypes.float8_e5m2, 2, -14, 57344.0, True),
         "e4m3": (ml_dtypes.float8_e4m3fn, 3, -6, 448.0, False),
         "e4m3uz": (ml_dtypes.float8_e4m3fnuz, 3, -7, 240.0, False)}


def add(onnx):
    for operator in (round_float, round_f16, round_bf16, round_power, bits_of_float, float_of_bits, bits_of_double,
                     double_of_bits, through_bytes):
        operator(onnx)


def converted(x, kind):
    with np.errstate(all="ignore"):
        return np.asarray(x, np.float32).astype(kind).astype(np.float32)


def near(kind):
    """Some numbers of a type and what lies between them: halves are rounded to even ones."""
    numbers = np.array([1.0, 1.75, 3.0, -0.875, -100.0], np.float32).astype(kind)
    following = np.nextafter(numbers, np.array(np.inf, kind)).astype(np.float64)
    numbers = numbers.astype(np.float64)
    parts = [numbers + part * (following - numbers) for part in (0, 0.25, 0.5, 0.75, 1)]
    least = float(ml_dtypes.finfo(kind).smallest_subnormal)
    return np.concatenate(parts + [np.array([0, 0.25, 0.5, 0.51, 1, 1.5, 2.5, 3.25]) * least])


def round_float(onnx):
    operator = onnx.operator("round_float")

    def attributes(kind, **more):
        _, mantissa, least, most, infinite = GRIDS[kind]
        return {"mantissa": mantissa, "least": least, "most": most} | ({} if infinite else {"infinite": False}) | more

    def setting(case, x, kinds, saturate=False, **options):
        def expected(kind):
            limited = np.clip(x, -GRIDS[kind][3], GRIDS[kind][3]) if saturate else x
            return converted(np.where(np.isnan(x), x, limited), GRIDS[kind][0])

        more = {"saturate": True} if saturate else {}
        operator.variants(case, {"x": x}, {kind: (attributes(kind, **more), expected(kind)) for kind in kinds},
                          tolerance="1 ulp", **options)

    for kind in GRIDS:
        setting(f"{kind}_halves", near(GRIDS[kind][0]), [kind])
    great = np.array([240.0, 250.0, 448.0, 470.0, 57344.0, 65504.0, 65519.0, 65520.0, 1e9, 3.4e38, np.inf, np.nan])
    setting("great", np.concatenate([great, -great]), GRIDS)
    setting("saturated", np.concatenate([great, -great[:-1]]), ["e5m2", "e4m3"], saturate=True)
    four = np.array([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 6.0, 7.0, -9.0, np.inf, np.nan])
    limited = converted(np.clip(np.nan_to_num(four, nan=0.0, posinf=6.0), -6, 6), ml_dtypes.float4_e2m1fn)
    operator.setting("four_bits", {"x": four}, {"y": limited}, {"mantissa": 1, "least": 0, "most": 6.0,
                     "saturate": True, "infinite": False, "nan": False})
    setting("dynamic", reals(3, 4), ["f16"], declared={"x": "real[n|8, 4]", "f16": "real[n, 4]"})


def named(onnx, kind):
    operator = onnx.operator(f"round_{kind}")
    numpys = GRIDS[kind][0]

    def setting(case, x, **options):
        operator.setting(case, {"x": x}, {"y": converted(x, numpys)}, tolerance="1 ulp", **options)

    setting("halves", near(numpys))
    setting("great", np.array([1e-30, -1e30, 65504.0, 65519.0, -65520.0, 1e9, 3.39e38, -3.4e38, np.inf, np.nan, 0.0]))
    setting("dynamic", reals(3, 4), declared={"x": "real[n|8, 4]", "y": "real[n, 4]"})


def round_f16(onnx):
    named(onnx, "f16")


def round_bf16(onnx):
    named(onnx, "bf16")


def through_bytes(onnx):
    operator = onnx.operator("through_bytes")

    def setting(case, x, **options):
        whole, scale, zero = onnx_node.run("DynamicQuantizeLinear", x, outputs=3)
        y = (whole.astype(np.int64) - zero) * np.float64(scale)
        operator.setting(case, {"x": x}, {"y": y}, **options)

    setting("both_signs", reals(3, 4, low=-2, high=3))
    setting("above", reals(5, low=1, high=3))
    setting("below", reals(2, 2, low=-3, high=-1))
    setting("zeros", np.zeros(3))
    setting("dynamic", reals(3, 4, low=-2, high=3), declared={"x": "real[n|8, 4]", "y": "real[n, 4]"})


def round_power(onnx):
    operator = onnx.operator("round_power")

    def setting(case, x, saturate, **options):
        def expected(mode):
            found = numpy_helper.to_float8e8m0(np.asarray(x, np.float32), saturate=saturate, round_mode=mode)
            return found.astype(np.float32)

        more = {} if saturate else {"saturate": False}
        operator.variants(case, {"x": x}, {mode: ({"mode": mode, **more}, expected(mode))
                                           for mode in ("up", "down", "nearest")}, tolerance="1 ulp", **options)

    between = np.array([1.0, 1.25, 1.5, 1.75, 2.0, 3.0, 1e-30, 5e20, 0.3, 0.1])
    setting("between_powers", between, True)
    setting("great", np.array([1.7e38, 1.7014118346046923e38, 2e38, 3e38, np.nan]), True)
    setting("not_saturated", np.array([1.2e38, 1.7014118346046923e38, 3e38]), False)
    setting("dynamic", between, True, declared={"x": "real[n|16]"} | {mode: "real[n]" for mode in ("up", "down",
            "nearest")})
    operator.invalid("mode", {"x": between}, "`mode` must be one of", {"mode": "even"})


def layouts(kinds):
    """Attributes by the names of types, which have infinities."""
    bits = {"f32": 32, "f16": 16, "bf16": 16, "e5m2": 8}
    grids = {**GRIDS, "f32": (np.float32, 23, -126)}
    return {kind: (grids[kind][0], {"bits": bits[kind], "mantissa": grids[kind][1], "least": grids[kind][2]})
            for kind in kinds}


def bits_of_float(onnx):
    operator = onnx.operator("bits_of_float")

    def setting(case, values, kinds, **options):
        """Values of each type; integers are as many bits."""
        for kind, (dtype, attributes) in layouts(kinds).items():
            x = np.asarray(values, np.float32).astype(dtype)
            bits = x.view(f"u{x.dtype.itemsize}").astype(np.int64)
            name = f"{case}_{kind}" if len(kinds) > 1 else case
            operator.setting(name, {"x": x.astype(np.float32)}, {"y": bits}, attributes, **options)

    setting("values", [0.0, -0.0, 1.0, -1.5, 1.75, 0.001, 1e4, -np.inf, np.inf], ["f32", "f16", "bf16", "e5m2"])
    setting("subnormals", [2.0**-24, 3 * 2.0**-24, -1023 * 2.0**-24, 2.0**-14], ["f16"])
    setting("dynamic", reals(3, 4), ["f32"], declared={"x": "real[n|8, 4]", "y": "int[n, 4]"})


def float_of_bits(onnx):
    operator = onnx.operator("float_of_bits")

    def setting(case, bits, kind, **options):
        (dtype, attributes), = layouts([kind]).values()
        unsigned = np.asarray(bits) % 2 ** attributes["bits"]
        values = unsigned.astype(f"u{attributes['bits'] // 8}").view(dtype).astype(np.float32)
        operator.setting(case, {"x": np.asarray(bits)}, {"y": values}, attributes, **options)

    setting("single", [0, 2**31, 0x3F800000, 0xBFC00000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00800000, 0x12345678],
            "f32")
    special = [0, 1, 3, 0x3FF, 0x400, 0x7BFF, 0x7C00, 0xFC00, 0x8001, -1]
    setting("half", np.concatenate([special, ints(8, low=0, high=2**15)]), "f16")
    setting("brain", ints(2, 5, low=0x3000, high=0x5000), "bf16")
    setting("all_of_eight_bits", np.arange(256).reshape(16, 16), "e5m2")
    setting("dynamic", ints(5, low=0, high=2**15), "f16", declared={"x": "int[n|8]", "y": "real[n]"})


def bits_of_double(onnx):
    operator = onnx.operator("bits_of_double")

    def setting(case, values, **options):
        x = np.asarray(values, np.float32)
        operator.setting(case, {"x": x}, {"y": x.astype(np.float64).view(np.int64)}, **options)

    setting("values", [0.0, -0.0, 1.0, -1.5, 0.1, 3e38, -np.inf, np.inf])
    setting("small", [1e-18, -1e-19, 8.6736173798840355e-19, 1e-30, -2e-37])
    setting("dynamic", reals(3, 4), declared={"x": "real[n|8, 4]", "y": "int[n, 4]"})


def double_of_bits(onnx):
    operator = onnx.operator("double_of_bits")

    def setting(case, values, **options):
        bits = np.asarray(values, np.float64).view(np.int64)
        operator.setting(case, {"x": bits}, {"y": np.asarray(values).astype(np.float32)}, **options)

    setting("values", [0.0, -0.0, 1.0, -1.5, 0.1, 1e-18, -1e-19, 1e-30, -2e-37, np.inf, -np.inf, np.nan])
    setting("halves", 1 + np.array([0.5, 1, 1.5, 2, 2.5]) * 2.0**-24)
    with np.errstate(over="ignore"):
        setting("great", [3.4028234663852886e38, 3.4028235e38, 3.5e38, -1e300, 1e-300])
    setting("dynamic", reals(3, 4).astype(np.float64), declared={"x": "int[n|8, 4]", "y": "real[n, 4]"})
