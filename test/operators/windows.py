"""Windows that slide along axes of an array, for pooling and convolution (specification, section 4.4)."""

import numpy as np


def placement(extents, size, stride, dilation, padding=None, padding_align="UPPER", ceil_mode=False):
    """How many windows there are along each axis, and how far the first one begins before the array."""
    count, offset = [], []
    for at, (extent, reach) in enumerate(zip(extents, ((s - 1) * d + 1 for s, d in zip(size, dilation)))):
        rounded = (lambda a, b: -(-a // b)) if ceil_mode else (lambda a, b: a // b)
        if padding is None:
            total = (rounded(extent, stride[at]) - 1) * stride[at] + reach - extent
            offset.append(total // 2 if padding_align == "UPPER" else -(-total // 2))
        else:
            total = padding[at] + padding[at + len(size)]
            offset.append(padding[at])
        count.append(rounded(extent + total - reach, stride[at]) + 1)
    return count, offset


def windows(x, size, axes=None, stride=1, dilation=1, padding=None, padding_align="UPPER", ceil_mode=False):
    """The windows of x, in one last dimension; NaN where they leave the array."""
    x = np.asarray(x, dtype=np.float64)
    axes = list(range(2, x.ndim)) if axes is None else [axis % x.ndim for axis in axes]
    size, stride, dilation = (per_axis(value, len(axes)) for value in (size, stride, dilation))
    padding = None if padding is None else per_axis(padding, 2 * len(axes))
    count, offset = placement([x.shape[axis] for axis in axes], size, stride, dilation, padding, padding_align, ceil_mode)
    for at, axis in enumerate(axes):
        position = stride[at] * np.arange(count[at])[:, None] + dilation[at] * np.arange(size[at]) - offset[at]
        inside = (position >= 0) & (position < x.shape[axis])
        picked = np.take(x, np.where(inside, position, 0), axis)
        mask = inside.reshape([1] * axis + list(inside.shape) + [1] * (picked.ndim - axis - 2))
        picked = np.where(mask, picked, np.nan)
        x = np.moveaxis(picked, axis + 1, -1)
    kept = x.ndim - len(axes)
    return x.reshape(*x.shape[:kept], int(np.prod(x.shape[kept:])))


def per_axis(value, count):
    """A pack of this length from a pack or a uniform value."""
    return [value] * count if isinstance(value, int) else list(value)
