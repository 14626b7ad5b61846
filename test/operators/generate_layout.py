"""Settings of the operators of `layout`, computed by numpy from their definitions."""

import itertools

import numpy as np

from oracle import Literal, Module, bools, ints, reals

layout = Module("layout")

X = reals(2, 3, 4)
RANK_RULE = "`axis` must lie between"
AXES_RULE = "`axes` must lie between"
DISTINCT = "`axes` must be distinct"


def unary(name, settings, refused=()):
    """Settings of an operator with one operand and one result."""
    operator = layout.operator(name)
    for case, x, y, attributes, *declared in settings:
        declared = {"declared": dict(zip(("input", "output"), declared))} if declared else {}
        operator.setting(case, {"input": x}, {"output": y}, attributes, **declared)
    for case, x, error, attributes in refused:
        operator.invalid(case, {"input": x}, error, attributes)


def creation():
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
        operator.invalid("too_few_items", {}, "must have 6 items", {"shape": [2, 3], "value": [1.0, 2.0]})

    uniform = layout.operator("uniform")
    uniform.setting("reals", {"value": np.array(2.5)}, {"output": np.full((2, 3), 2.5)}, {"shape": [2, 3]})
    uniform.setting("int_literal", {"value": 4}, {"output": np.full((3,), 4)}, {"shape": [3]})
    uniform.setting("bools", {"value": np.array(True)}, {"output": np.array(True)}, {"shape": []})
    uniform.setting("empty", {"value": 1.0}, {"output": np.zeros((0, 2))}, {"shape": [0, 2]})
    uniform.invalid("negative_extent", {"value": 1.0}, "`shape` must not be negative", {"shape": [-1]})
    uniform.invalid("not_a_scalar", {"value": np.zeros(2)}, "`value`", {"shape": [2]})

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
    span.invalid("wrong_way_back", {}, "`first` must not be less than `last`", {"first": 0, "last": 3, "stride": -1}, outputs=integer)

    shape = layout.operator("shape")
    for case, x in [("rank_3", X), ("rank_0", np.array(1.0)), ("ints", ints(4, 1)), ("bools", bools(0, 5))]:
        shape.setting(case, {"input": x}, {"output": np.array(x.shape, dtype=int)})
    shape.setting("dynamic", {"input": X}, {"output": np.array(X.shape)},
                  declared={"input": "real[n|5, m|5, 4]"})


def views():
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

    E = np.zeros((2, 0, 3))
    unary("reshape", [
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
    unary("flatten", [
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
    Y = reals(2, 12)
    unary("unflatten", [
        ("two_parts", Y, Y.reshape(2, 3, 4), {"axis": 1, "shape": [3, 4]}),
        ("negative_axis", Y, Y.reshape(2, 2, 3, 2), {"axis": -1, "shape": [2, 3, 2]}),
        ("first", Y, Y.reshape(2, 1, 12), {"axis": 0, "shape": [2, 1]}),
        ("vanishes", Y[:, :1], Y[:, 0], {"axis": 1, "shape": []}),
        ("without_elements", E, np.zeros((2, 4, 0, 3)), {"axis": 1, "shape": [4, 0]}),
        ("dynamic", Y, Y.reshape(2, 3, 4), {"axis": 1, "shape": [3, 4]}, "real[n|4, 12]", "real[n, 3, 4]"),
    ], [
        ("axis_too_large", Y, RANK_RULE, {"axis": 2, "shape": [1]}),
        ("axis_too_small", Y, RANK_RULE, {"axis": -3, "shape": [1]}),
        ("negative", Y, "`shape` must not be negative", {"axis": 1, "shape": [-3, -4]}),
        ("other_volume", Y, "the volume of `shape` must be the extent", {"axis": 1, "shape": [3, 5]}),
    ])
    S = reals(2, 1, 3, 1)
    unary("squeeze", [
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
    unary("unsqueeze", [
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


def joining():
    concat = layout.operator("concat")
    A, B, C = reals(2, 3), reals(2, 3, seed=1), reals(2, 5, seed=2)
    concat.setting("equal", {"inputs": [A, B]}, {"output": np.concatenate([A, B])}, {"axis": 0})
    concat.setting("equal_inner", {"inputs": [A, B, A]}, {"output": np.concatenate([A, B, A], 1)}, {"axis": 1})
    concat.setting("unequal", {"inputs": [A, C]}, {"output": np.concatenate([A, C], 1)}, {"axis": 1})
    concat.setting("negative_axis", {"inputs": [C, A, B]}, {"output": np.concatenate([C, A, B], 1)}, {"axis": -1})
    concat.setting("single", {"inputs": [A]}, {"output": A}, {"axis": 0})
    concat.setting("empty_part", {"inputs": [A, np.zeros((2, 0))]}, {"output": A}, {"axis": 1})
    concat.setting("ints", {"inputs": [ints(3), ints(2, seed=1)]}, {"output": np.concatenate([ints(3), ints(2, seed=1)])},
                   {"axis": 0})
    concat.setting("dynamic", {"inputs": [A, C]}, {"output": np.concatenate([A, C], 1)}, {"axis": 1},
                   declared={"inputs0": "real[2, n|4]", "inputs1": "real[2, m|8]", "output": "real[2, n + m]"})
    concat.setting("dynamic_rest", {"inputs": [A, C]}, {"output": np.concatenate([A, C], 1)}, {"axis": 1},
                   declared={"inputs0": "real[b|4, 3]", "inputs1": "real[b, 5]", "output": "real[b, 8]"})
    concat.invalid("axis_too_large", {"inputs": [A, B]}, RANK_RULE, {"axis": 2})
    concat.invalid("axis_too_small", {"inputs": [A, B]}, RANK_RULE, {"axis": -3})

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
    halves = {"y0": np.zeros((2, 3)), "y1": np.zeros((2, 3))}
    for case, error, attributes in [
        ("axis_too_large", RANK_RULE, {"axis": 2, "count": 2}),
        ("axis_too_small", RANK_RULE, {"axis": -3, "count": 2}),
        ("negative_count", ["`count` must not be negative", "the length of `sizes` must be `count`"], {"axis": 1, "count": -1, "sizes": [3, 3]}),
        ("other_count", "the length of `sizes` must be `count`", {"axis": 1, "count": 3, "sizes": [3, 3]}),
        ("negative_size", "`sizes` must not be negative", {"axis": 1, "sizes": [7, -1]}),
        ("other_sum", "the sum of `sizes` must be the extent", {"axis": 1, "sizes": [3, 4]}),
        ("not_divisible", "the sum of `sizes` must be the extent", {"axis": 1, "count": 4}),
    ]:
        count = len(attributes.get("sizes", [])) or attributes["count"]
        split.invalid(case, {"input": Y}, error, attributes, outputs={"outputs": [np.zeros(())] * count})

    stack = layout.operator("stack")
    D = [A, B, A + 1]
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


def extents():
    unary("tile", [
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
    B = reals(2, 1, 3)
    unary("broadcast", [
        ("all", B, np.broadcast_to(B, (2, 4, 3)), {"shape": [2, 4, 3]}),
        ("one_axis", B, np.broadcast_to(B, (2, 5, 3)), {"axes": [1], "shape": [5]}),
        ("negative_axis", B, np.broadcast_to(B, (2, 2, 3)), {"axes": [-2], "shape": [2]}),
        ("equal", B, B, {"axes": [0, 2], "shape": [2, 3]}),
        ("rank_0", np.array(1), np.array(1), {"shape": []}),
        ("bools", bools(1, 1), np.broadcast_to(bools(1, 1), (2, 3)), {"shape": [2, 3]}),
        ("dynamic", B, np.broadcast_to(B, (2, 4, 3)), {"axes": [1], "shape": [4]}, "real[n|4, 1, 3]", "real[n, 4, 3]"),
    ], [
        ("axis_too_large", B, AXES_RULE, {"axes": [3], "shape": [1]}),
        ("axis_too_small", B, AXES_RULE, {"axes": [-4], "shape": [1]}),
        ("twice", B, DISTINCT, {"axes": [1, 1], "shape": [2, 2]}),
        ("twice_from_both_ends", B, DISTINCT, {"axes": [1, -2], "shape": [2, 2]}),
        ("not_positive", B, "`shape` must be positive", {"axes": [1], "shape": [0]}),
        ("neither_1_nor_equal", B, "must be 1 or those of `shape`", {"axes": [0], "shape": [4]}),
    ])
    S = reals(4, 5)
    unary("slice", [
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
        ("from_infinity", S, S[::-1], {"axes": [0], "begin": Literal("[int(inf) - 1 << 3]"), "end": [-100], "stride": -1}),
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
    padding()


def padding():
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


def reordering():
    T = reals(2, 3, 4, 5)
    unary("transpose", [
        ("reverse", X, X.T, {}),
        ("perm", T, T.transpose(2, 0, 3, 1), {"perm": [2, 0, 3, 1]}),
        ("negative_perm", X, X.transpose(2, 0, 1), {"perm": [-1, 0, -2]}),
        ("from_axis", T, T.transpose(0, 3, 1, 2), {"axis": 1, "perm": [3, 1, 2]}),
        ("negative_axis", T, T.transpose(0, 1, 3, 2), {"axis": -2, "perm": [3, 2]}),
        ("negative_axis_negative_perm", T, T.transpose(0, 2, 3, 1), {"axis": -3, "perm": [-2, -1, -3]}),
        ("reverse_from_axis", T, T.transpose(0, 3, 2, 1), {"axis": 1}),
        ("rank_1", ints(3), ints(3), {}),
        ("rank_0", np.array(True), np.array(True), {}),
        ("dynamic", X, X.transpose(1, 2, 0), {"perm": [1, 2, 0]}, "real[n|4, 3, m|8]", "real[3, m, n]"),
    ], [
        ("axis_too_large", X, RANK_RULE, {"axis": 3, "perm": []}),
        ("axis_too_small", X, RANK_RULE, {"axis": -4, "perm": [0, 1, 2]}),
        ("perm_before_axis", X, "`perm` must lie between `axis`", {"axis": 1, "perm": [1, 0]}),
        ("perm_too_large", X, "`perm` must lie between `axis`", {"perm": [1, 2, 3]}),
        ("twice", X, "`perm` must be distinct", {"perm": [0, 1, 1]}),
        ("twice_from_both_ends", X, "`perm` must be distinct", {"perm": [0, 1, -2]}),
        ("perm_too_short", X, "must have 3 items", {"perm": [1, 0]}),
    ])
    blocks()
    S = reals(2, 6, 2)

    def shuffled(x, axis, groups):
        c = x.shape[axis]
        order = np.arange(c).reshape(groups, c // groups).T.reshape(-1)
        return np.take(x, order, axis)

    unary("shuffle", [
        ("two_groups", S, shuffled(S, 1, 2), {"axis": 1, "groups": 2}),
        ("three_groups", S, shuffled(S, 1, 3), {"axis": -2, "groups": 3}),
        ("last_axis", ints(3, 8), shuffled(ints(3, 8), 1, 4), {"axis": -1, "groups": 4}),
        ("one_group", S, S, {"axis": 0, "groups": 1}),
        ("dynamic", S, shuffled(S, 1, 2), {"axis": 1, "groups": 2}, "real[n|4, 6, 2]", "real[n, 6, 2]"),
    ], [
        ("axis_too_large", S, RANK_RULE, {"axis": 3, "groups": 1}),
        ("axis_too_small", S, RANK_RULE, {"axis": -4, "groups": 1}),
        ("no_group", S, "`groups` must be positive", {"axis": 1, "groups": 0}),
        ("not_divisible", S, "must be divisible by `groups`", {"axis": 1, "groups": 4}),
    ])


def blocks():
    """Each element of the smaller tensor is looked up where its block's element is; `pos` and `block` are indices."""
    def space_index(position, block, extent, size, interleaved):
        return position * size + block if interleaved else block * extent + position

    def to_parts(x, size, channel, blocks_first):
        """Space to the channels, or to the batch."""
        b, c, *s = x.shape
        extents = [n // k for n, k in zip(s, size)]
        count = int(np.prod(size))
        y = np.zeros([b, c * count, *extents] if channel else [b * count, c, *extents])
        for at, block in enumerate(np.ndindex(*size)):
            for position in np.ndindex(*extents):
                source = tuple(space_index(p, k, n, z, channel or blocks_first is not None)
                               for p, k, n, z in zip(position, block, extents, size))
                for bi, ci in itertools.product(range(b), range(c)):
                    outer, many = (ci, c) if channel else (bi, b)
                    merged = at * many + outer if blocks_first in (None, True) else outer * count + at
                    target = (bi, merged) if channel else (merged, ci)
                    y[target + position] = x[(bi, ci) + source]
        return y

    for channel, down, up in [(False, "space_to_batch", "batch_to_space"), (True, "space_to_depth", "depth_to_space")]:
        merged = "channel" if channel else "batch"
        x1, x2, x3 = reals(2, 3, 8), reals(2, 3, 4, 6), reals(1, 2, 2, 4, 4)
        default = True if channel else None
        cases = [("one_dimension", x1, [4], default), ("two_dimensions", x2, [2, 3], default),
                 ("three_dimensions", x3, [1, 2, 4], default), ("no_block", x2, [1, 1], default),
                 ("blocks_first", x2, [2, 3], True), ("blocks_last", x2, [2, 3], False), ("one_last", x1, [2], False)]
        forward, backward = [], []
        for case, x, size, first in cases:
            attributes = {"block_size": size} | ({} if "block" not in case or case == "no_block" else {"blocks_first": first})
            if case == "one_last":
                attributes["blocks_first"] = first
            y = to_parts(x, size, channel, first)
            forward.append((case, x, y, attributes))
            backward.append((case, y, x, attributes))
        y2 = to_parts(x2, [2, 2], channel, default)
        if channel:
            shapes = "real[n|4, 3, 4, 6]", "real[n, 12, 2, 3]"
        else:
            shapes = "real[2, c|4, 4, 6]", "real[8, c, 2, 3]"
        forward.append(("dynamic", x2, y2, {"block_size": [2, 2]}, *shapes))
        backward.append(("dynamic", y2, x2, {"block_size": [2, 2]}, *[shape.replace("|4", "") for shape in shapes][::-1]))
        backward[-1] = (*backward[-1][:4], backward[-1][4].replace("n,", "n|4,").replace("c,", "c|4,"), backward[-1][5])
        unary(down, forward, [
            ("not_positive", x2, "`block_size` must be positive", {"block_size": [2, 0]}),
            ("not_divisible", x2, "the spatial extents must be divisible", {"block_size": [2, 4]}),
        ])
        unary(up, backward, [
            ("not_positive", x2, "`block_size` must be positive", {"block_size": [-1, -1]}),
            ("not_divisible", x2, f"the {merged} extent must be divisible", {"block_size": [2, 2]}),
        ])


def indexing():
    nonzero = layout.operator("nonzero")
    N = np.array([[0.0, 1.5, 0.0], [-2.0, 0.0, 3.0]])
    for case, x in [("reals", N), ("ints", np.array([[[0, 2], [0, 0]], [[1, 0], [0, 3]]])), ("bools", bools(2, 5)),
                    ("rank_1", np.array([3, 0, 4])), ("none", np.zeros((2, 2))), ("all", np.ones((2, 2), bool)),
                    ("nan", np.array([0.0, np.nan, -0.0, np.inf]))]:
        nonzero.setting(case, {"input": x}, {"index": np.array(np.nonzero(x))},
                        declared={"index": f"int[{x.ndim}, ~|{x.size}]"})
    nonzero.setting("dynamic", {"input": N}, {"index": np.array(np.nonzero(N))},
                    declared={"input": "real[n|4, 3]", "index": "int[2, ~|12]"})

    gather = layout.operator("gather")
    G = reals(3, 4, 2)
    I = np.array([[2, 0], [1, 2]])
    gather.setting("first", {"data": G, "index": I}, {"output": np.take(G, I, 0)}, {"axis": 0})
    gather.setting("middle", {"data": G, "index": I}, {"output": np.take(G, I, 1)}, {"axis": 1})
    gather.setting("negative_axis", {"data": G, "index": I % 2}, {"output": np.take(G, I % 2, 2)}, {"axis": -1})
    gather.setting("one_index", {"data": G, "index": np.array(1)}, {"output": G[:, 1]}, {"axis": 1})
    gather.setting("literal", {"data": G, "index": 2}, {"output": G[2]}, {"axis": 0})
    gather.setting("negative_indices", {"data": G, "index": np.array([-1, -3])}, {"output": G[[-1, -3]]}, {"axis": 0})
    gather.setting("no_index", {"data": G, "index": np.zeros(0, int)}, {"output": G[:, :0]}, {"axis": 1})
    gather.setting("bools", {"data": bools(4), "index": I}, {"output": bools(4)[I]}, {"axis": 0})
    gather.setting("dynamic", {"data": G, "index": I}, {"output": np.take(G, I, 1)}, {"axis": 1},
                   declared={"data": "real[n|8, 4, 2]", "index": "int[m|4, 2]", "output": "real[n, m, 2, 2]"})
    gather.invalid("axis_too_large", {"data": G, "index": I}, RANK_RULE, {"axis": 3})
    gather.invalid("axis_too_small", {"data": G, "index": I}, RANK_RULE, {"axis": -4})
    gather.invalid("index_too_large", {"data": G, "index": np.array([3])}, "index 3 is outside", {"axis": 0},
                   outputs={"y": np.zeros((1, 4, 2))}, at_run_time=True)

    gather_nd = layout.operator("gather_nd")
    J = np.array([[2, 3], [0, 1], [1, 0]])
    gather_nd.setting("slices", {"data": G, "indices": J}, {"output": G[J[:, 0], J[:, 1]]})
    gather_nd.setting("items", {"data": ints(3, 4), "indices": J}, {"output": ints(3, 4)[J[:, 0], J[:, 1]]})
    gather_nd.setting("one_position", {"data": G, "indices": np.array([2, 1, 0])}, {"output": G[2, 1, 0]})
    gather_nd.setting("negative_indices", {"data": G, "indices": J - [3, 4]}, {"output": G[J[:, 0], J[:, 1]]})
    gather_nd.setting("many", {"data": G, "indices": J.reshape(3, 1, 2)}, {"output": G[J[:, 0], J[:, 1]][:, None]})
    K = np.array([[[1], [3]], [[0], [2]], [[2], [2]]])
    batched = np.stack([G[b, K[b, :, 0]] for b in range(3)])
    gather_nd.setting("batch", {"data": G, "indices": K}, {"output": batched}, {"batch_dims": 1})
    gather_nd.setting("dynamic", {"data": G, "indices": J}, {"output": G[J[:, 0], J[:, 1]]},
                      declared={"indices": "int[n|8, 2]", "output": "real[n, 2]"})
    gather_nd.invalid("negative_batch_dims", {"data": G, "indices": J}, "`batch_dims` must not be negative",
                      {"batch_dims": -1})
    gather_nd.invalid("index_too_large", {"data": G, "indices": np.array([[0, 4]])}, "index 4 is outside",
                      outputs={"y": np.zeros((1, 2))}, at_run_time=True)

    scatter = layout.operator("scatter")

    def scattered(data, indices, updates, axis):
        result = data.copy()
        for at in np.ndindex(*indices.shape):
            target = list(at)
            target[axis] = indices[at]
            result[tuple(target)] = updates[at]
        return result

    for case, data, indices, axis in [
        ("first", reals(4, 3), np.array([[2, 0, 3], [1, 1, 0]]), 0),
        ("last", reals(4, 3), np.array([[2, 0], [1, 2], [0, 1], [2, 1]]), 1),
        ("negative_axis", reals(2, 4, 3), np.array([[[2, 0, 1]], [[1, 3, 3]]]), -2),
        ("negative_indices", ints(5), np.array([-1, 0, -3]), 0),
        ("several_updates", reals(3), np.array([1, 2, 1, 1]), 0),
        ("none", bools(3, 2), np.zeros((0, 2), int), 0),
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

    scatter_nd = layout.operator("scatter_nd")

    def scattered_nd(data, indices, updates, batch_dims=0):
        result = data.copy()
        for at in np.ndindex(*indices.shape[:-1]):
            result[at[:batch_dims] + tuple(indices[at])] = updates[at]
        return result

    for case, data, indices, batch_dims in [
        ("slices", G, np.array([[2, 3], [0, 1]]), 0),
        ("items", ints(3, 4), J, 0),
        ("negative_indices", reals(4), np.array([[-1], [1]]), 0),
        ("several_updates", reals(4), np.array([[1], [2], [1]]), 0),
        ("batch", G, K, 1),
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


creation()
views()
joining()
extents()
reordering()
indexing()
layout.write()
