"""Writes the models that `cargo xtask bench` measures: ONNX files with weights from fixed seeds, and their inputs.

Usage: models.py FOLDER

Inputs lie where `skriptnd bench --worker` reads them: the elements in NAME.in0.bin and so on.
"""

import pathlib
import sys
import zlib

import numpy as np
import onnx
from onnx import helper, numpy_helper


class Network:
    """An ONNX graph that grows at its end."""

    def __init__(self, name, shape, opset=17):
        self.name, self.opset, self.nodes, self.weights = name, opset, [], []
        self.random = np.random.default_rng(zlib.crc32(name.encode()))
        self.inputs, self.outputs = {}, []
        self.shape, self.last = tuple(shape), self.input(self.random.standard_normal(shape, dtype=np.float32))

    def input(self, value):
        """An input with its elements: "input", "input1" and so on."""
        name = f"input{len(self.inputs) or ''}"
        self.inputs[name] = np.ascontiguousarray(value)
        return name

    def weight(self, value):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def normal(self, shape, deviation):
        return self.weight(self.random.standard_normal(shape, dtype=np.float32) * np.float32(deviation))

    def add(self, operator, inputs, **attributes):
        self.last = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [self.last], **attributes))
        return self.last

    def conv(self, channels, size, stride=1, padding=0, groups=1):
        batch, given, height, width = self.shape
        weight = self.normal((channels, given // groups, size, size), np.sqrt(2 / (given // groups * size * size)))
        inputs = [self.last, weight, self.normal((channels,), 0.05)]
        extent = lambda extent: (extent + 2 * padding - size) // stride + 1
        self.shape = (batch, channels, extent(height), extent(width))
        return self.add("Conv", inputs, strides=[stride] * 2, pads=[padding] * 4, group=groups)

    def relu(self):
        return self.add("Relu", [self.last])

    def pool(self, size, stride, padding=0):
        batch, channels, height, width = self.shape
        extent = lambda extent: (extent + 2 * padding - size) // stride + 1
        self.shape = (batch, channels, extent(height), extent(width))
        return self.add("MaxPool", [self.last], kernel_shape=[size] * 2, strides=[stride] * 2, pads=[padding] * 4)

    def linear(self, width):
        given = self.shape[-1]
        weight, bias = self.normal((given, width), np.sqrt(1 / given)), self.normal((width,), 0.05)
        self.shape = self.shape[:-1] + (width,)
        return self.add("Add", [self.add("MatMul", [self.last, weight]), bias])

    def flatten(self):
        self.shape = (self.shape[0], int(np.prod(self.shape[1:])))
        return self.add("Flatten", [self.last], axis=1)

    def norm(self):
        scale, bias = self.weight(np.ones(self.shape[-1], np.float32)), self.normal((self.shape[-1],), 0.05)
        return self.add("LayerNormalization", [self.last, scale, bias], axis=-1, epsilon=1e-5)

    def model(self, outputs):
        """Types of results are inferred."""
        typed = lambda name, value: helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        given = [typed(name, value) for name, value in self.inputs.items()]
        graph = helper.make_graph(self.nodes, self.name, given, [onnx.ValueInfoProto(name=name) for name in outputs], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)
        model = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
        onnx.checker.check_model(model)
        return model

    def write(self, folder):
        onnx.save(self.model(self.outputs or [self.last]), folder / f"{self.name}.onnx")
        for number, value in enumerate(self.inputs.values()):
            value.tofile(folder / f"{self.name}.in{number}.bin")


def resnet50():
    net = Network("resnet50", [1, 3, 224, 224])
    net.conv(64, 7, 2, 3), net.relu(), net.pool(3, 2, 1)
    for stage, (channels, blocks) in enumerate([(64, 3), (128, 4), (256, 6), (512, 3)]):
        for block in range(blocks):
            stride = 2 if block == 0 and stage > 0 else 1
            begin, shape = net.last, net.shape
            side = net.conv(4 * channels, 1, stride) if block == 0 else begin
            net.last, net.shape = begin, shape
            net.conv(channels, 1), net.relu(), net.conv(channels, 3, stride, 1), net.relu()
            net.add("Relu", [net.add("Add", [net.conv(4 * channels, 1), side])])
    net.add("GlobalAveragePool", [net.last])
    net.shape = net.shape[:2] + (1, 1)
    net.flatten(), net.linear(1000), net.add("Softmax", [net.last], axis=1)
    return net


def mobilenet():
    net = Network("mobilenetv2", [1, 3, 224, 224])
    net.conv(32, 3, 2, 1), net.relu()
    settings = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]
    for factor, channels, count, first in settings:
        for number in range(count):
            begin, shape = net.last, net.shape
            stride, inner = (first if number == 0 else 1), shape[1] * factor
            if factor > 1:
                net.conv(inner, 1), net.relu()
            net.conv(inner, 3, stride, 1, inner), net.relu(), net.conv(channels, 1)
            if stride == 1 and shape[1] == channels:
                net.add("Add", [net.last, begin])
    net.conv(1280, 1), net.relu(), net.add("GlobalAveragePool", [net.last])
    net.shape = net.shape[:2] + (1, 1)
    net.flatten(), net.linear(1000)
    return net


def bert_layer(tokens=128, width=768, heads=12):
    net = Network("bert-layer", [1, tokens, width])
    begin, size = "input", width // heads
    split = net.weight(np.array([1, tokens, heads, size], np.int64))
    joined = net.weight(np.array([1, tokens, width], np.int64))

    def projected(order):
        net.last, net.shape = begin, (1, tokens, width)
        return net.add("Transpose", [net.add("Reshape", [net.linear(width), split])], perm=order)

    query, key, value = projected([0, 2, 1, 3]), projected([0, 2, 3, 1]), projected([0, 2, 1, 3])
    scores = net.add("Mul", [net.add("MatMul", [query, key]), net.weight(np.float32(size**-0.5))])
    mixed = net.add("MatMul", [net.add("Softmax", [scores], axis=-1), value])
    net.add("Reshape", [net.add("Transpose", [mixed], perm=[0, 2, 1, 3]), joined])
    net.shape = (1, tokens, width)
    net.add("Add", [net.linear(width), begin])
    middle = net.norm()
    hidden = net.linear(4 * width)
    error = net.add("Erf", [net.add("Mul", [hidden, net.weight(np.float32(0.5**0.5))])])
    net.add("Mul", [net.add("Mul", [hidden, net.add("Add", [error, net.weight(np.float32(1))])]), net.weight(np.float32(0.5))])
    net.add("Add", [net.linear(width), middle])
    net.norm()
    return net


def product(size=512):
    net = Network(f"matmul-{size}", [size, size])
    net.add("MatMul", ["input", net.normal((size, size), size**-0.5)])
    return net


def convolution():
    net = Network("conv-3x3", [1, 64, 56, 56])
    net.conv(64, 3, 1, 1)
    return net


def softmax():
    net = Network("softmax", [128, 1000])
    net.add("Softmax", ["input"], axis=1)
    return net


def attention(keys=1024, heads=12, size=64):
    net = Network("attention-query", [1, heads, keys, size])
    query = net.normal((1, heads, 1, size), 1)
    turned = net.add("Transpose", ["input"], perm=[0, 1, 3, 2])
    scores = net.add("Mul", [net.add("MatMul", [query, turned]), net.weight(np.float32(size**-0.5))])
    net.add("MatMul", [net.add("Softmax", [scores], axis=-1), "input"])
    net.shape = (1, heads, 1, size)
    return net


def elementwise():
    net = Network("elementwise", [1_000_000])
    net.add("Sigmoid", [net.add("Relu", [net.add("Mul", [net.add("Add", ["input", "input"]), "input"])])])
    return net


def write(networks):
    """Into the folder that the command line names."""
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for network in networks:
        network.write(folder)


if __name__ == "__main__":
    write(make() for make in [resnet50, mobilenet, bert_layer, attention, product, convolution, softmax, elementwise])
