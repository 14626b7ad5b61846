"""integers-norms.py write: random normalizations and shares of sums between quantizations, as main.sknd with inputs beside it.
integers-norms.py compare FOUND EXPECTED: fails where results in two folders are further apart than one, or as often as an eighth."""
import pathlib
import random
import struct
import sys

RANGES = {"i8": (-128, 127), "u8": (0, 255), "i16": (-32768, 32767), "u16": (0, 65535)}
SEED, GRAPHS = 7, 10

MOMENTS = """        mean, variance = math.moments{{axes=[{axes}]}}(given);
        above = math.sub(given, mean);
        sum = math.add(variance, {epsilon});
        worth = math.rsqrt(sum);
        normalized = math.mul(above, worth);"""
WRITTEN = """        mean = math.mean_reduce{{axes=[{axes}]}}(given);
        above = math.sub(given, mean);
        square = math.pow(above, 2.0);
        variance = math.mean_reduce{{axes=[{axes}]}}(square);
        sum = math.add(variance, {epsilon});
        deviation = math.sqrt(sum);
        normalized = math.div(above, deviation);"""
ROOTS = """        square = math.sqr(given);
        mean = math.mean_reduce{{axes=[{axes}]}}(square);
        sum = math.add(mean, {epsilon});
        worth = math.rsqrt(sum);
        normalized = math.mul(given, worth);"""
SCALED = """
        scaled = math.mul(normalized, g);
        reals = math.add(scaled, b);"""
SHARES = """        reals = nn.softmax{{axes=[{axes}]}}(given);"""
GRAPH = """
graph G{number} {{
    @input {{ x: int[{shape}]; }}
    @output {{ y: int[{shape}]; }}
    @variable {{ g: real[{count}]; b: real[{count}]; }}
    @compose {{
        given = onnx.dequantize(x, {step}, {zero});
{body}
        y = onnx.quantize{{least={least}, most={most}}}(reals, {to_step}, {to_zero});
    }}
}}
"""


def write_array(name, kind, shape, items):
    code = {"q": "<i8", "f": "<f4"}[kind]
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': {shape}}}".encode()
    header = header.ljust(117) + b"\n"
    content = struct.pack(f"<{len(items)}{kind}", *items)
    pathlib.Path(name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content)


def read_array(path):
    content = path.read_bytes()
    start = 10 + int.from_bytes(content[8:10], "little")
    return struct.unpack(f"<{(len(content) - start) // 8}q", content[start:])


def rows(draw, form, count):
    """Rows of all kinds: of one number, nearly so, and of numbers near and far from each other."""
    least, most = RANGES[form]
    near = draw.randint(least, most - 1)
    spread = (most - least) / draw.choice([4, 20])
    usual = [min(max(round(draw.gauss((least + most) / 2, spread)), least), most) for _ in range(count)]
    wide = [draw.randint(least, most) for _ in range(count)]
    return [near] * count + [near + 1] + [near] * (count - 1) + usual + wide


def graph(draw, number):
    form, to = draw.choice(list(RANGES)), draw.choice(list(RANGES))
    (low, high), (least, most) = RANGES[form], RANGES[to]
    count, body = draw.choice([3, 7, 64, 129, 768]), draw.choice([MOMENTS, WRITTEN, ROOTS, SHARES])
    step = draw.uniform(8, 16) / (high - low)
    is_share = body is SHARES
    to_step, to_zero = (1 / (most - least + 1), least) if is_share else (draw.uniform(8, 20) / (most - least), (least + most) // 2)
    zero = draw.randint((3 * low + high) // 4, (low + 3 * high) // 4)
    text = body.replace("normalized", "reals") if is_share or number % 4 == 3 else body + SCALED
    text = text.format(axes=1, epsilon=f"{draw.choice([1e-5, 1e-3]):.5f}")
    write_array(f"G{number}.x.npy", "q", (4, count), rows(draw, form, count))
    write_array(f"G{number}.g.npy", "f", (count,), [draw.gauss(0.5, 1) for _ in range(count)])
    write_array(f"G{number}.b.npy", "f", (count,), [draw.gauss(0, 1) for _ in range(count)])
    pathlib.Path(f"G{number}.storage").write_text(form)
    return GRAPH.format(number=number, shape=f"4, {count}", count=count, step=f"{step:.9f}", zero=zero, body=text,
                        least=least, most=most, to_step=f"{to_step:.12f}", to_zero=to_zero)


if sys.argv[1] == "write":
    draw = random.Random(SEED)
    graphs = [graph(draw, number) for number in range(GRAPHS)]
    pathlib.Path("main.sknd").write_text("import math, nn, onnx;\n" + "".join(graphs))
else:
    found, expected = ([read_array(pathlib.Path(folder) / "y.npy") for folder in sys.argv[2:4]])
    apart = [abs(a - b) for a, b in zip(found, expected, strict=True)]
    if max(apart) > 1 or sum(apart) * 8 > len(apart):
        sys.exit(f"{sum(apart)} of {len(apart)} differ, by {max(apart)} at most")
