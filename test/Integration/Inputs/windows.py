"""windows.py PATH STEP BACKEND.. : compares windows of bytes of many shapes with the interpreter: pools and depthwise convolutions, whose channels fill
vectors, a part of one, or several; and convolutions whose sums become bytes again. Of the graphs it takes each STEP-th."""
import itertools
import subprocess
import sys

# Channels; height and width of an image; height, width, stride and dilation of windows.
CHANNELS = [3, 16, 24, 32, 64, 144]
WINDOWS = [(3, 3, 1, 1), (3, 3, 2, 1), (2, 2, 2, 1), (5, 5, 1, 1), (3, 2, 1, 2), (1, 6, 3, 1)]
FORMS = [("u8", "i8"), ("i8", "i8"), ("u8", "u8"), ("i8", "u8")]


def extents(image, window):
    (height, width), (rows, columns, stride, dilation) = image, window
    return tuple((extent - (size - 1) * dilation - 1) // stride + 1 for extent, size in ((height, rows), (width, columns)))


def operator(name, image, channels, window, form):
    """One that combines windows of `x`, and the extents of what it gives."""
    (height, width), (rows, columns, stride, dilation) = image, window
    (high, wide) = extents(image, window)
    bounds = f"i < {high}, j < {wide}, c < {channels}"
    place = f"x[{stride} * i + {dilation} * u, {stride} * j + {dilation} * v, c]"
    begin, combine, filters = {
        "depthwise": ("0", f"+= {place} * f[u, v, c]", f" f: int[{rows}, {columns}, {channels}];"),
        "greatest": ("-128", f">= {place}", ""),
        "sum": ("3", f"+= {place}", ""),
    }[form]
    inside = f"{bounds}, u < {rows}, v < {columns}"
    return (f"operator {name} {{\n    @input {{ x: int[{height}, {width}, {channels}];{filters} }}\n"
            f"    @output {{ y: int[{high}, {wide}, {channels}]; }}\n"
            f"    @lower {{ y[i, j, c] = {begin}, {bounds}; y[i, j, c] {combine}, {inside}; }}\n}}\n", (high, wide, channels))


def model(form, channels):
    """All windows of one number of channels."""
    operators, variables, outputs, composed = "", "", "", ""
    images = [(13, 14), (11, 17)]
    inputs = "".join(f"x{n}: int[{h}, {w}, {channels}]; " for n, (h, w) in enumerate(images))
    for number, window in enumerate(WINDOWS):
        image = number % len(images)
        text, (high, wide, count) = operator(f"w{number}", images[image], channels, window, form)
        operators += text
        filtered = ""
        if form == "depthwise":
            variables += f"f{number}: int[{window[0]}, {window[1]}, {channels}]; "
            filtered = f", f{number}"
        outputs += f"y{number}: int[{high}, {wide}, {count}]; "
        composed += f"y{number} = w{number}(x{image}{filtered}); "
    variables = f"    @variable {{ {variables}}}\n" if variables else ""
    return f"{operators}graph G {{\n    @input {{ {inputs}}}\n{variables}    @output {{ {outputs}}}\n    @compose {{ {composed}}}\n}}\n"


def requantized(channels, depth):
    """A convolution whose sums with a bias and a multiplier for each channel are bytes again; without a depth a depthwise one."""
    sums = f"i < 9, j < 11, n < {channels}"
    filters, place, terms = (f"3, 3, {channels}", "n", "") if depth is None else (f"3, 3, {depth}, {channels}", "c", f", c < {depth}")
    filtered = "n" if depth is None else "c, n"
    return f"""operator conv {{
    @input {{ x: int[11, 13, {depth or channels}]; f: int[{filters}]; }}
    @output {{ y: int[9, 11, {channels}]; }}
    @lower {{ y[i, j, n] = 0, {sums}; y[i, j, n] += x[i + u, j + v, {place}] * f[u, v, {filtered}], {sums}, u < 3, v < 3{terms}; }}
}}
operator requantize {{
    @input {{ x: int[9, 11, {channels}]; bias: int[{channels}]; }}
    @output {{ y: int[9, 11, {channels}]; }}
    @lower {{ y[i, j, n] = ((x[i, j, n] + bias[n,]) * 1234567890 + 549755813888) / 1099511627776 + 3 << 255 >> 0, {sums}; }}
}}
graph G {{
    @input {{ x0: int[11, 13, {depth or channels}]; }}
    @variable {{ f0: int[{filters}]; bias: int[{channels}]; }}
    @output {{ y0: int[9, 11, {channels}]; }}
    @compose {{ s = conv(x0, f0); y0 = requantize(s, bias); }}
}}
"""


def compare(path, what, backend, storage):
    command = ["skriptnd", "compare", path, *backend, "--random-inputs", "1", "--random-variables", "2"]
    for tensor, form in storage:
        command += ["--storage", f"{tensor}={form}"]
    done = subprocess.run(command, capture_output=True, text=True)
    agree = [line for line in done.stdout.splitlines() if " agrees: 0" in line]
    if done.returncode or not agree:
        print(what, backend, storage, done.stdout, done.stderr)
        sys.exit(1)
    return len(agree)


def cases():
    """What each graph is, its text, and how its tensors are stored."""
    for number, channels in enumerate(CHANNELS):
        inputs, filters = FORMS[number % len(FORMS)]
        for form in ("depthwise", "greatest", "sum"):
            storage = [(f"x{image}", "i8" if form == "greatest" else inputs) for image in range(2)]
            storage += [(f"f{window}", filters) for window in range(len(WINDOWS)) if form == "depthwise"]
            yield (form, channels), model(form, channels), storage
    shapes = [(64, 12), (32, 32), (37, 8), (37, 40), (65, 44), (160, 4)]
    for channels, depth in shapes + [(channels, None) for channels in (24, 64, 37, 300, 144, 96)]:
        storage = [("x0", "u8"), ("f0", "i8"), ("bias", "i32"), ("y0", "u8")]
        yield ("requantized", channels, depth), requantized(channels, depth), storage


def main(path, step, backend):
    count = 0
    for what, text, storage in itertools.islice(cases(), 0, None, step):
        with open(path, "w") as file:
            file.write(text)
        count += compare(path, what, backend, storage)
    print(f"{count} agree")


main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
