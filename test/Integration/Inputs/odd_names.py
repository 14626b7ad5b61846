"""Runs a model whose folder, input and variable have names that are not UTF-8."""
import os, shutil, subprocess, sys

folder, inputs = (os.fsencode(argument) for argument in sys.argv[1:])
model = folder + b"/m\xffodel"
shutil.rmtree(model, ignore_errors=True)
os.makedirs(model)
shutil.copy(inputs + b"/counter.sknd", model + b"/main.sknd")
x, variable = model + b"/x\xfe.npy", model + b"/v\xfd.npy"
shutil.copy(inputs + b"/ramp3.npy", x)
shutil.copy(inputs + b"/ones3.npy", variable)
for source in (model, model + b"/main.sknd"):
    command = [b"skriptnd", b"run", source, b"--backend", b"interpret", b"--input", b"x=" + x, b"--variable", b"sum=" + variable]
    assert b"y: real[3] = 2.0, 3.0, 4.0" in subprocess.run(command, check=True, capture_output=True).stdout
subprocess.run([b"skriptnd", b"compile", model, b"-o", model + b"/\xfc.so"], check=True)
subprocess.run([b"skriptnd-opt", model, b"-o", model + b"/\xfb.mlir"], check=True)
assert os.path.exists(model + b"/\xfc.so") and os.path.exists(model + b"/\xfb.mlir")

# A library finds variables whose names are no text.
shutil.copy(inputs + b"/ones3.npy", model + b"/sum.npy")
library = folder + b"/\xfa.so"
subprocess.run([b"skriptnd", b"compile", model, b"-o", library], check=True)
assert b"y: real[3] = 2.0, 3.0, 4.0" in subprocess.run([b"skriptnd", b"run", library, b"--input", x], check=True, capture_output=True).stdout


def fails(code, *arguments):
    done = subprocess.run([b"skriptnd", *arguments], capture_output=True)
    assert done.returncode == code, done
    return done


# JSON has no other text than UTF-8: a result by such a name is refused, a place in a model has a warning beside it.
emitted = [b"compile", model, b"--emit", b"obj", b"-o"]
for command in ([b"run", model, b"--input", x, b"--output-dir"], emitted, [b"graph", model, b"-o"]):
    refused = fails(2, *command, folder + b"/\xf9.dot", b"--json")
    assert b"can't tell a name that is not UTF-8" in refused.stderr and b'"valid":false' in refused.stdout, refused
(open(model + b"/\xf8.htp", "w")).close()
compiled = [b"compile", model, b"--htp-rules", model + b"/\xf8.htp", b"-o", folder + b"/m.o"]
assert b"there is no rule in this file" in fails(0, *compiled).stderr
assert b"U+FFFD in its place" in fails(0, b"check", model, b"--json").stderr
