"""Settings of `image`'s up- and downsampling by whole factors."""

import numpy as np

import interpolation
import onnx_node


def every(x, factors):
    """Every so manyth element along axes."""
    for axis, factor in factors.items():
        x = np.take(x, range(0, x.shape[axis], factor), axis)
    return x


def repeated(x, factors):
    for axis, factor in factors.items():
        x = np.repeat(x, factor, axis)
    return x


def block_means(x, factors):
    for axis, factor in factors.items():
        x = np.moveaxis(x, axis, 0)
        x = np.moveaxis(x.reshape(-1, factor, *x.shape[1:]).mean(axis=1), 0, axis)
    return x


def interpolated(x, factors, symmetric=True, replicate_border=True):
    matrices = {}
    for axis, factor in factors.items():
        new = np.arange(x.shape[axis] * factor, dtype=np.float64)
        positions = (new + 0.5) / factor - 0.5 if symmetric else new / factor
        border = "replicate" if replicate_border else "zero"
        matrices[axis] = interpolation.matrix(positions, x.shape[axis], interpolation.linear, border)
    return interpolation.apply(x, matrices)


def add_settings(operator, function, random):
    """What all four have in common."""
    def setting(name, shape, factors, attributes, **options):
        x = random.normal(size=shape)
        operator.setting(name, {"input": x}, {"output": function(x, factors)}, attributes, **options)

    setting("all_axes", (4, 6), {0: 2, 1: 3}, {"factor": [2, 3]})
    setting("uniform_factor", (2, 4), {0: 2, 1: 2}, {"factor": 2})
    setting("spatial_axes", (1, 2, 6, 4), {2: 3, 3: 2}, {"axes": [2, 3], "factor": [3, 2]})
    setting("negative_axes", (2, 6, 4), {1: 3, 2: 2}, {"axes": [-1, -2], "factor": [2, 3]})
    setting("factor_one", (2, 3), {}, {"factor": 1})
    setting("dynamic", (2, 4, 6), {2: 2}, {"axes": [2], "factor": 2},
            declared={"input": "real[n|3, 4, m|9]", "output": "real[n, 4, ~]"})
    operands = {"input": random.normal(size=(4, 6))}
    operator.invalid("axis_out_of_range", operands, "`axes` must lie between", {"axes": [2], "factor": 2})
    operator.invalid("axes_equal", operands, "`axes` must be distinct", {"axes": [1, 1], "factor": 2})
    operator.invalid("axes_equal_from_both_ends", operands, "`axes` must be distinct", {"axes": [-1, 1], "factor": 2})
    operator.invalid("factor_zero", operands, "`factor` must be positive", {"factor": [2, 0]})


def add_linear_upsample(image, random):
    operator = image.operator("linear_upsample")
    add_settings(operator, interpolated, random)
    for symmetric in (True, False):
        for replicate in (True, False):
            x = random.normal(size=(1, 3, 4))
            attributes = {"axes": [1, 2], "factor": [2, 3], "symmetric": symmetric, "replicate_border": replicate}
            name = ("symmetric" if symmetric else "asymmetric") + ("_replicated" if replicate else "_zero")
            expected = interpolated(x, {1: 2, 2: 3}, symmetric, replicate)
            operator.setting(name, {"input": x}, {"output": expected}, attributes)
    x = random.normal(size=(2, 3))
    operator.setting("large_factor", {"input": x}, {"output": interpolated(x, {1: 5})}, {"axes": [-1], "factor": 5})
    for transform, symmetric in (("half_pixel", True), ("asymmetric", False)):
        check = onnx_node.run("Resize", x, None, np.array([2.0, 3.0], np.float32), mode="linear",
                              coordinate_transformation_mode=transform)
        assert np.allclose(check, interpolated(x, {0: 2, 1: 3}, symmetric), atol=1e-5)


def add(image, random):
    """All of them."""
    for name, function in (("nearest_downsample", every), ("area_downsample", block_means)):
        operator = image.operator(name)
        add_settings(operator, function, random)
        operator.invalid("not_divisible", {"input": random.normal(size=(4, 5))}, "must be divisible by `factor`",
                         {"factor": 2})
    add_settings(image.operator("nearest_upsample"), repeated, random)
    add_linear_upsample(image, random)
