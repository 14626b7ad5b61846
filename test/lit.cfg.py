# Configuration of the lit tests; `cargo xtask lit` runs them.
import os
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
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input-filter=error"
config.substitutions.append(("%models", os.path.join(here, "models")))
config.substitutions.append(("%near", f"{sys.executable} {os.path.join(here, 'near.py')}"))
config.substitutions.append(("%td", os.path.join(root, "td")))
config.substitutions.append(("%runtime", os.path.join(root, "runtime")))
config.substitutions.append(("%binaries", binaries))
config.substitutions.append(("%mlir_include", "/usr/lib/llvm-22/include"))
config.available_features.add("x86_64" if os.uname().machine == "x86_64" else os.uname().machine)

# The sanitizers of the system's compiler.
for feature, option in [("tsan", "thread"), ("asan", "address,undefined")]:
    compiler = ["gcc", "-x", "c", f"-fsanitize={option}", "-", "-o", "/dev/null"]
    try:
        found = subprocess.run(compiler, input=b"int main(void) { return 0; }", capture_output=True).returncode == 0
    except OSError:
        found = False
    if found:
        config.available_features.add(feature)

# Material that lies beside the project where it is developed; tests that need it say `REQUIRES: shared`.
shared = os.path.join(os.path.dirname(root), "shared")
if os.path.isdir(shared):
    config.available_features.add("shared")
    config.substitutions.append(("%shared", shared))
