"""Settings of `image`'s operators that a tensor of positions leads: regions of interest and sampling by a grid."""

import itertools

import numpy as np

import onnx_node


def roi_pool(x, rois, index, output_size, reduce):
    """Bins of regions; a corner's coordinates stand in the reverse order of the dimensions."""
    rank = x.ndim - 2
    y = np.zeros((len(rois), x.shape[1], *output_size))
    for m, (roi, item) in enumerate(zip(rois, index)):
        first, last = (np.floor(np.abs(corner) + 0.5) * np.sign(corner) for corner in (roi[:rank][::-1], roi[rank:][::-1]))
        for place in itertools.product(*map(range, output_size)):
            step = np.maximum(last - first + 1, 1) / output_size
            low = np.clip(first + np.floor(np.array(place) * step), 0, x.shape[2:]).astype(int)
            high = np.clip(first + np.ceil((np.array(place) + 1) * step), 0, x.shape[2:]).astype(int)
            part = x[(item, slice(None), *map(slice, low, high))].reshape(x.shape[1], -1)
            y[(m, slice(None), *place)] = reduce(part, axis=1) if part.size else 0.0
    return y


def add_roi_pools(image, random):
    for name, reduce in (("max_roi_pool", np.max), ("avg_roi_pool", np.mean)):
        operator = image.operator(name)

        def setting(case, shape, rois, index, size, **options):
            x = random.normal(size=shape)
            rois, index = np.array(rois, dtype=float), np.array(index)
            bins = [size] * (len(shape) - 2) if isinstance(size, int) else size
            operator.setting(case, {"input": x, "rois": rois, "index": index},
                             {"output": roi_pool(x, rois, index, bins, reduce)}, {"output_size": size}, **options)
            return x, rois, index

        setting("whole_bins", (1, 2, 6, 8), [[0, 0, 7, 5], [2, 1, 5, 4]], [0, 0], [2, 2])
        setting("overlapping_bins", (2, 3, 7, 6), [[1, 0, 5, 4], [0, 2, 2, 6], [3, 3, 3, 3]], [1, 0, 1], [3, 2])
        setting("rounded_corners", (1, 1, 6, 6), [[0.4, 1.5, 3.6, 4.49]], [0], [2, 2])
        setting("partly_outside", (1, 2, 4, 5), [[-2, -1, 2, 2], [3, 2, 9, 9]], [0, 0], [3, 3])
        setting("outside", (1, 1, 3, 3), [[8, 8, 9, 9]], [0], [2, 2])
        setting("reversed_corners", (1, 1, 5, 5), [[3, 3, 1, 1]], [0], [2, 2])
        setting("one_dimension", (2, 2, 9), [[0, 8], [3, 6]], [1, 0], [4])
        setting("three_dimensions", (1, 1, 4, 5, 6), [[0, 1, 0, 5, 4, 3]], [0], [2, 3, 2])
        setting("no_regions", (1, 2, 3, 3), np.zeros((0, 4)), np.zeros(0, int), [2, 2])
        setting("dynamic", (1, 2, 6, 8), [[0, 0, 7, 5], [2, 1, 5, 4]], [0, 0], [2, 2],
                declared={"rois": "real[m|5, 4]", "index": "int[m]", "output": "real[m, 2, 2, 2]"})
        inputs = {"input": random.normal(size=(1, 2, 4, 4)), "rois": np.zeros((2, 4)), "index": np.array([0, 1])}
        operator.invalid("item_missing", inputs, "region 1 lies in batch item 1, but there are 1", {"output_size": 2},
                         outputs={"y": np.zeros((2, 2, 2, 2))}, at_run_time=True)
        operator.invalid("corners_missing", {**inputs, "rois": np.zeros((2, 3))}, "dimension 1", {"output_size": [2, 2]})
        operator.invalid("index_length", {**inputs, "index": np.array([0])}, "dimension 0", {"output_size": [2, 2]})
        operator.invalid("size_zero", inputs, "`output_size` must be positive", {"output_size": [0, 2]})
    x, rois = random.normal(size=(2, 3, 7, 6)), np.array([[1.0, 0, 5, 4], [0, 2, 2, 6], [-2, 3, 9, 3]])
    items = np.array([1, 0, 1])
    check = onnx_node.run("MaxRoiPool", x, np.concatenate([items[:, None], rois], axis=1), pooled_shape=[3, 2])
    assert np.allclose(check, roi_pool(x, rois, items, [3, 2], np.max), atol=1e-5)


def add_grid_sample(image, random):
    operator = image.operator("grid_sample")
    names = {"ZEROS": "zeros", "REPLICATE": "border", "REFLECT": "reflection"}

    def setting(name, shape, grid, attributes, **options):
        x = random.normal(size=shape)
        check = onnx_node.run("GridSample", x, grid, opset=20, mode=attributes.get("mode", "LINEAR").lower(),
                              padding_mode=names[attributes.get("padding", "ZEROS")],
                              align_corners=int(attributes.get("aligned", False)))
        operator.setting(name, {"input": x, "grid": grid}, {"output": check}, attributes, tolerance=1e-4, **options)

    for mode, padding, aligned in itertools.product(("NEAREST", "LINEAR", "CUBIC"), names, (False, True)):
        name = f"{mode.lower()}_{padding.lower()}{'_aligned' if aligned else ''}"
        grid = random.uniform(-1.7, 1.7, size=(2, 3, 4, 2))
        setting(name, (2, 2, 5, 4), grid, {"mode": mode, "padding": padding, "aligned": aligned})
    far = random.uniform(-6.0, 6.0, size=(1, 3, 4, 2))
    for aligned in (False, True):
        attributes = {"padding": "REFLECT", "aligned": aligned}
        setting(f"far_outside{'_aligned' if aligned else ''}", (1, 2, 3, 4), far, attributes)
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [0.0, 0.0], [1.0, 1.0]]).reshape(1, 2, 2, 2)
    setting("corners", (1, 1, 3, 3), corners, {})
    setting("corners_aligned", (1, 1, 3, 3), corners, {"aligned": True})
    setting("three_dimensions", (1, 2, 3, 4, 2), random.uniform(-1.2, 1.2, size=(1, 2, 3, 2, 3)), {})
    setting("dynamic", (2, 2, 5, 4), random.uniform(-1.2, 1.2, size=(2, 3, 4, 2)), {},
            declared={"input": "real[n|3, 2, h|6, w|5]", "grid": "real[n, p|4, q|5, 2]", "output": "real[n, 2, p, q]"})
    inputs = {"input": random.normal(size=(1, 1, 3, 3)), "grid": corners}
    operator.invalid("mode_unknown", inputs, "`mode` must be one of", {"mode": "BILINEAR"})
    operator.invalid("padding_unknown", inputs, "`padding` must be one of", {"padding": "BORDER"})
    operator.invalid("coordinates", {**inputs, "grid": corners[..., :1]}, "dimension 3")


def add(image, random):
    """All of them."""
    add_roi_pools(image, random)
    add_grid_sample(image, random)
