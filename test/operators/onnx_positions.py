"""Settings of `onnx`'s operators that move elements to or from positions."""

import numpy as np

import onnx_node
from oracle import bools, ints, reals

WAYS = ["", "_add", "_mul", "_min", "_max"]


def add(onnx):
    for operator in (gather_elements, scatter_elements, scatter_nd, one_hot, one_at, pad_wrap):
        operator(onnx)


def gather_elements(onnx):
    operator = onnx.operator("gather_elements")

    def setting(case, data, index, axis, **options):
        y = onnx_node.run("GatherElements", data, index, axis=axis)
        operator.setting(case, {"data": data, "index": index}, {"output": y}, {"axis": axis}, **options)

    data = reals(3, 4, 2)
    setting("first", data, ints(2, 4, 2, low=-3, high=3), 0)
    setting("middle", data, ints(2, 5, 1, low=-4, high=4), 1)
    setting("ints", ints(3, 4), ints(3, 2, low=0, high=4), 1)
    setting("bools", bools(4), np.array([3, -1, 0, 0, 2, -4]), 0)
    setting("no_index", data, np.zeros((3, 0, 2), int), 1)
    setting("dynamic", data, ints(3, 2, 2, low=-4, high=4), 1,
            declared={"data": "real[n|4, m|6, 2]", "index": "int[n, k|5, 2]", "output": "real[n, k, 2]"})
    operator.invalid("index_too_large", {"data": data, "index": np.full((1, 1, 1), 4)}, "outside", {"axis": 1},
                     outputs={"output": np.zeros((1, 1, 1))}, at_run_time=True)


def scatter_elements(onnx):
    data, whole = reals(3, 4, 2), ints(3, 4)
    some, updates = ints(2, 3, 2, low=-3, high=3), reals(2, 3, 2, seed=1)
    distinct = np.array([[2, 0], [-1, 1], [3, -3]])
    for way in WAYS:
        operator = onnx.operator(f"scatter_elements{way}")

        def setting(case, data, index, updates, axis, operator=operator, way=way, **options):
            y = onnx_node.run("ScatterElements", data, index, updates, axis=axis, reduction=way[1:] or "none")
            operator.setting(case, {"data": data, "index": index, "updates": updates}, {"output": y}, {"axis": axis},
                             **options)

        setting("several", data, some, updates, 0)
        setting("ints", whole, distinct, ints(3, 2, seed=1), 1)
        setting("dynamic", data, some[:, :, :1], updates[:, :, :1], 0,
                declared={"data": "real[n|4, 4, 2]", "index": "int[m|3, 3, 1]", "updates": "real[m, 3, 1]",
                          "output": "real[n, 4, 2]"})
    onnx.operators[-len(WAYS)].setting(
        "bools", {"data": bools(4), "index": np.array([1, -1]), "updates": np.array([True, True])},
        {"output": bools(4) | np.array([False, True, False, True])}, {"axis": 0})


def scatter_nd(onnx):
    data, whole = reals(3, 4, 2), ints(3, 4)
    for way in WAYS[1:]:
        operator = onnx.operator(f"scatter_nd{way}")

        def setting(case, data, indices, updates, operator=operator, way=way, **options):
            y = onnx_node.run("ScatterND", data, indices, updates, reduction=way[1:])
            operator.setting(case, {"data": data, "indices": indices, "updates": updates}, {"output": y}, **options)

        setting("slices", data, np.array([[1], [-1], [1]]), reals(3, 4, 2, seed=1))
        setting("elements", whole, np.array([[[0, 1], [2, -1]], [[0, 1], [-3, 0]]]), ints(2, 2, seed=1))
        setting("dynamic", data, np.array([[1, 2], [0, 0], [1, 2]]), reals(3, 2, seed=1),
                declared={"data": "real[n|4, 4, 2]", "indices": "int[m|5, 2]", "updates": "real[m, 2]",
                          "output": "real[n, 4, 2]"})


def one_hot(onnx):
    operator = onnx.operator("one_hot")

    def setting(case, index, depth, values, axis, **options):
        y = onnx_node.run("OneHot", index, np.array(depth), values, axis=axis)
        operator.setting(case, {"index": index, "values": values}, {"output": y}, {"axis": axis, "depth": depth},
                         **options)

    index = np.array([[0, 2, -1], [3, 1, -4]])
    setting("last", index, 4, np.array([0.0, 1.0]), 2)
    setting("first", index, 4, np.array([-5, 7]), 0)
    setting("outside", index, 2, np.array([0.5, -1.5]), 1)
    setting("dynamic", index, 4, np.array([0.0, 1.0]), 1,
            declared={"index": "int[n|4, m|3]", "output": "real[n, 4, m]"})
    flags = np.array([True, False])
    operator.setting("bools", {"index": index, "values": flags},
                     {"output": flags[(index[..., None] % 4 == np.arange(4)).astype(int)]}, {"axis": 2, "depth": 4})


def one_at(onnx):
    operator = onnx.operator("one_at")

    def setting(case, x, axis, **options):
        index = np.expand_dims(x.argmax(axis), axis)
        operator.setting(case, {"like": x, "index": index}, {"output": onnx_node.run("Hardmax", x, axis=axis)},
                         {"axis": axis}, **options)

    setting("middle", reals(2, 4, 3), 1)
    setting("vector", np.array([1.0, 3.0, 3.0]), 0)
    setting("dynamic", reals(3, 5), 1,
            declared={"like": "real[n|4, m|8]", "index": "int[n, 1]", "output": "real[n, m]"})


def pad_wrap(onnx):
    operator = onnx.operator("pad_wrap")

    def setting(case, x, before, after, axes=None, **options):
        every = list(range(x.ndim)) if axes is None else axes
        first, last = dict(zip(every, before)), dict(zip(every, after))
        width = [(first.get(axis, 0), last.get(axis, 0)) for axis in range(x.ndim)]
        attributes = {"padding": before + after} | ({} if axes is None else {"axes": axes})
        operator.setting(case, {"input": x}, {"output": np.pad(x, width, mode="wrap")}, attributes, **options)

    setting("all_axes", ints(3, 4), [1, 2], [0, 3])
    setting("some_axes", reals(2, 3, 4), [2, 1], [1, 0], [2, 0])
    setting("beyond", np.array([True, False, False]), [7], [5])
    setting("dynamic", reals(3, 4), [1, 2], [2, 1], declared={"input": "real[n|4, 4]", "output": "real[~, 7]"})
