"""Settings of the recurrent operators of `nn`."""

import numpy as np
from scipy.special import expit

import onnx_node


def step(h, c, x, w, r, b):
    """One step: gates in the order input, forget, cell, output."""
    i, f, g, o = np.split(x @ w.T + h @ r.T + b, 4, axis=1)
    c = expit(f) * c + expit(i) * np.tanh(g)
    return expit(o) * np.tanh(c), c


def lstm(x, w, r, b, h, c, steps=None):
    """All outputs, 0 behind the last step of an item, and the last states."""
    steps = np.full(x.shape[1], len(x)) if steps is None else steps
    outputs = []
    for at in range(max(steps)):
        next_h, next_c = step(h, c, x[at], w, r, b)
        goes_on = (at < steps)[:, None]
        h, c = np.where(goes_on, next_h, h), np.where(goes_on, next_c, c)
        outputs.append(np.where(goes_on, next_h, 0))
    return np.stack(outputs), h, c


def parameters(random, items, size):
    """W, R and B for inputs and states of these sizes."""
    return {"W": random.normal(size=(4 * size, items)), "R": random.normal(size=(4 * size, size)),
            "B": random.normal(size=4 * size)}


def add_step(nn, random):
    operator = nn.operator("lstm_step")

    def setting(name, batch, items, size, **options):
        states = {"h0": random.normal(size=(batch, size)), "c0": random.normal(size=(batch, size))}
        inputs = {**states, "x": random.normal(size=(batch, items)), **parameters(random, items, size)}
        h1, c1 = step(*inputs.values())
        operator.setting(name, inputs, {"h1": h1, "c1": c1}, **options)
        return inputs

    setting("plain", 2, 3, 4)
    setting("single", 1, 1, 1)
    setting("wide", 3, 5, 2)
    inputs = setting("dynamic_batch", 2, 3, 4,
                     declared={"x": "real[n, 3]", "h0": "real[n|4, 4]", "c0": "real[n, 4]",
                               "h1": "real[n, 4]", "c1": "real[n, 4]"})
    operator.invalid("gates", {**inputs, "W": inputs["W"][1:]}, "dimension 0",
                     outputs={"h1": np.zeros((2, 4)), "c1": np.zeros((2, 4))})


def add_loops(nn, random):
    for name in ("lstm_loop", "lstm"):
        operator = nn.operator(name)
        x = random.normal(size=(5, 2, 3))
        weights = parameters(random, 3, 4)
        h, c = random.normal(size=(2, 2, 4))
        inputs = {"X": x, **weights, "h0": h, "c0": c}

        def setting(case, inputs, *more, extent=None, **options):
            y, h, c = lstm(*inputs.values()) if not more else lstm(*more)
            declared = {"Y": f"real[~|{len(y) if extent is None else extent}, {y.shape[1]}, {y.shape[2]}]",
                        **options.pop("declared", {})}
            operator.setting(case, inputs, {"Y": y, "hN": h, "cN": c}, declared=declared, **options)

        setting("plain", inputs)
        setting("one_step", {**inputs, "X": x[:1]})
        setting("dynamic_length", inputs, declared={"X": "real[s|8, 2, 3]", "Y": "real[s, 2, 4]"})
        if name == "lstm_loop":
            count = {**inputs, "steps": np.array(3)}
            setting("fewer_steps", count, x[:3], *weights.values(), h, c, extent=5)
            operator.invalid("too_many_steps", {**inputs, "steps": np.array(6)}, "outside of dimension 0",
                             outputs={"Y": np.zeros((5, 2, 4)), "hN": h, "cN": c}, at_run_time=True,
                             declared={"Y": "real[~|5, 2, 4]"})
            continue
        setting("without_states", {"X": x, **weights}, x, *weights.values(), 0 * h, 0 * c)
        setting("without_cells", {"X": x, **weights, "h0": h}, x, *weights.values(), h, 0 * c)
        setting("equal_steps", {**inputs, "steps": np.array([3, 3])}, extent=5)
        setting("ragged_steps", {**inputs, "steps": np.array([2, 4])}, extent=5)
        setting("idle_item", {**inputs, "steps": np.array([0, 5])}, extent=5)
        setting("ragged_and_dynamic", {**inputs, "steps": np.array([5, 1])}, extent="s",
                declared={"X": "real[s|8, 2, 3]", "Y": "real[~|8, 2, 4]"})
        operator.invalid("states", {**inputs, "h0": h[:1]}, "dimension 0",
                         outputs={"Y": np.zeros((5, 2, 4)), "hN": h, "cN": c})
        check_with_onnx_runtime(*inputs.values())


def check_with_onnx_runtime(x, w, r, b, h, c):
    """The loop above against the LSTM of ONNX, whose gates stand in the order input, output, forget, cell."""
    def reordered(gates):
        i, f, g, o = np.split(gates, 4)
        return np.concatenate([i, o, f, g])[None]

    steps = np.array([2, 4])
    bias = np.concatenate([reordered(b), np.zeros((1, len(b)))], axis=1)
    found = onnx_node.run("LSTM", x, reordered(w), reordered(r), bias, steps.astype(np.int32), h[None], c[None],
                          outputs=3, hidden_size=4)
    expected = lstm(x, w, r, b, h, c, steps)
    assert np.allclose(found[0][:4, 0], expected[0], atol=1e-5)
    assert np.allclose(found[1][0], expected[1], atol=1e-5) and np.allclose(found[2][0], expected[2], atol=1e-5)


def add(nn, random):
    """All of them."""
    add_step(nn, random)
    add_loops(nn, random)
