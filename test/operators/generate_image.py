"""Settings of the operators of `image`, computed by numpy from their definitions and compared with ONNX Runtime."""

import numpy as np

import image_regions
import image_resizing
import image_sampling
from oracle import Module

image = Module("image")
for group in (image_sampling, image_resizing, image_regions):
    group.add(image, np.random.default_rng(len(image.operators)))
image.write()
