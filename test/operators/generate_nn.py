"""Settings of the operators of `nn`, computed by numpy from their definitions and compared with ONNX Runtime."""

import warnings

import numpy as np

import nn_activation
import nn_convolution
import nn_normalization
import nn_pooling
import nn_recurrent
from oracle import Module

# Windows outside of an array have neither a maximum nor a mean; infinities give no number on the way.
warnings.filterwarnings("ignore", category=RuntimeWarning)

nn = Module("nn")
for group in (nn_convolution, nn_pooling, nn_activation, nn_normalization, nn_recurrent):
    group.add(nn, np.random.default_rng(len(nn.operators)))
nn.write()
