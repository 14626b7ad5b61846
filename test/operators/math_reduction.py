"""Settings of `math`'s operators that combine the tensors of a pack or the elements along axes."""

import itertools

import numpy as np

from oracle import bools, ints, reals

NAN, INF = np.nan, np.inf
AXIS_RULE = "`axis` must lie between"
AXES_RULE = "`axes` must lie between"
DISTINCT = "`axes` must be distinct"


def add(math):
    for operators in (packs, reductions, norms, moments, searches, cumulation):
        operators(math)


def packs(math):
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


def reductions(math):
    """Operators along axes."""
    folds = {"min_reduce": np.min, "max_reduce": np.max, "sum_reduce": np.sum, "prod_reduce": np.prod,
             "any_reduce": np.any, "all_reduce": np.all, "mean_reduce": np.mean}
    for name, fold in folds.items():
        operator = math.operator(name)
        truth = name in ("any_reduce", "all_reduce")
        kind = "bool" if truth else "real"
        make = bools if truth else reals
        x = make(2, 3, 4)
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
        deep = make(2, 1, 3, 2, 2)
        operator.setting("rank_5", {"input": deep}, {"output": fold(deep, axis=(1, 4), keepdims=True)}, {"axes": [-1, 1]})
        if name in ("sum_reduce", "prod_reduce", "mean_reduce"):
            special = np.array([[INF, 1.0, 2.0], [INF, -INF, 0.5], [NAN, 1.0, 1.0], [-0.0, -0.0, -0.0]])
            operator.setting("special", {"input": special}, {"output": fold(special, axis=1)}, {"axes": [1], "squeeze": True})
        operator.setting("without_elements", {"input": x[:, 0, :0]}, {"output": neutral}, {"axes": [1]})


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


def norms(math):
    norm = math.operator("lp_reduce")
    x = reals(2, 3, 4)
    for p in (1.0, 2.0, 3.0, 0.5):
        y = np.sum(np.abs(x) ** p, axis=(0, 2), keepdims=True) ** (1 / p)
        norm.setting(f"p_{str(p).replace('.', '_')}", {"input": x}, {"output": y}, {"axes": [0, 2], "p": p})
    along_axes(norm, x, lambda x, axis, keepdims: np.sqrt(np.sum(x * x, axis=axis, keepdims=keepdims)), "real",
               {"p": 2.0})
    norm.invalid("p_not_positive", {"input": x}, "`p` must be positive", {"p": 0.0})


def moments(math):
    moments = math.operator("moments")
    x = reals(2, 3, 4)
    for case, x, attributes in [
        ("all", x, {}), ("all_squeezed", x, {"squeeze": True}), ("one_axis", x, {"axes": [1]}),
        ("one_axis_squeezed", x, {"axes": [1], "squeeze": True}), ("negative_axes", x, {"axes": [-1, 0]}),
        ("two_axes_squeezed", x, {"axes": [0, -1], "squeeze": True}), ("no_axes", x, {"axes": []}),
        ("far_from_zero", x + 1000, {"axes": [2]}), ("rank_0", np.array(2.5), {}),
        ("dynamic", x, {"axes": [2]}), ("dynamic_axis", x, {"axes": [0, 2]}),
    ]:
        axes = tuple(attributes.get("axes", range(x.ndim)))
        options = {"axis": axes, "keepdims": not attributes.get("squeeze", False)}
        result = "real[n, 3, 1]" if case == "dynamic" else "real[1, 3, 1]"
        declared = {"input": "real[n|4, 3, 4]", "mean": result, "variance": result}
        x = x.astype(np.float32).astype(float)
        moments.setting(case, {"input": x}, {"mean": np.mean(x, **options), "variance": np.var(x, **options)}, attributes,
                        declared=declared if case.startswith("dynamic") else None,
                        tolerance=1e-4 if case == "far_from_zero" else None)
    refuse_axes(moments, x, {}, {"mean": np.zeros(()), "variance": np.zeros(())})


def searches(math):
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
        deep = ints(2, 1, 3, 2, 2) / 2
        operator.setting("rank_5", {"input": deep}, {"output": found(deep, 2)}, {"axis": -3})
        operator.setting("singular", {"input": x[:, :1]}, {"output": found(x[:, :1], 1)}, {"axis": 1})
        operator.setting("empty_batch", {"input": x[:0]}, {"output": np.zeros((0, 1, 4), int)}, {"axis": 1})
        zeros = np.array([[0.0, -0.0], [-0.0, 0.0], [INF, INF], [-INF, -INF]])
        operator.setting("equal_values", {"input": zeros}, {"output": np.zeros((4, 1), int)}, {"axis": 1})
        operator.setting("dynamic_axis", {"input": x}, {"output": found(x, 0)}, {"axis": 0},
                         declared={"input": "real[n|4, 3, 4]", "output": "int[1, 3, 4]"})
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


def cumulation(math):
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
    cumsum.setting("rank_5", {"input": x.reshape(1, 2, 3, 2, 2)}, {"output": summed(x.reshape(1, 2, 3, 2, 2), 2)}, {"axis": 2})
    cumsum.setting("singular", {"input": x[:1]}, {"output": 0 * x[:1]}, {"axis": 0, "exclusive": True})
    cumsum.setting("special", {"input": np.array([1.0, INF, 2.0, -INF, 0.0])},
                   {"output": np.array([1.0, INF, INF, NAN, NAN])}, {"axis": 0})
    cumsum.setting("integers", {"input": ints(6)}, {"output": np.cumsum(ints(6))}, {"axis": 0})
    cumsum.setting("empty", {"input": x[:, :0]}, {"output": x[:, :0]}, {"axis": 1})
    cumsum.setting("dynamic", {"input": x}, {"output": summed(x, 2)}, {"axis": 2},
                   declared={"input": "real[n|4, 3, m|8]", "output": "real[n, 3, m]"})
    cumsum.invalid("axis_too_large", {"input": x}, AXIS_RULE, {"axis": 3})
    cumsum.invalid("axis_too_small", {"input": x}, AXIS_RULE, {"axis": -4})
