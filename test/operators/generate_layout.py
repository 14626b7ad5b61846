"""Settings of the operators of `layout`, computed by numpy from their definitions."""

import numpy as np

from oracle import Module

layout = Module("layout")


def sequence(*shape):
    """Distinct real numbers of this shape."""
    return np.arange(np.prod(shape, dtype=int), dtype=np.float64).reshape(shape) + 0.5


squeeze = layout.operator("squeeze")
x = sequence(2, 1, 3, 1)
squeeze.setting("one_axis", {"input": x}, {"output": x[:, 0]}, {"axes": [1]})
squeeze.setting("negative_axes", {"input": x}, {"output": x[:, 0, :, 0]}, {"axes": [-1, -3]})
squeeze.setting("no_axes", {"input": x}, {"output": x}, {"axes": []})
squeeze.setting("dynamic", {"input": x}, {"output": x[:, 0]}, {"axes": [1]},
                declared={"input": "real[n|8, 1, 3, 1]", "output": "real[n, 3, 1]"})
squeeze.invalid("axis_out_of_range", {"input": x}, "'axes' must lie between", {"axes": [4]})

squeeze.invalid("not_singular", {"input": x}, "the extents of 'input' along 'axes' must be 1", {"axes": [0]})

layout.write()
