"""Settings of the operators of `onnx`, computed by ONNX Runtime, by ONNX's reference, and by numpy from ONNX's text."""

import onnx_bits
import onnx_elements
import onnx_images
import onnx_learned
import onnx_matrices
import onnx_positions
import onnx_sequences
import onnx_unique
from oracle import Module

module = Module("onnx")
for room in (onnx_elements, onnx_bits, onnx_matrices, onnx_positions, onnx_unique, onnx_sequences, onnx_learned,
             onnx_images):
    room.add(module)
module.write()
