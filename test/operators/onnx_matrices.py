"""Settings of `onnx`'s operators on matrices, and of those that make or take parts of them."""

import numpy as np

import onnx_node
from oracle import bools, ints, reals


def add(onnx):
    for operator in (triangles, eye, diagonal, pivots, softmax_or_zero, softmax_zero,
                     row_distances, couple_pairs, expand):
        operator(onnx)


def triangles(onnx):
    for name, part, upper in [("upper", np.triu, 1), ("lower", np.tril, 0)]:
        operator = onnx.operator(name)

        def variants(case, x, diagonals, operator=operator, part=part, upper=upper, **options):
            for diagonal in diagonals:
                found = onnx_node.run("Trilu", x, np.array(diagonal), upper=upper)
                np.testing.assert_array_equal(found, part(x.astype(found.dtype), diagonal))
            results = {f"y{at}": ({"diagonal": diagonal} if diagonal else {}, part(x, diagonal))
                       for at, diagonal in enumerate(diagonals)}
            operator.variants(case, {"x": x}, results, **options)

        variants("reals", reals(2, 3, 4), [0, 1, -1])
        variants("ints", ints(4, 3), [0, 2, -9, 9])
        variants("dynamic", reals(3, 4), [0, -1],
                 declared={"x": "real[n|4, 4]", "y0": "real[n, 4]", "y1": "real[n, 4]"})
        variants("not_a_number", np.where(bools(3, 3), np.nan, 1.0), [0])
        of_bools = onnx.operator(f"{name}_bool")
        variants("bools", bools(2, 3, 4), [0, 1], operator=of_bools)
        variants("others", bools(4, 3, seed=2), [-1, 2], operator=of_bools)
        variants("dynamic", bools(3, 4), [0], operator=of_bools,
                 declared={"x": "bool[n|4, 4]", "y0": "bool[n, 4]"})


def eye(onnx):
    operator = onnx.operator("eye")

    def setting(case, kind, shape, diagonals):
        def expected(diagonal):
            found = np.eye(*shape, diagonal, dtype=kind)
            assert (found == onnx_node.run("EyeLike", np.zeros(shape, np.float32), k=diagonal).astype(kind)).all()
            return {"shape": shape} | ({"diagonal": diagonal} if diagonal else {}), found

        operator.variants(case, {}, {f"y{at}": expected(diagonal) for at, diagonal in enumerate(diagonals)},
                          types=["real" if kind is float else "int"])

    setting("reals", float, [3, 4], [0, 1, -2])
    setting("ints", int, [4, 2], [0, -3])
    setting("outside", float, [2, 2], [5, -5])


def diagonal(onnx):
    operator = onnx.operator("diagonal")
    for case, x, *declared in [("matrix", ints(3, 3)), ("batches", reals(2, 3, 4, 4)), ("empty", np.zeros((2, 0, 0))),
                               ("dynamic", reals(3, 2, 2), "real[n|4, 2, 2]", "real[n, 2]")]:
        options = {"declared": dict(zip(("x", "y"), declared))} if declared else {}
        operator.setting(case, {"x": x}, {"y": np.diagonal(x, axis1=-2, axis2=-1)}, **options)
    operator.invalid("not_square", {"x": ints(2, 3)}, "dimension 1", outputs={"y": ints(2)})


def pivots(onnx):
    """Elimination, step by step and as a whole."""
    factor, eliminate = onnx.operator("pivot_factor"), onnx.operator("eliminate")
    x = reals(2, 3, 3)

    def setting(case, x, row, declared=None):
        rows = row.reshape(-1)
        matrices = x.reshape(-1, *x.shape[-2:])
        signs = np.where(rows == 0, 1.0, -1.0)
        first = np.array([matrix[at, 0] for matrix, at in zip(matrices, rows)])
        rest = np.array([eliminated(matrix, at) for matrix, at in zip(matrices, rows)])
        inputs = {"x": x, "row": row}
        declared = declared or {}
        factor.setting(case, inputs, {"y": (signs * first).reshape(row.shape)},
                       declared={key: kind for key, kind in declared.items() if key != "rest"})
        if "rest" in declared:
            declared = {**declared, "y": declared["rest"]}
        eliminate.setting(case, inputs, {"y": rest.reshape(*row.shape, *rest.shape[1:])},
                          declared={key: kind for key, kind in declared.items() if key != "rest"})

    setting("batches", x, np.array([0, 2]))
    setting("one", x[0], np.array(1))
    setting("zeros", np.zeros((1, 2, 2)), np.array([0]))
    setting("dynamic", x, np.array([2, 1]), {"x": "real[n|4, 3, 3]", "row": "int[n]", "y": "real[n]",
                                             "rest": "real[n, 2, 2]"})
    body = """\
a = onnx.pivot_factor(x, first);
rest = onnx.eliminate(x, first);
b = onnx.pivot_factor(rest, second);
last = onnx.eliminate(rest, second);
c = onnx.pivot_factor(last, zero);
ab = math.mul(a, b);
y = math.mul(ab, c);"""
    zero = np.zeros(2, int)
    eliminate.setting("determinant", {"x": x, "first": np.array([2, 1]), "second": np.array([1, 0]), "zero": zero},
                      {"y": onnx_node.run("Det", x)}, body=body)


def eliminated(matrix, row):
    """The rows but one, of which multiples have been taken off so that they begin with 0; the first has its place."""
    order = np.arange(len(matrix))
    order[[0, row]] = order[[row, 0]]
    pivot, *others = matrix[order]
    if pivot[0] == 0:
        return np.zeros((len(matrix) - 1,) * 2)
    return np.array([other[1:] - other[0] / pivot[0] * pivot[1:] for other in others])


def softmax_or_zero(onnx):
    """Attention in ONNX gives 0 where a mask leaves nothing; the identity as keys makes the queries scores."""
    def computed(x):
        x = np.asarray(x)
        largest = x.max(-1, keepdims=True)
        powers = np.exp(x - np.where(np.isfinite(largest), largest, 0.0))
        sums = powers.sum(-1, keepdims=True)
        return np.divide(powers, sums, out=np.zeros_like(powers), where=sums > 0)

    x = reals(2, 3, 5)
    masked = np.where(bools(2, 3, 5), x, -np.inf)
    masked[0, 1] = -np.inf
    operator = onnx.operator("softmax_or_zero")
    operator.setting("all", {"x": x}, {"y": onnx_node.run("Softmax", x)})
    operator.setting("masked", {"x": masked}, {"y": computed(masked)})
    operator.setting("one", {"x": np.array([[3.0], [-np.inf]])}, {"y": np.array([[1.0], [0.0]])})
    operator.setting("dynamic", {"x": masked}, {"y": computed(masked)},
                     declared={"x": "real[n|4, 3, m|8]", "y": "real[n, 3, m]"})


def softmax_zero(onnx):
    def computed(x):
        """A linear model with the identity for weights ends with it."""
        identity = np.eye(x.shape[1]).ravel().tolist()
        return onnx_node.run("LinearRegressor", x, domain="ai.onnx.ml", coefficients=identity,
                             targets=x.shape[1], post_transform="SOFTMAX_ZERO")

    operator = onnx.operator("softmax_zero")
    x = np.array([[1.0, 0.0, -2.0], [3.0, 3.0, 3.0], [0.5, -0.5, 0.0]])
    for case, x, *declared in [("values", x), ("wide", reals(2, 9)),
                               ("dynamic", x, "real[n|4, 3]", "real[n, 3]")]:
        options = {"declared": dict(zip(("x", "y"), declared))} if declared else {}
        operator.setting(case, {"x": x}, {"y": computed(x)}, **options)
    operator.setting("zeros", {"x": np.zeros((2, 3))}, {"y": np.full((2, 3), 0.5)},
                     note="ONNX Runtime gives halves where all are 0.")


def row_distances(onnx):
    def computed(x, y):
        return ((x[:, None] - y[None]) ** 2).sum(-1)

    operator = onnx.operator("row_distances")
    x, y = reals(3, 4), reals(2, 4, seed=1)
    operator.setting("rows", {"x": x, "y": y}, {"z": computed(x, y)})
    operator.setting("no_features", {"x": x[:, :0], "y": y[:, :0]}, {"z": np.zeros((3, 2))})
    operator.setting("dynamic", {"x": x, "y": y}, {"z": computed(x, y)},
                     declared={"x": "real[n|4, 4]", "z": "real[n, 2]"})
    operator.invalid("features", {"x": x, "y": reals(2, 3)}, "dimension 1", outputs={"z": reals(3, 2)})


def coupled(pair):
    """How likely classes are, row by row, as LIBSVM computes it."""
    count = pair.shape[1]
    share = np.full(count, 1 / count)
    squares = np.where(np.eye(count, dtype=bool), 0, pair ** 2).sum(1)
    matrix = np.where(np.eye(count, dtype=bool), squares[:, None], -pair.transpose(0, 2, 1) * pair)
    rows = []
    for q in matrix:
        p = share.copy()
        for _ in range(100):
            slope = q @ p
            product = p @ slope
            if np.abs(slope - product).max() < 0.005 / count:
                break
            for k in range(count):
                d = (product - slope[k]) / q[k, k]
                product = (product + d * (d * q[k, k] + 2 * slope[k])) / (1 + d) ** 2
                slope = (slope + d * q[k]) / (1 + d)
                p[k] += d
                p /= 1 + d
        rows.append(p)
    return np.array(rows)


def couple_pairs(onnx):
    def pairs(rows, classes, seed=0):
        above = np.triu(reals(rows, classes, classes, low=0.05, high=0.95, seed=seed), 1)
        return above + np.tril(1 - above.transpose(0, 2, 1), -1)

    operator = onnx.operator("couple_pairs")
    for case, pair in [("two", pairs(3, 2)), ("five", pairs(4, 5, seed=1))]:
        operator.setting(case, {"pair": pair}, {"share": coupled(pair)})
    pair = pairs(3, 3, seed=2)
    operator.setting("dynamic", {"pair": pair}, {"share": coupled(pair)},
                     declared={"pair": "real[n|4, 3, 3]", "share": "real[n, 3]"})
    operator.invalid("not_square", {"pair": reals(2, 3, 4)}, "dimension 2", outputs={"share": reals(2, 3)})


def expand(onnx):
    operator = onnx.operator("expand")
    for case, x, shape in [("rows", reals(1, 3), (4, 3)), ("both", ints(1, 1), (2, 3)), ("nothing", bools(1, 3), (0, 3)),
                           ("none_of_many", reals(0, 1), (0, 3))]:
        operator.setting(case, {"input": x}, {"output": np.broadcast_to(x, shape)}, {"shape": list(shape)})
    operator.invalid("not_one", {"input": reals(2, 3)}, "must be 1 or those of `shape`", {"shape": [4, 3]},
                     outputs={"output": reals(4, 3)})
