"""Settings of the operators of `misc`, computed by numpy."""

import numpy as np

from oracle import Module

misc = Module("misc")
mesh_grid = misc.operator("mesh_grid")


def add(name, *inputs, **options):
    """Coordinates of a grid."""
    mesh_grid.setting(name, {"inputs": list(inputs)}, {"outputs": list(np.meshgrid(*inputs, indexing="ij"))}, **options)


a, b, c = np.array([1.0, 2.0, 4.0]), np.array([-1.0, 0.5]), np.array([7.0])
add("one", a)
add("two", a, b)
add("three", b, a, c)
add("equal_lengths", a, a + 1, a + 2)
add("whole_numbers", np.array([1, 2]), np.array([3, 4, 5]))
add("truth_values", np.array([True, False]), np.array([False]))
add("empty", a, np.zeros(0))
mesh_grid.invalid("matrix", {"inputs": [np.zeros((2, 2))]}, "must have 1 dimension", outputs={"outputs": [np.zeros(4)]})

misc.write()
