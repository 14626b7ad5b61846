#!/usr/bin/env python3
"""Trains the digits model on scikit-learn's handwritten digits and writes its weights and held-out images.

    pip install numpy scikit-learn
    python3 train.py [FOLDER]        (default: this folder)

Everything follows from SEED; the network is the one of main.sknd, written here once more in numpy with its
gradients, so that the weights do not depend on the compiler that they test.
"""
import os
import struct
import sys

import numpy as np
from sklearn.datasets import load_digits

SEED = 7
HELD_OUT = 360
EPOCHS = 40
BATCH = 32
EPSILON = 1e-3


def write_dat(path, tensor):
    """NNEF tensor file: 128-byte header, then little-endian float32 in row-major order."""
    data = np.ascontiguousarray(tensor, "<f4").tobytes()
    extents = list(tensor.shape) + [0] * (8 - tensor.ndim)
    header = b"\x4e\xef\x01\x00" + struct.pack("<II8III", len(data), tensor.ndim, *extents, 32, 0)
    with open(path, "wb") as file:
        file.write(header.ljust(128, b"\0") + data)


def patches(x):
    """[b, c, h, w] -> [b, h, w, c * 9]: the 3 x 3 neighbourhoods, zero outside."""
    b, c, h, w = x.shape
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    views = [padded[:, :, i : i + h, j : j + w] for i in range(3) for j in range(3)]
    return np.stack(views, axis=2).reshape(b, c * 9, h, w).transpose(0, 2, 3, 1)


def conv(x, filter):
    columns = patches(x)
    y = columns @ filter.reshape(filter.shape[0], -1).T
    return y.transpose(0, 3, 1, 2), columns


def conv_gradient(dy, columns, filter):
    flat = dy.transpose(0, 2, 3, 1)
    dfilter = np.tensordot(flat, columns, ([0, 1, 2], [0, 1, 2])).reshape(filter.shape)
    dcolumns = flat @ filter.reshape(filter.shape[0], -1)
    b, h, w, _ = dcolumns.shape
    dcolumns = dcolumns.transpose(0, 3, 1, 2).reshape(b, filter.shape[1], 9, h, w)
    dpadded = np.zeros((b, filter.shape[1], h + 2, w + 2), dy.dtype)
    for k in range(9):
        dpadded[:, :, k // 3 : k // 3 + h, k % 3 : k % 3 + w] += dcolumns[:, :, k]
    return dfilter, dpadded[:, :, 1:-1, 1:-1]


def pool(x):
    b, c, h, w = x.shape
    blocks = x.reshape(b, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(b, c, h // 2, w // 2, 4)
    return blocks.max(-1), blocks.argmax(-1)


def pool_gradient(dy, argmax):
    b, c, h, w = dy.shape
    blocks = np.zeros((b, c, h, w, 4), dy.dtype)
    np.put_along_axis(blocks, argmax[..., None], dy[..., None], -1)
    return blocks.reshape(b, c, h, w, 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(b, c, 2 * h, 2 * w)


def channels(vector):
    return vector[None, :, None, None]


def forward(p, x, training):
    c1, columns1 = conv(x, p["filter1"])
    if training:
        mean, variance = c1.mean((0, 2, 3)), c1.var((0, 2, 3))
        p["mean1"] = 0.95 * p["mean1"] + 0.05 * mean
        p["variance1"] = 0.95 * p["variance1"] + 0.05 * variance
    else:
        mean, variance = p["mean1"], p["variance1"]
    normal = (c1 - channels(mean)) / np.sqrt(channels(variance) + EPSILON)
    r1 = np.maximum(normal * channels(p["scale1"]) + channels(p["offset1"]), 0)
    p1, argmax1 = pool(r1)
    c2, columns2 = conv(p1, p["filter2"])
    r2 = np.maximum(c2 + channels(p["bias2"]), 0)
    p2, argmax2 = pool(r2)
    flat = p2.reshape(len(x), -1)
    logit = flat @ p["filter3"].T + p["bias3"]
    exped = np.exp(logit - logit.max(1, keepdims=True))
    return exped / exped.sum(1, keepdims=True), (columns1, variance, normal, r1, argmax1, columns2, r2, argmax2, flat)


def gradients(p, probability, labels, saved):
    columns1, variance, normal, r1, argmax1, columns2, r2, argmax2, flat = saved
    g = {}
    dlogit = (probability - np.eye(10, dtype=probability.dtype)[labels]) / len(labels)
    g["filter3"], g["bias3"] = dlogit.T @ flat, dlogit.sum(0)
    dp2 = (dlogit @ p["filter3"]).reshape(len(labels), 16, 2, 2)
    dr2 = pool_gradient(dp2, argmax2) * (r2 > 0)
    g["bias2"] = dr2.sum((0, 2, 3))
    g["filter2"], dp1 = conv_gradient(dr2, columns2, p["filter2"])
    dr1 = pool_gradient(dp1, argmax1) * (r1 > 0)
    g["scale1"], g["offset1"] = (dr1 * normal).sum((0, 2, 3)), dr1.sum((0, 2, 3))
    dnormal = dr1 * channels(p["scale1"])
    mean = lambda t: channels(t.mean((0, 2, 3)))
    dc1 = (dnormal - mean(dnormal) - normal * mean(dnormal * normal)) / np.sqrt(channels(variance) + EPSILON)
    g["filter1"], _ = conv_gradient(dc1, columns1, p["filter1"])
    return g


def initial(random):
    he = lambda *shape: random.normal(0, np.sqrt(2 / np.prod(shape[1:])), shape)
    p = {
        "filter1": he(8, 1, 3, 3), "mean1": np.zeros(8), "variance1": np.ones(8),
        "offset1": np.zeros(8), "scale1": np.ones(8),
        "filter2": he(16, 8, 3, 3), "bias2": np.zeros(16),
        "filter3": he(10, 64), "bias3": np.zeros(10),
    }
    return {name: value.astype(np.float64) for name, value in p.items()}


def train(images, labels, random):
    p = initial(random)
    momentum = {}
    steps = EPOCHS * (len(images) // BATCH)
    step = 0
    for _ in range(EPOCHS):
        order = random.permutation(len(images))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[start : start + BATCH]
            rate = 0.05 * 0.5 * (1 + np.cos(np.pi * step / steps))
            probability, saved = forward(p, images[batch], True)
            for name, gradient in gradients(p, probability, labels[batch], saved).items():
                momentum[name] = 0.9 * momentum.get(name, 0) + gradient + 1e-4 * p[name]
                p[name] = p[name] - rate * momentum[name]
            step += 1
    return p


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    random = np.random.default_rng(SEED)
    digits = load_digits()
    images = (digits.images / 16).astype(np.float64)[:, None]
    order = random.permutation(len(images))
    held, rest = order[:HELD_OUT], order[HELD_OUT:]
    p = train(images[rest], digits.target[rest], random)
    probability, _ = forward(p, images[held], False)
    print(f"held-out accuracy: {(probability.argmax(1) == digits.target[held]).mean():.4f}")
    for name, value in p.items():
        write_dat(os.path.join(folder, f"main.Digits.{name}.dat"), value)
    os.makedirs(os.path.join(folder, "heldout"), exist_ok=True)
    np.save(os.path.join(folder, "heldout", "images.npy"), images[held].astype(np.float32))
    np.save(os.path.join(folder, "heldout", "labels.npy"), digits.target[held].astype(np.int64))
    np.save(os.path.join(folder, "heldout", "probabilities.npy"), probability.astype(np.float32))


if __name__ == "__main__":
    main()
