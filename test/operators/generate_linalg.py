"""Settings of the operators of `linalg`, computed by numpy."""

import numpy as np

from oracle import Module, ints

random = np.random.default_rng(3)
linalg = Module("linalg")


def normal(*shape):
    return random.normal(size=shape)


dot = linalg.operator("dot")
x, y = normal(2, 5)
dot.setting("plain", {"x": x, "y": y}, {"z": np.array(x @ y)})
dot.setting("initial", {"x": x, "y": y, "b": np.array(1.5)}, {"z": np.array(x @ y + 1.5)})
dot.setting("empty", {"x": np.zeros(0), "y": np.zeros(0), "b": -2.0}, {"z": np.array(-2.0)})
dot.setting("dynamic", {"x": x, "y": y}, {"z": np.array(x @ y)}, declared={"x": "real[n|8]", "y": "real[n]"})
dot.setting("integers", {"x": ints(67), "y": ints(67, seed=1)}, {"z": np.array(ints(67) @ ints(67, seed=1))})
dot.invalid("lengths", {"x": x, "y": y[1:]}, "dimension 0", outputs={"z": np.zeros(())})

matvec = linalg.operator("matvec")
a, x, y = normal(3, 4), normal(4), normal(3)
matvec.setting("plain", {"A": a, "x": x}, {"y": a @ x})
matvec.setting("summand", {"A": a, "x": x, "b": y}, {"y": a @ x + y})
matvec.setting("transposed", {"A": a, "x": y}, {"y": a.T @ y}, {"transA": True})
matvec.setting("transposed_summand", {"A": a, "x": y, "b": x}, {"y": a.T @ y + x}, {"transA": True})
matvec.setting("dynamic", {"A": a, "x": x}, {"y": a @ x},
               declared={"A": "real[m|4, n|5]", "x": "real[n]", "y": "real[m]"})
matvec.setting("integers", {"A": ints(3, 9), "x": ints(9, seed=1)}, {"y": ints(3, 9) @ ints(9, seed=1)})
matvec.invalid("length", {"A": a, "x": y}, "dimension 0")
matvec.invalid("summand_length", {"A": a, "x": x, "b": x}, "dimension 0")

matmul = linalg.operator("matmul")
a, b, c = normal(2, 3), normal(3, 4), normal(2, 4)
for name, trans_a, trans_b in (("plain", False, False), ("left", True, False), ("right", False, True), ("both", True, True)):
    operands = {"A": a.T if trans_a else a, "B": b.T if trans_b else b}
    transposed = {"transA": trans_a, "transB": trans_b} if trans_a or trans_b else {}
    matmul.setting(name, operands, {"Z": a @ b}, transposed)
    matmul.setting(f"{name}_summand", {**operands, "C": c}, {"Z": a @ b + c}, transposed)
    wrong = {"A": operands["A"], "B": normal(5, 5)}
    matmul.invalid(f"{name}_contraction", wrong, "the contracted dimensions of `A`", transposed)


def batched(name, shape_a, shape_b, shape_c=None, transposed=False, **options):
    left, right = normal(*shape_a, 2, 3), normal(*shape_b, 3, 4)
    operands = {"A": np.swapaxes(left, -1, -2) if transposed else left, "B": right}
    z = left @ right
    if shape_c is not None:
        operands["C"] = normal(*shape_c, 2, 4)
        z = z + operands["C"]
    matmul.setting(name, operands, {"Z": z}, {"transA": True} if transposed else {}, **options)


batched("batch", (5,), (5,))
batched("batch_summand", (5,), (5,), (5,))
batched("batch_transposed", (2, 3), (2, 3), transposed=True)
batched("broadcast_left", (1, 3), (2, 3), (2, 1))
batched("broadcast_right", (2, 3), (2, 1), (1, 1))
batched("broadcast_both", (2, 1), (1, 3), ())
batched("lower_rank_left", (3,), (2, 3), (3,))
batched("lower_rank_right", (2, 3), ())
batched("empty_batch", (0,), (1,))
batched("dynamic", (2, 3), (3,),
        declared={"A": "real[n|4, 3, 2, k|5]", "B": "real[3, k, 4]", "Z": "real[n, 3, 2, 4]"})
matmul.setting("no_contraction", {"A": normal(2, 0), "B": normal(0, 3), "C": np.ones((2, 3))}, {"Z": np.ones((2, 3))})
matmul.invalid("batches", {"A": normal(2, 2, 3), "B": normal(3, 3, 4)}, "can't be broadcast")
matmul.invalid("summand_batches", {"A": normal(2, 2, 3), "B": normal(2, 3, 4), "C": normal(3, 2, 4)}, "can't be broadcast")
matmul.invalid("summand_rows", {"A": a, "B": b, "C": c.T}, "dimension 0")

outer = linalg.operator("outer")
x, y = normal(3), normal(4)
outer.setting("vectors", {"x": x, "y": y}, {"z": np.outer(x, y)})
x, y = normal(2, 3), normal(4)
outer.setting("matrix_and_vector", {"x": x, "y": y}, {"z": np.multiply.outer(x, y)})
outer.setting("scalar_and_matrix", {"x": 2.5, "y": x}, {"z": 2.5 * x})
outer.setting("dynamic", {"x": x, "y": y}, {"z": np.multiply.outer(x, y)},
              declared={"x": "real[2, n|5]", "y": "real[m|6]", "z": "real[2, n, m]"})

linalg.write()
