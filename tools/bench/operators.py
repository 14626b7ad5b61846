"""Writes the models that `cargo xtask bench --operators` measures: one or a few operators each, at the sizes that networks have
them, so that a run takes some 20 us to 5 ms.

Usage: operators.py FOLDER
"""

import itertools

import numpy as np
from models import Network, write

IMAGE, TOKENS, CHANNELS_LAST = (1, 64, 56, 56), (197, 768), (3136, 96)


class Operators(Network):
    """A network of the newest operators, whose methods give the names of tensors."""

    def __init__(self, name, shape):
        super().__init__(name, shape, opset=20)

    def other(self, shape):
        return self.input(self.random.standard_normal(shape, dtype=np.float32))

    def integers(self, shape, end):
        return self.input(self.random.integers(0, end, shape))

    def number(self, value):
        return self.weight(np.float32(value))

    def whole(self, *values):
        return self.weight(np.array(values, np.int64))

    def several(self, operator, inputs, count, **attributes):
        """An operator with several results, which are those of the network."""
        self.add(operator, inputs, **attributes)
        self.outputs = [f"{self.last}_{number}" for number in range(count)]
        self.nodes[-1].output[:] = self.outputs


def single(name, shape, operator, *inputs, **attributes):
    """One operator of the input and of what `inputs` make of a network."""
    net = Operators(name, shape)
    net.add(operator, ["input", *(make(net) for make in inputs)], **attributes)
    return net


def chain(name, shape, build):
    """What `build` makes of a network, whose last tensor is the result."""
    net = Operators(name, shape)
    build(net)
    return net


def chain_of_integers(name, shape, end, build):
    """The same of whole numbers below `end`."""
    net = Operators(name, shape)
    net.inputs["input"] = net.random.integers(0, end, shape)
    build(net)
    return net


def tensor(*shape):
    return lambda net: net.other(shape)


def weights(*shape):
    return lambda net: net.normal(shape, 1)


def number(value):
    return lambda net: net.number(value)


def reals(*values):
    return lambda net: net.weight(np.array(values, np.float32))


def whole(*values):
    return lambda net: net.whole(*values)


def nothing(_):
    return ""


def unary():
    for operator in ["Exp", "Tanh", "Erf", "Sigmoid", "HardSwish", "HardSigmoid", "Softplus", "Mish", "Elu", "LeakyRelu"]:
        yield single(operator.lower(), IMAGE, operator)
    for operator in ["Sin", "Cos", "Floor", "Round", "Sign", "Reciprocal"]:
        yield single(operator.lower(), IMAGE, operator)
    yield single("gelu", IMAGE, "Gelu")
    yield single("gelu-tanh", IMAGE, "Gelu", approximate="tanh")
    yield single("clip", IMAGE, "Clip", number(0), number(6))
    yield chain("silu", IMAGE, lambda net: net.add("Mul", ["input", net.add("Sigmoid", ["input"])]))
    for operator in ["Log", "Sqrt"]:
        yield chain(operator.lower(), IMAGE, lambda net: net.add(operator, [net.add("Abs", ["input"])]))
    for name, kind in [("long", 7), ("byte", 2), ("bool", 9)]:
        yield single(f"cast-{name}", IMAGE, "Cast", to=kind)
    yield chain_of_integers("cast-back", IMAGE, 100, lambda net: net.add("Cast", ["input"], to=1))


def binary():
    for operator in ["Add", "Div", "Max"]:
        yield single(f"{operator.lower()}-same", IMAGE, operator, tensor(*IMAGE))
    yield single("add-channel", IMAGE, "Add", weights(64, 1, 1))
    yield single("mul-row", IMAGE, "Mul", weights(56))
    yield single("mul-column", IMAGE, "Mul", tensor(1, 64, 56, 1))
    yield single("sub-batch", (8, 64, 28, 28), "Sub", tensor(1, 64, 28, 28))
    yield single("mul-outer", (1024, 1), "Mul", tensor(1, 1024))
    yield single("prelu", IMAGE, "PRelu", weights(64, 1, 1))
    yield single("pow-2", IMAGE, "Pow", number(2))
    yield single("pow-3", IMAGE, "Pow", number(3))
    absolute = lambda net: net.add("Abs", ["input"])
    yield chain("pow-half", IMAGE, lambda net: net.add("Pow", [absolute(net), net.number(0.5)]))
    yield chain("pow-tensor", IMAGE, lambda net: net.add("Pow", [absolute(net), net.other(IMAGE)]))
    yield single("mod-real", IMAGE, "Mod", tensor(*IMAGE), fmod=1)
    for operator in ["Mod", "Div"]:
        yield chain_of_integers(f"{operator.lower()}-long", IMAGE, 1000, lambda net: net.add(operator, ["input", net.whole(7)]))


def conditions():
    shape = (1, 12, 197, 197)
    yield single("less", IMAGE, "Less", number(0.5))
    yield single("equal", IMAGE, "Equal", tensor(*IMAGE))
    less = lambda net, limit: net.add("Less", ["input", net.number(limit)])
    yield chain("and", IMAGE, lambda net: net.add("And", [less(net, 1), net.add("Not", [less(net, -1)])]))
    yield chain("less-cast", IMAGE, lambda net: net.add("Cast", [less(net, 0)], to=1))
    yield chain("where", IMAGE, lambda net: net.add("Where", [less(net, 0), net.other(IMAGE), "input"]))

    def masked(net):
        mask = net.input(net.random.random((1, 1, 197, 197)) < 0.5)
        net.add("Where", [mask, "input", net.number(-1e9)])

    yield chain("where-mask", shape, masked)

    def summed(net):
        kept = net.add("Mul", ["input", net.add("Cast", [less(net, 0.5)], to=1)])
        net.add("ReduceSum", [kept, net.whole(-1)])

    yield chain("masked-sum", TOKENS, summed)


def reductions():
    for operator in ["Mean", "Max", "Sum", "Prod", "L2", "LogSumExp"]:
        yield single(f"{operator.lower()}-last", (1024, 768), f"Reduce{operator}", whole(-1))
    for operator in ["Mean", "Max", "Sum", "L2"]:
        yield single(f"{operator.lower()}-first", (1024, 768), f"Reduce{operator}", whole(0))
    for operator in ["Mean", "Max", "Prod"]:
        yield single(f"{operator.lower()}-middle", (8, 197, 768), f"Reduce{operator}", whole(1))
        yield single(f"{operator.lower()}-all", IMAGE, f"Reduce{operator}")
    for operator in ["ArgMax", "ArgMin"]:
        yield single(f"{operator.lower()}-last", (197, 1000), operator, axis=-1)
    yield single("argmax-first", (1024, 768), "ArgMax", axis=0)
    yield single("argmax-channel", (1, 21, 128, 128), "ArgMax", axis=1)
    yield single("mean-pixels", (8, 256, 14, 14), "ReduceMean", whole(2, 3))
    yield single("cumsum-last", TOKENS, "CumSum", whole(1))
    yield single("cumsum-first", TOKENS, "CumSum", whole(0))


def normalizations():
    for rows, size in [(12 * 197, 197), (128, 1000), (4096, 77), (10000, 10)]:
        yield single(f"softmax-{size}", (rows, size), "Softmax", axis=-1)
    yield single("softmax-channel", (1, 21, 128, 128), "Softmax", axis=1)
    yield single("logsoftmax", (128, 1000), "LogSoftmax", axis=-1)
    for shape in [TOKENS, CHANNELS_LAST]:
        size = shape[-1]
        yield single(f"layernorm-{size}", shape, "LayerNormalization", weights(size), weights(size))
    yield single("instancenorm", IMAGE, "InstanceNormalization", weights(64), weights(64))
    positive = lambda net: net.weight(net.random.random(64, np.float32) + np.float32(0.5))
    yield single("batchnorm", IMAGE, "BatchNormalization", weights(64), weights(64), weights(64), positive)

    def group(net):
        parted = net.add("Reshape", ["input", net.whole(1, 32, -1)])
        one, zero = net.weight(np.ones(32, np.float32)), net.weight(np.zeros(32, np.float32))
        back = net.add("Reshape", [net.add("InstanceNormalization", [parted, one, zero]), net.whole(1, 256, 32, 32)])
        net.add("Add", [net.add("Mul", [back, net.normal((256, 1, 1), 1)]), net.normal((256, 1, 1), 1)])

    yield chain("groupnorm", (1, 256, 32, 32), group)

    def rms(net):
        mean = net.add("ReduceMean", [net.add("Mul", ["input", "input"]), net.whole(-1)])
        scale = net.add("Reciprocal", [net.add("Sqrt", [net.add("Add", [mean, net.number(1e-5)])])])
        net.add("Mul", [net.add("Mul", ["input", scale]), net.normal((768,), 1)])

    yield chain("rmsnorm", TOKENS, rms)
    yield chain("unit", TOKENS, lambda net: net.add("Div", ["input", net.add("ReduceL2", ["input", net.whole(-1)])]))


def conv(name, shape, channels, size, operator="Conv", groups=1, **attributes):
    """`size` is that of the window: for both extents, or one number for each."""
    rank = len(shape) - 2
    window = (size,) * rank if isinstance(size, int) else size
    first, second = (channels, shape[1] // groups) if operator == "Conv" else (shape[1], channels // groups)
    net = Operators(name, shape)
    weight = net.normal((first, second, *window), (second * np.prod(window)) ** -0.5)
    net.add(operator, ["input", weight, net.normal((channels,), 0.05)], group=groups, **attributes)
    return net


def same(size, stride=1, rank=2):
    return {"pads": [size // 2] * 2 * rank, "strides": [stride] * rank}


def convolutions():
    for given, channels, extent in [(64, 256, 56), (256, 64, 56), (512, 2048, 7), (24, 144, 56), (37, 100, 28)]:
        yield conv(f"conv1x1-{given}-{channels}", (1, given, extent, extent), channels, 1)
    yield conv("conv1x1-stride", (1, 256, 56, 56), 512, 1, strides=[2, 2])
    yield conv("conv1x1-batch", (8, 64, 28, 28), 128, 1)
    for channels, extent in [(24, 56), (64, 56), (128, 28), (256, 14), (512, 7)]:
        yield conv(f"conv3x3-{channels}", (1, channels, extent, extent), channels, 3, **same(3))
    yield conv("conv3x3-odd", (1, 37, 28, 28), 100, 3, **same(3))
    yield conv("conv3x3-stride", (1, 64, 56, 56), 128, 3, **same(3, 2))
    yield conv("conv3x3-batch", (8, 64, 28, 28), 64, 3, **same(3))
    yield conv("conv3x3-dilated", (1, 64, 28, 28), 64, 3, pads=[2] * 4, dilations=[2, 2])
    yield conv("conv3x3-groups", (1, 128, 28, 28), 128, 3, groups=32, **same(3))
    yield conv("conv3x3-rgb", (1, 3, 224, 224), 32, 3, **same(3, 2))
    yield conv("conv3x3-rgb-whole", (1, 3, 112, 112), 16, 3, **same(3))
    yield conv("conv7x7-rgb", (1, 3, 224, 224), 64, 7, **same(7, 2))
    yield conv("conv5x5", (1, 32, 28, 28), 64, 5, **same(5))
    yield conv("conv5x5-grey", (8, 1, 28, 28), 8, 5, **same(5))
    yield conv("conv-patches", (1, 3, 224, 224), 384, 16, strides=[16, 16])
    yield conv("conv1d", (1, 80, 500), 256, 3, **same(3, 1, 1))
    yield conv("conv1d-stride", (1, 256, 500), 256, 3, **same(3, 2, 1))
    yield conv("transposed-2x2", (1, 64, 28, 28), 32, 2, "ConvTranspose", strides=[2, 2])
    yield conv("transposed-4x4", (1, 64, 28, 28), 32, 4, "ConvTranspose", strides=[2, 2], pads=[1] * 4)
    for channels, extent, size, stride in [(32, 112, 3, 1), (144, 56, 3, 2), (120, 28, 5, 1), (72, 56, 5, 2), (37, 29, 3, 1), (96, 56, 7, 1)]:
        name = f"depthwise{size}x{size}-{channels}" + ("-stride" if stride > 1 else "")
        yield conv(name, (1, channels, extent, extent), channels, size, groups=channels, **same(size, stride))
    yield conv("depthwise1d", (1, 256, 500), 256, 31, groups=256, **same(31, 1, 1))


def pools():
    for operator, size, stride, padding, extent in [
        ("Max", 2, 2, 0, 112),
        ("Max", 3, 2, 1, 112),
        ("Max", 3, 1, 1, 28),
        ("Max", 5, 1, 2, 28),
        ("Average", 2, 2, 0, 112),
        ("Average", 3, 1, 1, 28),
        ("Average", 3, 2, 1, 56),
    ]:
        settings = {"kernel_shape": [size] * 2, "strides": [stride] * 2, "pads": [padding] * 4}
        yield single(f"{operator.lower()}pool{size}-{stride}", (1, 64, extent, extent), f"{operator}Pool", **settings)
    yield single("globalaverage", (8, 512, 7, 7), "GlobalAveragePool")
    yield single("globalmax", (1, 512, 14, 14), "GlobalMaxPool")


def products():
    for name, left, right in [
        ("square-256", (256, 256), (256, 256)),
        ("tall", (4096, 64), (64, 64)),
        ("row", (1, 2048), (2048, 1000)),
        ("4-rows", (4, 1024), (1024, 1024)),
        ("tokens", TOKENS, (768, 768)),
        ("odd", (100, 37), (37, 77)),
    ]:
        yield single(f"matmul-{name}", left, "MatMul", lambda net: net.normal(right, right[0] ** -0.5))
    yield single("matmul-open", (256, 256), "MatMul", tensor(256, 256))
    yield single("matmul-row-open", (1, 1024), "MatMul", tensor(1024, 1024))
    yield single("matmul-scores", (12, 197, 64), "MatMul", tensor(12, 64, 197))
    yield single("matmul-mixed", (12, 197, 197), "MatMul", tensor(12, 197, 64))
    yield single("matmul-small", (256, 16, 16), "MatMul", tensor(256, 16, 16))
    yield single("gemm", (128, 256), "Gemm", weights(512, 256), weights(512), transB=1)
    yield single("gemm-transposed-left", (256, 128), "Gemm", tensor(256, 512), transA=1)
    yield single("gemm-transposed-right", (128, 256), "Gemm", tensor(512, 256), transB=1)


def attention(name, queries, keys):
    """Scaled products of queries with keys, softmax, and the sum of values; keys have one head for a group of queries' heads."""
    net = Operators(name, queries)
    key, value = net.other(keys), net.other(keys)
    rank = len(keys)
    turned = net.add("Transpose", [key], perm=[*range(rank - 2), rank - 1, rank - 2])
    scores = net.add("Mul", [net.add("MatMul", ["input", turned]), net.number(keys[-1] ** -0.5)])
    net.add("MatMul", [net.add("Softmax", [scores], axis=-1), value])
    return net


def attentions():
    yield attention("attention-one", (1, 12, 1, 64), (1, 12, 512, 64))
    yield attention("attention-197", (1, 12, 197, 64), (1, 12, 197, 64))
    yield attention("attention-cross", (1, 8, 256, 40), (1, 8, 77, 40))
    yield attention("attention-groups", (1, 8, 4, 1, 64), (1, 8, 1, 512, 64))


def moves():
    for order in itertools.permutations(range(4)):
        if order != (0, 1, 2, 3):
            yield single("transpose-" + "".join(map(str, order)), (8, 32, 28, 28), "Transpose", perm=list(order))
    yield single("transpose-1024", (1024, 1024), "Transpose", perm=[1, 0])
    yield single("concat-channel", IMAGE, "Concat", tensor(1, 32, 56, 56), axis=1)
    yield single("concat-last", TOKENS, "Concat", tensor(197, 100), axis=1)
    for name, shape, parts, axis in [("channel", IMAGE, (32, 32), 1), ("last", (197, 2304), (768,) * 3, 1)]:
        yield chain(f"split-{name}", shape, lambda net: net.several("Split", ["input", net.whole(*parts)], len(parts), axis=axis))
    yield single("slice-steps", IMAGE, "Slice", whole(0, 0), whole(56, 56), whole(2, 3), whole(2, 2))
    yield single("slice-last", TOKENS, "Slice", whole(5), whole(700), whole(1))
    yield single("pad-zeros", IMAGE, "Pad", whole(0, 0, 1, 1, 0, 0, 1, 1))
    yield single("pad-reflect", IMAGE, "Pad", whole(0, 0, 3, 3, 0, 0, 3, 3), mode="reflect")
    yield single("tile", (64, 1, 56), "Tile", whole(1, 56, 1))
    yield single("expand", (64, 1, 768), "Expand", whole(64, 16, 768))
    yield single("depth-to-space", IMAGE, "DepthToSpace", blocksize=2)
    yield single("space-to-depth", IMAGE, "SpaceToDepth", blocksize=2)


def places():
    yield chain("gather-rows", (3000, 768), lambda net: net.add("Gather", ["input", net.integers((197,), 3000)]))
    yield chain("gather-last", TOKENS, lambda net: net.add("Gather", ["input", net.integers((256,), 768)], axis=1))
    yield chain("gather-elements", TOKENS, lambda net: net.add("GatherElements", ["input", net.integers(TOKENS, 197)], axis=0))
    yield chain("gather-nd", (197, 16, 64), lambda net: net.add("GatherND", ["input", net.integers((3000, 2), 16)]))

    def scattered(net):
        places = net.input(net.random.permutation(1024)[:197].reshape(-1, 1))
        net.add("ScatterND", ["input", places, net.other((197, 256))])

    yield chain("scatter-nd", (1024, 256), scattered)

    def elements(net):
        places = net.input(np.argsort(net.random.random((197, 256)), axis=0))
        net.add("ScatterElements", ["input", places, net.other((197, 256))], axis=0)

    yield chain("scatter-elements", (197, 256), elements)
    yield chain_of_integers("one-hot", (197,), 1000, lambda net: net.add("OneHot", ["input", net.whole(1000), reals(0, 1)(net)]))
    for count in [1, 5, 1000]:
        yield chain(f"topk-{count}", (197, 1000), lambda net: net.several("TopK", ["input", net.whole(count)], 2))
    yield single("triangle", (12, 197, 197), "Trilu")
    for mode, factor in [("nearest", 2), ("linear", 2), ("linear", 0.5), ("cubic", 2)]:
        yield single(f"resize-{mode}-{factor}", (1, 32, 56, 56), "Resize", nothing, reals(1, 1, factor, factor), mode=mode)


def recurrent():
    for operator, gates, direction, steps, size in [("LSTM", 4, 1, 32, 128), ("LSTM", 4, 2, 16, 64), ("GRU", 3, 1, 32, 128)]:
        net = Operators(f"{operator.lower()}-{direction}", (steps, 1, size))
        parameters = [net.normal((direction, gates * size, size), size**-0.5) for _ in range(2)]
        settings = {"direction": "bidirectional"} if direction == 2 else {}
        if operator == "GRU":
            settings["linear_before_reset"] = 1
        net.add(operator, ["input", *parameters, net.normal((direction, 2 * gates * size), 0.1)], hidden_size=size, **settings)
        yield net


KINDS = [unary, binary, conditions, reductions, normalizations, convolutions, pools, products, attentions, moves, places, recurrent]

if __name__ == "__main__":
    write(network for kind in KINDS for network in kind())
