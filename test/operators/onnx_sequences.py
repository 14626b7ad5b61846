"""Settings of `onnx`'s operators along sequences."""

import numpy as np

import onnx_node
from oracle import Setting, bools, ints, reals

KINDS = {"RELU": "Relu", "TANH": "Tanh", "SIGMOID": "Sigmoid", "AFFINE": "Affine", "LEAKY_RELU": "LeakyRelu",
         "THRESHOLDED_RELU": "ThresholdedRelu", "SCALED_TANH": "ScaledTanh", "HARD_SIGMOID": "HardSigmoid",
         "ELU": "Elu", "SOFTSIGN": "Softsign", "SOFTPLUS": "Softplus"}
# Functions that take numbers.
TAKES = {"AFFINE": 2, "LEAKY_RELU": 1, "THRESHOLDED_RELU": 1, "SCALED_TANH": 2, "HARD_SIGMOID": 2, "ELU": 1}
ATTRIBUTES = {"reset_after": "linear_before_reset", "input_forget": "input_forget"}


def add(onnx):
    networks(onnx)
    for operator in (reverse_sequence, tensor_scatter, cumprod, frames, linear_attention, attend_near):
        operator(onnx)


class Network:
    """An operator of recurrent networks, beside that of ONNX Runtime."""

    def __init__(self, onnx, name, gates, activations):
        self.name, self.gates, self.activations = name, gates, activations
        self.operator = onnx.operator(name)
        seed = gates * 10
        self.inputs = {"X": reals(3, 2, 3, low=-2, high=2, seed=seed),
                       "W": reals(gates * 2, 3, low=-1, high=1, seed=seed),
                       "R": reals(gates * 2, 2, low=-1, high=1, seed=seed + 1)}
        self.bias = reals(2 * gates * 2, low=-1, high=1, seed=seed + 2)
        self.h0, self.c0 = reals(2, 2, 2, low=-1, high=1, seed=seed + 3)
        self.peepholes = reals(6, seed=5)

    def biases(self):
        of_input, of_state = np.split(self.bias, 2)
        return {"BW": of_input, "BR": of_state} if self.name == "gru" else {"B": of_input + of_state}

    def expected(self, inputs, attributes):
        """The results of ONNX Runtime, which has directions as a dimension."""
        given = {ATTRIBUTES[key]: int(value) for key, value in attributes.items() if key in ATTRIBUTES}
        given |= {"clip": attributes["clip"]} if "clip" in attributes else {}
        if "activations" in attributes:
            given["activations"] = [KINDS[kind] for kind in attributes["activations"]]
            for name, least in [("alpha", 1), ("beta", 2)]:
                values = [value for kind, value in zip(attributes["activations"], attributes[name])
                          if TAKES.get(kind, 0) >= least]
                given |= {f"activation_{name}": values} if values else {}
        some = any(key in inputs for key in ("B", "BW"))
        steps = inputs.get("steps")
        operands = [inputs["X"], inputs["W"][None], inputs["R"][None], self.bias[None] if some else None,
                    None if steps is None else steps.astype(np.int32)]
        operands += [inputs[key][None] if key in inputs else None for key in ("h0", "c0")[:1 + (self.name == "lstm")]]
        operands += [inputs["P"][None]] if "P" in inputs else []
        found = onnx_node.run(self.name.upper(), *operands, outputs=2 + (self.name == "lstm"),
                              hidden_size=inputs["R"].shape[1], **given)
        return dict(zip(("Y", "hN", "cN"), (found[0][:, 0], *(state[0] for state in found[1:]))))

    def setting(self, case, more=(), attributes=None):
        """More inputs than there must be."""
        inputs = {**self.inputs, **dict(more)}
        self.operator.setting(case, self.ordered(inputs), self.expected(inputs, attributes or {}), attributes)

    def ordered(self, inputs):
        """In the order of the operator's, where those between that are not given are left out."""
        order = [*self.inputs, *self.biases(), "h0", *(["c0", "P"] if self.name == "lstm" else []), "steps"]
        last = max(order.index(key) for key in inputs)
        return {key: inputs.get(key) for key in order[:last + 1]}

    def activated(self, kinds):
        """One setting of several networks, each with another function."""
        inputs = {**self.inputs, **self.biases()}
        outputs, lines = {}, []
        for kind in kinds:
            attributes = self.of_kinds([kind])
            results = dict(zip((kind.lower(), f"_{kind.lower()}"), self.expected(inputs, attributes).values()))
            lines.append(Setting(self.operator, "one", inputs, results, attributes).invocation())
            outputs[kind.lower()] = results[kind.lower()]
        self.operator.setting(f"{kinds[0].lower()}_and_others", inputs, outputs, body="\n".join(lines))

    def of_kinds(self, kinds):
        """One of them for each gate, and numbers for those that take them."""
        count = len(self.activations)
        kinds = (kinds * count)[:count]
        numbers = {"AFFINE": (0.7, 0.2), "LEAKY_RELU": (0.1, 0.0), "THRESHOLDED_RELU": (0.3, 0.0),
                   "SCALED_TANH": (1.5, 0.4), "HARD_SIGMOID": (0.3, 0.4), "ELU": (0.8, 0.0)}
        pairs = [numbers.get(kind, (1.0, 0.0)) for kind in kinds]
        return {"activations": kinds, "alpha": [alpha for alpha, _ in pairs], "beta": [beta for _, beta in pairs]}


def quantized(network):
    """ONNX Runtime's operator has weights of 8 bits, in steps of 0.01 here. One batch item: more are quantized by how many
    threads there are."""
    x, h0, c0 = network.inputs["X"][:, :1], network.h0[:1], network.c0[:1]
    whole = {key: np.round(network.inputs[key] * 100).astype(np.int8) for key in ("W", "R")}
    scales = [np.array([0.01], np.float32), np.array([0], np.int8)] * 2
    found = onnx_node.run("DynamicQuantizeLSTM", x, whole["W"].T[None], whole["R"].T[None], network.bias[None], None,
                          h0[None], c0[None], None, *scales, outputs=3, domain="com.microsoft", hidden_size=2)
    inputs = {"X": x, **{key: values * 0.01 for key, values in whole.items()}, **network.biases(), "h0": h0, "c0": c0}
    results = dict(zip(("Y", "hN", "cN"), (found[0][:, 0], *(state[0] for state in found[1:]))))
    network.operator.setting("quantized", inputs, results, {"quantized": True})


def networks(onnx):
    ragged = np.array([3, 1])
    for name, gates, activations in [("rnn", 1, ["TANH"]), ("gru", 3, ["SIGMOID", "TANH"]),
                                     ("lstm", 4, ["SIGMOID", "TANH", "TANH"])]:
        network = Network(onnx, name, gates, activations)
        states = {"h0": network.h0} | ({"c0": network.c0} if name == "lstm" else {})
        network.setting("plain")
        network.setting("ragged", {**network.biases(), **states, "steps": ragged})
        network.setting("limited", {**network.biases(), **states}, {"clip": 0.4})
        if name == "gru":
            network.setting("reset_after", {**network.biases(), **states}, {"reset_after": True})
        if name == "lstm":
            network.setting("peepholes", {**network.biases(), **states, "P": network.peepholes})
            network.setting("input_forget", states, {"input_forget": True})
            quantized(network)
        kinds = list(KINDS)
        if name == "rnn":
            for some in (kinds[:4], kinds[4:8], kinds[8:]):
                network.activated(some)
        else:
            others = network.of_kinds(["HARD_SIGMOID", "SOFTSIGN", "ELU"])
            network.setting("of_other_activations", network.biases(), others)


def reverse_sequence(onnx):
    operator = onnx.operator("reverse_sequence")

    def setting(case, x, length, **options):
        operator.setting(case, {"x": x, "length": length},
                         {"y": onnx_node.run("ReverseSequence", x, length, time_axis=0, batch_axis=1)}, **options)

    x = reals(4, 3, 2)
    setting("reals", x, np.array([4, 1, 3]))
    setting("ints", ints(4, 2), np.array([2, 3]))
    operator.setting("all", {"x": bools(4, 2)}, {"y": bools(4, 2)[::-1]})
    setting("dynamic", x, np.array([2, 4, 1]),
            declared={"x": "real[n|6, b|4, 2]", "length": "int[b]", "y": "real[n, b, 2]"})
    operator.setting("dynamic_all", {"x": x}, {"y": x[::-1]}, declared={"x": "real[n|6, b|4, 2]", "y": "real[n, b, 2]"})


def tensor_scatter(onnx):
    operator = onnx.operator("tensor_scatter")

    def setting(case, data, updates, begin, axis, circular, **options):
        mode = "circular" if circular else "linear"
        y = onnx_node.evaluate("TensorScatter", data, updates, begin, axis=axis, mode=mode)
        operator.setting(case, {"data": data, "updates": updates, "begin": begin}, {"output": y},
                         {"axis": axis, "circular": circular}, **options)

    data, updates = reals(2, 3, 5, 2), reals(2, 3, 2, 2, seed=1)
    setting("linear", data, updates, np.array([0, 3]), 2, False)
    setting("circular", data, updates, np.array([4, 1]), 2, True)
    setting("ints", ints(2, 4), ints(2, 2, seed=1), np.array([2, 1]), 1, False)
    setting("dynamic", data, updates, np.array([1, 2]), 2, False,
            declared={"data": "real[b|3, 3, 5, 2]", "updates": "real[b, 3, m|4, 2]", "begin": "int[b]",
                      "output": "real[b, 3, 5, 2]"})


def cumprod(onnx):
    operator = onnx.operator("cumprod")

    def setting(case, x, axis, **options):
        def result(**flags):
            y = onnx_node.evaluate("CumProd", x, np.array(axis), **{key: int(value) for key, value in flags.items()})
            return {"axis": axis, **flags}, y

        results = {"plain": result(), "exclusive_": result(exclusive=True), "reverse_": result(reverse=True),
                   "both": result(exclusive=True, reverse=True)}
        operator.variants(case, {"x": x}, results, **options)

    setting("middle", reals(2, 4, 3, low=-2, high=2), 1)
    setting("ints", ints(5), 0)
    setting("one", reals(2, 1), 1)
    declared = {name: "real[n, 4]" for name in ("plain", "exclusive_", "reverse_", "both")}
    setting("dynamic", reals(3, 4), 0, declared={"x": "real[n|5, 4]", **declared})


def frames(onnx):
    operator = onnx.operator("frames")

    def setting(case, x, step, length, **options):
        y = np.lib.stride_tricks.sliding_window_view(x, length, axis=1)[:, ::step].swapaxes(2, 3)
        operator.setting(case, {"x": x}, {"y": y}, {"step": step, "length": length}, **options)

    setting("overlapping", reals(2, 9, 1), 2, 4)
    setting("apart", reals(1, 9, 2), 4, 3)
    setting("whole", reals(1, 4, 1), 1, 4)
    setting("dynamic", reals(2, 9, 1), 2, 4, declared={"x": "real[b|3, n|12, 1]", "y": "real[b, ~, 4, 1]"})
    operator.invalid("too_long", {"x": reals(1, 4, 1)}, "must fit into the signal", {"step": 1, "length": 5},
                     outputs={"y": np.zeros((1, 1, 5, 1))})


def linear_attention(onnx):
    operator = onnx.operator("linear_attention")

    def by_step(x, heads):
        """[batch, steps, heads * size] to [steps, batch, heads, 1, size]."""
        return x.reshape(*x.shape[:2], heads, -1).transpose(1, 0, 2, 3)[:, :, :, None]

    def setting(case, rule, groups=1, decays=1, **options):
        steps, batch, heads, size, width = 3, 2, 2, 2, 3
        query, key = reals(batch, steps, heads * groups * size), reals(batch, steps, heads * size, seed=1)
        value, state = reals(batch, steps, heads * width, seed=2), reals(batch, heads, size, width, seed=3)
        logarithm = reals(batch, steps, heads * decays, low=-1, high=0, seed=4) if "gated" in rule else None
        rate = reals(batch, steps, heads, low=0, high=1, seed=5) if "delta" in rule else None
        output, last = onnx_node.evaluate("LinearAttention", query, key, value, state, logarithm, rate, outputs=2,
                                          update_rule=rule, q_num_heads=heads * groups, kv_num_heads=heads, scale=1.0)
        ones = np.ones((steps, batch, 1, 1, 1))
        inputs = {"query": query.reshape(batch, steps, heads, groups, size).transpose(1, 0, 2, 3, 4),
                  "key": by_step(key, heads), "value": by_step(value, heads), "state": state,
                  "decay": np.ones((steps, batch, heads, 1, 1)) if logarithm is None
                  else by_step(np.exp(logarithm), heads).swapaxes(3, 4),
                  "beta": ones if rate is None else by_step(rate, heads)}
        shaped = output.reshape(batch, steps, heads, groups, width).transpose(1, 0, 2, 3, 4)
        operator.setting(case, inputs, {"output": shaped, "last": last}, {"delta": "delta" in rule}, **options)

    setting("linear", "linear")
    setting("gated", "gated", groups=2)
    setting("delta", "delta")
    setting("gated_delta", "gated_delta", decays=2)


def attend_near(onnx):
    """What attention in ONNX sees: keys that are no later than a query, in a window, and within a length."""
    operator = onnx.operator("attend_near")
    scores = reals(2, 2, 3, 5)

    def setting(case, lengths=None, before=-1, behind=-1, offset=0, **options):
        b, _, q, k = np.ogrid[:2, :2, :3, :5]
        count = 5 if lengths is None else lengths[b]
        place = q + (offset if lengths is None else count - 3)
        seen = (k < count) & ((before < 0) | (k >= place - before)) & ((behind < 0) | (k <= place + behind))
        given = {"before": before, "behind": behind, "offset": offset}
        attributes = {key: value for key, value in given.items() if value != (0 if key == "offset" else -1)}
        inputs = {"scores": scores} | ({} if lengths is None else {"lengths": lengths})
        operator.setting(case, inputs, {"output": np.where(seen, scores, -np.inf)}, attributes, **options)

    setting("causal", behind=0, offset=2)
    setting("window", before=1, behind=1)
    setting("lengths", np.array([5, 3]), behind=0)
    setting("dynamic", np.array([4, 5]), behind=0, before=1,
            declared={"scores": "real[b|3, 2, q|4, k|6]", "lengths": "int[b]", "output": "real[b, 2, q, k]"})
