"""Settings of the pools of `nn`."""

import numpy as np

import onnx_node
from windows import windows


def counts(seen, ignore_border):
    """Divisors of a mean: the positions inside, or all."""
    return np.sum(~np.isnan(seen), axis=-1) if ignore_border else seen.shape[-1]


def max_pool(x, **options):
    return np.nanmax(windows(x, **options), axis=-1)


def sum_pool(x, **options):
    return np.nansum(windows(x, **options), axis=-1)


def avg_pool(x, ignore_border=True, **options):
    seen = windows(x, **options)
    return np.nansum(seen, axis=-1) / counts(seen, ignore_border)


def rms_pool(x, ignore_border=True, **options):
    seen = windows(x, **options)
    return np.sqrt(np.nansum(seen * seen, axis=-1) / counts(seen, ignore_border))


def lp_pool(x, p, **options):
    return np.nansum(np.abs(windows(x, **options)) ** p, axis=-1) ** (1.0 / p)


POOLS = {"max_pool": max_pool, "sum_pool": sum_pool, "avg_pool": avg_pool, "rms_pool": rms_pool, "lp_pool": lp_pool}


def add_pool(nn, name, random):
    pool, expected = nn.operator(name), POOLS[name]
    more = {"p": 3.0} if name == "lp_pool" else {}

    def setting(case, shape, attributes, **options):
        x, attributes = random.normal(size=shape), {**more, **attributes}
        pool.setting(case, {"input": x}, {"output": expected(x, **attributes)}, attributes, **options)

    setting("automatic_padding", (1, 2, 5, 6), {"size": 3})
    setting("automatic_padding_strides", (1, 2, 7, 6), {"size": [3, 2], "stride": [2, 3]})
    setting("automatic_padding_ceil", (1, 2, 7, 6), {"size": 3, "stride": 2, "ceil_mode": True})
    setting("even_window_lower", (1, 1, 5, 4), {"size": 2, "padding_align": "LOWER"})
    setting("even_window_upper", (1, 1, 5, 4), {"size": 2, "padding_align": "UPPER"})
    setting("no_padding", (2, 3, 6, 5), {"size": [3, 2], "stride": 2, "padding": 0})
    setting("asymmetric_padding", (1, 2, 5, 6), {"size": 3, "stride": 2, "padding": [0, 2, 1, 1]})
    setting("explicit_padding_ceil", (1, 2, 6, 7), {"size": 3, "stride": 3, "padding": 1, "ceil_mode": True})
    setting("dilation", (1, 2, 7, 8), {"size": [3, 2], "dilation": [2, 3], "padding": [1, 0, 2, 1]})
    setting("one_dimension", (2, 3, 9), {"size": 4, "stride": 2, "padding": [1, 2]})
    setting("three_dimensions", (1, 2, 4, 3, 5), {"size": [2, 3, 2], "padding": [0, 1, 1, 1, 1, 0]})
    setting("axes", (4, 5, 3), {"axes": [0, -2], "size": [2, 3], "padding": 0})
    setting("channel_axis", (2, 6, 3), {"axes": [1], "size": 2, "stride": 2, "padding": 0})
    setting("dynamic", (2, 2, 6, 5), {"size": 2, "stride": 2, "padding": 0},
            declared={"input": "real[n|4, 2, h|8, w|9]", "output": "real[n, 2, ~, ~]"})
    setting("cropped", (1, 2, 6, 7), {"size": 2, "stride": 2, "padding": [-1, 0, -2, 0]})
    setting("vector", (7,), {"axes": [0], "size": 3, "stride": 2, "padding": [1, 0]})
    setting("rank_5_middle_axis", (1, 2, 5, 1, 2), {"axes": [-3], "size": 2, "dilation": 2, "padding": 1})
    setting("whole_input", (2, 1, 3, 4), {"size": [3, 4], "padding": 0})
    setting("no_axes", (2, 3), {"size": []})
    setting("empty_batch", (0, 2, 4, 3), {"size": 2, "padding": 0})
    if name in ("avg_pool", "rms_pool"):
        setting("counted_border", (1, 2, 5, 6), {"size": 3, "padding": 1, "ignore_border": False})
        setting("counted_border_ceil", (1, 2, 7, 6),
                {"size": 3, "stride": 2, "ceil_mode": True, "ignore_border": False})
    if name == "lp_pool":
        setting("norm_1", (1, 2, 5, 6), {"size": 3, "padding": 1, "p": 1.0})
        setting("norm_half", (1, 2, 5, 6), {"size": 2, "padding": 0, "p": 0.5})
    add_invalid(pool, random, more)


def add_invalid(pool, random, more):
    operands = {"input": random.normal(size=(1, 2, 5, 6))}

    def invalid(case, message, attributes):
        pool.invalid(case, operands, message, {**more, **attributes})

    invalid("axis_out_of_range", "`axes` must lie between", {"axes": [4], "size": 1})
    invalid("axes_equal", "`axes` must be distinct", {"axes": [2, 2], "size": 1})
    invalid("axes_equal_from_both_ends", "`axes` must be distinct", {"axes": [-1, 3], "size": 1})
    invalid("size_zero", "`size` must be positive", {"size": [2, 0]})
    invalid("stride_zero", "`stride` must be positive", {"size": 2, "stride": 0})
    invalid("dilation_zero", "`dilation` must be positive", {"size": 2, "dilation": 0})
    invalid("input_too_small", "the padded input must not be smaller than the dilated window",
            {"size": 3, "dilation": 3, "padding": 0})
    invalid("padding_align", "`padding_align` must be one of", {"size": 2, "padding_align": "BOTH"})
    if more:
        invalid("norm_zero", "`p` must be positive", {"size": 2, "p": 0.0})


def check_with_onnx_runtime(random):
    """The pools above against those of ONNX."""
    x = random.normal(size=(1, 2, 7, 6))
    options = {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1]}
    ours = {"size": [3, 2], "stride": [2, 1], "padding": [1, 0, 1, 1]}
    for border in (True, False):
        check = onnx_node.run("AveragePool", x, count_include_pad=int(not border), **options)
        assert np.allclose(check, avg_pool(x, ignore_border=border, **ours), atol=1e-5)
    assert np.allclose(onnx_node.run("MaxPool", x, **options), max_pool(x, **ours), atol=1e-5)
    assert np.allclose(onnx_node.run("LpPool", x, p=3, **options), lp_pool(x, p=3, **ours), atol=1e-5)
    for upper, align in (("SAME_UPPER", "UPPER"), ("SAME_LOWER", "LOWER")):
        check = onnx_node.run("MaxPool", x, kernel_shape=[4, 4], strides=[2, 3], auto_pad=upper)
        same = {"size": 4, "stride": [2, 3], "padding_align": align, "ceil_mode": True}
        assert np.allclose(check, max_pool(x, **same), atol=1e-5)


def add(nn, random):
    """All of them."""
    check_with_onnx_runtime(random)
    for name in POOLS:
        add_pool(nn, name, random)
    special = np.array([[[np.inf, 1.0, -np.inf, -np.inf, 3.0]]])
    for operator in nn.operators:
        if operator.name in ("max_pool", "sum_pool", "avg_pool"):
            y = POOLS[operator.name](special, size=2, padding=0)
            operator.setting("infinities", {"input": special}, {"output": y}, {"size": 2, "padding": 0})
    outside = np.array([[[1.0, 2.0]]])
    largest = next(operator for operator in nn.operators if operator.name == "max_pool")
    largest.setting("window_outside", {"input": outside}, {"output": np.array([[[-np.inf, 1.0, 2.0, -np.inf]]])},
                    {"size": 1, "padding": 1})
