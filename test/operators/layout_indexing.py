"""Settings of `layout`'s operators that take positions from tensors."""

import numpy as np

from oracle import bools, ints, reals

RANK_RULE = "`axis` must lie between"
G = reals(3, 4, 2)
J = np.array([[2, 3], [0, 1], [1, 0]])  # positions in the first two dimensions
K = np.array([[[1], [3]], [[0], [2]], [[2], [2]]])  # for each item of the first dimension, positions in the second


def add(layout):
    for operator in (nonzero, gather, gather_nd, scatter, scatter_nd):
        operator(layout)


def nonzero(layout):
    nonzero = layout.operator("nonzero")
    N = np.array([[0.0, 1.5, 0.0], [-2.0, 0.0, 3.0]])
    for case, x in [("reals", N), ("ints", np.array([[[0, 2], [0, 0]], [[1, 0], [0, 3]]])), ("bools", bools(2, 5)),
                    ("rank_1", np.array([3, 0, 4])), ("none", np.zeros((2, 2))), ("all", np.ones((2, 2), bool)),
                    ("nan", np.array([0.0, np.nan, -0.0, np.inf]))]:
        nonzero.setting(case, {"input": x}, {"index": np.array(np.nonzero(x))},
                        declared={"index": f"int[{x.ndim}, ~|{x.size}]"})
    for case, x in [("scalar", np.array(2)), ("zero", np.array(0.0)), ("empty", np.zeros((2, 0, 3))),
                    ("rank_5", ints(1, 2, 2, 1, 3, low=-1, high=2))]:
        found = np.stack(np.nonzero(x)) if x.ndim else np.zeros((0, int(x != 0)), int)
        nonzero.setting(case, {"input": x}, {"index": found}, declared={"index": f"int[{x.ndim}, ~|{x.size}]"})
    nonzero.setting("dynamic", {"input": N}, {"index": np.array(np.nonzero(N))},
                    declared={"input": "real[n|4, 3]", "index": "int[2, ~|12]"})


def gather(layout):
    gather = layout.operator("gather")
    I = np.array([[2, 0], [1, 2]])
    gather.setting("first", {"data": G, "index": I}, {"output": np.take(G, I, 0)}, {"axis": 0})
    gather.setting("middle", {"data": G, "index": I}, {"output": np.take(G, I, 1)}, {"axis": 1})
    gather.setting("negative_axis", {"data": G, "index": I % 2}, {"output": np.take(G, I % 2, 2)}, {"axis": -1})
    gather.setting("one_index", {"data": G, "index": np.array(1)}, {"output": G[:, 1]}, {"axis": 1})
    gather.setting("literal", {"data": G, "index": 2}, {"output": G[2]}, {"axis": 0})
    gather.setting("negative_indices", {"data": G, "index": np.array([-1, -3])}, {"output": G[[-1, -3]]}, {"axis": 0})
    gather.setting("no_index", {"data": G, "index": np.zeros(0, int)}, {"output": G[:, :0]}, {"axis": 1})
    gather.setting("bools", {"data": bools(4), "index": I}, {"output": bools(4)[I]}, {"axis": 0})
    deep = reals(2, 1, 3, 2, 2)
    gather.setting("rank_5", {"data": deep, "index": I}, {"output": np.take(deep, I, 2)}, {"axis": -3})
    gather.setting("vector_to_rank_0", {"data": ints(4), "index": np.array(-1)}, {"output": ints(4)[-1]}, {"axis": 0})
    gather.setting("repeated", {"data": G, "index": np.array([1, 1, -2])}, {"output": G[[1, 1, 1]]}, {"axis": 0})
    gather.setting("no_data", {"data": G[:0], "index": np.zeros((2, 0), int)}, {"output": np.zeros((2, 0, 4, 2))},
                   {"axis": 0})
    gather.setting("dynamic", {"data": G, "index": I}, {"output": np.take(G, I, 1)}, {"axis": 1},
                   declared={"data": "real[n|8, 4, 2]", "index": "int[m|4, 2]", "output": "real[n, m, 2, 2]"})
    gather.invalid("axis_too_large", {"data": G, "index": I}, RANK_RULE, {"axis": 3})
    gather.invalid("axis_too_small", {"data": G, "index": I}, RANK_RULE, {"axis": -4})
    gather.invalid("index_too_small", {"data": G, "index": np.array([-4])}, "outside", {"axis": 0},
                   outputs={"y": np.zeros((1, 4, 2))}, at_run_time=True)
    gather.invalid("index_too_large", {"data": G, "index": np.array([3])}, "index 3 is outside", {"axis": 0},
                   outputs={"y": np.zeros((1, 4, 2))}, at_run_time=True)


def gather_nd(layout):
    gather_nd = layout.operator("gather_nd")
    gather_nd.setting("slices", {"data": G, "indices": J}, {"output": G[J[:, 0], J[:, 1]]})
    gather_nd.setting("items", {"data": ints(3, 4), "indices": J}, {"output": ints(3, 4)[J[:, 0], J[:, 1]]})
    gather_nd.setting("one_position", {"data": G, "indices": np.array([2, 1, 0])}, {"output": G[2, 1, 0]})
    gather_nd.setting("negative_indices", {"data": G, "indices": J - [3, 4]}, {"output": G[J[:, 0], J[:, 1]]})
    gather_nd.setting("many", {"data": G, "indices": J.reshape(3, 1, 2)}, {"output": G[J[:, 0], J[:, 1]][:, None]})
    batched = np.stack([G[b, K[b, :, 0]] for b in range(3)])
    gather_nd.setting("batch", {"data": G, "indices": K}, {"output": batched}, {"batch_dims": 1})
    gather_nd.setting("dynamic", {"data": G, "indices": J}, {"output": G[J[:, 0], J[:, 1]]},
                      declared={"indices": "int[n|8, 2]", "output": "real[n, 2]"})
    gather_nd.invalid("negative_batch_dims", {"data": G, "indices": J}, "`batch_dims` must not be negative",
                      {"batch_dims": -1})
    gather_nd.invalid("index_too_large", {"data": G, "indices": np.array([[0, 4]])}, "index 4 is outside",
                      outputs={"y": np.zeros((1, 2))}, at_run_time=True)


def scattered(data, indices, updates, axis):
    result = data.copy()
    for at in np.ndindex(*indices.shape):
        target = list(at)
        target[axis] = indices[at]
        result[tuple(target)] = updates[at]
    return result


def scatter(layout):
    scatter = layout.operator("scatter")
    for case, data, indices, axis in [
        ("first", reals(4, 3), np.array([[2, 0, 3], [1, 1, 0]]), 0),
        ("last", reals(4, 3), np.array([[2, 0], [1, 2], [0, 1], [2, 1]]), 1),
        ("negative_axis", reals(2, 4, 3), np.array([[[2, 0, 1]], [[1, 3, 3]]]), -2),
        ("negative_indices", ints(5), np.array([-1, 0, -3]), 0),
        ("several_updates", reals(3), np.array([1, 2, 1, 1]), 0),
        ("none", bools(3, 2), np.zeros((0, 2), int), 0),
        ("rank_5", reals(1, 2, 4, 1, 2), ints(1, 2, 3, 1, 2, low=-4, high=4), 2),
        ("one_element", ints(1), np.array([0, 0, -1]), 0),
    ]:
        make = {"f": reals, "i": ints, "b": bools}[data.dtype.kind]
        updates = make(*indices.shape, seed=5)
        scatter.setting(case, {"data": data, "indices": indices, "updates": updates},
                        {"output": scattered(data, indices, updates, axis)}, {"axis": axis})
    D, I, U = reals(4, 3), np.array([[2, 0, 3], [1, 1, 0]]), reals(2, 3, seed=5)
    scatter.setting("dynamic", {"data": D, "indices": I, "updates": U}, {"output": scattered(D, I, U, 0)}, {"axis": 0},
                    declared={"data": "real[4, n|4]", "indices": "int[m|3, n]", "updates": "real[m, n]",
                              "output": "real[4, n]"})
    scatter.invalid("axis_too_large", {"data": D, "indices": I, "updates": U}, RANK_RULE, {"axis": 2})
    scatter.invalid("axis_too_small", {"data": D, "indices": I, "updates": U}, RANK_RULE, {"axis": -3})
    scatter.invalid("index_too_large", {"data": D, "indices": I + 2, "updates": U}, "index 4 is outside", {"axis": 0},
                    outputs={"y": D}, at_run_time=True)


def scattered_nd(data, indices, updates, batch_dims=0):
    result = data.copy()
    for at in np.ndindex(*indices.shape[:-1]):
        result[at[:batch_dims] + tuple(indices[at])] = updates[at]
    return result


def scatter_nd(layout):
    scatter_nd = layout.operator("scatter_nd")
    for case, data, indices, batch_dims in [
        ("slices", G, np.array([[2, 3], [0, 1]]), 0),
        ("items", ints(3, 4), J, 0),
        ("negative_indices", reals(4), np.array([[-1], [1]]), 0),
        ("several_updates", reals(4), np.array([[1], [2], [1]]), 0),
        ("batch", G, K, 1),
        ("whole_tensor", ints(2, 3), np.zeros((1, 0), int), 0),
        ("empty", reals(3, 2), np.zeros((0, 1), int), 0),
        ("one_position", reals(2, 3), np.array([1, -1]), 0),
    ]:
        make = reals if data.dtype.kind == "f" else ints
        shape = (*indices.shape[:-1], *data.shape[batch_dims + indices.shape[-1]:])
        updates = make(*shape, seed=5)
        scatter_nd.setting(case, {"data": data, "indices": indices, "updates": updates},
                           {"output": scattered_nd(data, indices, updates, batch_dims)},
                           {"batch_dims": batch_dims} if batch_dims else {})
    U = reals(3, 2, seed=5)
    scatter_nd.setting("dynamic", {"data": G, "indices": J, "updates": U}, {"output": scattered_nd(G, J, U)},
                       declared={"indices": "int[n|8, 2]", "updates": "real[n, 2]"})
    scatter_nd.invalid("negative_batch_dims", {"data": G, "indices": J, "updates": U},
                       "`batch_dims` must not be negative", {"batch_dims": -1})
    scatter_nd.invalid("index_too_large", {"data": G, "indices": J + [0, 1], "updates": U}, "index 4 is outside",
                       outputs={"y": G}, at_run_time=True)
