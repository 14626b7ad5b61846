"""Settings of the operators of `layout`, computed by numpy from their definitions."""

import numpy as np

import layout_indexing
import layout_reordering
from oracle import Literal, Module, bools, ints, reals

X = reals(2, 3, 4)
E = np.zeros((2, 0, 3))
A, B, C = reals(2, 3), reals(2, 3, seed=1), reals(2, 5, seed=2)
D = [A, B, A + 1]
RANK_RULE = "`axis` must lie between"
AXES_RULE = "`axes` must lie between"
DISTINCT = "`axes` must be distinct"


def constant(layout):
    for name in ("constant", "tensor"):
        operator = layout.operator(name)
        for case, value, shape, array in [
            ("real_items", [0.5, -1.0, 2.0, 3.0, 4.0, 5.0], [2, 3], np.array([[0.5, -1, 2], [3, 4, 5]])),
            ("int_items", [1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2], np.arange(1, 9).reshape(2, 2, 2)),
            ("bool_items", [True, False], [2], np.array([True, False])),
            ("uniform", 1.5, [2, 3], np.full((2, 3), 1.5)),
            ("uniform_list", Literal("[7 ..(4)]"), [4], np.full(4, 7)),
            ("rank_0", 3.0, [], np.array(3.0)),
            ("rank_0_item", [3], [], np.array(3)),
            ("empty", 1.0, [2, 0, 3], np.zeros((2, 0, 3))),
        ]:
            operator.setting(case, {}, {"output": array}, {"shape": shape, "value": value})
        operator.invalid("negative_extent", {}, "`shape` must not be negative", {"shape": [2, -1], "value": 1.0})
        operator.invalid("too_few_items", {}, "the length of attribute `value`", {"shape": [2, 3], "value": [1.0, 2.0]})


def uniform(layout):
    uniform = layout.operator("uniform")
    uniform.setting("reals", {"value": np.array(2.5)}, {"output": np.full((2, 3), 2.5)}, {"shape": [2, 3]})
    uniform.setting("int_literal", {"value": 4}, {"output": np.full((3,), 4)}, {"shape": [3]})
    uniform.setting("bools", {"value": np.array(True)}, {"output": np.array(True)}, {"shape": []})
    uniform.setting("empty", {"value": 1.0}, {"output": np.zeros((0, 2))}, {"shape": [0, 2]})
    uniform.invalid("negative_extent", {"value": 1.0}, "`shape` must not be negative", {"shape": [-1]})
    uniform.invalid("not_a_scalar", {"value": np.zeros(2)}, "`value`", {"shape": [2]})


def ranges(layout):
    span = layout.operator("range")
    for case, first, last, stride in [
        ("ints", 2, 7, None), ("int_stride", 1, 8, 3), ("backwards", 5, -2, -2), ("reals", 0.0, 1.0, 0.25),
        ("real_remainder", 0.5, 2.0, 0.4), ("reals_backwards", 1.0, -1.0, -0.5), ("empty", 3, 3, None),
        ("empty_backwards", 3, 3, -1),
    ]:
        attributes = {"first": first, "last": last} | ({} if stride is None else {"stride": stride})
        span.setting(case, {}, {"output": np.arange(first, last, stride or 1)}, attributes)
    integer = {"y": np.zeros((), int)}
    span.invalid("no_stride", {}, "`stride` must not be zero", {"first": 0, "last": 3, "stride": 0}, outputs=integer)
    span.invalid("wrong_way", {}, "`last` must not be less than `first`", {"first": 3, "last": 0}, outputs=integer)
    span.invalid("wrong_way_back", {}, "`first` must not be less than `last`", {"first": 0, "last": 3, "stride": -1},
                 outputs=integer)


def shape(layout):
    shape = layout.operator("shape")
    for case, x in [("rank_3", X), ("rank_0", np.array(1.0)), ("ints", ints(4, 1)), ("bools", bools(0, 5))]:
        shape.setting(case, {"input": x}, {"output": np.array(x.shape, dtype=int)})
    shape.setting("dynamic", {"input": X}, {"output": np.array(X.shape)},
                  declared={"input": "real[n|5, m|5, 4]"})


def cast(layout):
    cast = layout.operator("cast")
    r = np.array([-2.5, -0.5, 0.0, 0.5, 1.0, 2.75])
    for case, kind, x, y in [
        ("real_to_int", "int", r, np.trunc(r).astype(int)),
        ("int_to_real", "real", ints(3, 2), ints(3, 2).astype(float)),
        ("real_to_bool", "bool", r, r != 0),
        ("int_to_bool", "bool", np.array([-1, 0, 1, 2]), np.array([True, False, True, True])),
        ("bool_to_int", "int", bools(5), bools(5).astype(int)),
        ("bool_to_real", "real", bools(2, 2), bools(2, 2).astype(float)),
        ("same", "real", X, X),
        ("rank_0", "int", np.array(3.75), np.array(3)),
    ]:
        cast.setting(case, {"x": x}, {"y": y}, types=[kind])
    cast.setting("dynamic", {"x": X}, {"y": np.trunc(X).astype(int)}, types=["int"],
                 declared={"x": "real[n|4, 3, m|8]", "y": "int[n, 3, m]"})


def reshape(layout):
    layout.unary("reshape", [
        ("all", X, X.reshape(4, 6), {"shape": [4, 6]}),
        ("inferred", X, X.reshape(2, 12), {"shape": [2, -1]}),
        ("flat", X, X.reshape(24), {"shape": [-1]}),
        ("part", X, X.reshape(2, 2, 6), {"axis": 1, "shape": [2, 6]}),
        ("middle", X, X.reshape(2, 1, 3, 4), {"axis": 1, "rank": 1, "shape": [1, 3]}),
        ("negative_axis", X, X.reshape(2, 3, 2, 2), {"axis": -1, "shape": [2, 2]}),
        ("negative_axis_inferred", X, X.reshape(2, 6, 2), {"axis": -2, "shape": [-1, 2]}),
        ("nothing", X, X.reshape(2, 1, 3, 4), {"axis": 1, "rank": 0, "shape": [1]}),
        ("to_rank_0", np.array([[2]]), np.array(2), {"shape": []}),
        ("from_rank_0", np.array(2.5), np.array([2.5]), {"shape": [1]}),
        ("without_elements", E, E.reshape(3, 4, 0), {"shape": [3, 4, 0]}),
        ("bools", bools(2, 6), bools(2, 6).reshape(3, 4), {"shape": [3, 4]}),
        ("dynamic", X, X.reshape(2, 12), {"axis": 1, "shape": [12]}, "real[n|4, 3, 4]", "real[n, 12]"),
        ("dynamic_given", X, X.reshape(2, 12), {"shape": Literal("[input.shape[0], -1]")}, "real[n|4, 3, 4]", "real[n, ~|12]"),
        ("dynamic_inferred", X, X.reshape(6, 4), {"shape": [-1, 4]}, "real[n|4, 3, 4]", "real[~|12, 4]"),
    ], [
        ("axis_too_large", X, RANK_RULE, {"axis": 3, "shape": [1]}),
        ("axis_too_small", X, "`axis` must lie between", {"axis": -4, "shape": [24]}),
        ("rank_negative", X, "`rank` must lie between", {"rank": -1, "shape": [24]}),
        ("rank_too_large", X, "`rank` must lie between", {"axis": 1, "rank": 3, "shape": [12]}),
        ("zero_extent", X, "`shape` must be positive or -1", {"shape": [0, 24]}),
        ("negative_extent", X, "`shape` must be positive or -1", {"shape": [-2, -12]}),
        ("two_inferred", X, "at most one item of `shape` can be -1", {"shape": [-1, -1]}),
        ("not_divisible", X, "must be divisible by the product", {"shape": [5, -1]}),
        ("other_volume", X, "the volume of `shape` must be that", {"shape": [4, 3]}),
        ("inferred_without_elements", E, "`shape` must not be negative where there are no elements", {"shape": [-1, 2]}),
    ])


def flatten(layout):
    layout.unary("flatten", [
        ("all", X, X.reshape(24), {}),
        ("from_axis", X, X.reshape(2, 12), {"axis": 1}),
        ("first_two", X, X.reshape(6, 4), {"rank": 2}),
        ("negative_axis", X, X.reshape(2, 12), {"axis": -2}),
        ("one_dimension", X, X, {"axis": 1, "rank": 1}),
        ("no_dimension", X, X.reshape(2, 1, 3, 4), {"axis": 1, "rank": 0}),
        ("rank_0", np.array(7), np.array([7]), {}),
        ("empty", E, E.reshape(2, 0), {"axis": 1}),
        ("dynamic", X, X.reshape(2, 12), {"axis": 1}, "real[n|4, 3, 4]", "real[n, 12]"),
        ("dynamic_merged", X, X.reshape(24), {}, "real[n|4, 3, m|6]", "real[3 * n * m]"),
    ], [
        ("axis_too_large", X, RANK_RULE, {"axis": 3}),
        ("axis_too_small", X, RANK_RULE, {"axis": -4}),
        ("rank_negative", X, "`rank` must lie between", {"rank": -1}),
        ("rank_too_large", X, "`rank` must lie between", {"axis": 2, "rank": 2}),
    ])


def unflatten(layout):
    Y = reals(2, 12)
    layout.unary("unflatten", [
        ("two_parts", Y, Y.reshape(2, 3, 4), {"axis": 1, "shape": [3, 4]}),
        ("negative_axis", Y, Y.reshape(2, 2, 3, 2), {"axis": -1, "shape": [2, 3, 2]}),
        ("first", Y, Y.reshape(2, 1, 12), {"axis": 0, "shape": [2, 1]}),
        ("vanishes", Y[:, :1], Y[:, 0], {"axis": 1, "shape": []}),
        ("without_elements", E, np.zeros((2, 4, 0, 3)), {"axis": 1, "shape": [4, 0]}),
        ("dynamic", Y, Y.reshape(2, 3, 4), {"axis": 1, "shape": [3, 4]}, "real[n|4, 12]", "real[n, 3, 4]"),
        ("dynamic_axis", Y, Y.reshape(2, 3, 4), {"axis": 1, "shape": Literal("[3, input.shape[1] / 3]")}, "real[2, n|12]",
         "real[2, 3, n / 3]"),
    ], [
        ("axis_too_large", Y, RANK_RULE, {"axis": 2, "shape": [1]}),
        ("axis_too_small", Y, RANK_RULE, {"axis": -3, "shape": [1]}),
        ("negative", Y, "`shape` must not be negative", {"axis": 1, "shape": [-3, -4]}),
        ("other_volume", Y, "the volume of `shape` must be the extent", {"axis": 1, "shape": [3, 5]}),
    ])


def squeeze(layout):
    S = reals(2, 1, 3, 1)
    layout.unary("squeeze", [
        ("one_axis", S, S[:, 0], {"axes": [1]}),
        ("negative_axes", S, S[:, 0, :, 0], {"axes": [-1, -3]}),
        ("no_axes", S, S, {"axes": []}),
        ("to_rank_0", np.array([[5]]), np.array(5), {"axes": [0, 1]}),
        ("dynamic", S, S[:, 0], {"axes": [1]}, "real[n|8, 1, 3, 1]", "real[n, 3, 1]"),
    ], [
        ("axis_too_large", S, AXES_RULE, {"axes": [4]}),
        ("axis_too_small", S, AXES_RULE, {"axes": [-5]}),
        ("twice", S, DISTINCT, {"axes": [1, 1]}),
        ("twice_from_both_ends", S, DISTINCT, {"axes": [1, -3]}),
        ("not_singular", S, "the extents of `input` along `axes` must be 1", {"axes": [0]}),
    ])


def unsqueeze(layout):
    layout.unary("unsqueeze", [
        ("one_axis", X, X[:, None], {"axes": [1]}),
        ("behind", X, X[..., None], {"axes": [3]}),
        ("several", X, X[None, :, :, None, :], {"axes": [3, 0]}),
        ("negative_axes", X, X[:, :, None, :, None], {"axes": [-1, -3]}),
        ("no_axes", X, X, {"axes": []}),
        ("rank_0", np.array(4), np.array([[4]]), {"axes": [0, 1]}),
        ("dynamic", X, X[:, None], {"axes": [1]}, "real[n|4, 3, 4]", "real[n, 1, 3, 4]"),
    ], [
        ("axis_too_large", X, AXES_RULE, {"axes": [4]}),
        ("axis_too_small", X, AXES_RULE, {"axes": [-5]}),
        ("twice", X, DISTINCT, {"axes": [0, 0]}),
        ("twice_from_both_ends", X, DISTINCT, {"axes": [0, -5]}),
    ])


def concat(layout):
    concat = layout.operator("concat")
    concat.setting("equal", {"inputs": [A, B]}, {"output": np.concatenate([A, B])}, {"axis": 0})
    concat.setting("equal_inner", {"inputs": [A, B, A]}, {"output": np.concatenate([A, B, A], 1)}, {"axis": 1})
    concat.setting("unequal", {"inputs": [A, C]}, {"output": np.concatenate([A, C], 1)}, {"axis": 1})
    concat.setting("negative_axis", {"inputs": [C, A, B]}, {"output": np.concatenate([C, A, B], 1)}, {"axis": -1})
    concat.setting("single", {"inputs": [A]}, {"output": A}, {"axis": 0})
    concat.setting("empty_part", {"inputs": [A, np.zeros((2, 0))]}, {"output": A}, {"axis": 1})
    I, J = ints(3), ints(2, seed=1)
    concat.setting("ints", {"inputs": [I, J]}, {"output": np.concatenate([I, J])}, {"axis": 0})
    concat.setting("dynamic", {"inputs": [A, C]}, {"output": np.concatenate([A, C], 1)}, {"axis": 1},
                   declared={"inputs0": "real[2, n|4]", "inputs1": "real[2, m|8]", "output": "real[2, n + m]"})
    concat.setting("dynamic_pack", {"inputs": [A, B]}, {"output": np.concatenate([A, B], 1)}, {"axis": 1},
                   declared={"inputs": "real[2, n|4]..(2)", "output": "real[2, 2 * n]"})
    concat.setting("dynamic_rest", {"inputs": [A, C]}, {"output": np.concatenate([A, C], 1)}, {"axis": 1},
                   declared={"inputs0": "real[b|4, 3]", "inputs1": "real[b, 5]", "output": "real[b, 8]"})
    concat.invalid("axis_too_large", {"inputs": [A, B]}, RANK_RULE, {"axis": 2})
    concat.invalid("axis_too_small", {"inputs": [A, B]}, RANK_RULE, {"axis": -3})


def split(layout):
    split = layout.operator("split")
    Y = reals(2, 6)

    def parts(x, sizes, axis):
        return np.split(x, np.cumsum(sizes)[:-1], axis)

    split.setting("count", {"input": Y}, {"outputs": np.split(Y, 3, 1)}, {"axis": 1, "count": 3})
    split.setting("sizes", {"input": Y}, {"outputs": parts(Y, [1, 2, 3], 1)}, {"axis": 1, "sizes": [1, 2, 3]})
    split.setting("negative_axis", {"input": Y}, {"outputs": np.split(Y, 2, 0)}, {"axis": -2, "count": 2})
    split.setting("count_and_sizes", {"input": Y}, {"outputs": parts(Y, [4, 2], 1)},
                  {"axis": 1, "count": 2, "sizes": [4, 2]})
    split.setting("empty_part", {"input": Y}, {"outputs": parts(Y, [6, 0], 1)}, {"axis": 1, "sizes": [6, 0]})
    split.setting("single", {"input": ints(4)}, {"outputs": [ints(4)]}, {"axis": 0, "count": 1})
    split.setting("dynamic", {"input": Y}, {"outputs": np.split(Y, 3, 1)}, {"axis": 1, "count": 3},
                  declared={"input": "real[n|4, 6]", "outputs": "real[n, 2]..(3)"})
    split.setting("dynamic_axis", {"input": Y}, {"outputs": np.split(Y, 3, 1)}, {"axis": 1, "count": 3},
                  declared={"input": "real[2, n|12]", "outputs": "real[2, n / 3]..(3)"})
    split.invalid("dynamic_remainder", {"input": Y}, "must be a multiple of `count`", {"axis": 1, "count": 4},
                  outputs={"outputs": [np.zeros((2, 1))] * 4}, at_run_time=True,
                  declared={"input": "real[2, n|12]", "outputs": "real[2, n / 4]..(4)"})
    halves = {"y0": np.zeros((2, 3)), "y1": np.zeros((2, 3))}
    for case, error, attributes in [
        ("axis_too_large", RANK_RULE, {"axis": 2, "count": 2}),
        ("axis_too_small", RANK_RULE, {"axis": -3, "count": 2}),
        ("negative_count", ["`count` must not be negative", "the length of `sizes` must be `count`"],
         {"axis": 1, "count": -1, "sizes": [3, 3]}),
        ("other_count", "the length of `sizes` must be `count`", {"axis": 1, "count": 3, "sizes": [3, 3]}),
        ("negative_size", "`sizes` must not be negative", {"axis": 1, "sizes": [7, -1]}),
        ("other_sum", "the sum of `sizes` must be the extent", {"axis": 1, "sizes": [3, 4]}),
        ("not_divisible", "must be a multiple of `count`", {"axis": 1, "count": 4}),
    ]:
        count = len(attributes.get("sizes", [])) or attributes["count"]
        split.invalid(case, {"input": Y}, error, attributes, outputs={"outputs": [np.zeros(())] * count})


def stack(layout):
    stack = layout.operator("stack")
    stack.setting("first", {"inputs": D}, {"output": np.stack(D)}, {"axis": 0})
    stack.setting("middle", {"inputs": D}, {"output": np.stack(D, 1)}, {"axis": 1})
    stack.setting("last", {"inputs": D}, {"output": np.stack(D, 2)}, {"axis": 2})
    stack.setting("negative_axis", {"inputs": D}, {"output": np.stack(D, 1)}, {"axis": -1},
                  note="A negative axis counts from the rank of the inputs.")
    stack.setting("rank_0", {"inputs": [np.array(1), np.array(2)]}, {"output": np.array([1, 2])}, {"axis": 0})
    singular = [x[:, None] for x in D]
    stack.setting("squeeze", {"inputs": singular}, {"output": np.stack(D, 1)}, {"axis": 1, "squeeze": True})
    stack.setting("squeeze_negative_axis", {"inputs": [x[..., None] for x in D]}, {"output": np.stack(D, 2)},
                  {"axis": -1, "squeeze": True})
    stack.setting("dynamic", {"inputs": D}, {"output": np.stack(D, 1)}, {"axis": 1},
                  declared={"inputs": "real[n|4, 3]..(3)", "output": "real[n, 3, 3]"})
    stack.invalid("axis_too_large", {"inputs": D}, RANK_RULE, {"axis": 3})
    stack.invalid("axis_too_small", {"inputs": D}, RANK_RULE, {"axis": -3})


def unstack(layout):
    unstack = layout.operator("unstack")
    unstack.setting("first", {"input": X}, {"outputs": list(X)}, {"axis": 0})
    unstack.setting("middle", {"input": X}, {"outputs": [X[:, i] for i in range(3)]}, {"axis": 1})
    unstack.setting("negative_axis", {"input": X}, {"outputs": [X[..., i] for i in range(4)]}, {"axis": -1})
    unstack.setting("kept", {"input": X}, {"outputs": [X[:, i:i + 1] for i in range(3)]}, {"axis": 1, "squeeze": False})
    unstack.setting("to_rank_0", {"input": ints(2)}, {"outputs": list(ints(2))}, {"axis": 0})
    unstack.setting("dynamic", {"input": X}, {"outputs": [X[:, i] for i in range(3)]}, {"axis": 1},
                    declared={"input": "real[n|4, 3, 4]", "outputs": "real[n, 4]..(3)"})
    three = {"outputs": [np.zeros(())] * 3}
    unstack.invalid("axis_too_large", {"input": X}, RANK_RULE, {"axis": 3}, outputs=three)
    unstack.invalid("axis_too_small", {"input": X}, RANK_RULE, {"axis": -4}, outputs=three)


def tile(layout):
    layout.unary("tile", [
        ("all", X[0], np.tile(X[0], (2, 3)), {"repeats": [2, 3]}),
        ("one_axis", X, np.tile(X, (1, 2, 1)), {"axes": [1], "repeats": [2]}),
        ("negative_axes", X, np.tile(X, (3, 1, 2)), {"axes": [-1, 0], "repeats": [2, 3]}),
        ("uniform", ints(2, 2), np.tile(ints(2, 2), (2, 2)), {"repeats": 2}),
        ("none", X, X, {"axes": [], "repeats": []}),
        ("bools", bools(3), np.tile(bools(3), 2), {"repeats": [2]}),
        ("dynamic", X, np.tile(X, (2, 2, 1)), {"axes": [0, 1], "repeats": [2, 2]}, "real[n|4, 3, 4]",
         "real[2 * n, 6, 4]"),
    ], [
        ("axis_too_large", X, AXES_RULE, {"axes": [3], "repeats": [2]}),
        ("axis_too_small", X, AXES_RULE, {"axes": [-4], "repeats": [2]}),
        ("twice", X, DISTINCT, {"axes": [1, 1], "repeats": [2, 2]}),
        ("twice_from_both_ends", X, DISTINCT, {"axes": [2, -1], "repeats": [2, 2]}),
        ("not_positive", X, "`repeats` must be positive", {"axes": [1], "repeats": [0]}),
    ])


def broadcast(layout):
    B = reals(2, 1, 3)
    layout.unary("broadcast", [
        ("all", B, np.broadcast_to(B, (2, 4, 3)), {"shape": [2, 4, 3]}),
        ("one_axis", B, np.broadcast_to(B, (2, 5, 3)), {"axes": [1], "shape": [5]}),
        ("negative_axis", B, np.broadcast_to(B, (2, 2, 3)), {"axes": [-2], "shape": [2]}),
        ("equal", B, B, {"axes": [0, 2], "shape": [2, 3]}),
        ("rank_0", np.array(1), np.array(1), {"shape": []}),
        ("bools", bools(1, 1), np.broadcast_to(bools(1, 1), (2, 3)), {"shape": [2, 3]}),
        ("dynamic", B, np.broadcast_to(B, (2, 4, 3)), {"axes": [1], "shape": [4]}, "real[n|4, 1, 3]", "real[n, 4, 3]"),
        ("dynamic_shape", B, np.broadcast_to(B, (2, 2, 3)), {"axes": [1], "shape": Literal("input.shape[:1]")},
         "real[n|4, 1, 3]", "real[n, n, 3]"),
    ], [
        ("axis_too_large", B, AXES_RULE, {"axes": [3], "shape": [1]}),
        ("axis_too_small", B, AXES_RULE, {"axes": [-4], "shape": [1]}),
        ("twice", B, DISTINCT, {"axes": [1, 1], "shape": [2, 2]}),
        ("twice_from_both_ends", B, DISTINCT, {"axes": [1, -2], "shape": [2, 2]}),
        ("not_positive", B, "`shape` must be positive", {"axes": [1], "shape": [0]}),
        ("neither_1_nor_equal", B, "must be 1 or those of `shape`", {"axes": [0], "shape": [4]}),
    ])


def slices(layout):
    S = reals(4, 5)
    layout.unary("slice", [
        ("all", S, S[1:3, 2:5], {"begin": [1, 2], "end": [3, 5]}),
        ("one_axis", S, S[:, 1:4], {"axes": [1], "begin": [1], "end": [4]}),
        ("negative_axis", S, S[1:], {"axes": [-2], "begin": [1], "end": [4]}),
        ("negative_positions", S, S[-3:-1, -4:], {"begin": [-3, -4], "end": [-1, 5]}),
        ("stride", S, S[:, 0:5:2], {"axes": [1], "begin": [0], "end": [5], "stride": [2]}),
        ("uniform_stride", S, S[0:4:3, 1:5:3], {"begin": [0, 1], "end": [4, 5], "stride": 3}),
        ("backwards", S, S[:, 3:0:-1], {"axes": [1], "begin": [3], "end": [0], "stride": [-1]}),
        ("backwards_stride", S, S[::-2], {"axes": [0], "begin": [3], "end": [-5], "stride": [-2]}),
        ("backwards_to_begin", S, S[:, ::-1], {"axes": [1], "begin": [-1], "end": [-6], "stride": [-1]}),
        ("beyond_end", S, S[2:], {"axes": [0], "begin": [2], "end": [100]}),
        ("to_infinity", S, S[2:], {"axes": [0], "begin": [2], "end": Literal("[int(inf)]")}),
        ("empty", S, S[2:2], {"axes": [0], "begin": [2], "end": [2]}),
        ("no_axes", S, S, {"axes": [], "begin": [], "end": []}),
        ("swapped_axes", S, S[1:2, 3:4], {"axes": [1, 0], "begin": [3, 1], "end": [4, 2]}),
        ("ints", ints(6), ints(6)[1:5:2], {"begin": [1], "end": [5], "stride": [2]}),
        ("dynamic_rest", S, S[:, 1:4], {"axes": [1], "begin": [1], "end": [4]}, "real[n|8, 5]", "real[n, 3]"),
        ("dynamic", S, S[:, 1:-1], {"axes": [1], "begin": [1], "end": [-1]}, "real[4, n|8]", "real[4, ~|8]"),
    ], [
        ("axis_too_large", S, AXES_RULE, {"axes": [2], "begin": [0], "end": [1]}),
        ("axis_too_small", S, AXES_RULE, {"axes": [-3], "begin": [0], "end": [1]}),
        ("twice", S, DISTINCT, {"axes": [1, 1], "begin": [0, 0], "end": [1, 1]}),
        ("twice_from_both_ends", S, DISTINCT, {"axes": [1, -1], "begin": [0, 0], "end": [1, 1]}),
        ("no_stride", S, "`stride` must not be zero", {"axes": [0], "begin": [0], "end": [1], "stride": [0]}),
        ("begin_before", S, "`begin` lies before the tensor", {"axes": [0], "begin": [-5], "end": [2]}),
        ("begin_behind", S, "`begin` lies behind the tensor", {"axes": [0], "begin": [4], "end": [2], "stride": [-1]}),
        ("end_before_begin", S, "`end` must not lie before `begin`", {"axes": [0], "begin": [3], "end": [1]}),
        ("end_behind_begin", S, "`end` must not lie behind `begin`",
         {"axes": [0], "begin": [1], "end": [3], "stride": [-1]}),
    ])


def padding(layout):
    pad = layout.operator("pad")
    P = reals(3, 4)
    widths = {"padding": [1, 2, 0, 3]}

    def padded(mode, x=P, width=((1, 0), (2, 3)), **options):
        return np.pad(x, width, mode, **options)

    pad.setting("zeros", {"input": P}, {"output": padded("constant")}, widths)
    pad.setting("value", {"input": P, "value": -1.5}, {"output": padded("constant", constant_values=-1.5)},
                widths | {"method": "CONSTANT"})
    pad.setting("value_tensor", {"input": P, "value": np.array(2.0)},
                {"output": padded("constant", constant_values=2.0)}, widths)
    pad.setting("reflect", {"input": P}, {"output": padded("reflect")}, widths | {"method": "REFLECT"})
    pad.setting("replicate", {"input": P}, {"output": padded("edge")}, widths | {"method": "REPLICATE"})
    pad.setting("symmetric", {"input": P}, {"output": padded("symmetric")}, widths | {"method": "SYMMETRIC"})
    for method, mode in [("REPLICATE", "edge"), ("SYMMETRIC", "symmetric"), ("CONSTANT", "constant")]:
        pad.setting(f"wide_{method.lower()}", {"input": P}, {"output": padded(mode, width=((3, 3), (4, 4)))},
                    {"padding": [3, 4, 3, 4], "method": method})
    pad.setting("one_axis", {"input": P}, {"output": padded("constant", width=((0, 0), (1, 2)))},
                {"axes": [1], "padding": [1, 2]})
    pad.setting("negative_axes", {"input": P}, {"output": padded("edge", width=((2, 0), (1, 3)))},
                {"axes": [-1, 0], "padding": [1, 2, 3, 0], "method": "REPLICATE"})
    pad.setting("none", {"input": P}, {"output": P}, {"padding": 0})
    pad.setting("ints", {"input": ints(4), "value": 7}, {"output": np.pad(ints(4), 2, constant_values=7)},
                {"padding": [2, 2]})
    pad.setting("bools", {"input": bools(3)}, {"output": np.pad(bools(3), 1)}, {"padding": [1, 1]})
    pad.setting("rank_0", {"input": np.array(3.0)}, {"output": np.array(3.0)}, {"padding": []})
    pad.setting("empty", {"input": np.zeros((0, 2))}, {"output": np.zeros((3, 2))}, {"axes": [0], "padding": [1, 2]})
    pad.setting("dynamic", {"input": P}, {"output": padded("symmetric")}, widths | {"method": "SYMMETRIC"},
                declared={"input": "real[n|4, m|8]", "output": "real[n + 1, m + 5]"})
    pad.invalid("method", {"input": P}, "`method` must be one of", widths | {"method": "MIRROR"})
    pad.invalid("negative", {"input": P}, "`padding` must not be negative", {"padding": [-1, 0, 0, 0]})
    pad.invalid("axis_too_large", {"input": P}, AXES_RULE, {"axes": [2], "padding": [1, 1]})
    pad.invalid("axis_too_small", {"input": P}, AXES_RULE, {"axes": [-3], "padding": [1, 1]})
    pad.invalid("twice", {"input": P}, DISTINCT, {"axes": [0, 0], "padding": [1, 1, 1, 1]})
    pad.invalid("twice_from_both_ends", {"input": P}, DISTINCT, {"axes": [0, -2], "padding": [1, 1, 1, 1]})
    pad.invalid("reflection_too_wide", {"input": P}, "outside", {"padding": [3, 0, 0, 0], "method": "REFLECT"},
                outputs={"y": np.zeros((6, 4))}, at_run_time=True)


layout = Module("layout")
for add in (constant, uniform, ranges, shape, cast, reshape, flatten, unflatten, squeeze, unsqueeze, concat, split, stack,
            unstack, tile, broadcast, slices, padding, layout_reordering.add, layout_indexing.add):
    add(layout)
layout.write()
