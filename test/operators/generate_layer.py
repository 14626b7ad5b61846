"""Settings of the operators of `layer`: as those of `nn`, with variables."""

import numpy as np

import nn_convolution
from nn_normalization import batch_norm
from oracle import Module

random = np.random.default_rng(6)
layer = Module("layer")


def normal(*shape):
    return random.normal(size=shape)


linear = layer.operator("linear")
x, w, b = normal(3, 4), normal(2, 4), normal(2)
linear.setting("bias", {"input": x}, {"output": x @ w.T + b}, {"channels": 2},
               variables={"filter": w, "bias": b})
linear.setting("no_bias", {"input": x}, {"output": x @ w.T}, {"channels": 2, "use_bias": False},
               variables={"filter": w})
linear.setting("labelled", {"input": x}, {"output": x @ w.T + b}, body="output = fc: layer.linear{channels=2}(input);",
               variables={"fc.filter": w, "fc.bias": b})
linear.setting("two_layers", {"input": x}, {"output": (x @ w.T + b) @ w + w[0]},
               body="hidden = layer.linear{channels=2}(input);\noutput = layer.linear{channels=4}(hidden);",
               variables={"hidden.filter": w, "hidden.bias": b, "output.filter": w.T, "output.bias": w[0]})
linear.setting("dynamic_batch", {"input": x}, {"output": x @ w.T + b}, {"channels": 2},
               variables={"filter": w, "bias": b},
               declared={"input": "real[n|4, 4]", "output": "real[n, 2]"})
linear.invalid("no_channels", {"input": x}, "`channels` must be positive", {"channels": 0})


def add_convolution(operator, function, filter_shape, all_channels):
    """Settings of a convolution, plain or transposed; how many channels the result has."""
    def setting(name, shape, attributes, **options):
        x = normal(*shape)
        known = dict(attributes)
        channels, size, use_bias = known.pop("channels"), known.pop("size"), known.pop("use_bias", True)
        groups = known.get("groups", 1) or shape[1]
        outputs = all_channels(channels, groups)
        size = [size] * (len(shape) - 2) if isinstance(size, int) else size
        variables = {"filter": normal(*filter_shape(shape[1], channels, groups), *size)}
        if use_bias:
            variables["bias"] = normal(outputs)
        y = function(x, *variables.values(), **known)
        operator.setting(name, {"input": x}, {"output": y}, attributes, variables=variables, **options)

    setting("automatic_padding", (1, 2, 5, 4), {"channels": 3, "size": 3})
    setting("no_bias", (1, 2, 5, 4), {"channels": 3, "size": [3, 2], "padding": 0, "use_bias": False})
    setting("strides", (2, 2, 5, 6), {"channels": 4, "size": 3, "stride": [2, 1], "padding": 1})
    setting("dilation", (1, 2, 6, 7), {"channels": 2, "size": 2, "dilation": [2, 3], "padding": [1, 0, 0, 2]})
    setting("padding_align", (1, 2, 5, 5), {"channels": 2, "size": 2, "padding_align": "LOWER"})
    setting("groups", (1, 4, 5, 4), {"channels": 6, "size": 3, "groups": 2, "padding": 1})
    setting("depthwise", (1, 3, 5, 4), {"channels": 6, "size": 3, "groups": 0})
    setting("one_dimension", (2, 3, 7), {"channels": 2, "size": 3, "stride": 2, "padding": 1})
    setting("dynamic", (2, 2, 5, 6), {"channels": 3, "size": 3, "padding": 1},
            declared={"input": "real[n|3, 2, h|6, w|7]", "output": "real[n, 3, h, w]"})
    operands = {"input": normal(1, 4, 5, 5)}

    def invalid(name, error, attributes):
        operator.invalid(name, operands, error, {"channels": 2, "size": 3, **attributes})

    invalid("no_channels", "`channels` must be positive", {"channels": 0})
    invalid("size_zero", "`size` must be positive", {"size": [3, 0]})
    invalid("stride_zero", "`stride` must be positive", {"stride": 0})
    invalid("dilation_zero", "`dilation` must be positive", {"dilation": 0})
    invalid("groups_negative", "`groups` must not be negative", {"groups": -1})
    invalid("input_channels", "input channels must be divisible by `groups`", {"channels": 3, "groups": 3})
    return setting, invalid


conv = layer.operator("conv")
setting, invalid = add_convolution(conv, nn_convolution.convolved, lambda c, channels, groups: (channels, c // groups),
                                   lambda channels, groups: channels)
invalid("output_channels", "`channels` must be divisible by `groups`", {"channels": 3, "groups": 2})
setting("ceil_mode", (1, 2, 6, 5), {"channels": 2, "size": 3, "stride": 2, "ceil_mode": True})
invalid("input_too_small", "the padded input must not be smaller than the dilated filter", {"size": 6, "padding": 0})

deconv = layer.operator("deconv")
setting, invalid = add_convolution(deconv, nn_convolution.deconvolved, lambda c, channels, groups: (c, channels),
                                   lambda channels, groups: channels * groups)
setting("output_size", (1, 2, 3, 4), {"channels": 2, "size": 3, "stride": 2, "padding": 1, "output_size": [6, 7]})
invalid("wrong_output_size", "`output_size` must be one from which", {"stride": 2, "padding": 1, "output_size": 12})

norm = layer.operator("batch_norm")
x = normal(2, 3, 4, 5)
moments = {"running_mean": normal(3), "running_variance": random.uniform(0.5, 2.0, size=3)}
bias, scale = {"bias": normal(3)}, {"scale": normal(3)}


def add_norm(name, attributes, *variables, data=x, **options):
    variables = {key: value for group in (moments, *variables) for key, value in group.items()}
    y = batch_norm(data, *moments.values(), variables.get("bias"), variables.get("scale"),
                   attributes.get("epsilon", 1e-5))
    norm.setting(name, {"input": data}, {"output": y}, attributes, variables=variables, **options)


add_norm("plain", {}, bias, scale)
add_norm("epsilon", {"epsilon": 0.5}, bias, scale)
add_norm("no_bias", {"use_bias": False}, scale)
add_norm("no_scale", {"use_scale": False}, bias)
add_norm("moments_only", {"use_bias": False, "use_scale": False})
add_norm("dynamic", {}, bias, scale, declared={"input": "real[n|3, 3, h|5, w|6]", "output": "real[n, 3, h, w]"})


def add_tracking(name, x, momentum, attributes=None, **options):
    """Normalised by its own moments, which the stored ones follow."""
    axes = (0, *range(2, x.ndim))
    mean, variance = x.mean(axis=axes), x.var(axis=axes)
    states = {key: (1 - momentum) * old + momentum * new for (key, old), new in zip(moments.items(), (mean, variance))}
    y = batch_norm(x, mean, variance, bias["bias"], scale["scale"], 1e-5)
    norm.setting(name, {"input": x}, {"output": y}, {"momentum": momentum, **(attributes or {})},
                 variables={**moments, **bias, **scale}, states=states, **options)


add_norm("rank_2", {}, bias, scale, data=normal(4, 3))
add_norm("no_momentum", {"momentum": 0.0}, bias, scale)
add_tracking("momentum", x, 0.125)
add_tracking("whole_momentum", x, 1.0)
add_tracking("momentum_rank_2", normal(4, 3), 0.5)
add_tracking("momentum_dynamic", x, 0.25, declared={"input": "real[n|3, 3, h|5, w|6]", "output": "real[n, 3, h, w]"})
norm.invalid("momentum_negative", {"input": x}, "`momentum` must lie between 0 and 1", {"momentum": -0.5})
norm.invalid("momentum_above_one", {"input": x}, "`momentum` must lie between 0 and 1", {"momentum": 1.5})
norm.invalid("epsilon_negative", {"input": x}, "`epsilon` must not be negative", {"epsilon": -1.0})

layer.write()
