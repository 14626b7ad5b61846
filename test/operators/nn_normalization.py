"""Settings of the normalisations of `nn`."""

import numpy as np

import onnx_node
from windows import windows


def along(values, axis, rank):
    """Values of one axis, aligned with an array of this rank."""
    shape = [1] * rank
    shape[axis] = -1
    return values.reshape(shape)


def batch_norm(x, mean, variance, bias=None, scale=None, epsilon=1e-5, channel_axis=1):
    mean, variance = along(mean, channel_axis, x.ndim), along(variance, channel_axis, x.ndim)
    y = (x - mean) / np.sqrt(variance + epsilon)
    y = y if scale is None else y * along(scale, channel_axis, x.ndim)
    return y if bias is None else y + along(bias, channel_axis, x.ndim)


def mean_variance_norm(x, bias=None, scale=None, epsilon=1e-5, axes=None):
    axes = tuple(range(2, x.ndim)) if axes is None else tuple(axes)
    mean, variance = x.mean(axis=axes, keepdims=True), x.var(axis=axes, keepdims=True)
    return batch_norm((x - mean) / np.sqrt(variance + epsilon), np.zeros(1), np.ones(1), bias, scale, 0.0)


def local_response_norm(x, size, axes=(1,), alpha=1.0, beta=0.5, bias=1.0):
    size = [size] * len(axes) if isinstance(size, int) else list(size)
    padding = [(s - 1) // 2 for s in size] + [-((1 - s) // 2) for s in size]
    seen = windows(x * x, size, axes=list(axes), padding=padding)
    return x / (bias + alpha * np.nansum(seen, axis=-1) / np.prod(size)) ** beta


def divided(x, norm, bias=None, epsilon=None):
    norm = norm if bias is None else norm + bias
    return x / (norm if epsilon is None else np.maximum(norm, epsilon))


def l1_norm(x, axes, **options):
    return divided(x, np.abs(x).sum(axis=tuple(axes), keepdims=True), **options)


def l2_norm(x, axes, **options):
    return divided(x, np.sqrt((x * x).sum(axis=tuple(axes), keepdims=True)), **options)


def softmax(x, axes=(1,)):
    shifted = np.exp(x - x.max(axis=tuple(axes), keepdims=True))
    return shifted / shifted.sum(axis=tuple(axes), keepdims=True)


def add_batch_norm(nn, random):
    norm = nn.operator("batch_norm")
    x = random.normal(size=(2, 3, 4, 5))
    mean, bias, scale = random.normal(size=(3, 3))
    variance = random.uniform(0.5, 2.0, size=3)
    moments = {"input": x, "mean": mean, "variance": variance}
    norm.setting("plain", moments, {"output": batch_norm(x, mean, variance)})
    norm.setting("bias", {**moments, "bias": bias}, {"output": batch_norm(x, mean, variance, bias)})
    norm.setting("scale", {**moments, "bias": None, "scale": scale},
                 {"output": batch_norm(x, mean, variance, None, scale)})
    check = onnx_node.run("BatchNormalization", x, scale, bias, mean, variance, epsilon=0.1)
    norm.setting("epsilon", {**moments, "bias": bias, "scale": scale}, {"output": check}, {"epsilon": 0.1})
    last = {"input": random.normal(size=(4, 5, 3)), "mean": mean, "variance": variance, "bias": bias, "scale": scale}
    for name, axis in (("last_axis", 2), ("negative_axis", -1)):
        norm.setting(name, last, {"output": batch_norm(*last.values(), channel_axis=2)}, {"channel_axis": axis})
    norm.setting("dynamic", moments, {"output": batch_norm(x, mean, variance)},
                 declared={"input": "real[n|3, 3, h|5, w|6]", "output": "real[n, 3, h, w]"})
    norm.invalid("axis_out_of_range", moments, "`channel_axis` must lie between", {"channel_axis": -5})
    norm.invalid("epsilon_negative", moments, "`epsilon` must not be negative", {"epsilon": -1e-3})
    norm.invalid("channels", moments, "the extent of `input` along `channel_axis` must be", {"channel_axis": 0})


def add_mean_variance_norm(nn, random):
    norm = nn.operator("mean_variance_norm")
    x = random.normal(size=(2, 3, 4, 5)) + 2.0
    bias, scale = random.normal(size=(2, 3))
    norm.setting("plain", {"input": x}, {"output": mean_variance_norm(x)})
    check = onnx_node.run("InstanceNormalization", x, scale, bias, epsilon=1e-5)
    norm.setting("instance", {"input": x, "bias": bias, "scale": scale}, {"output": check})
    norm.setting("layer", {"input": x}, {"output": mean_variance_norm(x, axes=[1, 2, 3])}, {"axes": [1, 2, -1]})
    norm.setting("scale", {"input": x, "bias": None, "scale": scale},
                 {"output": mean_variance_norm(x, None, scale, 0.1)}, {"epsilon": 0.1})
    norm.setting("all_axes", {"input": x, "bias": bias}, {"output": mean_variance_norm(x, bias, axes=[0, 1, 2, 3])},
                 {"axes": [3, -4, 1, 2]})
    norm.setting("no_axes", {"input": x, "bias": bias, "scale": scale},
                 {"output": mean_variance_norm(x, bias, scale, axes=[])}, {"axes": []})
    flat = np.full((1, 2, 3), 5.0)
    norm.setting("no_variance", {"input": flat}, {"output": 0 * flat})
    deep = random.normal(size=(2, 3, 1, 2, 2))
    norm.setting("rank_5", {"input": deep, "bias": bias, "scale": scale},
                 {"output": mean_variance_norm(deep, bias, scale)})
    norm.setting("dynamic", {"input": x}, {"output": mean_variance_norm(x)},
                 declared={"input": "real[n|3, 3, h|5, w|6]", "output": "real[n, 3, h, w]"})
    norm.invalid("axis_out_of_range", {"input": x}, "`axes` must lie between", {"axes": [4]})
    norm.invalid("axes_equal", {"input": x}, "`axes` must be distinct", {"axes": [2, 2]})
    norm.invalid("axes_equal_from_both_ends", {"input": x}, "`axes` must be distinct", {"axes": [2, -2]})
    norm.invalid("epsilon_negative", {"input": x}, "`epsilon` must not be negative", {"epsilon": -1.0})


def add_local_response_norm(nn, random):
    norm = nn.operator("local_response_norm")

    def setting(name, shape, attributes, **options):
        x = random.normal(size=shape)
        norm.setting(name, {"input": x}, {"output": local_response_norm(x, **attributes)}, attributes, **options)

    setting("channels", (2, 7, 3), {"size": 5})
    setting("even_size", (2, 6, 3, 2), {"size": 4, "alpha": 0.5, "beta": 0.75, "bias": 2.0})
    setting("two_axes", (1, 4, 5, 3), {"size": [3, 2], "axes": [2, 1], "alpha": 2.0})
    setting("dynamic", (2, 7, 3), {"size": 3}, declared={"input": "real[n|3, c|9, 3]", "output": "real[n, c, 3]"})
    x = random.normal(size=(2, 6, 3, 2))
    check = onnx_node.run("LRN", x, size=3, alpha=0.5, beta=0.75, bias=2.0)
    norm.setting("onnx_runtime", {"input": x}, {"output": check}, {"size": 3, "alpha": 0.5, "beta": 0.75, "bias": 2.0})
    operands = {"input": x}
    norm.invalid("axis_out_of_range", operands, "`axes` must lie between", {"axes": [-5], "size": 3})
    norm.invalid("axes_equal", operands, "`axes` must be distinct", {"axes": [1, 1], "size": 3})
    norm.invalid("axes_equal_from_both_ends", operands, "`axes` must be distinct", {"axes": [1, -3], "size": 3})
    norm.invalid("size_zero", operands, "`size` must be positive", {"size": 0})
    norm.invalid("alpha_negative", operands, "`alpha` must not be negative", {"size": 3, "alpha": -1.0})
    norm.invalid("beta_negative", operands, "`beta` must not be negative", {"size": 3, "beta": -1.0})
    norm.invalid("bias_negative", operands, "`bias` must not be negative", {"size": 3, "bias": -1.0})


def add_lengths(nn, random, name, function):
    """Division by a length."""
    norm = nn.operator(name)

    def setting(case, x, attributes, **options):
        norm.setting(case, {"input": x}, {"output": function(x, **attributes)}, attributes, **options)

    x = random.normal(size=(2, 3, 4))
    setting("one_axis", x, {"axes": [1]})
    setting("several_axes", x, {"axes": [-1, 0]})
    setting("bias", x, {"axes": [2], "bias": 0.5})
    small = np.array([[1e-4, -2e-4], [3.0, 4.0]])
    setting("epsilon", small, {"axes": [1], "epsilon": 1e-2})
    setting("bias_and_epsilon", small, {"axes": [1], "bias": 1e-3, "epsilon": 0.01})
    setting("zero", np.zeros((2, 3)), {"axes": [1], "epsilon": 1.0})
    setting("dynamic", x, {"axes": [2]}, declared={"input": "real[n|3, 3, m|5]", "output": "real[n, 3, m]"})
    check = onnx_node.run("LpNormalization", x, p=int(name[1]), axis=1)
    assert np.allclose(check, function(x, [1]), atol=1e-5)
    norm.invalid("axis_out_of_range", {"input": x}, "`axes` must lie between", {"axes": [3]})
    norm.invalid("axes_equal", {"input": x}, "`axes` must be distinct", {"axes": [1, 1]})
    norm.invalid("axes_equal_from_both_ends", {"input": x}, "`axes` must be distinct", {"axes": [1, -2]})
    norm.invalid("bias_negative", {"input": x}, "`bias` must not be negative", {"axes": [1], "bias": -0.5})
    norm.invalid("epsilon_negative", {"input": x}, "`epsilon` must not be negative", {"axes": [1], "epsilon": -0.5})
    norm.invalid("axes_missing", {"input": x}, "`axes`")


def add_softmax(nn, random):
    operator = nn.operator("softmax")
    x = random.normal(size=(2, 3, 4))
    operator.setting("channels", {"input": x}, {"output": softmax(x)})
    check = onnx_node.run("Softmax", x, axis=-1)
    operator.setting("last_axis", {"input": x}, {"output": check}, {"axes": [-1]})
    operator.setting("several_axes", {"input": x}, {"output": softmax(x, [0, 2])}, {"axes": [2, 0]})
    large = np.array([[1000.0, 1001.0, 999.0], [-1e4, 0.0, 1e4]])
    operator.setting("large", {"input": large}, {"output": softmax(large)})
    for name, shape, axes in [("all_axes", (2, 3), [0, 1]), ("no_axes", (2, 3), []), ("vector", (5,), [0]),
                              ("rank_5", (1, 2, 3, 1, 2), [-3]), ("singular", (3, 1), [1]), ("empty", (0, 3), [1])]:
        x = random.normal(size=shape)
        operator.setting(name, {"input": x}, {"output": softmax(x, axes)}, {"axes": axes})
    huge = np.array([[3e38, -3e38, 3e38], [-np.inf, 0.0, 1.0]])
    operator.setting("huge", {"input": huge}, {"output": softmax(huge)})
    x = random.normal(size=(2, 3, 4))
    operator.setting("dynamic", {"input": x}, {"output": softmax(x)},
                     declared={"input": "real[2, n|5, m|6]", "output": "real[2, n, m]"})
    operator.invalid("axis_out_of_range", {"input": x}, "`axes` must lie between", {"axes": [-4]})
    operator.invalid("axes_equal", {"input": x}, "`axes` must be distinct", {"axes": [2, 2]})
    operator.invalid("axes_equal_from_both_ends", {"input": x}, "`axes` must be distinct", {"axes": [-3, 0]})


def add(nn, random):
    """All of them."""
    add_batch_norm(nn, random)
    add_mean_variance_norm(nn, random)
    add_local_response_norm(nn, random)
    add_lengths(nn, random, "l1_norm", l1_norm)
    add_lengths(nn, random, "l2_norm", l2_norm)
    add_softmax(nn, random)
