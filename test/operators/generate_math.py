"""Settings of the operators of `math`, computed by numpy from their definitions."""

import numpy as np

import math_reduction
from oracle import Module, bools, ints, reals

NAN, INF = np.nan, np.inf


def unary(math):
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

    def __init__(self, operator, names, attributes, result, function):
        self.operator = operator
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


def binary(math):
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
        operator = Broadcast(math.operator(name), ("x", "y"), ("lhs_align", "rhs_align"), "z", function)
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


def select(math):
    select = Broadcast(math.operator("select"), ("c", "x", "y"), ("cond_align", "lhs_align", "rhs_align"), "z", np.where)
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


def clamp(math):
    x, y = reals(2, 3, 4), reals(2, 3, 4, seed=1)
    clamp = Broadcast(math.operator("clamp"), ("x", "a", "b"), ("val_align", "min_align", "max_align"), "y",
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


def weighted_sums(math):
    x, y = reals(2, 3, 4), reals(2, 3, 4, seed=1)
    axpb = Broadcast(math.operator("axpb"), ("a", "x", "b"), ("a_align", "x_align", "b_align"), "y",
                     lambda a, x, b: a * x + b)
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

    axpby = Broadcast(math.operator("axpby"), ("a", "x", "b", "y"), ("a_align", "x_align", "b_align", "y_align"), "z",
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


math = Module("math")
with np.errstate(all="ignore"):
    unary(math)
    binary(math)
    select(math)
    clamp(math)
    weighted_sums(math)
    math_reduction.add(math)
math.write()
