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
