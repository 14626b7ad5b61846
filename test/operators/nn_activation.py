"""Settings of the activation functions of `nn`."""

import numpy as np
from scipy import special

import onnx_node

# Both sides of all thresholds, and what overflows an exponential of 32 bits.
EXTREMES = np.array([-np.inf, -200.0, -30.0, -2.5, -0.75, -1e-3, 0.0, 1e-3, 0.3, 1.0, 6.5, 30.0, 200.0, np.inf])


def sigmoid(x):
    return special.expit(x)


def gelu(x):
    return 0.5 * x * (1 + special.erf(x / np.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))


def elu(x, alpha=1.0):
    return np.where(x < 0, alpha * np.expm1(np.minimum(x, 0)), x)


def selu(x, alpha=1.67326319, factor=1.05070102):
    return factor * elu(x, alpha)


def add_simple(nn, random, name, function, extremes=EXTREMES):
    """A function without attributes."""
    operator = nn.operator(name)
    x = 3 * random.normal(size=(2, 3, 4))
    operator.setting("plain", {"x": x}, {"y": function(x)})
    operator.setting("extremes", {"x": extremes}, {"y": function(extremes)})
    operator.setting("scalar", {"x": np.array(-0.5)}, {"y": function(np.array(-0.5))})
    operator.setting("empty", {"x": np.zeros((2, 0))}, {"y": np.zeros((2, 0))})
    operator.setting("dynamic", {"x": x}, {"y": function(x)},
                     declared={"x": "real[2, n|5, m|6]", "y": "real[2, n, m]"})
    return operator


def add_relu(nn, random):
    relu = add_simple(nn, random, "relu", lambda x: np.maximum(x, 0))
    x = 3 * random.normal(size=(3, 5))
    relu.setting("leaky", {"x": x}, {"y": np.where(x < 0, 0.1 * x, x)}, {"alpha": 0.1})
    relu.setting("capped", {"x": x}, {"y": np.clip(x, 0, 2.0)}, {"max": 2.0})
    relu.setting("leaky_and_capped", {"x": x}, {"y": np.where(x < 0, 0.25 * x, np.minimum(x, 1.5))},
                 {"alpha": 0.25, "max": 1.5})
    relu.setting("identity", {"x": x}, {"y": x}, {"alpha": 1.0})
    relu.invalid("alpha_above_one", {"x": x}, "`alpha` must lie between 0 and 1", {"alpha": 1.5})
    relu.invalid("alpha_negative", {"x": x}, "`alpha` must lie between 0 and 1", {"alpha": -0.5})
    relu.invalid("max_zero", {"x": x}, "`max` must be positive", {"max": 0.0})


def add_prelu(nn, random):
    prelu = nn.operator("prelu")
    x, a = random.normal(size=(2, 3, 4)), random.normal(size=3)
    prelu.setting("channels", {"x": x, "alpha": a}, {"y": np.where(x < 0, a[:, None] * x, x)})
    prelu.setting("first_axis", {"x": x, "alpha": a[:2]}, {"y": np.where(x < 0, a[:2, None, None] * x, x)}, {"axis": 0})
    b = random.normal(size=4)
    prelu.setting("last_axis", {"x": x, "alpha": b}, {"y": np.where(x < 0, b * x, x)}, {"axis": -1})
    prelu.setting("dynamic", {"x": x, "alpha": b}, {"y": np.where(x < 0, b * x, x)}, {"axis": -1},
                  declared={"x": "real[n|5, 3, m|6]", "alpha": "real[m]", "y": "real[n, 3, m]"})
    prelu.invalid("axis_out_of_range", {"x": x, "alpha": a}, "`axis` must lie between", {"axis": 3})
    prelu.invalid("slopes", {"x": x, "alpha": b}, "dimension 0")


def add_thresholds(nn, random):
    thresholded = add_simple(nn, random, "thresholded_relu", lambda x: np.where(x > 0, x, 0))
    x = 3 * random.normal(size=(3, 5))
    x[0, :2] = 1.5
    thresholded.setting("threshold", {"x": x}, {"y": np.where(x > 1.5, x, 0)}, {"theta": 1.5})
    thresholded.invalid("theta_negative", {"x": x}, "`theta` must not be negative", {"theta": -1.0})

    hard = add_simple(nn, random, "hard_sigmoid", lambda x: np.clip(0.2 * x + 0.5, 0, 1))
    hard.setting("slope", {"x": x}, {"y": np.clip(0.5 * x - 0.25, 0, 1)}, {"alpha": 0.5, "beta": -0.25})
    hard.setting("constant", {"x": x}, {"y": np.full(x.shape, 0.75)}, {"alpha": 0.0, "beta": 0.75})


def add_exponentials(nn, random):
    x = 3 * random.normal(size=(3, 5))
    units = add_simple(nn, random, "elu", elu)
    units.setting("steeper", {"x": x}, {"y": elu(x, 2.5)}, {"alpha": 2.5})
    units.setting("rectifier", {"x": x}, {"y": np.maximum(x, 0)}, {"alpha": 0.0})
    scaled = add_simple(nn, random, "selu", selu)
    scaled.setting("parameters", {"x": x}, {"y": selu(x, 0.5, 3.0)}, {"alpha": 0.5, "lambda": 3.0})
    assert np.allclose(onnx_node.run("Selu", x), selu(x), atol=1e-5)


def add_gelu(nn, random):
    finite = EXTREMES[1:-1]
    operator = add_simple(nn, random, "gelu", gelu, finite)
    x = 3 * random.normal(size=(3, 5))
    operator.setting("tanh", {"x": x}, {"y": gelu_tanh(x)}, {"approximate": "TANH"})
    operator.setting("tanh_extremes", {"x": finite}, {"y": gelu_tanh(finite)}, {"approximate": "TANH"})
    operator.setting("sigmoid", {"x": x}, {"y": x * sigmoid(1.702 * x)}, {"approximate": "SIGMOID"})
    operator.setting("sigmoid_extremes", {"x": finite}, {"y": finite * sigmoid(1.702 * finite)},
                     {"approximate": "SIGMOID"})
    operator.invalid("unknown", {"x": x}, "`approximate` must be one of", {"approximate": "EXACT"})
    assert np.allclose(onnx_node.run("Gelu", x), gelu(x), atol=1e-5)


def add(nn, random):
    """All of them."""
    add_relu(nn, random)
    add_prelu(nn, random)
    add_thresholds(nn, random)
    add_exponentials(nn, random)
    add_gelu(nn, random)
    add_simple(nn, random, "sigmoid", sigmoid)
    add_simple(nn, random, "silu", lambda x: x * sigmoid(x), EXTREMES[1:])
    add_simple(nn, random, "softplus", lambda x: np.logaddexp(x, 0))
    add_simple(nn, random, "erf", special.erf)
