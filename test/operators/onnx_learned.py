"""Settings of `onnx`'s operators of trees."""

import numpy as np

import onnx_node
from oracle import ints, reals

MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]


class Forest:
    """Trees of two levels above their leaves: nodes 0, 1, 2 of each ask, 3 to 6 are leaves."""

    def __init__(self, modes, missing=0):
        trees = len(modes)
        self.roots = np.arange(trees) * 7
        self.feature = np.tile([0, 1, 0, 0, 0, 0, 0], trees)
        self.split = np.tile([0.5, -1.0, 2.0, 0.0, 0.0, 0.0, 0.0], trees)
        self.mode = np.repeat(modes, 7)
        self.missing = np.tile([missing, 1, 0, 0, 0, 0, 0], trees)
        # Leaves lead to themselves.
        self.yes = np.concatenate([at + np.array([1, 3, 5, 3, 4, 5, 6]) for at in self.roots])
        self.no = np.concatenate([at + np.array([2, 4, 6, 3, 4, 5, 6]) for at in self.roots])

    def leaves(self, x):
        """Where each row ends in each tree."""
        return np.array([[self.leaf(row, root) for root in self.roots] for row in x])

    def leaf(self, row, at):
        for _ in range(2):
            value, split = np.float32(row[self.feature[at]]), np.float32(self.split[at])
            holds = [value <= split, value < split, value >= split, value > split, value == split, value != split]
            missing = np.isnan(value) and self.missing[at]
            at = self.yes[at] if holds[self.mode[at]] or missing else self.no[at]
        return at

    def inputs(self, x):
        return {"x": x, "roots": self.roots, "feature": self.feature, "split": self.split, "mode": self.mode,
                "missing": self.missing, "yes": self.yes, "no": self.no}

    def regression(self, x, weights, together):
        """What ONNX Runtime says for each target."""
        trees = len(self.roots)
        tree, node = np.divmod(np.arange(7 * trees), 7)
        is_leaf = node >= 3
        rows, targets = np.nonzero(is_leaf[:, None] & np.ones((1, weights.shape[1]), bool))
        given = {"nodes_treeids": tree, "nodes_nodeids": node, "nodes_featureids": self.feature,
                 "nodes_truenodeids": np.where(is_leaf, 0, self.yes % 7),
                 "nodes_falsenodeids": np.where(is_leaf, 0, self.no % 7),
                 "nodes_missing_value_tracks_true": self.missing,
                 "target_treeids": rows // 7, "target_nodeids": rows % 7, "target_ids": targets}
        given = {key: values.tolist() for key, values in given.items()}
        modes = ["LEAF" if leaf else MODES[mode] for leaf, mode in zip(is_leaf, self.mode)]
        return onnx_node.run("TreeEnsembleRegressor", x, domain="ai.onnx.ml", nodes_modes=modes,
                             nodes_values=self.split.tolist(), target_weights=weights[rows, targets].tolist(),
                             n_targets=weights.shape[1], aggregate_function=together, **given)


def add(onnx):
    tree_leaves(onnx)
    tree_totals(onnx)


ROWS = np.array([[0.5, -1.0], [0.0, 0.0], [2.0, -1.5], [3.0, 9.0], [0.5, 1.0]])


def tree_leaves(onnx):
    operator = onnx.operator("tree_leaves")

    def setting(case, x, forest, **options):
        operator.setting(case, forest.inputs(x), {"leaves": forest.leaves(x)}, {"depth": 2}, **options)

    setting("modes", ROWS, Forest(range(6)))
    setting("missing", np.array([[np.nan, 0.0], [0.0, np.nan], [np.nan, np.nan]]), Forest([0, 3], missing=1))
    setting("dynamic", ROWS, Forest([0, 3]), declared={"x": "real[n|8, 2]", "leaves": "int[n, 2]"})
    operator.setting("no_step", Forest([1, 1]).inputs(ROWS), {"leaves": np.tile([0, 7], (5, 1))}, {"depth": 0})


def tree_totals(onnx):
    forest = Forest([0, 3, 1])
    weights = reals(21, 2, seed=3)
    leaves = forest.leaves(ROWS)
    for name in ("sum", "min", "max"):
        operator = onnx.operator(f"tree_{name}")
        expected = forest.regression(ROWS, weights, name.upper())
        operator.setting("targets", {"leaves": leaves, "weights": weights}, {"y": expected})
        operator.setting("dynamic", {"leaves": leaves, "weights": weights}, {"y": expected},
                         declared={"leaves": "int[n|8, 3]", "y": "real[n, 2]"})
        single = ints(4, 1, low=0, high=21)
        operator.setting("one_tree", {"leaves": single, "weights": weights}, {"y": weights[single[:, 0]]})
