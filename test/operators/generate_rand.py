"""Settings of the operators of `rand`: the numbers of some seeds, and what must hold of all."""

import numpy as np

from oracle import Literal, Module

rand = Module("rand")
LIMIT = 1 << 64


def bits(seed, count):
    """The numbers of SplitMix64 (Steele, Lea and Flood, 2014)."""
    state, found = seed % LIMIT, []
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) % LIMIT
        mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % LIMIT
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % LIMIT
        found.append(mixed ^ (mixed >> 31))
    return found


def units(seed, count):
    """At least 0 and below 1, in steps that 32 bits tell apart."""
    return np.array([number >> 40 for number in bits(seed, count)]) / 2.0 ** 24


def uniform(seed, shape, low=0.0, high=1.0):
    return (low + units(seed, np.prod(shape, dtype=int)) * (high - low)).reshape(shape)


def whole(seed, shape, low, high):
    numbers = [low + (number * (high - low) >> 64) for number in bits(seed, np.prod(shape, dtype=int))]
    return np.array(numbers, dtype=np.int64).reshape(shape)


def normal(seed, shape, mean=0.0, deviation=1.0):
    """By Box and Muller, from two numbers each."""
    pairs = units(seed, 2 * np.prod(shape, dtype=int)).reshape(-1, 2)
    numbers = np.sqrt(-2.0 * np.log(1.0 - pairs[:, 0])) * np.cos(2.0 * np.pi * pairs[:, 1])
    return (mean + deviation * numbers).reshape(shape)


def bernoulli(seed, shape, prob=0.5):
    return uniform(seed, shape) < prob


def holds(operator, name, body, **options):
    """A statement about drawn numbers, which must be true."""
    operator.setting(name, {}, {"ok": np.array(True)}, body=body, **options)


def add_reproducibility(operator, call):
    """Equal seeds give equal numbers, others do not, and none gives new ones."""
    name = operator.name
    same = "equal = math.eq(a, b);\nok = math.all_reduce{squeeze=true}(equal);"
    differ = "differ = math.ne(a, b);\nok = math.any_reduce{squeeze=true}(differ);"

    def draws(first, second):
        seeds = [f", seed={seed}" if seed is not None else "" for seed in (first, second)]
        return f"a = rand.{name}{{{call}{seeds[0]}}}();\nb = rand.{name}{{{call}{seeds[1]}}}();\n"

    holds(operator, "equal_seeds", draws(7, 7) + same)
    holds(operator, "other_seeds", draws(0, 1) + differ)
    holds(operator, "without_seed", draws(None, None) + differ)


operator = rand.operator("uniform")
operator.setting("unit", {}, {"output": uniform(1, (2, 3))}, {"shape": [2, 3], "seed": 1})
operator.setting("range", {}, {"output": uniform(2, (4,), -3.0, 5.0)}, {"shape": [4], "min": -3.0, "max": 5.0, "seed": 2})
operator.setting("seed_zero", {}, {"output": uniform(0, (5,))}, {"shape": [5], "seed": 0})
operator.setting("negative_seed", {}, {"output": uniform(-9, (5,))}, {"shape": [5], "seed": -9})
operator.setting("scalar", {}, {"output": uniform(3, ())}, {"shape": [], "seed": 3})
operator.setting("empty", {}, {"output": np.zeros((0, 2))}, {"shape": [0, 2], "seed": 3})
operator.setting("single_value", {}, {"output": np.full(3, 2.5)}, {"shape": [3], "min": 2.5, "max": 2.5})
operator.setting("whole_numbers", {}, {"output": whole(4, (3, 4), -2, 7)}, {"shape": [3, 4], "min": -2, "max": 7, "seed": 4})
operator.setting("shape_of_input", {"x": np.zeros((2, 3))}, {"output": uniform(5, (2, 3))},
                 body="output = rand.uniform{shape=x.shape, seed=5}();")
add_reproducibility(operator, "shape=[100]")
holds(operator, "bounds", """\
x = rand.uniform{shape=[10000], min=-1.0, max=3.0}();
lowest = math.min_reduce{squeeze=true}(x);
highest = math.max_reduce{squeeze=true}(x);
low = math.ge(lowest, -1.0);
high = math.lt(highest, 3.0);
wide_low = math.lt(lowest, -0.9);
wide_high = math.gt(highest, 2.9);
ok = math.all_n([low, high, wide_low, wide_high]);""")
holds(operator, "moments", """\
x = rand.uniform{shape=[100, 200], min=-1.0, max=3.0}();
mean, variance = math.moments{axes=[0, 1]}(x);
mean_error = math.sub(mean, 1.0);
variance_error = math.sub(variance, 16.0 / 12.0);
mean_size = math.abs(mean_error);
variance_size = math.abs(variance_error);
mean_small = math.lt(mean_size, 0.05);
variance_small = math.lt(variance_size, 0.06);
both = math.and(mean_small, variance_small);
ok = math.all_reduce{squeeze=true}(both);""")
holds(operator, "uncorrelated_seeds", """\
a = rand.uniform{shape=[20000], min=-1.0, max=1.0, seed=0}();
b = rand.uniform{shape=[20000], min=-1.0, max=1.0, seed=1}();
products = math.mul(a, b);
mean = math.mean_reduce{squeeze=true}(products);
size = math.abs(mean);
ok = math.lt(size, 0.015);""")
operator.invalid("shape_negative", {}, "`shape` must not be negative", {"shape": [2, -1]})
operator.invalid("empty_range", {}, "`min` must not be greater than `max`", {"shape": [2], "min": 1.0, "max": 0.0})
finite = "`min`, `max` and their difference must be finite in 32 bits"
for name, low, high in [("infinite", 0.0, Literal("inf")), ("beyond_32_bits", 0.0, 1e39), ("too_wide", -3e38, 3e38),
                        ("all_beyond_32_bits", 1e39, 1e39), ("from_below_32_bits", -1e39, 0.0)]:
    operator.invalid(name, {}, finite, {"shape": [2], "min": low, "max": high})

operator = rand.operator("normal")
operator.setting("standard", {}, {"output": normal(1, (2, 3))}, {"shape": [2, 3], "seed": 1})
operator.setting("shifted", {}, {"output": normal(2, (5,), 10.0, 0.5)}, {"shape": [5], "mean": 10.0, "std": 0.5, "seed": 2})
operator.setting("no_deviation", {}, {"output": np.full(4, -1.5)}, {"shape": [4], "mean": -1.5, "std": 0.0})
operator.setting("scalar", {}, {"output": normal(3, ())}, {"shape": [], "seed": 3})
add_reproducibility(operator, "shape=[100]")
holds(operator, "moments", """\
x = rand.normal{shape=[20000], mean=5.0, std=2.0}();
mean, variance = math.moments{axes=[0]}(x);
mean_error = math.sub(mean, 5.0);
variance_error = math.sub(variance, 4.0);
mean_size = math.abs(mean_error);
variance_size = math.abs(variance_error);
mean_small = math.lt(mean_size, 0.08);
variance_small = math.lt(variance_size, 0.25);
both = math.and(mean_small, variance_small);
ok = math.all_reduce{squeeze=true}(both);""")
operator.invalid("shape_negative", {}, "`shape` must not be negative", {"shape": [-1]})
operator.invalid("deviation_negative", {}, "`std` must not be negative", {"shape": [2], "std": -1.0})
finite = "`mean` and `std` must be finite in 32 bits"
operator.invalid("mean_infinite", {}, finite, {"shape": [2], "mean": Literal("-inf")})
operator.invalid("mean_beyond_32_bits", {}, finite, {"shape": [2], "mean": 1e39})
operator.invalid("deviation_infinite", {}, finite, {"shape": [2], "std": Literal("inf")})
# The largest of these numbers is below 5: no backend is farther from them than 1e-5.
operator.setting("many", {}, {"output": normal(-7, (10000,))}, {"shape": [10000], "seed": -7}, tolerance=2e-6)

operator = rand.operator("bernoulli")
operator.setting("fair", {}, {"output": bernoulli(1, (3, 4))}, {"shape": [3, 4], "seed": 1})
operator.setting("rare", {}, {"output": bernoulli(2, (20,), 0.125)}, {"shape": [20], "prob": 0.125, "seed": 2})
operator.setting("never", {}, {"output": np.zeros(50, bool)}, {"shape": [50], "prob": 0.0})
operator.setting("always", {}, {"output": np.ones(50, bool)}, {"shape": [50], "prob": 1.0})
add_reproducibility(operator, "shape=[200]")
holds(operator, "share", """\
x = rand.bernoulli{shape=[20000], prob=0.25}();
ones = layout.cast<real>(x);
mean = math.mean_reduce{squeeze=true}(ones);
error = math.sub(mean, 0.25);
size = math.abs(error);
ok = math.lt(size, 0.02);""")
results = {"y": np.array(True)}
operator.invalid("shape_negative", {}, "`shape` must not be negative", {"shape": [3, -2]}, outputs=results)
operator.invalid("probability_negative", {}, "`prob` must lie between 0 and 1", {"shape": [2], "prob": -0.5},
                 outputs=results)
operator.invalid("probability_above_one", {}, "`prob` must lie between 0 and 1", {"shape": [2], "prob": 1.5},
                 outputs=results)

rand.write()
