"""Settings of `layout`'s operators that reorder elements."""

import numpy as np

from oracle import ints, reals

RANK_RULE = "`axis` must lie between"


def add(layout):
    transposition(layout)
    blocks(layout)
    shuffling(layout)


def transposition(layout):
    X, T = reals(2, 3, 4), reals(2, 3, 4, 5)
    layout.unary("transpose", [
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
        ("perm_too_short", X, "the length of attribute `perm`", {"perm": [1, 0]}),
    ])


def shuffling(layout):
    S = reals(2, 6, 2)

    def shuffled(x, axis, groups):
        c = x.shape[axis]
        order = np.arange(c).reshape(groups, c // groups).T.reshape(-1)
        return np.take(x, order, axis)

    layout.unary("shuffle", [
        ("two_groups", S, shuffled(S, 1, 2), {"axis": 1, "groups": 2}),
        ("three_groups", S, shuffled(S, 1, 3), {"axis": -2, "groups": 3}),
        ("last_axis", ints(3, 8), shuffled(ints(3, 8), 1, 4), {"axis": -1, "groups": 4}),
        ("one_group", S, S, {"axis": 0, "groups": 1}),
        ("dynamic", S, shuffled(S, 1, 2), {"axis": 1, "groups": 2}, "real[n|4, 6, 2]", "real[n, 6, 2]"),
        ("dynamic_axis", S, shuffled(S, 1, 2), {"axis": 1, "groups": 2}, "real[2, c|8, 2]", "real[2, c, 2]"),
    ], [
        ("axis_too_large", S, RANK_RULE, {"axis": 3, "groups": 1}),
        ("axis_too_small", S, RANK_RULE, {"axis": -4, "groups": 1}),
        ("no_group", S, "`groups` must be positive", {"axis": 1, "groups": 0}),
        ("not_divisible", S, "must be divisible by `groups`", {"axis": 1, "groups": 4}),
    ])


def space_to(axis, x, size, blocks_first=None, data_format=None):
    """Moves space to the batch (axis 0) or the channels (axis 1), element by element as the definition says."""
    if data_format == "NXC":
        return np.moveaxis(space_to(axis, np.moveaxis(x, -1, 1), size, blocks_first, "NCX"), 1, -1)
    interleaved = axis == 1 or blocks_first is not None or data_format is not None
    size = [size] * (x.ndim - 2) if isinstance(size, int) else size
    extents = [n // k for n, k in zip(x.shape[2:], size)]
    count = int(np.prod(size))
    shape = [*x.shape[:2], *extents]
    shape[axis] *= count
    y = np.empty(shape, dtype=x.dtype)
    for target in np.ndindex(*shape):
        outer, position = list(target[:2]), target[2:]
        if blocks_first is False:
            outer[axis], part = divmod(target[axis], count)
        else:
            part, outer[axis] = divmod(target[axis], x.shape[axis])
        block = np.unravel_index(part, size)
        source = [p * k + b if interleaved else b * n + p for p, b, n, k in zip(position, block, extents, size)]
        y[target] = x[tuple(outer + source)]
    return y


def blocks(layout):
    x1, x2, x3 = reals(2, 3, 8), reals(2, 3, 4, 6), reals(1, 2, 2, 4, 4)
    for axis, merged, down, up, small, large in [
        (0, "batch", "space_to_batch", "batch_to_space", "real[2, c|4, 4, 6]", "real[8, c|4, 2, 3]"),
        (1, "channel", "space_to_depth", "depth_to_space", "real[n|4, 3, 4, 6]", "real[n|4, 12, 2, 3]"),
    ]:
        forward, backward = layout.operator(down), layout.operator(up)

        def both(case, x, size, blocks_first=None, data_format=None):
            given = {"blocks_first": blocks_first, "data_format": data_format}
            attributes = {"block_size": size, **{key: value for key, value in given.items() if value is not None}}
            y = space_to(axis, x, size, blocks_first, data_format)
            forward.setting(case, {"input": x}, {"output": y}, attributes)
            backward.setting(case, {"input": y}, {"output": x}, attributes)

        both("one_dimension", x1, [4])
        both("two_dimensions", x2, [2, 3])
        both("three_dimensions", x3, [1, 2, 4])
        both("no_block", x2, [1, 1])
        both("blocks_first", x2, [2, 3], True)
        both("blocks_last", x2, [2, 3], False)
        both("one_dimension_blocks_last", x1, [2], False)
        both("uniform_block", x2, 2)
        both("channels_first", x2, [2, 3], None, "NCX")
        both("channels_first_blocks_last", x3, [1, 2, 2], False, "NCX")
        for order, channels_last in ((True, "blocks_first"), (False, "blocks_last"), (None, "default_order")):
            both(f"channels_last_{channels_last}", reals(2, 4, 6, 3), [2, 3], order, "NXC")
        both("channels_last_three_dimensions", ints(1, 2, 4, 6, 2), [2, 2, 3], True, "NXC")
        both("no_elements", np.zeros((0, 3, 4, 6)), [2, 3])
        y2 = space_to(axis, x2, [2, 2])
        closed = [declaration.replace("|4", "") for declaration in (small, large)]
        forward.setting("dynamic", {"input": x2}, {"output": y2}, {"block_size": [2, 2]},
                        declared={"input": small, "output": closed[1]})
        backward.setting("dynamic", {"input": y2}, {"output": x2}, {"block_size": [2, 2]},
                         declared={"input": large, "output": closed[0]})
        if axis == 0:
            declared = {"input": "real[2, 3, h|8, w|8]", "output": "real[8, 3, h / 2, w / 2]"}
        else:
            declared = {"input": "real[2, 3, h|8, w|8]", "output": "real[2, 12, h / 2, w / 2]"}
        forward.setting("dynamic_space", {"input": x2}, {"output": y2}, {"block_size": [2, 2]}, declared=declared)
        for operator in (forward, backward):
            operator.invalid("other_length", {"input": reals(4, 4, 4, 4)}, "the length of attribute `block_size`",
                             {"block_size": [2]})
            operator.invalid("format_unknown", {"input": x2}, "`data_format` must be one of",
                             {"block_size": [1, 1], "data_format": "NHWC"})
            operator.invalid("not_positive", {"input": x2}, "`block_size` must be positive", {"block_size": [-1, -1]})
        forward.invalid("not_divisible", {"input": x2}, "the spatial extents must be divisible", {"block_size": [2, 4]})
        backward.invalid("not_divisible", {"input": x2}, f"the {merged} extent must be divisible", {"block_size": [2, 2]})
