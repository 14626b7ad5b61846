"""Writes the settings of the standard library's operators: a graph for each, and its data beside it.

A script `generate_<module>.py` makes a `Module`, gives each operator its settings and says what is expected, computed
without skriptnd; `Module.write` then leaves `<module>/<operator>.sknd` and `<module>/<operator>.npz`, the same bytes
each time. Run by hand: `python3 generate_layout.py`; it needs numpy, and the packages that the script imports.

    module = Module("math")
    add = module.operator("add")
    add.setting("broadcast", {"x": x, "y": y}, {"z": x + y})
    add.setting("align", {"x": x, "y": short}, {"z": x + short[:, None]}, {"rhs_align": 0})
    add.invalid("mismatch", {"x": x, "y": short}, "can't be broadcast")

An input or output is an array (its type gives `real`, `int` or `bool`), a list of arrays for a pack, `None` for one that
is left out (`~`), or, an input only, a Python scalar, which is written into the invocation. Real data is kept in 32 bits.
"""

import io
import json
import pathlib
import re
import zipfile

import numpy as np

ROOT = pathlib.Path(__file__).parent


def reals(*shape, low=-4.0, high=4.0, seed=0):
    """Random real numbers that 32 bits hold exactly, as 64-bit numbers."""
    return np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32).astype(np.float64)


def ints(*shape, low=-9, high=10, seed=0):
    """Random integers, at least `low` and less than `high`."""
    return np.random.default_rng(seed).integers(low, high, shape)


def bools(*shape, seed=0):
    """Random truth values."""
    return np.random.default_rng(seed).integers(0, 2, shape).astype(bool)


class Literal(str):
    """An attribute's value, spelled as in SkriptND."""


class Module:
    """The settings of a module's operators."""

    def __init__(self, name):
        self.name = name
        self.operators = []

    def operator(self, name):
        """Another operator, without settings."""
        self.operators.append(Operator(self.name, name))
        return self.operators[-1]

    def unary(self, name, settings, refused=()):
        """Another operator from `input` to `output`, whose settings are (name, input, output, attributes) and perhaps the
        declarations of both; refused are (name, input, error, attributes)."""
        operator = self.operator(name)
        for case, x, y, attributes, *declared in settings:
            declared = {"declared": dict(zip(("input", "output"), declared))} if declared else {}
            operator.setting(case, {"input": x}, {"output": y}, attributes, **declared)
        for case, x, error, attributes in refused:
            operator.invalid(case, {"input": x}, error, attributes)

    def write(self):
        """Writes all files of the module and removes those of operators that are gone."""
        folder = ROOT / self.name
        folder.mkdir(exist_ok=True)
        written = set()
        for operator in self.operators:
            written |= operator.write(folder)
        for path in folder.iterdir():
            if path.name not in written:
                path.unlink()
        settings = sum(len(operator.settings) for operator in self.operators)
        print(f"{self.name}: {len(self.operators)} operators, {settings} settings")


class Operator:
    """An operator and its settings."""

    def __init__(self, module, name):
        self.module, self.name = module, name
        self.settings = []

    def setting(self, name, inputs, outputs, attributes=None, **options):
        """A valid setting: the named inputs, in the order of the operator's, give the named outputs."""
        self.settings.append(Setting(self, name, inputs, outputs, attributes, **options))

    def variants(self, name, inputs, results, types=None, **options):
        """A valid setting of several invocations on the same inputs: attributes and result by the output's name."""
        invocations = [Setting(self, name, inputs, {output: result}, attributes, types).invocation()
                       for output, (attributes, result) in results.items()]
        outputs = {output: result for output, (_, result) in results.items()}
        self.setting(name, inputs, outputs, body="\n".join(invocations), **options)

    def invalid(self, name, inputs, error, attributes=None, outputs=None, **options):
        """An invocation that is refused with a message that contains `error`. Outputs need a name and a shape only."""
        outputs = outputs or {"y": np.zeros(())}
        self.settings.append(Setting(self, name, inputs, outputs, attributes, error=error, **options))

    def write(self, folder):
        names = [setting.name for setting in self.settings]
        assert len(set(names)) == len(names), f"{self.module}.{self.name}: two settings have one name in {names}"
        imports = sorted({name for setting in self.settings for name in setting.imports()})
        head = f"# Settings of {self.module}.{self.name}, written by generate_{self.module}.py; data: {self.name}.npz.\n"
        head += "".join(f"import {name};\n" for name in imports)
        text = head + "".join("\n" + setting.text() for setting in self.settings)
        (folder / f"{self.name}.sknd").write_text(text)
        arrays = {key: array for setting in self.settings for key, array in setting.arrays().items()}
        write_npz(folder / f"{self.name}.npz", arrays)
        return {f"{self.name}.sknd", f"{self.name}.npz"}


class Setting:
    """A graph that invokes an operator.

    attributes: values by name; Python values, or `Literal`.
    types: explicit generic types, as in `cast<real>`.
    declared: declarations of inputs or outputs by name where the data's own shape does not do, as `int[n|4, 2]`.
    variables: arrays by the name that the graph's variables have, as `filter` or `conv.filter`.
    states: what variables hold after the run, as far as it differs.
    body: the statements of the composition, where a single invocation does not do.
    tolerance: relative to the largest expected magnitude.
    error: what the message contains that refuses the invocation, a list if there are several; `at_run_time` if only a
        run refuses it.
    note: a comment.
    """

    def __init__(self, operator, name, inputs, outputs, attributes=None, types=None, declared=None, variables=None,
                 states=None, body=None, tolerance=None, error=None, at_run_time=False, note=None):
        assert re.fullmatch("[a-z][a-z0-9_]*", name), name
        self.operator, self.name = operator, name
        self.inputs = {key: normal(value) for key, value in inputs.items()}
        self.outputs = {key: normal(value) for key, value in outputs.items()}
        self.attributes, self.types, self.declared = attributes or {}, types or [], declared or {}
        self.variables = {key: normal(value) for key, value in (variables or {}).items()}
        self.states = {key: normal(value) for key, value in (states or {}).items()}
        self.body, self.tolerance, self.error, self.at_run_time = body, tolerance, error, at_run_time
        self.note = note

    def imports(self):
        return {self.operator.module} | set(re.findall(r"\b(\w+)\.\w+[{(<]", self.body or ""))

    def text(self):
        """The graph."""
        lines = [f"# {line}" for line in (self.note or "").splitlines()]
        if self.tolerance is not None:
            lines.append(f"#: tolerance {self.tolerance}")
        if self.error and self.at_run_time:
            lines.append(f"#: fails {self.error}")
        lines.append(f"graph {self.name} {{")
        lines += self.block("input", self.inputs)
        lines += self.block("output", self.outputs)
        lines.append("    @compose {")
        lines += [f"        {line}" for line in (self.body or self.invocation()).splitlines()]
        if self.error and not self.at_run_time:
            first, *others = [self.error] if isinstance(self.error, str) else self.error
            lines[-1] += f" #~ error: {first}"
            lines += [f"        #~{'^' * (at + 1)} error: {error}" for at, error in enumerate(others)]
        return "\n".join(lines + ["    }", "}", ""])

    def block(self, keyword, ports):
        declarations = [line for name, value in ports.items() for line in self.declarations(name, value)]
        if not declarations:
            return []
        return [f"    @{keyword} {{", *(f"        {line};" for line in declarations), "    }"]

    def declarations(self, name, value):
        if name in self.declared:
            yield f"{name}: {self.declared[name]}"
        elif is_pack(value):
            yield f"{name}: {type_of(value[0])}..({len(value)})"
        elif isinstance(value, list):
            for at, item in enumerate(value):
                yield from self.declarations(f"{name}{at}", item)
        elif isinstance(value, np.ndarray):
            yield f"{name}: {type_of(value)}"

    def invocation(self):
        results = ", ".join(self.result(name, value) for name, value in self.outputs.items())
        types = f"<{', '.join(self.types)}>" if self.types else ""
        attributes = ", ".join(f"{name}={literal(value)}" for name, value in self.attributes.items())
        operands = ", ".join(self.operand(name, value) for name, value in self.inputs.items())
        callee = f"{results} = {self.operator.module}.{self.operator.name}{types}"
        line = f"{callee}{{{attributes}}}({operands});" if attributes else f"{callee}({operands});"
        # As `skriptnd fmt` breaks a line that is too long, with its indentation by 8.
        return line if len(line) <= 112 else f"{callee}{{\n    {attributes}\n}}({operands});"

    def operand(self, name, value):
        if isinstance(value, list) and not is_pack(value):
            return "[" + ", ".join(f"{name}{at}" for at in range(len(value))) + "]"
        if value is None:
            return "~"
        return name if isinstance(value, (np.ndarray, list)) else literal(value)

    def result(self, name, value):
        if is_pack(value):
            return f"{name}..({len(value)})"
        return self.operand(name, value)

    def arrays(self):
        """The data by `graph/input/name`, items of packs as `graph/input/name.0`."""
        if self.error and not self.at_run_time:
            return {}
        roles = {"input": self.inputs, "output": {} if self.error else self.outputs, "variable": self.variables,
                 "state": self.states}
        arrays = {}
        for role, values in roles.items():
            for name, value in values.items():
                key = f"{self.name}/{role}/{name}"
                if isinstance(value, list):
                    dot = "." if is_pack(value) else ""
                    arrays |= {f"{key}{dot}{at}": item for at, item in enumerate(value)}
                elif isinstance(value, np.ndarray):
                    arrays[key] = value
        return arrays


def normal(value):
    """Data with the types that are kept: real numbers as 32-bit ones, integers as 64-bit ones."""
    if isinstance(value, list):
        return [normal(item) for item in value]
    if value is None or type(value) in (bool, int, float):
        return value
    array = np.asarray(value)
    kept = {"f": np.float32, "i": np.int64, "u": np.int64, "b": np.bool_}[array.dtype.kind]
    return np.array(array, dtype=kept, order="C")


def is_pack(value):
    """Whether the items of a list can be declared as one pack: those that differ in shape become single tensors."""
    return isinstance(value, list) and len(value) > 0 and len({item.shape for item in value}) == 1


def type_of(array):
    keyword = {"f": "real", "i": "int", "b": "bool"}[array.dtype.kind]
    return f"{keyword}[{', '.join(map(str, array.shape))}]"


def literal(value):
    """A value, spelled as in SkriptND."""
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, float):
        return {"inf": "inf", "-inf": "-inf"}.get(str(value)) or repr(value)
    return json.dumps(value)


def write_npz(path, arrays):
    """Writes what `numpy.savez` writes, but without the time of day."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, array, version=(1, 0), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), data.getvalue())
