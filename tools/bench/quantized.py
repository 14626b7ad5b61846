"""Writes int8 twins of networks and of single products and convolutions: ONNX models with QDQ operators, as ONNX Runtime's quantization makes them.

Usage: quantized.py FOLDER

Activations are bytes without signs, weights bytes with one scale for each channel; ranges are those of two random inputs.
"""

import pathlib
import sys
import tempfile

import models
import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process


class Samples(CalibrationDataReader):
    """Random inputs of a network."""

    def __init__(self, network, count=2):
        made = [{name: network.random.standard_normal(value.shape, dtype=np.float32) for name, value in network.inputs.items()} for _ in range(count)]
        self.left = iter(made)

    def get_next(self):
        return next(self.left, None)


def product(rows, depth, columns):
    net = models.Network(f"product-{rows}-{depth}-{columns}", [rows, depth])
    net.add("MatMul", [net.last, net.normal((depth, columns), depth**-0.5)])
    return net


def convolution(channels, extent, results, size, stride=1):
    net = models.Network(f"conv{size}x{size}-{channels}-{results}" + (f"-stride{stride}" if stride > 1 else ""), [1, channels, extent, extent])
    net.conv(results, size, stride, size // 2), net.relu()
    return net


def networks():
    yield from (make() for make in [models.resnet50, models.mobilenet, models.bert_layer])
    yield from (product(*shape) for shape in [(512, 512, 512), (128, 768, 3072), (100, 200, 300)])
    shapes = [(64, 56, 64, 3), (512, 7, 512, 3), (128, 56, 128, 3, 2), (256, 56, 64, 1), (64, 56, 256, 1), (37, 28, 75, 1)]
    yield from (convolution(*shape) for shape in shapes)


def write(network, folder):
    network.name += "-int8"
    target = folder / f"{network.name}.onnx"
    with tempfile.TemporaryDirectory() as temporary:
        plain, shaped = (pathlib.Path(temporary) / name for name in ("plain.onnx", "shaped.onnx"))
        onnx.save(network.model(network.outputs or [network.last]), plain)
        quant_pre_process(str(plain), str(shaped), skip_symbolic_shape=True)
        forms = {"activation_type": QuantType.QUInt8, "weight_type": QuantType.QInt8}
        quantize_static(str(shaped), str(target), Samples(network), quant_format=QuantFormat.QDQ, per_channel=True, **forms)
    for number, value in enumerate(network.inputs.values()):
        value.tofile(folder / f"{target.stem}.in{number}.bin")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for network in networks():
        write(network, folder)
