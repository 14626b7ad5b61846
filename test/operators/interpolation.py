"""Interpolation along axes, each as a matrix that maps old elements to new ones (specification, section 4.5)."""

import numpy as np


def nearest(distance):
    return np.where(distance <= 0, 1.0, 0.0)


def linear(distance):
    return np.maximum(1.0 - np.abs(distance), 0.0)


def cubic(a):
    """Keys's kernel."""
    def kernel(distance):
        x = np.abs(distance)
        near = ((a + 2) * x - (a + 3)) * x ** 2 + 1
        far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
        return np.where(x <= 1, near, np.where(x < 2, far, 0.0))
    return kernel


def matrix(positions, extent, kernel, border="replicate"):
    """Weights of `extent` elements at each position; elements outside repeat the border, or are 0."""
    weights = np.zeros((len(positions), extent))
    for row, position in enumerate(positions):
        for element in range(int(np.floor(position)) - 1, int(np.floor(position)) + 3):
            if border == "replicate" or 0 <= element < extent:
                weights[row, np.clip(element, 0, extent - 1)] += kernel(position - element)
    return weights


def apply(x, matrices):
    """Maps each given axis by its matrix."""
    for axis, weights in matrices.items():
        x = np.moveaxis(np.tensordot(weights, x, axes=(1, axis)), 0, axis)
    return x


def resize_positions(extent, size, transform):
    """Where the new elements lie among the old ones."""
    new = np.arange(size, dtype=np.float64)
    if transform == "ALIGNED":
        return new * ((extent - 1) / (size - 1) if size > 1 else 0.0)
    return (new + 0.5) * extent / size - 0.5 if transform == "SYMMETRIC" else new * extent / size


ROUNDING = {
    "FLOOR": np.floor,
    "CEIL": np.ceil,
    "ROUND_PREFER_FLOOR": lambda r: np.ceil(r - 0.5),
    "ROUND_PREFER_CEIL": lambda r: np.floor(r + 0.5),
}


def resized(x, size, mode, axes=None, coordinate_transform="SYMMETRIC", rounding_method="ROUND_PREFER_FLOOR",
            coeff_a=-0.75, antialias=False):
    """What the resizes of `image` give, without antialiasing."""
    axes = range(x.ndim) if axes is None else [axis % x.ndim for axis in axes]
    matrices = {}
    for axis, new in zip(axes, size):
        old = x.shape[axis]
        positions = resize_positions(old, new, coordinate_transform)
        if mode == "NEAREST":
            chosen = np.clip(ROUNDING[rounding_method](positions), 0, old - 1).astype(int)
            matrices[axis] = np.eye(old)[chosen]
        else:
            matrices[axis] = matrix(positions, old, linear if mode == "LINEAR" else cubic(coeff_a))
    return apply(x, matrices)
