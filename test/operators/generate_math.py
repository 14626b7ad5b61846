"""Settings of the operators of `math`, computed by numpy from their definitions."""

import itertools

import numpy as np

from oracle import Module, bools, ints, reals

math = Module("math")

NAN, INF = np.nan, np.inf
AXIS_RULE = "`axis` must lie between"
AXES_RULE = "`axes` must lie between"
DISTINCT = "`axes` must be distinct"


def unary():
    """Operators on one tensor, element by element."""
    wide = np.array([-INF, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 1.5, INF, NAN])
    positive = np.array([0.0, 0.125, 1.0, 2.0, 10.0, INF, -1.0, NAN])
    inner = np.array([-1.0, -0.75, -0.25, 0.0, 0.5, 1.0, 1.5, NAN])
    halves = np.array([-2.5, -1.5, -1.25, -0.5, 0.0, 0.4, 0.5, 1.5, 2.5, 3.75, -INF, INF, NAN])
    functions = {
        "rcp": (lambda x: 1 / x, wide, (0.5, 4)),
        "sqrt": (np.sqrt, positive, (0, 9)),
        "rsqr": (lambda x: 1 / (x * x), wide, (0.5, 3)),
        "rsqrt": (lambda x: 1 / np.sqrt(x), positive, (0.5, 9)),
        "exp": (np.exp, np.append(wide, [88, -100, 100]), (-3, 3)),
        "log": (np.log, positive, (0.1, 9)),
        "log2": (np.log2, positive, (0.1, 9)),
        "sin": (np.sin, wide, (-7, 7)),
        "cos": (np.cos, wide, (-7, 7)),
        "tan": (np.tan, wide, (-1.5, 1.5)),
        "asin": (np.arcsin, inner, (-1, 1)),
        "acos": (np.arccos, inner, (-1, 1)),
        "atan": (np.arctan, wide, (-9, 9)),
        "sinh": (np.sinh, wide, (-3, 3)),
        "cosh": (np.cosh, wide, (-3, 3)),
        "tanh": (np.tanh, wide, (-3, 3)),
        "asinh": (np.arcsinh, wide, (-9, 9)),
        "acosh": (np.arccosh, np.array([1.0, 1.5, 9.0, INF, 0.5, NAN]), (1, 9)),
        "atanh": (np.arctanh, inner, (-0.9, 0.9)),
        "floor": (np.floor, halves, (-9, 9)),
        "ceil": (np.ceil, halves, (-9, 9)),
        "round": (lambda x: np.sign(x) * np.floor(np.abs(x) + 0.5), halves, (-9, 9)),
    }
    for name, (function, special, (low, high)) in functions.items():
        elementwise(math.operator(name), function, special, lambda *shape: reals(*shape, low=low, high=high))
    for name, function in {
        "neg": np.negative, "sqr": lambda x: x * x, "abs": np.abs,
        "sign": lambda x: np.where(np.isnan(x), 0, np.sign(x)).astype(x.dtype),
    }.items():
        operator = math.operator(name)
        elementwise(operator, function, wide, reals)
        operator.setting("integers", {"x": ints(3, 4)}, {"y": function(ints(3, 4))})
    identity = math.operator("iden")
    elementwise(identity, np.array, wide, reals)
    identity.setting("integers", {"x": ints(3, 4)}, {"y": ints(3, 4)})
    identity.setting("truths", {"x": bools(5)}, {"y": bools(5)})
    elementwise(math.operator("not"), np.logical_not, np.array([True, False]), bools, kind="bool")


def elementwise(operator, function, special, make, kind="real"):
    x = make(2, 3, 4)
    operator.setting("special", {"x": special}, {"y": function(special)})
    operator.setting("rank_3", {"x": x}, {"y": function(x)})
    operator.setting("rank_0", {"x": x[0, 0, 0]}, {"y": function(x[0, 0, 0])})
    operator.setting("empty", {"x": x[:, :0]}, {"y": x[:, :0]})
    operator.setting("dynamic", {"x": x}, {"y": function(x)},
                     declared={"x": f"{kind}[n|4, 3, m|8]", "y": f"{kind}[n, 3, m]"})


def aligned(tensors, alignments):
    """Puts singular dimensions around shapes as section 4.2.2 describes it."""
    padded = []
    for x, align in zip(tensors, alignments):
        singular = (1,) * abs(align or 0)
        shape = np.shape(x) + singular if (align or 0) < 0 else singular + np.shape(x)
        padded.append(np.reshape(x, shape))
    rank = max(x.ndim for x in padded)
    results = []
    for x, align in zip(padded, alignments):
        missing = (1,) * (rank - x.ndim)
        from_left = align is not None and align >= 0
        results.append(x.reshape(x.shape + missing if from_left else missing + x.shape))
    return results


class Broadcast:
    """Settings of an operator whose operands are broadcast."""

    def __init__(self, name, names, attributes, result, function):
        self.operator = math.operator(name)
        self.names, self.attributes, self.result, self.function = names, attributes, result, function

    def setting(self, case, operands, alignments=None, **options):
        alignments = alignments or [None] * len(operands)
        given = {name: align for name, align in zip(self.attributes, alignments) if align is not None}
        result = self.function(*aligned(operands, alignments))
        self.operator.setting(case, dict(zip(self.names, operands)), {self.result: result}, given, **options)

    def invalid(self, case, operands, error, alignments=None, **options):
        alignments = alignments or [None] * len(operands)
        given = {name: align for name, align in zip(self.attributes, alignments) if align is not None}
        self.operator.invalid(case, dict(zip(self.names, operands)), error, given, **options)


MISMATCH = "can't be broadcast"


def binary():
    """Operators on two tensors."""
    def floor_divide(x, y):
        return x // y if x.dtype.kind == "i" else x / y

    def modulo(x, y):
        return x % y if x.dtype.kind == "i" else np.fmod(x, y)

    arithmetic = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": floor_divide, "mod": modulo,
                  "pow": np.power, "min": np.minimum, "max": np.maximum}
    comparisons = {"lt": np.less, "gt": np.greater, "le": np.less_equal, "ge": np.greater_equal, "eq": np.equal,
                   "ne": np.not_equal}
    logic = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}
    for name, function in (arithmetic | comparisons | logic).items():
        operator = Broadcast(name, ("x", "y"), ("lhs_align", "rhs_align"), "z", function)
        make, literal, kind = operand_maker(name, logic)
        broadcasts(operator, make, literal, kind, kind if name in arithmetic else "bool")
        if name in logic:
            truths = np.array([False, False, True, True]), np.array([False, True, False, True])
            operator.setting("all_values", truths)
        else:
            numeric(operator, name in comparisons)
        if name in ("eq", "ne"):
            operator.setting("truths", (bools(2, 3), bools(2, 3, seed=1)))


def operand_maker(name, logic):
    """What makes operands for an operator, a literal, and the type of both."""
    if name in logic:
        return lambda *shape, seed=0: bools(*shape, seed=seed), True, "bool"
    if name in ("div", "mod"):
        return lambda *shape, seed=0: reals(*shape, low=0.5, high=4, seed=seed), 2.5, "real"
    if name == "pow":
        return lambda *shape, seed=0: reals(*shape, low=0.25, high=3, seed=seed), 2.0, "real"
    # Few different values, so that some are equal.
    return lambda *shape, seed=0: ints(*shape, low=-2, high=3, seed=seed) / 2, 0.5, "real"


def broadcasts(operator, make, literal, kind, result):
    x, y = make(2, 3, 4), make(2, 3, 4, seed=1)
    row, plane, column = make(4, seed=2), make(2, 3, seed=3), make(3, 1, seed=4)
    scalar = make(seed=5)
    operator.setting("equal", (x, y))
    operator.setting("shorter_right", (x, row))
    operator.setting("shorter_left", (row, x))
    operator.setting("singular", (x, column))
    operator.setting("both_singular", (make(3, 1), make(1, 4, seed=1)))
    operator.setting("rank_0", (scalar, make(seed=6)))
    operator.setting("scalar", (x, scalar))
    operator.setting("literal", (x, literal))
    operator.setting("literal_left", (literal, x))
    operator.setting("left_aligned", (x, plane), (None, 0))
    operator.setting("left_aligned_left", (plane, x), (0, None))
    operator.setting("shifted", (x, make(3, seed=3)), (None, 1))
    operator.setting("shifted_from_right", (x, make(3, seed=3)), (None, -1))
    operator.setting("beyond", (make(2, 3), make(3, 2, seed=1)), (-1, 1),
                     note="Both operands get a singular dimension: the shapes are [2, 3, 1] and [1, 3, 2].")
    operator.setting("empty", (x[:, :0], row))
    operator.setting("dynamic", (x, y), declared={"x": f"{kind}[n|4, 3, 4]", "y": f"{kind}[n, 3, 4]",
                                                  "z": f"{result}[n, 3, 4]"})
    operator.setting("dynamic_broadcast", (x, row), declared={"x": f"{kind}[n|4, m|8, 4]", "z": f"{result}[n, m, 4]"})
    shape = {"z": np.zeros((2, 3, 4), {"bool": bool, "real": float}[result])}
    operator.invalid("mismatch", (x, make(3)), MISMATCH, outputs=shape)
    operator.invalid("mismatch_after_alignment", (x, make(4)), MISMATCH, (None, 0), outputs=shape)
    operator.invalid("mismatch_at_run_time", (make(2, 3), make(3, 3)), MISMATCH, outputs={"z": shape["z"][:, :, 0]},
                     declared={"x": f"{kind}[n|4, 3]", "y": f"{kind}[m|4, 3]", "z": f"{result}[~, 3]"}, at_run_time=True)


def numeric(operator, is_comparison):
    """Integers, and what IEEE 754 says of special values."""
    name = operator.operator.name
    numerators = np.array([7, -7, 7, -7, 6, 0, -6, 1])
    denominators = np.array([2, 2, -2, -2, -2, 5, 3, -1])
    if name == "pow":
        operator.setting("integers", (np.array([2, -2, 3, 0, 5, -1]), np.array([10, 3, 0, 2, 1, 5])))
        operator.setting("special", (np.array([0.0, 0.0, 2.0, INF, NAN, 1.0, -2.0, -2.0, 4.0]),
                                     np.array([0.0, 2.0, -1.0, 2.0, 1.0, NAN, 3.0, 2.0, 0.5])))
        operator.invalid("zero_inverted", (np.array([2, 0]), np.array([1, -1])), "negative power of zero",
                         outputs={"z": np.zeros(2, int)}, at_run_time=True)
        return
    operator.setting("integers", (numerators, denominators))
    operator.setting("integer_literal", (numerators, 2))
    special = np.array([NAN, 1.0, NAN, INF, -INF, 0.0, -0.0, 1.0])
    others = np.array([1.0, NAN, NAN, INF, INF, -0.0, 1.0, 0.0])
    if name == "mod":
        operator.setting("real_signs", (np.array([5.5, -5.5, 5.5, -5.5]), np.array([2.0, 2.0, -2.0, -2.0])))
    elif name == "div":
        operator.setting("special", (special, np.array([1.0, NAN, NAN, 2.0, INF, 3.0, 1.0, 0.0])))
    else:
        operator.setting("special", (special, others))
    if name in ("div", "mod"):
        operator.invalid("integer_by_zero", (numerators, denominators * 0), "by zero", outputs={"z": numerators},
                         at_run_time=True)
    if is_comparison:
        operator.setting("explicit_types", (numerators, denominators), types=["int", "int"])
        operator.setting("integer_and_real", (numerators, denominators / 2))


def ternary():
    """Operators on three and four tensors."""
    select = Broadcast("select", ("c", "x", "y"), ("cond_align", "lhs_align", "rhs_align"), "z", np.where)
    c, x, y = bools(2, 3, 4), reals(2, 3, 4), reals(2, 3, 4, seed=1)
    select.setting("equal", (c, x, y))
    select.setting("integers", (bools(5), ints(5), ints(5, seed=1)))
    select.setting("truths", (bools(5), bools(5, seed=1), bools(5, seed=2)))
    select.setting("literals", (c, 1.0, -1.0))
    select.setting("condition_of_less_rank", (bools(4), x, y))
    select.setting("all_different", (bools(2, 1, 1), reals(3, 1), reals(4)))
    select.setting("left_aligned", (bools(2), x, reals(2, 3)), (0, None, 0))
    select.setting("shifted", (bools(3), x, reals(3, seed=1)), (1, None, -1))
    select.setting("scalar_condition", (np.array(True), x, y))
    select.setting("special", (np.array([True, False]), np.array([NAN, NAN]), np.array([1.0, INF])))
    select.setting("dynamic", (c, x, reals(4)), declared={"c": "bool[n|4, 3, 4]", "x": "real[n, 3, 4]",
                                                          "z": "real[n, 3, 4]"})
    for case, operands in [("condition_and_left", (bools(3), x, 1.0)), ("condition_and_right", (bools(3), 1.0, x)),
                           ("left_and_right", (True, x, reals(3)))]:
        select.invalid(case, operands, MISMATCH, outputs={"z": x})

    clamp = Broadcast("clamp", ("x", "a", "b"), ("val_align", "min_align", "max_align"), "y",
                      lambda x, a, b: np.minimum(np.maximum(x, a), b))
    clamp.setting("literals", (x, -1.5, 2.0))
    clamp.setting("integers", (ints(3, 4), -2, 5))
    clamp.setting("equal", (x, y - 1, y + 1))
    clamp.setting("broadcast", (x, reals(3, 1, seed=1) - 4, reals(4, seed=2) + 4))
    clamp.setting("left_aligned", (x, reals(2, seed=1) - 4, reals(2, 3, seed=2) + 4), (None, 0, 0))
    clamp.setting("shifted", (reals(3), reals(2, 3, 4, seed=1) - 4, reals(4, seed=2) + 4), (-1, None, None))
    clamp.setting("crossed", (x, 1.0, -1.0), note="Where the limits cross, the upper one holds.")
    clamp.setting("rank_0", (np.array(3.0), np.array(0.0), np.array(1.0)))
    clamp.setting("special", (np.array([-INF, INF, NAN, 0.5]), -1.0, INF))
    clamp.setting("dynamic", (x, 0.0, reals(4, seed=2)), declared={"x": "real[n|4, 3, 4]", "y": "real[n, 3, 4]"})
    for case, operands in [("value_and_minimum", (x, reals(3), 1.0)), ("value_and_maximum", (x, 1.0, reals(3))),
                           ("minimum_and_maximum", (0.0, x, reals(3)))]:
        clamp.invalid(case, operands, MISMATCH, outputs={"y": x})
    weighted_sums(x, y)


def weighted_sums(x, y):
    axpb = Broadcast("axpb", ("a", "x", "b"), ("a_align", "x_align", "b_align"), "y", lambda a, x, b: a * x + b)
    axpb.setting("equal", (x, y, x))
    axpb.setting("literals", (2.0, x, 0.5))
    axpb.setting("channels", (reals(3), x, reals(3, seed=1)), (1, None, 1))
    axpb.setting("negative_alignment", (reals(3), x, reals(3, seed=1)), (-1, None, -1))
    axpb.setting("left_aligned", (x, reals(2, 3, seed=1), reals(2, seed=2)), (None, 0, 0))
    axpb.setting("all_different", (reals(2, 1, 1), reals(3, 1), reals(4)))
    axpb.setting("rank_0", (np.array(2.0), np.array(3.0), np.array(-1.0)))
    axpb.setting("dynamic", (reals(4), x, 1.0), declared={"x": "real[n|4, 3, 4]", "y": "real[n, 3, 4]"})
    for case, operands in [("factors", (reals(3), x, 1.0)), ("summand_and_value", (1.0, x, reals(3))),
                           ("summand_and_factor", (x, 1.0, reals(3)))]:
        axpb.invalid(case, operands, MISMATCH, outputs={"y": x})

    axpby = Broadcast("axpby", ("a", "x", "b", "y"), ("a_align", "x_align", "b_align", "y_align"), "z",
                      lambda a, x, b, y: a * x + b * y)
    axpby.setting("equal", (x, y, y, x))
    axpby.setting("literals", (0.9, x, 0.1, y))
    axpby.setting("channels", (reals(3), x, reals(3, seed=1), y), (1, None, 1, None))
    axpby.setting("negative_alignment", (reals(3), x, 1.0, reals(2, 3, seed=1)), (-1, None, None, 0))
    axpby.setting("products_broadcast", (reals(2, 1, 1), reals(3, 1), reals(4), 2.0))
    axpby.setting("rank_0", (np.array(2.0), np.array(3.0), np.array(-1.0), np.array(0.5)))
    axpby.setting("dynamic", (2.0, x, 3.0, y), declared={"x": "real[n|4, 3, 4]", "y": "real[n, 3, 4]",
                                                          "z": "real[n, 3, 4]"})
    for case, operands in [("first_product", (reals(3), x, 1.0, y)), ("second_product", (1.0, x, reals(3), y)),
                           ("sum", (2.0, x, 3.0, reals(3)))]:
        axpby.invalid(case, operands, MISMATCH, outputs={"z": x})


def packs():
    """Operators on any number of tensors of one shape."""
    folds = {"sum_n": np.sum, "prod_n": np.prod, "min_n": np.min, "max_n": np.max, "argmin_n": np.argmin,
             "argmax_n": np.argmax, "any_n": np.any, "all_n": np.all}
    for name, fold in folds.items():
        operator = math.operator(name)
        truth, argument = name in ("any_n", "all_n"), name.startswith("arg")
        result = "index" if argument else "y"
        make = bools if truth else lambda *shape, seed: ints(*shape, low=-2, high=3, seed=seed) / 2
        kind = "bool" if truth else "real"

        def setting(case, items, **options):
            operator.setting(case, {"xs": items}, {result: fold(np.stack(items), axis=0)}, **options)

        setting("three", [make(2, 3, seed=seed) for seed in range(3)])
        setting("one", [make(4, seed=1)])
        setting("rank_0", [make(seed=seed) for seed in range(4)])
        setting("two_of_rank_4", [make(2, 1, 3, 2, seed=seed) for seed in range(2)])
        setting("dynamic", [make(2, 3, seed=seed) for seed in range(3)],
                declared={"xs": f"{kind}[n|4, 3]..(3)", result: f"{'int' if argument else kind}[n, 3]"})
        if not truth:
            setting("integers", [ints(5, seed=seed) for seed in range(3)])
        if name in ("min_n", "max_n"):
            setting("special", [np.array([NAN, 1.0, INF, 0.0]), np.array([1.0, NAN, -INF, 0.0])])
        if argument:
            setting("ties", [np.array([1.0, 2.0, 0.0]), np.array([1.0, 1.0, 3.0]), np.array([1.0, 1.0, 3.0])])


def reductions():
    """Operators along axes."""
    folds = {"min_reduce": np.min, "max_reduce": np.max, "sum_reduce": np.sum, "prod_reduce": np.prod,
             "any_reduce": np.any, "all_reduce": np.all, "mean_reduce": np.mean}
    for name, fold in folds.items():
        operator = math.operator(name)
        truth = name in ("any_reduce", "all_reduce")
        kind = "bool" if truth else "real"
        x = bools(2, 3, 4) if truth else reals(2, 3, 4)
        along_axes(operator, x, fold, kind)
        if name not in ("mean_reduce", "any_reduce", "all_reduce"):
            operator.setting("integers", {"input": ints(3, 4)}, {"output": fold(ints(3, 4), axis=1, keepdims=True)},
                             {"axes": [1]})
        if name in ("min_reduce", "max_reduce"):
            neutral = np.full((2, 1), INF if name == "min_reduce" else -INF)
            special = np.array([[NAN, 1.0, 2.0], [INF, -INF, 0.0]])
            operator.setting("special", {"input": special}, {"output": fold(special, axis=1)},
                             {"axes": [1], "squeeze": True})
        else:
            neutral = fold(x[:, 0, :0], axis=1, keepdims=True) if name != "mean_reduce" else np.full((2, 1), NAN)
        operator.setting("without_elements", {"input": x[:, 0, :0]}, {"output": neutral}, {"axes": [1]})
    norms()


def along_axes(operator, x, fold, kind, attributes=None, result="output"):
    attributes = attributes or {}

    def setting(case, axes, squeeze=None, x=x, **options):
        given = {} if axes is None else {"axes": axes}
        if squeeze is not None:
            given["squeeze"] = squeeze
        numbers = tuple(range(x.ndim)) if axes is None else tuple(axes)
        y = fold(x, axis=numbers, keepdims=not squeeze)
        operator.setting(case, {"input": x}, {result: y}, given | attributes, **options)

    setting("all", None)
    setting("all_squeezed", None, True)
    setting("one_axis", [1])
    setting("one_axis_squeezed", [1], True)
    setting("two_axes", [0, 2], False)
    setting("negative_axes", [-1, -3], True)
    setting("descending_axes", [2, 1], True)
    setting("no_axes", [])
    setting("rank_0", None, x=x[0, 0, 0])
    setting("singular", [1], x=x[:, :1])
    setting("dynamic", [2], declared={"input": f"{kind}[n|4, 3, 4]", result: f"{kind}[n, 3, 1]"})
    setting("dynamic_axis", [0], True, declared={"input": f"{kind}[n|4, 3, m|8]", result: f"{kind}[3, m]"})
    refuse_axes(operator, x, attributes)


def refuse_axes(operator, x, attributes, outputs=None):
    for case, axes, error in [("axis_too_large", [3], AXES_RULE), ("axis_too_small", [-4], AXES_RULE),
                              ("twice", [1, 1], DISTINCT), ("twice_from_both_ends", [1, -2], DISTINCT)]:
        result = outputs or {"y": np.zeros((), x.dtype)}
        operator.invalid(case, {"input": x}, error, {"axes": axes} | attributes, outputs=result)


def norms():
    norm = math.operator("lp_reduce")
    x = reals(2, 3, 4)
    for p in (1.0, 2.0, 3.0, 0.5):
        y = np.sum(np.abs(x) ** p, axis=(0, 2), keepdims=True) ** (1 / p)
        norm.setting(f"p_{str(p).replace('.', '_')}", {"input": x}, {"output": y}, {"axes": [0, 2], "p": p})
    along_axes(norm, x, lambda x, axis, keepdims: np.sqrt(np.sum(x * x, axis=axis, keepdims=keepdims)), "real",
               {"p": 2.0})
    norm.invalid("p_not_positive", {"input": x}, "`p` must be positive", {"p": 0.0})

    moments = math.operator("moments")
    for case, x, attributes in [
        ("all", x, {}), ("all_squeezed", x, {"squeeze": True}), ("one_axis", x, {"axes": [1]}),
        ("one_axis_squeezed", x, {"axes": [1], "squeeze": True}), ("negative_axes", x, {"axes": [-1, 0]}),
        ("two_axes_squeezed", x, {"axes": [0, -1], "squeeze": True}), ("no_axes", x, {"axes": []}),
        ("far_from_zero", x + 1000, {"axes": [2]}), ("rank_0", np.array(2.5), {}),
        ("dynamic", x, {"axes": [2]}),
    ]:
        axes = tuple(attributes.get("axes", range(x.ndim)))
        options = {"axis": axes, "keepdims": not attributes.get("squeeze", False)}
        declared = {"input": "real[n|4, 3, 4]", "mean": "real[n, 3, 1]", "variance": "real[n, 3, 1]"}
        x = x.astype(np.float32).astype(float)
        moments.setting(case, {"input": x}, {"mean": np.mean(x, **options), "variance": np.var(x, **options)}, attributes,
                        declared=declared if case == "dynamic" else None,
                        tolerance=1e-4 if case == "far_from_zero" else None)
    refuse_axes(moments, x, {}, {"mean": np.zeros(()), "variance": np.zeros(())})


def searches():
    """Operators that give positions."""
    x = ints(2, 3, 4, low=-2, high=3) / 2
    special = np.array([[1.0, NAN, 0.0], [NAN, 1.0, 2.0], [2.0, 2.0, 2.0]])

    def scan(values, better):
        """The first position that no later one improves, by the formula's comparison: NaN is never better."""
        best = 0
        for at, value in enumerate(values):
            if better(value, values[best]):
                best = at
        return best

    for name, better in [("argmin", np.less), ("argmax", np.greater)]:
        operator = math.operator(name)

        def found(x, axis, keep=True):
            y = np.apply_along_axis(scan, axis, x, better).astype(int)
            return np.expand_dims(y, axis) if keep else y

        for axis in range(3):
            operator.setting(f"axis_{axis}", {"input": x}, {"output": found(x, axis)}, {"axis": axis})
        operator.setting("negative_axis", {"input": x}, {"output": found(x, -2)}, {"axis": -2})
        operator.setting("squeezed", {"input": x}, {"output": found(x, 1, False)}, {"axis": 1, "squeeze": True})
        operator.setting("ties", {"input": np.ones((2, 3))}, {"output": np.zeros((2, 1))[:].astype(int)}, {"axis": 1})
        operator.setting("integers", {"input": ints(3, 4)}, {"output": found(ints(3, 4), 0)}, {"axis": 0})
        operator.setting("special", {"input": special}, {"output": found(special, 1)}, {"axis": 1})
        operator.setting("to_rank_0", {"input": x[0, 0]}, {"output": found(x[0, 0], 0, False)},
                         {"axis": 0, "squeeze": True})
        operator.setting("dynamic", {"input": x}, {"output": found(x, 2)}, {"axis": 2},
                         declared={"input": "real[n|4, 3, m|8]", "output": "int[n, 3, 1]"})
        integer = {"y": np.zeros((), int)}
        operator.invalid("axis_too_large", {"input": x}, AXIS_RULE, {"axis": 3}, outputs=integer)
        operator.invalid("axis_too_small", {"input": x}, AXIS_RULE, {"axis": -4}, outputs=integer)
        operator.invalid("nothing_to_search", {"input": x[:, :0]}, "the extent of `input` along `axis` must be positive",
                         {"axis": 1}, outputs=integer)
        searches_in_several_dimensions(math.operator(f"{name}_nd"), x, getattr(np, name))


def searches_in_several_dimensions(operator, x, find):
    def found(x, axes, squeeze):
        """The first position in row-major order; one tensor of coordinates for each axis."""
        searched = sorted(axis % x.ndim for axis in axes)
        kept = [axis for axis in range(x.ndim) if axis not in searched]
        extents = [x.shape[axis] for axis in searched]
        rows = x.transpose(kept + searched).reshape([x.shape[axis] for axis in kept] + [-1])
        coordinates = dict(zip(searched, np.unravel_index(find(rows, axis=-1), extents)))
        shape = [x.shape[axis] if axis in kept else 1 for axis in range(x.ndim)]
        results = [coordinates[axis % x.ndim] for axis in axes]
        return [result if squeeze else result.reshape(shape) for result in results]

    for case, axes, squeeze in [("all", None, None), ("all_squeezed", None, True), ("one_axis", [1], None),
                                ("two_axes", [0, 2], False), ("negative_axes_squeezed", [-1, 1], True),
                                ("descending_axes", [2, 0], True)]:
        attributes = ({} if axes is None else {"axes": axes}) | ({} if squeeze is None else {"squeeze": squeeze})
        operator.setting(case, {"input": x}, {"output": found(x, axes or [0, 1, 2], squeeze)}, attributes)
    operator.setting("ties", {"input": np.ones((2, 3))}, {"output": [np.array([[0]])] * 2})
    operator.setting("integers", {"input": ints(3, 4)}, {"output": found(ints(3, 4), [0, 1], True)}, {"squeeze": True})
    operator.setting("dynamic", {"input": x}, {"output": found(x, [1, 2], True)}, {"axes": [1, 2], "squeeze": True},
                     declared={"input": "real[n|4, 3, m|8]", "output": "int[n]..(2)"})
    refuse_axes(operator, x, {}, {"output": [np.zeros((), int)] * 2})
    operator.invalid("nothing_to_search", {"input": x[:, :0]}, "the extents of `input` along `axes` must be positive",
                     {"axes": [0, 1]}, outputs={"output": [np.zeros((), int)] * 2})


def cumulation():
    cumsum = math.operator("cumsum")
    x = reals(2, 3, 4)

    def summed(x, axis, exclusive=False, reverse=False):
        y = np.zeros_like(x)
        extent = x.shape[axis]
        for at in range(extent):
            first, last = (at + exclusive, extent) if reverse else (0, at + 1 - exclusive)
            part = np.take(x, range(first, last), axis)
            target = [slice(None)] * x.ndim
            target[axis] = at
            y[tuple(target)] = part.sum(axis)
        return y

    for axis in range(3):
        cumsum.setting(f"axis_{axis}", {"input": x}, {"output": summed(x, axis)}, {"axis": axis})
    cumsum.setting("negative_axis", {"input": x}, {"output": summed(x, -1)}, {"axis": -1})
    for exclusive, reverse in itertools.product((False, True), repeat=2):
        name = ("exclusive" if exclusive else "inclusive") + ("_reverse" if reverse else "")
        attributes = {"axis": 1, "exclusive": exclusive, "reverse": reverse}
        cumsum.setting(name, {"input": x}, {"output": summed(x, 1, exclusive, reverse)}, attributes)
    cumsum.setting("integers", {"input": ints(6)}, {"output": np.cumsum(ints(6))}, {"axis": 0})
    cumsum.setting("empty", {"input": x[:, :0]}, {"output": x[:, :0]}, {"axis": 1})
    cumsum.setting("dynamic", {"input": x}, {"output": summed(x, 2)}, {"axis": 2},
                   declared={"input": "real[n|4, 3, m|8]", "output": "real[n, 3, m]"})
    cumsum.invalid("axis_too_large", {"input": x}, AXIS_RULE, {"axis": 3})
    cumsum.invalid("axis_too_small", {"input": x}, AXIS_RULE, {"axis": -4})


with np.errstate(all="ignore"):
    unary()
    binary()
    ternary()
    packs()
    reductions()
    searches()
    cumulation()
    math.write()
