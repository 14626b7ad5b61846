"""generate.py FOLDER: graphs of operators on bytes in many shapes with inputs that have all bytes, and `compare.sh`, which compares a target with the
interpreter on all of them: `sh compare.sh OPTION..`."""
import os
import random
import struct
import sys

HEAD = "import layout;\nimport math;\nimport nn;\nimport onnx;\nimport quantized;\n\n"
STORED = {"u8": ("|u1", "B", 0, 255), "i8": ("|i1", "b", -128, 127), "i16": ("<i2", "h", -32768, 32767), "i32": ("<i4", "i", -(1 << 31), (1 << 31) - 1),
          "f32": ("<f4", "f", float("-inf"), float("nan"))}
numbers = random.Random(31)
commands = []


def sample(shapes, kind):
    """Of each two shapes one, of which another kind has the other, unless all are asked for."""
    return shapes if "SKRIPTND_WHOLE" in os.environ else shapes[kind == "i8"::2]


def volume(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def near(scale):
    """A real near a multiple of half a scale, or with any bits: among them what is infinite, and no number."""
    middle = struct.unpack("<i", struct.pack("<f", numbers.randint(-600, 600) * scale / 2))[0]
    bits = numbers.choice([middle, max(middle + numbers.randint(-3, 3), -(1 << 31)), numbers.randint(-(1 << 31), (1 << 31) - 1)])
    return struct.unpack("<f", struct.pack("<i", bits))[0]


def write(path, kind, shape, scale=1.0):
    order, code, least, most = STORED[kind]
    items = [near(scale) if kind == "f32" else numbers.randint(least, most) for _ in range(volume(shape))]
    for place, item in enumerate([least, most, 0, -1 if least < 0 else 1]):
        if place < len(items):
            items[place] = item
    text = f"{{'descr': '{order}', 'fortran_order': False, 'shape': ({''.join(f'{extent},' for extent in shape)})}}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + struct.pack(f"<{len(items)}{code}", *items))


class Graph:
    """A graph in a file of its own."""

    def __init__(self, name, operators=""):
        self.name, self.operators = name, operators
        self.inputs, self.outputs, self.constants, self.steps, self.options = [], [], [], [], []

    def input(self, kind, shape, scale=1.0):
        name = f"x{len(self.inputs)}"
        self.inputs.append(f"{name}: {'real' if kind == 'f32' else 'int'}[{', '.join(map(str, shape))}];")
        write(f"{self.name}.{name}.npy", kind, shape, scale)
        self.options += ["--storage", f"{name}={kind}", "--input", f"{name}={self.name}.{name}.npy"]
        return name

    def constant(self, items):
        name = f"c{len(self.constants)}"
        self.constants.append(f"{name}: int[{len(items)}] = [{', '.join(map(str, items))}];")
        return name

    def output(self, kind, shape, value):
        name = f"y{len(self.outputs)}"
        self.outputs.append(f"{name}: int[{', '.join(map(str, shape))}];")
        self.steps.append(f"{name} = {value};")
        self.options += ["--storage", f"{name}={kind}"]

    def write(self):
        blocks = [("input", self.inputs), ("output", self.outputs), ("constant", self.constants), ("compose", self.steps)]
        body = "".join(f"    @{name} {{\n{''.join(f'        {line}{chr(10)}' for line in lines)}    }}\n" for name, lines in blocks if lines)
        with open(f"{self.name}.sknd", "w") as file:
            file.write(f"{HEAD}{self.operators}graph G {{\n{body}}}\n")
        commands.append(f"skriptnd compare {self.name}.sknd {' '.join(self.options)} \"$@\"")


def transpositions(kind):
    """Dimensions in another order, of which the innermost one before and that after are shorter than vectors, or longer."""
    graph = Graph(f"transpositions_{kind}")
    for shape, order in [((37, 6, 20), (1, 2, 0)), ((3, 50, 24), (2, 0, 1)), ((2, 64, 33), (0, 2, 1)), ((130, 140), (1, 0)), ((5, 3, 7), (2, 1, 0))]:
        x = graph.input(kind, shape)
        graph.output(kind, tuple(shape[place] for place in order), f"layout.transpose{{perm={list(order)}}}({x})")
    graph.write()


def narrowed():
    """Words in another order that become bytes, and groups of channels less a zero, which are so within convolutions."""
    graph = Graph("narrowed")
    for shape, order in [((48, 256), (1, 0)), ((3, 16, 49), (0, 2, 1)), ((5, 70, 130), (0, 2, 1))]:
        x = graph.input("i16", shape)
        moved, result = f"t{len(graph.steps)}", tuple(shape[place] for place in order)
        graph.steps.append(f"{moved} = layout.transpose{{perm={list(order)}}}({x});")
        graph.output("i8", result, f"math.clamp({moved}, -128, 127)")
    for channels, groups, size in [(48, 3, 16), (24, 2, 9), (64, 4, 7)]:
        x, w = graph.input("u8", (1, channels, size, size)), graph.input("i8", (channels, channels // groups, 1, 1))
        centered = f"t{len(graph.steps)}"
        graph.steps.append(f"{centered} = math.sub({x}, 120);")
        graph.output("i32", (1, channels, size, size), f"nn.conv{{groups={groups}, padding=[0, 0, 0, 0]}}({centered}, {w})")
    graph.write()


def parts():
    """Transposed convolutions, the results of which are put together of parts."""
    graph = Graph("parts")
    for channels, filters, size in [(32, 16, 9), (5, 7, 4)]:
        x, w = graph.input("i8", (1, channels, size, size)), graph.input("i8", (channels, filters, 3, 3))
        factors = graph.constant([numbers.randint(1 << 29, (1 << 31) - 1) for _ in range(filters)])
        sums = f"t{len(graph.steps)}"
        graph.steps.append(f"{sums} = nn.deconv{{stride=[2, 2], padding=[0, 0, 1, 1], output_size=[{2 * size}, {2 * size}]}}({x}, {w});")
        result = f"quantized.requantize{{least=-128, most=127, axis=1}}({sums}, {factors}, 42, -7)"
        graph.output("i8", (1, filters, 2 * size, 2 * size), result)
    graph.write()


def moves(kind):
    graph = Graph(f"moves_{kind}")
    shapes = [(3, 5, 32, 32), (1, 7, 16, 48), (9, 11, 8, 8), (5, 3, 64, 64), (6, 5, 37, 19), (4, 9, 4, 4), (2, 2, 128, 32), (7, 13, 96, 32), (5, 8, 3, 1)]
    for rows, columns, first, second in sample(shapes, kind):
        x, z = graph.input(kind, (rows, columns, first)), graph.input(kind, (rows, columns, second))
        both = first + second
        graph.output(kind, (rows, columns, both), f"layout.concat{{axis=2}}([{x}, {z}])")
        graph.steps.append(f"t{len(graph.steps)} = layout.concat{{axis=2}}([{x}, {z}]);")
        between = graph.steps[-1].split()[0]
        graph.output(kind, (rows, columns, first), f"layout.slice{{axes=[2], begin=[{second}], end=[{both}]}}({between})")
        graph.output(kind, (rows + 2, columns, both), f"layout.pad{{axes=[0], padding=[1, 1]}}({between}, 5)")
        graph.output(kind, (rows, columns, 2 * both), f"layout.concat{{axis=2}}([{x}, {z}, {z}, {x}])")
        graph.output(kind, (rows, 2 * columns, first), f"layout.concat{{axis=1}}([{x}, {x}])")
        graph.output(kind, (rows, columns, first + 5), f"layout.pad{{axes=[2], padding=[2, 3]}}({x}, 7)")
        graph.output(kind, (rows + 2, columns + 3, first), f"layout.pad{{axes=[0, 1], padding=[1, 1, 1, 2]}}({x}, 100)")
        graph.output(kind, (rows, columns, first // 2), f"layout.slice{{axes=[2], begin=[{first // 4}], end=[{first // 4 + first // 2}]}}({x})")
        graph.output(kind, (rows, columns, first - 1), f"layout.slice{{axes=[2], begin=[1], end=[{first}]}}({x})")
        graph.output(kind, (first, rows, columns), f"layout.transpose{{perm=[2, 0, 1]}}({x})")
        graph.output(kind, (rows * columns, first), f"layout.reshape{{shape=[{rows * columns}, {first}]}}({x})")
    graph.write()


SATURATING = "operator saturating {\n    @attrib { least: int; most: int; }\n    @input { x: int[n]; z: int[n]; }\n    @output { y: int[n]; }\n    @lower { y[i,] = x[i,] + z[i,] >> least << most, i < n; }\n}\n\n"


def elements(kind):
    least, most = STORED[kind][2:]
    graph = Graph(f"elements_{kind}", SATURATING)
    for count in sample([1, 5, 127, 128, 129, 300, 1000, 4097], kind):
        x, z = graph.input(kind, (count,)), graph.input(kind, (count,))
        graph.output(kind, (count,), f"math.max({x}, {z})")
        graph.output(kind, (count,), f"math.min({x}, {z})")
        graph.output(kind, (count,), f"math.max({x}, {least + 77})")
        graph.output(kind, (count,), f"math.clamp({x}, {least + 20}, {most - 30})")
        graph.output(kind, (count,), f"saturating{{least={least}, most={most}}}({x}, {z})")
        for size in [256, 255, 130, 128, 40, 1]:
            table = graph.constant([numbers.randint(least, most) for _ in range(size)])
            first = least + (256 - size) // 2
            graph.output(kind, (count,), f"quantized.lookup{{least={first}}}({x}, {table})")
    graph.write()


def quantized(kind):
    least, most = STORED[kind][2:]
    graph = Graph(f"quantized_{kind}")
    rounds = [(130, [1234567890, 1034567890], 30), (4097, [1 << 30, 1 << 30], 31), (129, [2147483647, 1073741825], 32), (1000, [1500000001, 3], 29), (300, [1999999999, 1888888888], 38), (77, [2147483647, 2147483647], 24), (256, [0, 1073741824], 30)]
    for count, multipliers, shift in sample(rounds, kind):
        x, z = graph.input(kind, (count,)), graph.input(kind, (count,))
        zeros = graph.constant([numbers.randint(least, most) for _ in range(2)])
        factors = graph.constant(multipliers)
        for limits in [(least, most), (least + 3, most - 9)]:
            call = f"quantized.add{{least={limits[0]}, most={limits[1]}}}"
            graph.output(kind, (count,), f"{call}({x}, {z}, {zeros}, {factors}, {shift}, {numbers.randint(*limits)})")
        factor = graph.constant(multipliers[:1])
        graph.output(kind, (count,), f"quantized.requantize{{least={least}, most={most}}}({x}, {factor}, {shift}, {numbers.randint(least, most)})")
    graph.write()


REQUANTIZE = "operator requantize {\n    @attrib { multiplier: int; shift: int; zero: int; least: int; most: int; }\n    @input { x: int[n]; }\n    @output { y: int[n]; }\n    @lower { y[i,] = (x[i,] * multiplier + 2 ** (shift - 1)) / 2 ** shift + zero >> least << most, i < n; }\n}\n\n"


def words():
    graph = Graph("words", REQUANTIZE)
    for count in [1, 127, 128, 300, 4097]:
        x = graph.input("i32", (count,))
        for multiplier, shift, zero, kind in [(1234567890, 37, 3, "u8"), (2147483647, 33, -128, "i8"), (1073741824, 32, 0, "i16"), (1777777777, 46, 117, "u8"), (1500000000, 40, -7, "i8"), (1, 20, 5, "u8")]:
            least, most = STORED[kind][2:]
            attributes = f"multiplier={multiplier}, shift={shift}, zero={zero}, least={least}, most={most}"
            graph.output(kind, (count,), f"requantize{{{attributes}}}({x})")
    graph.write()


def reals():
    """Reals that become bytes."""
    graph = Graph("reals")
    for count, scale, zero, kind in [(129, 0.0157, 128, "u8"), (4097, 0.25, 0, "i8"), (300, 3.0, -128, "i8"), (1000, 0.0186584479, 7, "u8"), (5, 1e-6, 0, "u8")]:
        least, most = STORED[kind][2:]
        x = graph.input("f32", (count,), scale)
        graph.output(kind, (count,), f"onnx.quantize{{least={least}, most={most}}}({x}, {scale}, {zero})")
    graph.write()


def images(name, batch):
    """Convolutions of images with few channels, which are apart: of bytes, and of reals that become bytes less a zero. Only a run knows how many images two are."""
    graph = Graph(name)
    for channels, filters, height, width, stride in [(3, 32, 17, 19, 2), (3, 20, 30, 224, 2), (2, 32, 9, 11, 1), (4, 16, 12, 130, 1), (6, 8, 7, 7, 1)]:
        shape = (batch, channels, height, width)
        image, x, w = graph.input("f32", shape, 0.0157), graph.input("u8", shape), graph.input("i8", (filters, channels, 3, 3))
        graph.steps.append(f"q{image} = onnx.quantize{{least=0, most=255}}({image}, 0.0157, 114);")
        result = (batch, filters, (height - 1) // stride + 1, (width - 1) // stride + 1)
        for given, zero in [(f"q{image}", 114), (x, 120)]:
            centered = f"t{len(graph.steps)}"
            graph.steps.append(f"{centered} = math.sub({given}, {zero});")
            graph.output("i32", result, f"nn.conv{{stride=[{stride}, {stride}], padding=[1, 1, 1, 1]}}({centered}, {w})")
    graph.inputs = [line.replace("[2, ", "[batch|4, ") for line in graph.inputs]
    graph.outputs = [line.replace("[2, ", "[batch, ") for line in graph.outputs]
    graph.write()


os.chdir(sys.argv[1])
for kind in ["u8", "i8"]:
    moves(kind)
    elements(kind)
    quantized(kind)
transpositions("u8")
narrowed()
parts()
words()
reals()
images("images", 1)
images("open_images", 2)
with open("compare.sh", "w") as file:
    file.write("set -e\ncd \"$(dirname \"$0\")\"\n" + "\n".join(commands) + "\n")
