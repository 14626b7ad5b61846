"""Settings of `onnx`'s operators on images and other grids."""

import numpy as np

import onnx_node
from oracle import ints, reals


def add(onnx):
    for operator in (resample, rescales, grid_sample_nearest, roi_aligns, deform_columns, max_pool_index, fold):
        operator(onnx)


def resample(onnx):
    operator = onnx.operator("resample")

    def setting(case, x, index, weight, axis, **options):
        y = np.moveaxis((np.moveaxis(x, axis, -1)[..., index] * weight).sum(-1), -1, axis)
        operator.setting(case, {"x": x, "index": index, "weight": weight}, {"y": y}, {"axis": axis}, **options)

    index, weight = ints(5, 2, low=0, high=4), reals(5, 2)
    setting("middle", reals(2, 4, 3), index, weight, 1)
    setting("vector", reals(4), index, weight, 0)
    setting("dynamic", reals(3, 4), index, weight, 1, declared={"x": "real[n|4, 4]", "y": "real[n, 5]"})
    x = reals(2, 4)
    matrix = np.array([[0, 0], [0, 1], [0, 1], [1, 2], [1, 2], [2, 3], [2, 3], [3, 3]])
    share = np.array([0.0, 0.75, 0.25, 0.75, 0.25, 0.75, 0.25, 0.0])
    operator.setting("as_linear_resize", {"x": x, "index": matrix, "weight": np.stack([share, 1 - share], 1)},
                     {"y": onnx_node.run("Resize", x[None], None, np.array([1, 1, 2], np.float32), mode="linear")[0]},
                     {"axis": 1})


CENTERS = {"half_pixel": 0.5, "asymmetric": 0.0, "align_corners": 0.0}


def rescales(onnx):
    nearest, linear = onnx.operator("nearest_rescale"), onnx.operator("linear_rescale")

    def setting(operator, case, x, axis, multiply, divide, coordinates="half_pixel", rounding=None, **options):
        """The new extent is divide / multiply of the old one."""
        scales = np.ones(x.ndim, np.float32)
        scales[axis] = divide / multiply
        more = {"mode": "nearest", "nearest_mode": rounding.lower()} if rounding else {"mode": "linear"}
        y = onnx_node.run("Resize", x, None, scales, coordinate_transformation_mode=coordinates, **more)
        if coordinates == "align_corners":
            multiply, divide = x.shape[axis] - 1, y.shape[axis] - 1
        attributes = {"axis": axis, "size": y.shape[axis], "multiply": multiply, "divide": divide,
                      "center": CENTERS[coordinates]} | ({"rounding": rounding} if rounding else {})
        operator.setting(case, {"x": x}, {"y": y}, attributes, **options)

    x = reals(2, 5)
    for rounding in ("FLOOR", "CEIL", "ROUND_PREFER_FLOOR", "ROUND_PREFER_CEIL"):
        setting(nearest, rounding.lower(), x, 1, 2, 5, "asymmetric", rounding)
    setting(nearest, "smaller", reals(7, 2), 0, 3, 2, "half_pixel", "ROUND_PREFER_FLOOR")
    setting(nearest, "dynamic", x, 1, 2, 3, "half_pixel", "ROUND_PREFER_FLOOR",
            declared={"x": "real[n|4, 5]", "y": "real[n, 7]"})
    setting(linear, "larger", x, 1, 2, 5)
    setting(linear, "smaller", reals(7, 2), 0, 3, 2)
    setting(linear, "asymmetric", x, 1, 2, 3, "asymmetric")
    setting(linear, "aligned", x, 1, 1, 2, "align_corners")
    setting(linear, "dynamic", x, 1, 2, 3, declared={"x": "real[n|4, 5]", "y": "real[n, 7]"})


def grid_sample_nearest(onnx):
    operator = onnx.operator("grid_sample_nearest")
    paddings = {"ZEROS": "zeros", "REPLICATE": "border", "REFLECT": "reflection"}

    def setting(case, x, grid, **options):
        def result(padding, aligned):
            y = onnx_node.run("GridSample", x, grid, mode="nearest", padding_mode=paddings[padding],
                              align_corners=int(aligned))
            return {"padding": padding} | ({"aligned": True} if aligned else {}), y

        results = {f"{padding.lower()}{'_aligned' if aligned else ''}": result(padding, aligned)
                   for padding in paddings for aligned in (False, True)}
        operator.variants(case, {"input": x, "grid": grid}, results, **options)
        return list(results)

    setting("image", reals(2, 2, 3, 4), reals(2, 2, 5, 2, low=-1.8, high=1.8, seed=1))
    setting("halves", reals(1, 1, 2, 4), np.array([[[[-0.5, 0.0], [0.0, -1.0], [0.5, 1.0], [1.0, 0.5]]]]))
    setting("volume", reals(1, 2, 2, 3, 2), reals(1, 1, 2, 2, 3, low=-1.2, high=1.2, seed=1))
    names = setting("points", reals(1, 1, 4, 3), reals(1, 3, 1, 2, low=-1, high=1, seed=2))
    setting("dynamic", reals(2, 1, 3, 4), reals(2, 2, 3, 2, low=-1.8, high=1.8, seed=3),
            declared={"input": "real[b|3, 1, 3, 4]", "grid": "real[b, h|4, 3, 2]",
                      **{name: "real[b, 1, h, 3]" for name in names}})


def roi_aligns(onnx):
    regions = np.array([[0.0, 0.0, 3.0, 4.0], [1.5, 0.5, 5.0, 3.5], [-2.0, -1.0, 9.0, 9.0]])
    index = np.array([0, 1, 1])
    # ONNX Runtime says of its own greatest ones that they are not ONNX's.
    for name, mode, oracle in [("roi_align", "avg", onnx_node.run), ("roi_align_max", "max", onnx_node.evaluate)]:
        operator = onnx.operator(name)

        def setting(case, size, samples, scale=1.0, half_pixel=True, regions=regions, operator=operator, mode=mode,
                    oracle=oracle, **options):
            x = reals(2, 2, 5, 6)
            y = oracle("RoiAlign", x, regions, index, mode=mode, output_height=size[0], output_width=size[1],
                       sampling_ratio=samples, spatial_scale=scale,
                       coordinate_transformation_mode="half_pixel" if half_pixel else "output_half_pixel")
            most = [samples or -(-extent // bins) + 1 for extent, bins in zip((5, 6), size)]
            operator.setting(case, {"x": x, "rois": regions, "index": index}, {"y": y},
                             {"size": size, "most": most, "samples": samples, "scale": scale, "half_pixel": half_pixel},
                             **options)

        setting("sampled", [2, 3], 2)
        setting("as_many_as_elements", [2, 2], 0, regions=regions[[0, 1, 1]])
        setting("scaled", [1, 2], 1, 0.5, False)
        setting("dynamic", [2, 1], 2, declared={"rois": "real[n|4, 4]", "index": "int[n]", "y": "real[n, 2, 2, 1]"})


def deform_columns(onnx):
    """A convolution whose filter is the identity gives the columns."""
    operator = onnx.operator("deform_columns")

    def setting(case, groups, mask, stride, dilation, before, after, **options):
        b, c, kh, kw = 1, 2, 2, 2
        x = reals(b, c, 4, 5)
        oh, ow = [(extent + first + last - step - 1) // by + 1 for extent, first, last, step, by in zip(
            (4, 5), before, after, dilation, stride)]
        offset = reals(b, groups, kh, kw, 2, oh, ow, low=-1.5, high=1.5, seed=1)
        weight = reals(b, groups, kh, kw, oh, ow, seed=2) if mask else np.ones((b, groups, kh, kw, oh, ow))
        identity = np.eye(c * kh * kw).reshape(-1, c, kh, kw)
        y = onnx_node.evaluate("DeformConv", x, identity, offset.reshape(b, -1, oh, ow), None,
                               weight.reshape(b, -1, oh, ow), offset_group=groups, strides=stride, dilations=dilation,
                               pads=before + after, kernel_shape=[kh, kw])
        operator.setting(case, {"x": x, "offset": offset, "mask": weight}, {"y": y.reshape(b, c, kh, kw, oh, ow)},
                         {"stride": stride, "dilation": dilation, "before": before}, **options)

    setting("plain", 1, False, [1, 1], [1, 1], [0, 0], [0, 0])
    setting("groups", 2, True, [2, 1], [1, 2], [1, 0], [0, 1])
    setting("dynamic", 1, True, [1, 2], [1, 1], [1, 1], [1, 1],
            declared={"x": "real[b|2, 2, 4, 5]", "offset": "real[b, 1, 2, 2, 2, 5, 3]",
                      "mask": "real[b, 1, 2, 2, 5, 3]", "y": "real[b, 2, 2, 2, 5, 3]"})
    inputs = {"x": reals(1, 3, 2, 2), "offset": reals(1, 2, 1, 1, 2, 2, 2), "mask": reals(1, 2, 1, 1, 2, 2)}
    operator.invalid("channels", inputs, "the channels must be divisible",
                     {"stride": [1, 1], "dilation": [1, 1], "before": [0, 0]},
                     outputs={"y": reals(1, 3, 1, 1, 2, 2)})


def max_pool_index(onnx):
    operator = onnx.operator("max_pool_index")

    def setting(case, x, size, stride, dilation, before, after, column_major=False, **options):
        y, index = onnx_node.run("MaxPool", x, outputs=2, kernel_shape=size, strides=stride, dilations=dilation,
                                 pads=before + after, storage_order=int(column_major))
        attributes = {"size": size, "stride": stride, "dilation": dilation, "before": before}
        operator.setting(case, {"x": x, "greatest": y}, {"index": index},
                         attributes | ({"column_major": True} if column_major else {}), **options)

    x = reals(2, 2, 5, 6)
    setting("image", x, [2, 3], [1, 2], [1, 1], [0, 0], [0, 0])
    setting("padded", x, [3, 2], [2, 2], [1, 2], [1, 1], [1, 0], True)
    setting("equal_ones", np.round(reals(1, 1, 7, low=-1, high=1)), [3], [1], [1], [1], [1])
    setting("volume", reals(1, 1, 3, 2, 4), [2, 2, 2], [1, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 0], True)
    setting("dynamic", x, [2, 2], [2, 2], [1, 1], [0, 0], [0, 0],
            declared={"x": "real[b|3, 2, 5, 6]", "greatest": "real[b, 2, 2, 3]", "index": "int[b, 2, 2, 3]"})


def fold(onnx):
    operator = onnx.operator("fold")

    def setting(case, image, block, stride, dilation, before, after, kind=float, **options):
        rank = len(image)
        places = [(extent + first + last - (reach - 1) * apart - 1) // step + 1
                  for extent, first, last, reach, apart, step in zip(image, before, after, block, dilation, stride)]
        x = reals(2, 2, *block, *places) if kind is float else ints(2, 2, *block, *places)
        flat = x.reshape(2, 2 * int(np.prod(block)), -1).astype(np.float32)
        y = onnx_node.run("Col2Im", flat, np.array(image), np.array(block), strides=stride, dilations=dilation,
                          pads=before + after)
        operator.setting(case, {"x": x}, {"y": y.astype(kind)}, {"rank": rank, "image": image, "stride": stride,
                         "dilation": dilation, "before": before}, **options)

    setting("apart", [4, 6], [2, 3], [2, 3], [1, 1], [0, 0], [0, 0])
    setting("overlapping", [4, 5], [2, 3], [1, 2], [2, 1], [1, 0], [1, 1], int)
    setting("one_dimension", [7], [3], [2], [1], [1], [1])
    setting("dynamic", [4, 4], [2, 2], [1, 1], [1, 1], [0, 0], [0, 0],
            declared={"x": "real[b|3, 2, 2, 2, 3, 3]", "y": "real[b, 2, 4, 4]"})
