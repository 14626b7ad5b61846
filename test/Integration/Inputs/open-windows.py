"""open-windows.py FILE BACKEND..: compares what is computed of bytes with the interpreter, where only a run knows how many images, rows or columns
there are: none, one, as many as there may be, and numbers between. All inputs of a model are given other extents, so it is compiled once."""
import random
import struct
import subprocess
import sys

MOST = (3, 9, 17)
# Extents of images: how many, rows, columns.
IMAGES = [(0, 5, 5), (1, 3, 3), (2, 4, 9), (1, 7, 1), (3, 9, 17), (1, 8, 16), (2, 1, 13)]

OPERATORS = """operator windows {
    @attrib { size: int; stride: int; }
    @input { x: int[N, H, W, C]; }
    @output { y: int[N, (H - size) / stride + 1, (W - size) / stride + 1, C]; }
    @lower {
        y[n, i, j, c] = BEGIN, n < N, i < (H - size) / stride + 1, j < (W - size) / stride + 1, c < C;
        y[n, i, j, c] COMBINE x[n, i * stride + u, j * stride + v, c],
            n < N, i < (H - size) / stride + 1, j < (W - size) / stride + 1, c < C, u < size, v < size;
    }
}
operator depthwise {
    @input { x: int[N, H, W, C]; f: int[3, 3, C]; }
    @output { y: int[N, H - 2, W - 2, C]; }
    @lower {
        y[n, i, j, c] = 0, n < N, i < H - 2, j < W - 2, c < C;
        y[n, i, j, c] += x[n, i + u, j + v, c] * f[u, v, c], n < N, i < H - 2, j < W - 2, c < C, u < 3, v < 3;
    }
}
operator conv {
    @attrib { size: int; }
    @input { x: int[N, H, W, C]; f: int[size, size, C, K]; }
    @output { y: int[N, H - size + 1, W - size + 1, K]; }
    @lower {
        y[n, i, j, k] = 0, n < N, i < H - size + 1, j < W - size + 1, k < K;
        y[n, i, j, k] += x[n, i + u, j + v, c] * f[u, v, c, k],
            n < N, i < H - size + 1, j < W - size + 1, k < K, u < size, v < size, c < C;
    }
}
operator requantize {
    @input { x: int[N, H, W, C]; bias: int[C]; }
    @output { y: int[N, H, W, C]; }
    @lower {
        y[n, i, j, c] = ((x[n, i, j, c] + bias[c,]) * 1234567890 + 549755813888) / 1099511627776 + 3 << 255 >> 0,
            n < N, i < H, j < W, c < C;
    }
}
operator add {
    @input { a: int[N, H, W, C]; }
    @output { y: int[N, H, W, C]; }
    @lower { y[n, i, j, c] = ((a[n, i, j, c] - 7) * 1518500250 + 1073741824) / 2147483648 + 9 << 255 >> 0, n < N, i < H, j < W, c < C; }
}
"""


def model(form, channels, depth, size, stride):
    """The operators of a form on all images; which have as many elements as windows need, or none."""
    begin, combine = ("-128", ">=") if form == "greatest" else ("3", "+=")
    images = [image for image in IMAGES if form == "add" or min(image[1:]) >= size]
    operators = OPERATORS.replace("BEGIN", begin).replace("COMBINE", combine)
    variables = {
        "conv": f"f: int[{size}, {size}, {depth}, {channels}]; bias: int[{channels}];",
        "depthwise": f"f: int[3, 3, {channels}];",
    }.get(form, "")
    width = depth if form == "conv" else channels
    extents = [f"[n{at}|{MOST[0]}, h{at}|{MOST[1]}, w{at}|{MOST[2]}, {width}]" for at in range(len(images))]
    inputs = " ".join(f"x{at}: int{extent};" for at, extent in enumerate(extents))
    invoked = {
        "conv": lambda at: f"s{at} = conv{{size={size}}}(x{at}, f); y{at} = requantize(s{at}, bias);",
        "depthwise": lambda at: f"y{at} = depthwise(x{at}, f);",
        "add": lambda at: f"y{at} = add(x{at});",
    }.get(form, lambda at: f"y{at} = windows{{size={size}, stride={stride}}}(x{at});")
    reach = {"depthwise": (3, 1), "add": (1, 1), "conv": (size, 1)}.get(form, (size, stride))

    def result(at):
        return ", ".join([f"n{at}"] + [f"({axis}{at} - {reach[0]}) / {reach[1]} + 1" for axis in "hw"] + [str(channels)])

    outputs = " ".join(f"y{at}: int[{result(at)}];" for at in range(len(images)))
    composed = " ".join(invoked(at) for at in range(len(images)))
    declared = f"    @variable {{ {variables} }}\n" if variables else ""
    text = f"{operators}graph G {{\n    @input {{ {inputs} }}\n{declared}    @output {{ {outputs} }}\n    @compose {{ {composed} }}\n}}\n"
    return text, [(*image, width) for image in images]


def write(path, shape, signed):
    count = shape[0] * shape[1] * shape[2] * shape[3]
    numbers = random.Random(str(shape))
    items = bytes(numbers.randrange(256) for _ in range(count))
    head = f"{{'descr': '|{'i' if signed else 'u'}1', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + items)


def compare(path, backend, form, channels, depth=0, size=1, stride=1):
    text, shapes = model(form, channels, depth, size, stride)
    with open(path, "w") as file:
        file.write(text)
    signed = form == "greatest"
    command = ["skriptnd", "compare", path, *backend, "--random-variables", "2"]
    for at, shape in enumerate(shapes):
        write(f"{path}.{at}.npy", shape, signed)
        command += ["--input", f"x{at}={path}.{at}.npy", "--storage", f"x{at}={'i8' if signed else 'u8'}"]
        command += ["--storage", f"y{at}=u8"] if form in ("conv", "add") else []
    command += ["--storage", "f=i8"] if form in ("conv", "depthwise") else []
    command += ["--storage", "bias=i32"] if form == "conv" else []
    done = subprocess.run(command, capture_output=True, text=True)
    agree = [line for line in done.stdout.splitlines() if " agrees: 0" in line]
    if done.returncode or len(agree) != len(shapes):
        print(form, channels, depth, size, stride, backend, done.stdout, done.stderr)
        sys.exit(1)
    return len(agree)


def main(path, backend):
    forms = [
        ("conv", 32, 8, 3), ("conv", 37, 4, 1), ("depthwise", 32, 0, 3), ("greatest", 32, 0, 2, 2), ("greatest", 37, 0, 3, 1),
        ("sum", 24, 0, 3, 2), ("add", 5),
    ]
    print(sum(compare(path, backend, *form) for form in forms), "agree")


main(sys.argv[1], sys.argv[2:])
