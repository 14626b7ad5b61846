"""Writes the wheel: the package with the compiler and libskriptnd, for every Python on one machine.

    python3 wheel.py BINARIES VERSION OUTPUT

BINARIES is the folder of `skriptnd` and `libskriptnd.so`, OUTPUT the one that takes the wheel. The same files make the
same bytes. `cargo xtask wheel` calls it.
"""

import base64
import hashlib
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = pathlib.Path(__file__).resolve().parent / "skriptnd"
ROOT = PACKAGE.parents[2]

#: Libraries that the compiler needs and that not every system has: they travel with it.
CARRIED = {"libffi.so.8": "libffi8", "libzstd.so.1": "libzstd1", "libz.so.1": "zlib1g"}

#: What every system has (PEP 600).
EVERYWHERE = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libdl.so.2", "libpthread.so.0", "librt.so.1"}

#: Debian packages whose code is in the files, for their licenses.
LINKED = ("llvm-22-dev",)

METADATA = """\
Metadata-Version: 2.1
Name: skriptnd
Version: {version}
Summary: Compiles neural networks, from ONNX or SkriptND, to native code and runs them
License: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.9
Requires-Dist: numpy>=1.22
Provides-Extra: onnx
Requires-Dist: onnx>=1.15; extra == 'onnx'
Provides-Extra: bfloat16
Requires-Dist: ml_dtypes; extra == 'bfloat16'
Provides-Extra: dask
Requires-Dist: dask; extra == 'dask'
Requires-Dist: distributed; extra == 'dask'
Provides-Extra: ray
Requires-Dist: ray; extra == 'ray'
Provides-Extra: serve
Requires-Dist: starlette>=0.37; extra == 'serve'
Requires-Dist: uvicorn>=0.29; extra == 'serve'
Requires-Dist: prometheus_client; extra == 'serve'
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{description}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: skriptnd
Root-Is-Purelib: false
Tag: {tag}
"""

ENTRY_POINTS = """\
[console_scripts]
skriptnd = skriptnd.__main__:main
"""


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()


def needed(file):
    """The libraries that an ELF file asks for."""
    found = re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-d", "-W", file))
    return {name for name in found if not name.startswith("ld-linux")}


def glibc(files):
    """The oldest glibc that has all that the files ask for."""
    texts = (output_of("readelf", "-V", "-W", file) for file in files)
    versions = [tuple(map(int, found)) for text in texts for found in re.findall(r"GLIBC_(\d+)\.(\d+)", text)]
    return max(versions)


def carried(files):
    """The files of libraries that travel along, by their names."""
    asked = set().union(*map(needed, files)) - EVERYWHERE
    unknown = asked - set(CARRIED)
    if unknown:
        sys.exit(f"error: nobody has said whether these libraries may travel: {', '.join(sorted(unknown))}")
    listed = output_of("ldd", *files)
    places = dict(re.findall(r"^\s*(\S+) => (/\S+)", listed, re.MULTILINE))
    return {name: pathlib.Path(places[name]).resolve() for name in sorted(asked)}


def stripped(file, folder):
    """A copy without symbols that nobody needs."""
    target = pathlib.Path(folder) / file.name
    subprocess.run(["strip", "--strip-unneeded", "-o", target, file], check=True)
    return target


def licenses(libraries):
    """Licenses by their names in the wheel."""
    packages = [*LINKED, *(CARRIED[name] for name in libraries)]
    files = {package: pathlib.Path("/usr/share/doc", package, "copyright") for package in packages}
    found = {f"licenses/{package}.txt": file.read_bytes() for package, file in files.items() if file.is_file()}
    return {"licenses/LICENSE": (ROOT / "LICENSE").read_bytes(), **found}


def sources():
    """The files of the package, and the headers for programs in C, by their names in the wheel."""
    files = [file for file in PACKAGE.rglob("*") if file.suffix == ".py" or file.name == "py.typed"]
    own = {f"skriptnd/{file.relative_to(PACKAGE)}": file.read_bytes() for file in sorted(files)}
    headers = sorted((ROOT / "runtime" / "include").glob("*.h"))
    return {**own, **{f"skriptnd/include/{file.name}": file.read_bytes() for file in headers}}


def binaries(folder, scratch):
    """The executable and the libraries by their names in the wheel, and the version of glibc that they need."""
    copies = [stripped(folder / name, scratch) for name in ("skriptnd", "libskriptnd.so")]
    libraries = carried(copies)
    placed = {f"skriptnd/bin/{file.name}": file for file in copies}
    placed.update({f"skriptnd/bin/lib/{name}": file for name, file in libraries.items()})
    contents = {name: file.read_bytes() for name, file in placed.items()}
    return contents, libraries, glibc(placed.values())


def record(contents, own):
    """The list of all files with their digests."""
    lines = []
    for name, content in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    return "".join([*lines, f"{own},,\n"]).encode()


def write(path, contents):
    """Writes the archive under another name first; nothing in it depends on when that is done."""
    partial = path.with_suffix(".part")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            mode = 0o755 if name.startswith("skriptnd/bin/") else 0o644
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content)
    partial.replace(path)


def main(folder, version, output):
    with tempfile.TemporaryDirectory() as scratch:
        built, libraries, (major, minor) = binaries(pathlib.Path(folder), scratch)
    tag = f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"
    about = f"skriptnd-{version}.dist-info"
    description = (ROOT / "docs" / "python.md").read_text()
    texts = {
        "METADATA": METADATA.format(version=version, description=description).encode(),
        "WHEEL": WHEEL.format(tag=tag).encode(),
        "entry_points.txt": ENTRY_POINTS.encode(),
        **licenses(libraries),
    }
    contents = {**sources(), **built, **{f"{about}/{name}": text for name, text in texts.items()}}
    contents[f"{about}/RECORD"] = record(contents, f"{about}/RECORD")
    path = pathlib.Path(output) / f"skriptnd-{version}-{tag}.whl"
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob("skriptnd-*.whl"):
        old.unlink()
    write(path, contents)
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
