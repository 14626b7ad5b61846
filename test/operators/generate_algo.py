"""Settings of the operators of `algo`, computed by ONNX Runtime and numpy."""

import numpy as np

import onnx_node
from oracle import Literal, Module

random = np.random.default_rng(5)
algo = Module("algo")


def chosen(x, k, axis=0, largest=True, sorted=True):
    """The k first elements of a stable order, so that of equal ones the lower index comes first."""
    order = np.argsort(-x if largest else x, axis=axis, kind="stable")
    indices = np.take(order, range(min(k, x.shape[axis])), axis)
    indices = indices if sorted else np.sort(indices, axis=axis)
    return {"values": np.take_along_axis(x, indices, axis), "indices": indices}


top_k = algo.operator("top_k")


def add_top_k(name, x, attributes, **options):
    top_k.setting(name, {"input": x}, chosen(x, **attributes), attributes, **options)


x = random.normal(size=(4, 5, 3))
add_top_k("first_axis", x, {"k": 2})
add_top_k("middle_axis", x, {"k": 3, "axis": 1})
add_top_k("negative_axis", x, {"k": 1, "axis": -1})
add_top_k("smallest", x, {"k": 2, "axis": 1, "largest": False})
add_top_k("all", x, {"k": 5, "axis": 1})
add_top_k("more_than_there_are", x, {"k": 9, "axis": 1})
add_top_k("unsorted", x, {"k": 3, "axis": 1, "sorted": False}, note="The elements stand in the order of the input.")
ties = np.array([[2.0, 1.0, 2.0, 2.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]])
add_top_k("ties", ties, {"k": 4, "axis": 1})
add_top_k("ties_smallest", ties, {"k": 4, "axis": 1, "largest": False})
add_top_k("integers", np.array([3, -1, 3, 9, 2 ** 53 + 1, 2 ** 53]), {"k": 4})
add_top_k("smallest_integers", random.integers(-3, 4, size=(3, 6)), {"k": 3, "axis": 1, "largest": False})
add_top_k("vector", np.array([2.0]), {"k": 1})
add_top_k("no_elements", np.zeros((0, 3)), {"k": 2})
add_top_k("rank_5", random.normal(size=(1, 2, 4, 1, 3)), {"k": 2, "axis": -3})
zeros = np.array([-0.0, 0.0, -0.0])
add_top_k("signed_zeros", zeros, {"k": 3})
infinite = np.array([1.0, -np.inf, np.inf, 0.0])
add_top_k("infinities", infinite, {"k": 3})
top_k.setting("not_a_number", {"input": np.array([1.0, np.nan, 3.0])},
              {"values": np.array([np.nan, 3.0]), "indices": np.array([1, 2])}, {"k": 2})
add_top_k("dynamic", x, {"k": 3, "axis": 1},
          declared={"input": "real[4, n|6, m|4]", "values": "real[4, ~, m]", "indices": "int[4, ~, m]"})
top_k.setting("dynamic_k", {"input": x}, chosen(x, 2, 1), {"k": Literal("input.shape[1] / 2"), "axis": 1},
              declared={"input": "real[4, n|6, 3]", "values": "real[4, ~, 3]", "indices": "int[4, ~, 3]"})
found = dict(zip(("values", "indices"), onnx_node.run("TopK", x, np.array([3]), outputs=2, axis=1, largest=0)))
assert all(np.allclose(found[key], value) for key, value in chosen(x, 3, 1, largest=False).items())
top_k.setting("nan_last_of_smallest", {"input": np.array([np.nan, 1.0, -np.inf])},
              {"values": np.array([-np.inf, 1.0, np.nan]), "indices": np.array([2, 1, 0])}, {"k": 3, "largest": False})
results = {"v": np.zeros(()), "i": np.zeros((), int)}
top_k.invalid("axis_out_of_range", {"input": x}, "`axis` must lie between", {"k": 1, "axis": 3}, outputs=results)
top_k.invalid("axis_negative", {"input": x}, "`axis` must lie between", {"k": 1, "axis": -4}, outputs=results)
top_k.invalid("k_zero", {"input": x}, "`k` must be positive", {"k": 0}, outputs=results)

suppress = algo.operator("nonmax_suppress")


def kept(boxes, scores, box_format="CORNERS", max_outputs_per_class=None, iou_threshold=0.0, score_threshold=None):
    """ONNX Runtime's result."""
    most = boxes.shape[1] if max_outputs_per_class is None else max_outputs_per_class
    limit = None if score_threshold is None else np.array([score_threshold], np.float32)
    return onnx_node.run("NonMaxSuppression", boxes, scores, np.array([most]), np.array([iou_threshold], np.float32), limit,
                         center_point_box=int(box_format == "CENTER"))


def add_suppress(name, boxes, scores, attributes, declared=None):
    """A setting; the number of rows depends on the data."""
    b, c, n = scores.shape
    bound = b * c * attributes.get("max_outputs_per_class", n)
    suppress.setting(name, {"boxes": boxes, "scores": scores}, {"indices": kept(boxes, scores, **attributes)}, attributes,
                     declared={"indices": f"int[~|{bound}, 3]", **(declared or {})})


def boxes_at(centers, sizes):
    return np.concatenate([centers - sizes / 2, centers + sizes / 2], axis=-1)


centers, sizes = random.uniform(0, 4, size=(2, 8, 2)), random.uniform(1, 3, size=(2, 8, 2))
boxes, scores = boxes_at(centers, sizes), random.uniform(size=(2, 3, 8))
add_suppress("no_overlap", boxes, scores, {})
add_suppress("overlap", boxes, scores, {"iou_threshold": 0.3})
add_suppress("every_box", boxes, scores, {"iou_threshold": 1.0})
add_suppress("scores", boxes, scores, {"iou_threshold": 0.5, "score_threshold": 0.6})
add_suppress("few_outputs", boxes, scores, {"iou_threshold": 0.4, "max_outputs_per_class": 2})
add_suppress("no_outputs", boxes, scores, {"max_outputs_per_class": 0})
add_suppress("nothing_left", boxes, scores, {"score_threshold": 2.0})
add_suppress("centers", np.concatenate([centers, sizes], axis=-1), scores, {"box_format": "CENTER", "iou_threshold": 0.3})
flipped = boxes[..., [2, 1, 0, 3]]
flipped[:, ::2] = flipped[:, ::2][..., [0, 3, 2, 1]]
add_suppress("other_corners", flipped, scores, {"iou_threshold": 0.3})
add_suppress("equal_scores", boxes, np.full((2, 1, 8), 0.5), {"iou_threshold": 0.3})
add_suppress("empty_boxes", np.zeros((1, 3, 4)), np.array([[[0.1, 0.3, 0.2]]]), {})
add_suppress("dynamic", boxes, scores, {"iou_threshold": 0.3, "max_outputs_per_class": 4},
             declared={"boxes": "real[2, n|9, 4]", "scores": "real[2, 3, n]"})
add_suppress("one_box", boxes[:1, :1], scores[:1, :1, :1], {})
add_suppress("touching_boxes", np.array([[[0.0, 0, 1, 1], [0, 1, 1, 2], [0, 0, 1, 1]]]), np.array([[[0.5, 0.75, 0.25]]]), {})
# An overlap of exactly the threshold, and a score of exactly the limit.
add_suppress("at_the_limits", np.array([[[0.0, 0, 1, 1], [0, 0, 1, 2], [0, 0, 1, 4]]]), np.array([[[0.5, 0.75, 1.0]]]),
             {"iou_threshold": 0.5, "score_threshold": 0.5})
add_suppress("negative_scores", boxes, -scores, {"iou_threshold": 0.5})
add_suppress("more_than_boxes", boxes, scores, {"max_outputs_per_class": 20, "iou_threshold": 0.5})
add_suppress("centers_flipped_extents", np.array([[[1.0, 1, 2, 2], [2, 1, 2, 2], [1, 1, 0, 2]]]),
             np.array([[[0.5, 0.75, 0.9]]]), {"box_format": "CENTER", "iou_threshold": 0.25})
inputs = {"boxes": boxes, "scores": scores}


def refused(name, inputs, error, attributes=None):
    suppress.invalid(name, inputs, error, attributes, outputs={"y": np.zeros((), int)})


refused("format_unknown", inputs, "`box_format` must be one of", {"box_format": "YXYX"})
refused("overlap_negative", inputs, "`iou_threshold` must lie between 0 and 1", {"iou_threshold": -0.1})
refused("overlap_above_one", inputs, "`iou_threshold` must lie between 0 and 1", {"iou_threshold": 1.1})
refused("outputs_negative", inputs, "`max_outputs_per_class` must not be negative", {"max_outputs_per_class": -1})
refused("coordinates", {**inputs, "boxes": boxes[..., :3]}, "dimension 2")
refused("boxes_missing", {**inputs, "scores": scores[..., 1:]}, "dimension 2")

algo.write()
