"""matrices.py FOLDER: products of matrices of bytes and convolutions of many shapes, known and open, as processors with registers for matrices
multiply them. Says how many graphs have such instructions for one of them, and compares all with the interpreter on this machine."""
import os
import struct
import subprocess
import sys

WITH = ["--target", "x86_64-unknown-linux-gnu", "--cpu", "sapphirerapids"]
# Rows, depth, columns: with rests of rows and of columns, and reduced extents of few and of many equal parts.
PRODUCTS = [(128, 64, 64), (100, 144, 96), (49, 100, 300), (33, 256, 37), (257, 24, 20), (512, 20, 16), (70, 192, 8), (96, 68, 48)]
# Height and width of images, channels, channels of results, window, stride.
CONVOLUTIONS = [(14, 14, 64, 64, 3, 1), (28, 30, 32, 48, 3, 2), (9, 40, 96, 33, 1, 1), (56, 57, 16, 32, 5, 2)]
FORMS = [("u8", "i8"), ("i8", "i8"), ("u8", "u8"), ("i8", "u8")]
# Of open rows all of these.
ROWS = [0, 1, 15, 16, 31, 32, 33, 63, 100, 128]

HEAD = """operator product {
    @input { x: int[M, K]; w: int[K, N]; }
    @output { y: int[M, N]; }
    @lower { y[m, n] = 0, m < M, n < N; y[m, n] += x[m, k] * w[k, n], m < M, n < N, k < K; }
}
operator conv {
    @attrib { size: int; stride: int; }
    @input { x: int[B, H, W, C]; w: int[size, size, C, N]; }
    @output { y: int[B, (H - size) / stride + 1, (W - size) / stride + 1, N]; }
    @lower {
        y[b, i, j, n] = 0, b < B, i < (H - size) / stride + 1, j < (W - size) / stride + 1, n < N;
        y[b, i, j, n] += x[b, i * stride + u, j * stride + v, c] * w[u, v, c, n],
            b < B, i < (H - size) / stride + 1, j < (W - size) / stride + 1, n < N, u < size, v < size, c < C;
    }
}
operator requantize {
    @input { x: int[s..(r)]; bias: int[N]; }
    @output { y: int[s..]; }
    @lower { y[i..] = ((x[i..] + bias[i[r - 1],]) * 1234567890 + 549755813888) / 1099511627776 + 3 << 255 >> 0, i < s; }
}
"""


def graph(inputs, weights, columns, outputs, composed):
    steps = "".join(f"        s{n} = {step};\n        y{n} = requantize(s{n}, bias);\n" for n, step in enumerate(composed))
    return (f"{HEAD}graph G {{\n    @input {{ {inputs} }}\n    @variable {{ w: int[{weights}]; bias: int[{columns}]; }}\n"
            f"    @output {{ {outputs} }}\n    @compose {{\n{steps}    }}\n}}\n")


def tensor(name, extents):
    return f"{name}: int[{', '.join(map(str, extents))}];"


def product(shape):
    rows, depth, columns = shape
    return graph(tensor("x0", [rows, depth]), f"{depth}, {columns}", columns, tensor("y0", [rows, columns]), ["product(x0, w)"]), 1


def convolution(shape):
    height, width, depth, columns, size, stride = shape
    extents = [2, (height - size) // stride + 1, (width - size) // stride + 1, columns]
    step = f"conv{{size={size}, stride={stride}}}(x0, w)"
    return graph(tensor("x0", [2, height, width, depth]), f"{size}, {size}, {depth}, {columns}", columns, tensor("y0", extents), [step]), 1


def open_product(shape):
    """One input for each number of rows: the model is compiled once."""
    _, depth, columns = shape
    inputs = " ".join(f"x{n}: int[n{n}|{max(ROWS)}, {depth}];" for n in range(len(ROWS)))
    outputs = " ".join(f"y{n}: int[n{n}, {columns}];" for n in range(len(ROWS)))
    return graph(inputs, f"{depth}, {columns}", columns, outputs, [f"product(x{n}, w)" for n in range(len(ROWS))]), len(ROWS)


def npy(path, rows, depth):
    text = f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({rows}, {depth})}}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    items = [(7 * place + place // 11) % 128 for place in range(rows * depth)]
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + struct.pack(f"<{len(items)}q", *items))


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


def cases():
    for number, shape in enumerate(PRODUCTS):
        yield product(shape), FORMS[number % len(FORMS)], []
    for number, shape in enumerate(CONVOLUTIONS):
        yield convolution(shape), FORMS[number % len(FORMS)], []
    for number, shape in enumerate(PRODUCTS[:2]):
        yield open_product(shape), FORMS[number], [shape[1]]


def main(folder):
    os.makedirs(folder, exist_ok=True)
    multiplied = agree = 0
    for number, ((text, count), (inputs, weights), open_depth) in enumerate(cases()):
        path = f"{folder}/{number}.sknd"
        with open(path, "w") as file:
            file.write(text)
        storage = ["--storage", f"w={weights}", "--storage", "bias=i32"]
        for place in range(count):
            storage += ["--storage", f"x{place}={inputs}", "--storage", f"y{place}=u8"]
        run(["skriptnd", "compile", path, *WITH, *storage, "--emit", "asm", "-o", f"{folder}/{number}.s"])
        with open(f"{folder}/{number}.s") as file:
            text = file.read()
        multiplied += "tdpb" in text
        given = []
        for depth in open_depth:
            for place, rows in enumerate(ROWS):
                npy(f"{folder}/{number}.{place}.npy", rows, depth)
                given += ["--input", f"x{place}={folder}/{number}.{place}.npy"]
        threads = ["--threads", str(1 + number % 3)]
        command = ["skriptnd", "compare", path, *storage, *given, *threads, "--random-inputs", "1", "--random-variables", "2"]
        agree += run(command).count(" agrees: 0")
    print(f"{multiplied} multiply matrices, {agree} agree")


main(sys.argv[1])
