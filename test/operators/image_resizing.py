"""Settings of `image`'s resizing."""

import numpy as np

import onnx_node
from interpolation import ROUNDING, resized

TRANSFORMS = {"SYMMETRIC": "half_pixel", "ASYMMETRIC": "asymmetric", "ALIGNED": "align_corners"}


def onnx_resized(x, size, mode, coordinate_transform="SYMMETRIC", rounding_method="ROUND_PREFER_FLOOR", coeff_a=-0.75):
    """ONNX Runtime's result for all axes."""
    return onnx_node.run("Resize", x, None, None, np.array(size), mode=mode.lower(), cubic_coeff_a=coeff_a,
                         coordinate_transformation_mode=TRANSFORMS[coordinate_transform],
                         nearest_mode=rounding_method.lower())


def add_common(operator, mode, random, more):
    """What all resizes to a size have in common."""
    def setting(name, shape, attributes, **options):
        x, attributes = random.normal(size=shape), {**more, **attributes}
        known = {key: value for key, value in attributes.items() if key not in ("mode", "antialias")}
        known["coeff_a"] = known.pop("cubic_coeff_a", known.get("coeff_a", -0.75))
        size = known.pop("size")
        size = [size] * len(known.get("axes", shape)) if isinstance(size, int) else size
        operator.setting(name, {"input": x}, {"output": resized(x, size, mode, **known)}, attributes, **options)

    for transform in TRANSFORMS:
        setting(f"{transform.lower()}_up", (3, 4), {"size": [5, 7], "coordinate_transform": transform})
        setting(f"{transform.lower()}_down", (7, 9), {"size": [3, 4], "coordinate_transform": transform})
        setting(f"{transform.lower()}_to_one", (4, 3), {"size": 1, "coordinate_transform": transform})
    setting("same_size", (3, 4), {"size": [3, 4]})
    setting("from_one", (1, 2), {"size": [4, 3]})
    setting("spatial_axes", (2, 3, 4, 5), {"axes": [2, 3], "size": [6, 3]})
    setting("negative_axes", (2, 4, 5), {"axes": [-1, 1], "size": [7, 2]})
    setting("one_axis", (2, 5), {"axes": [1], "size": 8})
    setting("vector", (5,), {"size": [8]})
    setting("rank_5", (1, 2, 3, 1, 4), {"axes": [-1, 2], "size": [2, 5]})
    setting("no_axes", (2, 3), {"axes": [], "size": []})
    setting("much_larger", (1, 3), {"axes": [1], "size": 20})
    setting("much_smaller", (23,), {"size": 2})
    setting("dynamic", (2, 3, 4), {"axes": [2], "size": 6},
            declared={"input": "real[n|3, 3, m|6]", "output": "real[n, 3, 6]"})
    operands = {"input": random.normal(size=(3, 4))}
    operator.invalid("axis_out_of_range", operands, "`axes` must lie between", {**more, "axes": [-3], "size": 2})
    operator.invalid("axes_equal", operands, "`axes` must be distinct", {**more, "axes": [0, 0], "size": 2})
    operator.invalid("axes_equal_from_both_ends", operands, "`axes` must be distinct", {**more, "axes": [0, -2], "size": 2})
    operator.invalid("size_zero", operands, "`size` must be positive", {**more, "size": [2, 0]})
    operator.invalid("transform_unknown", operands, "`coordinate_transform` must be one of",
                     {**more, "size": 2, "coordinate_transform": "HALF_PIXEL"})
    return setting


def add_resizes(image, random):
    for mode in ("NEAREST", "LINEAR", "CUBIC"):
        operator = image.operator(f"{mode.lower()}_resize")
        more = {"antialias": False} if mode == "CUBIC" else {}
        setting = add_common(operator, mode, random, more)
        if mode == "NEAREST":
            add_rounding(operator, setting, random, {})
            whole = np.arange(12).reshape(3, 4) * 21 - 128
            operator.setting("integers", {"input": whole}, {"output": resized(whole, [5, 7], mode).astype(int)},
                             {"size": [5, 7]})
        if mode == "CUBIC":
            setting("sharper", (4, 5), {"size": [7, 9], "coeff_a": -0.5})
        for transform in TRANSFORMS:
            x = random.normal(size=(5, 8))
            check = onnx_resized(x, [7, 11], mode, transform)
            assert np.allclose(check, resized(x, [7, 11], mode, coordinate_transform=transform), atol=1e-5)


def add_rounding(operator, setting, random, more):
    """Positions half-way between elements, rounded in all ways."""
    for method in ROUNDING:
        for transform in TRANSFORMS:
            attributes = {"size": [6, 8], "rounding_method": method, "coordinate_transform": transform}
            setting(f"{method.lower()}_{transform.lower()}", (3, 4), attributes)
            x = random.normal(size=(3, 4))
            check = onnx_resized(x, [6, 8], "NEAREST", transform, method)
            assert np.allclose(check, resized(x, [6, 8], "NEAREST", None, transform, method), atol=1e-5)
    operator.invalid("rounding_unknown", {"input": random.normal(size=(3, 4))}, "`rounding_method` must be one of",
                     {**more, "size": 2, "rounding_method": "ROUND"})


def add_resize(image, random):
    """The operator that has all modes."""
    operator = image.operator("resize")
    add_common(operator, "NEAREST", random, {})
    for mode in ("NEAREST", "LINEAR", "CUBIC"):
        for transform in TRANSFORMS:
            x = random.normal(size=(2, 3, 4))
            attributes = {"axes": [1, 2], "size": [5, 7], "mode": mode, "coordinate_transform": transform}
            operator.setting(f"{mode.lower()}_{transform.lower()}", {"input": x},
                             {"output": resized(x, [5, 7], mode, [1, 2], transform)}, attributes)
    x = random.normal(size=(4, 5))
    operator.setting("cubic_coefficient", {"input": x}, {"output": resized(x, [7, 9], "CUBIC", coeff_a=-0.5)},
                     {"size": [7, 9], "mode": "CUBIC", "cubic_coeff_a": -0.5})
    operator.setting("rounding", {"input": x}, {"output": resized(x, [8, 9], "NEAREST", rounding_method="CEIL")},
                     {"size": [8, 9], "rounding_method": "CEIL"})
    operator.invalid("mode_unknown", {"input": x}, "`mode` must be one of", {"size": 2, "mode": "AREA"})
    operator.invalid("rounding_unknown", {"input": x}, "`rounding_method` must be one of",
                     {"size": 2, "rounding_method": "ROUND"})


def add_rescale(image, random):
    operator = image.operator("rescale")

    def setting(name, shape, factor, size, mode, attributes=None, **options):
        x, attributes = random.normal(size=shape), attributes or {}
        known = {"coeff_a" if key == "cubic_coeff_a" else key: value for key, value in attributes.items()}
        known.pop("antialias", None)
        operator.setting(name, {"input": x}, {"output": resized(x, size, mode, **known)},
                         {"factor": factor, "mode": mode, **attributes}, **options)

    setting("nearest", (3, 4), [2.0, 1.5], [6, 6], "NEAREST")
    setting("linear", (3, 4), [2.0, 2.5], [6, 10], "LINEAR", {"coordinate_transform": "ASYMMETRIC"})
    setting("cubic", (3, 4), [2.0, 1.75], [6, 7], "CUBIC", {"coordinate_transform": "ALIGNED", "cubic_coeff_a": -0.5})
    # The new size is rounded half away from zero: 2.5 to 3, 4.5 to 5.
    setting("rounded_size", (5, 9), 0.5, [3, 5], "LINEAR")
    setting("smaller", (5, 9), [0.6, 0.3], [3, 3], "NEAREST", {"rounding_method": "FLOOR"})
    setting("axes", (2, 3, 4), [3.0, 2.0], [12, 4], "NEAREST", {"axes": [-1, 0]})
    setting("factor_one", (3, 4), 1.0, [3, 4], "CUBIC", {"antialias": False})
    setting("dynamic", (2, 3, 4), [2.0], [8], "LINEAR", {"axes": [2]},
            declared={"input": "real[n|3, 3, 4]", "output": "real[n, 3, 8]"})
    for mode in ("NEAREST", "LINEAR", "CUBIC"):
        setting(f"dynamic_{mode.lower()}", (1, 5, 4), [1.5, 2.0], [8, 8], mode, {"axes": [1, 2]},
                declared={"input": "real[1, h|9, w|6]", "output": "real[1, ~, ~]"})
    operands = {"input": random.normal(size=(3, 4))}
    operator.invalid("axis_out_of_range", operands, "`axes` must lie between", {"axes": [2], "factor": 2.0})
    operator.invalid("axes_equal", operands, "`axes` must be distinct", {"axes": [1, -1, 1], "factor": 2.0})
    operator.invalid("nothing_left", operands, "`size` must be positive", {"factor": 0.1})
    operator.invalid("mode_unknown", operands, "`mode` must be one of", {"factor": 2.0, "mode": "linear"})
    operator.invalid("transform_unknown", operands, "`coordinate_transform` must be one of",
                     {"factor": 2.0, "coordinate_transform": "PYTORCH"})
    operator.invalid("rounding_unknown", operands, "`rounding_method` must be one of",
                     {"factor": 2.0, "rounding_method": "EVEN"})


def add(image, random):
    """All of them."""
    add_resizes(image, random)
    add_resize(image, random)
    add_rescale(image, random)
