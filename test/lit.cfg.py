# Configuration of the lit tests; `cargo xtask lit` runs them.
import os
import shlex
import shutil
import subprocess
import sys

import lit.formats

llvm = "/usr/lib/llvm-22/bin"
here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(here)
binaries = os.environ.get("SKRIPTND_BINARIES", os.path.join(root, "target", "release"))

config.name = "SkriptND"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".sknd", ".td", ".htp", ".test"]
# The runner in test/runner executes the cases of the other folders.
config.excludes = ["Inputs", "conformance", "fuzz", "generated", "lit.cfg.py", "models", "ods", "drr", "operators", "runner", "tutorial", "upstream"]
config.test_source_root = here
config.test_exec_root = os.environ.get("SKRIPTND_TEST_OUTPUT", os.path.join(root, "target", "lit"))

config.environment["PATH"] = os.pathsep.join([binaries, llvm, os.environ.get("PATH", "")])
# What was measured on this machine is no part of the tests.
config.environment["SKRIPTND_TUNED"] = "none"
# All cases where a test takes a sample.
if "SKRIPTND_WHOLE" in os.environ:
    config.environment["SKRIPTND_WHOLE"] = "1"
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input-filter=error"
# Where tests and what they take lie. Folders may have spaces in their names, so each is one quoted word; what stands in
# quotes already, as in options of passes, takes the plain path: `%/s`, `%/td`.
places = {
    "models": os.path.join(here, "models"),
    "td": os.path.join(root, "td"),
    "runtime": os.path.join(root, "runtime"),
    "binaries": binaries,
    "mlir_include": "/usr/lib/llvm-22/include",
}
# Material that lies beside the project where it is developed; tests that need it say `REQUIRES: shared`.
shared = os.path.join(os.path.dirname(root), "shared")
if os.path.isdir(shared):
    config.available_features.add("shared")
    places["shared"] = shared
for name, path in places.items():
    config.substitutions += [(f"%{name}", shlex.quote(path)), (f"%/{name}", path)]
config.substitutions.append(("%near", shlex.join([sys.executable, os.path.join(here, "near.py")])))
# Lit replaces what is in these quotes.
config.substitutions += [(f"%{letter}", f'"%{letter}"') for letter in "sSt"]
config.available_features.add("x86_64" if os.uname().machine == "x86_64" else os.uname().machine)

# What starts several processes that share a model.
if shutil.which("mpirun"):
    config.available_features.add("mpi")

# The sanitizers of the system's compiler.
for feature, option in [("tsan", "thread"), ("asan", "address,undefined")]:
    compiler = ["gcc", "-x", "c", f"-fsanitize={option}", "-", "-o", "/dev/null"]
    try:
        found = subprocess.run(compiler, input=b"int main(void) { return 0; }", capture_output=True).returncode == 0
    except OSError:
        found = False
    if found:
        config.available_features.add(feature)
