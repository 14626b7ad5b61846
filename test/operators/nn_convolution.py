"""Settings of `nn.linear`, `nn.conv` and `nn.deconv`."""

import itertools

import numpy as np

import onnx_node
from oracle import ints
from windows import per_axis, placement, windows


def channels_second(x, layout, rank):
    """An array in this layout (`NXC`, or a filter's `CXN`) as `NCX`."""
    space = list(range(layout.index("X"), layout.index("X") + rank))
    place = {letter: at if at < layout.index("X") else at + rank - 1 for at, letter in enumerate(layout)}
    return np.transpose(x, [place["N"], place["C"], *space])


def from_channels_second(x, layout):
    """The inverse."""
    dims = {"N": [0], "C": [1], "X": list(range(2, x.ndim))}
    return np.transpose(x, [dim for letter in layout for dim in dims[letter]])


def convolved(x, w, bias=None, groups=1, data_format="NCX", filter_format="NCX", **options):
    """What `nn.conv` gives."""
    rank = x.ndim - 2
    x, w = channels_second(x, data_format, rank), channels_second(w, filter_format, rank)
    groups = groups or x.shape[1]
    seen = np.nan_to_num(windows(x, list(w.shape[2:]), **options))
    seen = seen.reshape(seen.shape[0], groups, seen.shape[1] // groups, *seen.shape[2:])
    weights = w.reshape(groups, w.shape[0] // groups, w.shape[1], -1)
    y = np.einsum("bgc...k,gmck->bgm...", seen, weights)
    y = y.reshape(y.shape[0], w.shape[0], *y.shape[3:])
    if bias is not None:
        y = y + bias.reshape(-1, *[1] * rank)
    return from_channels_second(y, data_format)


def deconvolved(x, w, bias=None, groups=1, stride=1, dilation=1, padding=None, padding_align="UPPER", output_size=None,
                data_format="NCX", filter_format="NCX"):
    """What `nn.deconv` gives: each element of x adds the filter, scaled, to the elements that it would be made from."""
    rank = x.ndim - 2
    x, w = channels_second(x, data_format, rank), channels_second(w, filter_format, rank)
    groups = groups or x.shape[1]
    stride, dilation = per_axis(stride, rank), per_axis(dilation, rank)
    reach = [(size - 1) * step + 1 for size, step in zip(w.shape[2:], dilation)]
    full = [(extent - 1) * step + more for extent, step, more in zip(x.shape[2:], stride, reach)]
    if padding is None:
        total = [size - extent * step for size, extent, step in zip(full, x.shape[2:], stride)]
        before = [t // 2 if padding_align == "UPPER" else -(-t // 2) for t in total]
    else:
        padding = per_axis(padding, 2 * rank)
        before, total = padding[:rank], [a + b for a, b in zip(padding, padding[rank:])]
    size = output_size or [f - t for f, t in zip(full, total)]
    scaled = np.einsum("bgm...,gmck->kbgc...", x.reshape(x.shape[0], groups, x.shape[1] // groups, *x.shape[2:]),
                       w.reshape(groups, w.shape[0] // groups, w.shape[1], -1))
    y = np.zeros((x.shape[0], groups, w.shape[1], *full))
    for part, tap in zip(scaled, itertools.product(*map(range, w.shape[2:]))):
        steps = zip(tap, dilation, stride, x.shape[2:])
        y[(..., *(slice(j * d, j * d + (n - 1) * s + 1, s) for j, d, s, n in steps))] += part
    y = y.reshape(x.shape[0], groups * w.shape[1], *full)
    for axis, (first, extent) in enumerate(zip(before, size), 2):
        position = np.arange(extent) + first
        inside = (position >= 0) & (position < y.shape[axis])
        y = np.take(y, np.where(inside, position, 0), axis) * inside.reshape(-1, *[1] * (y.ndim - axis - 1))
    if bias is not None:
        y = y + bias.reshape(-1, *[1] * rank)
    return from_channels_second(y, data_format)


def add_linear(nn, random):
    linear = nn.operator("linear")
    x, w, b = random.normal(size=(3, 4)), random.normal(size=(2, 4)), random.normal(size=2)
    linear.setting("plain", {"input": x, "filter": w}, {"output": x @ w.T})
    linear.setting("bias", {"input": x, "filter": w, "bias": b}, {"output": x @ w.T + b})
    linear.setting("single", {"input": x[:1, :1], "filter": w[:1, :1], "bias": b[:1]},
                   {"output": x[:1, :1] * w[0, 0] + b[0]})
    linear.setting("dynamic_batch", {"input": x, "filter": w}, {"output": x @ w.T},
                   declared={"input": "real[n|8, 4]", "output": "real[n, 2]"})
    x, w, b = ints(3, 9, low=-128, high=128), ints(5, 9, low=-128, high=128, seed=1), ints(5, low=-9999, high=9999)
    linear.setting("integers", {"input": x, "filter": w, "bias": b}, {"output": x @ w.T + b})
    linear.setting("large_integers", {"input": x * 2**20, "filter": w * 2**30}, {"output": x @ w.T * 2**50})
    linear.invalid("types", {"input": x, "filter": w.astype(float)}, "`T`")
    linear.invalid("channels", {"input": x, "filter": w[:, 1:]}, "dimension 1")


def add_conv(nn, random):
    conv = nn.operator("conv")

    def setting(name, shape, filter_shape, attributes, bias=False, **options):
        x, w = random.normal(size=shape), random.normal(size=filter_shape)
        inputs = {"input": x, "filter": w}
        if bias:
            out = filter_shape[0] if attributes.get("filter_format", "NCX")[0] == "N" else filter_shape[-1]
            inputs["bias"] = random.normal(size=out)
        conv.setting(name, inputs, {"output": convolved(x, w, inputs.get("bias"), **attributes)}, attributes, **options)
        return x, w, inputs.get("bias")

    setting("automatic_padding", (1, 2, 5, 4), (3, 2, 3, 3), {}, bias=True)
    setting("even_filter_lower", (1, 1, 5, 4), (2, 1, 2, 4), {"padding_align": "LOWER"})
    setting("even_filter_upper", (1, 1, 5, 4), (2, 1, 2, 4), {"padding_align": "UPPER"})
    setting("automatic_padding_strides", (1, 2, 7, 6), (2, 2, 3, 3), {"stride": 2}, bias=True)
    setting("automatic_padding_ceil", (1, 2, 7, 6), (2, 2, 3, 3), {"stride": [2, 4], "ceil_mode": True})
    # The stride leaves out elements, so that the padding is negative.
    setting("negative_padding", (1, 1, 8, 9), (2, 1, 1, 2), {"stride": 4})
    setting("no_padding", (2, 3, 6, 5), (2, 3, 3, 2), {"padding": 0})
    setting("asymmetric_padding", (1, 2, 5, 6), (2, 2, 3, 3), {"padding": [0, 2, 1, 3]}, bias=True)
    setting("explicit_padding_ceil", (1, 2, 6, 7), (2, 2, 3, 2), {"padding": 1, "stride": 3, "ceil_mode": True})
    setting("dilation", (1, 2, 7, 8), (2, 2, 3, 2), {"dilation": [2, 3], "padding": [1, 0, 2, 1]})
    setting("groups", (1, 4, 5, 5), (6, 2, 3, 3), {"groups": 2, "padding": 1}, bias=True)
    setting("depthwise", (2, 3, 4, 5), (6, 1, 3, 3), {"groups": 0}, bias=True)
    setting("one_dimension", (2, 3, 9), (4, 3, 4), {"stride": 2, "padding": [1, 2]}, bias=True)
    setting("three_dimensions", (1, 2, 4, 3, 5), (2, 2, 2, 3, 2), {"padding": [0, 1, 1, 1, 1, 0], "stride": [1, 2, 1]})
    setting("no_dimensions", (2, 3), (4, 3), {}, bias=True)
    setting("four_dimensions", (1, 1, 2, 3, 2, 3), (2, 1, 2, 2, 1, 2), {"padding": 0}, bias=True)
    setting("single_elements", (1, 1, 1, 1), (1, 1, 1, 1), {})
    setting("large_filter", (1, 2, 2, 1), (1, 2, 5, 4), {}, bias=True)
    setting("cropped", (1, 2, 6, 5), (2, 2, 2, 3), {"padding": [-1, 0, -2, -1]})
    setting("depthwise_stride_dilation", (2, 3, 7, 6), (6, 1, 3, 2),
            {"groups": 3, "stride": [2, 3], "dilation": 2, "padding": [2, 1, 0, 3], "ceil_mode": True}, bias=True)
    setting("empty_batch", (0, 2, 4, 3), (3, 2, 3, 3), {"padding": 1}, bias=True)
    setting("channels_last", (1, 5, 4, 3), (2, 2, 3, 3), {"data_format": "NXC", "filter_format": "NXC"}, bias=True)
    setting("batch_last", (4, 5, 3, 2), (3, 2, 3, 4), {"data_format": "XCN", "filter_format": "XCN"}, bias=True)
    setting("filter_channels_first", (2, 3, 5), (3, 2, 4), {"filter_format": "CXN", "padding": 0})
    setting("groups_channels_last", (1, 4, 4, 4), (3, 3, 2, 6),
            {"data_format": "NXC", "filter_format": "XCN", "groups": 2}, bias=True)
    setting("dynamic", (2, 2, 6, 5), (3, 2, 3, 3), {"stride": 2, "padding": 1}, bias=True,
            declared={"input": "real[n|4, 2, h|8, w|9]", "output": "real[n, 3, ~, ~]"})

    x, w, b = random.normal(size=(1, 4, 5, 5)), random.normal(size=(2, 2, 3, 3)), random.normal(size=2)
    check = onnx_node.run("Conv", x, w, b, group=2, pads=[0, 1, 2, 1], strides=[2, 1], dilations=[1, 2])
    attributes = {"groups": 2, "padding": [0, 1, 2, 1], "stride": [2, 1], "dilation": [1, 2]}
    conv.setting("onnx_runtime", {"input": x, "filter": w, "bias": b}, {"output": check}, attributes)
    assert np.allclose(check, convolved(x, w, b, **attributes), atol=1e-5)

    def of_integers(name, shape, filter_shape, attributes, bias=True, **options):
        x, w = ints(*shape, low=-128, high=128), ints(*filter_shape, low=-128, high=128, seed=1)
        inputs = {"input": x, "filter": w, **({"bias": ints(filter_shape[0], low=-9999, high=9999)} if bias else {})}
        y = convolved(x.astype(float), w.astype(float), inputs.get("bias"), **attributes)
        conv.setting(name, inputs, {"output": np.round(y).astype(np.int64)}, attributes, **options)

    of_integers("integers", (2, 6, 7, 5), (4, 6, 3, 3), {"padding": 1})
    of_integers("integers_depthwise", (1, 4, 7, 6), (4, 1, 3, 3), {"groups": 0, "padding": 1, "stride": 2})
    of_integers("integers_groups", (1, 8, 5, 6), (6, 4, 2, 3), {"groups": 2, "padding": [1, 0, 0, 2], "dilation": [1, 2]})
    of_integers("integers_dynamic", (2, 5, 6, 7), (3, 5, 3, 3), {"padding": 0}, bias=False,
                declared={"input": "int[n|4, 5, 6, 7]", "output": "int[n, 3, 4, 5]"})
    operands = {"input": x, "filter": w}
    conv.invalid("stride_zero", operands, "`stride` must be positive", {"groups": 2, "stride": [1, 0]})
    conv.invalid("dilation_zero", operands, "`dilation` must be positive", {"groups": 2, "dilation": 0})
    conv.invalid("groups_negative", operands, "`groups` must not be negative", {"groups": -1})
    conv.invalid("input_too_small", operands, "the padded input must not be smaller than the dilated filter",
                 {"groups": 2, "dilation": 3, "padding": 0})
    conv.invalid("output_channels", {"input": x, "filter": random.normal(size=(2, 1, 3, 3))},
                 "output channels must be divisible by `groups`", {"groups": 4})
    conv.invalid("input_channels", operands, "input channels must be the filter's channels times `groups`")
    conv.invalid("bias_size", {**operands, "bias": random.normal(size=3)},
                 "the bias must have as many elements as the filter has output channels", {"groups": 2})
    conv.invalid("padding_align", operands, "`padding_align` must be one of", {"groups": 2, "padding_align": "MIDDLE"})
    conv.invalid("data_format", operands, "`data_format` must be one of", {"groups": 2, "data_format": "CXN"})
    conv.invalid("filter_format", operands, "`filter_format` must be one of", {"groups": 2, "filter_format": "OIX"})


def add_deconv(nn, random):
    deconv = nn.operator("deconv")

    def setting(name, shape, filter_shape, attributes, bias=False, **options):
        x, w = random.normal(size=shape), random.normal(size=filter_shape)
        inputs = {"input": x, "filter": w}
        expected = deconvolved(x, w, **attributes)
        if bias:
            channels = expected.shape["NCX".index("C")] if attributes.get("data_format", "NCX") == "NCX" else None
            channels = channels or expected.shape[{"NXC": -1, "XCN": -2}[attributes["data_format"]]]
            inputs["bias"] = random.normal(size=channels)
            expected = deconvolved(x, w, inputs["bias"], **attributes)
        deconv.setting(name, inputs, {"output": expected}, attributes, **options)

    setting("automatic_padding", (1, 2, 4, 3), (2, 3, 3, 3), {}, bias=True)
    setting("automatic_padding_strides", (1, 2, 4, 3), (2, 3, 3, 3), {"stride": 2}, bias=True)
    setting("even_filter_lower", (1, 1, 4, 3), (1, 2, 3, 2), {"stride": 2, "padding_align": "LOWER"})
    # The stride is longer than the filter, so that the padding is negative.
    setting("negative_padding", (1, 1, 3, 3), (1, 2, 1, 2), {"stride": [3, 4]}, bias=True)
    setting("no_padding", (2, 3, 3, 2), (3, 2, 3, 2), {"padding": 0, "stride": [2, 3]})
    setting("asymmetric_padding", (1, 2, 4, 5), (2, 2, 3, 4), {"padding": [0, 2, 1, 1], "stride": 2}, bias=True)
    setting("dilation", (1, 2, 3, 4), (2, 2, 3, 2), {"dilation": [2, 3], "padding": [1, 0, 2, 1]})
    setting("output_size", (1, 2, 3, 4), (2, 2, 3, 3), {"padding": 1, "stride": 2, "output_size": [6, 7]}, bias=True)
    setting("groups", (1, 4, 3, 3), (4, 2, 3, 3), {"groups": 2, "stride": 2, "padding": 1}, bias=True)
    setting("depthwise", (2, 3, 3, 4), (3, 2, 3, 3), {"groups": 0}, bias=True)
    setting("one_dimension", (2, 3, 5), (3, 2, 4), {"stride": 2, "padding": [1, 2]}, bias=True)
    setting("three_dimensions", (1, 2, 2, 3, 2), (2, 2, 2, 3, 2), {"padding": [0, 1, 0, 1, 1, 0], "stride": [1, 2, 1]})
    setting("four_dimensions", (1, 1, 2, 1, 2, 2), (1, 2, 2, 2, 1, 2), {"padding": 0})
    setting("single_elements", (1, 1, 1, 1), (1, 1, 1, 1), {})
    setting("depthwise_stride_dilation", (2, 3, 3, 2), (3, 1, 3, 2),
            {"groups": 3, "stride": [2, 3], "dilation": [1, 2], "padding": [1, 0, 2, 1]}, bias=True)
    setting("larger_output", (1, 2, 3, 3), (2, 1, 2, 2), {"stride": 3, "padding": 0, "output_size": [10, 8]}, bias=True)
    setting("empty_batch", (0, 2, 4, 3), (2, 3, 3, 3), {"padding": 1}, bias=True)
    setting("channels_last", (1, 4, 3, 2), (2, 3, 3, 2), {"data_format": "NXC", "filter_format": "NXC"}, bias=True)
    setting("batch_last", (3, 4, 2, 2), (3, 3, 2, 2), {"data_format": "XCN", "filter_format": "XCN"}, bias=True)
    setting("filter_channels_first", (2, 3, 5), (2, 2, 3), {"filter_format": "CXN", "padding": 0, "stride": 2})
    setting("dynamic", (2, 2, 3, 4), (2, 3, 3, 3), {"stride": 2, "padding": 1},
            declared={"input": "real[n|4, 2, h|5, w|6]", "output": "real[n, 3, 2 * h - 1, 2 * w - 1]"})

    x, w, b = random.normal(size=(1, 4, 3, 4)), random.normal(size=(4, 2, 3, 3)), random.normal(size=4)
    check = onnx_node.run("ConvTranspose", x, w, b, group=2, pads=[0, 1, 2, 1], strides=[2, 3], output_padding=[1, 2])
    attributes = {"groups": 2, "padding": [0, 1, 2, 1], "stride": [2, 3], "output_size": list(check.shape[2:])}
    deconv.setting("onnx_runtime", {"input": x, "filter": w, "bias": b}, {"output": check}, attributes)
    assert np.allclose(check, deconvolved(x, w, b, **attributes), atol=1e-5)

    operands = {"input": x, "filter": w}
    deconv.invalid("stride_zero", operands, "`stride` must be positive", {"stride": 0})
    deconv.invalid("dilation_zero", operands, "`dilation` must be positive", {"dilation": [0, 1]})
    deconv.invalid("groups_negative", operands, "`groups` must not be negative", {"groups": -2})
    deconv.invalid("wrong_output_size", operands, "`output_size` must be one from which a convolution would compute",
                   {"stride": 2, "padding": 1, "output_size": [5, 9]})
    deconv.invalid("input_channels", {"input": x[:, :3], "filter": w},
                   "the number of input channels must be the first extent of the filter")
    deconv.invalid("groups_uneven", operands, "input channels must be divisible by `groups`", {"groups": 3})
    deconv.invalid("bias_size", {**operands, "bias": b}, "as many elements as there are output channels")
    deconv.invalid("wrong_padding_align", operands, "`padding_align` must be one of", {"padding_align": "lower"})
    deconv.invalid("data_format", operands, "`data_format` must be one of", {"data_format": "NCHW"})
    deconv.invalid("filter_format", operands, "`filter_format` must be one of", {"filter_format": "IOX"})


def add(nn, random):
    """All of them."""
    add_linear(nn, random)
    add_conv(nn, random)
    add_deconv(nn, random)
