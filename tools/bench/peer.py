"""One runtime with one model, as a process that is asked in turn with others: the protocol of `skriptnd bench --worker`.

Usage: peer.py onnxruntime|openvino MODEL.onnx THREADS
"""

import json
import sys
import time

import numpy as np
import onnx


def onnxruntime(path, values, threads):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for name, value in values.items():
        binding.bind_cpu_input(name, value)
    for output in session.get_outputs():
        binding.bind_output(output.name)
    return onnxruntime.__version__, lambda: session.run_with_iobinding(binding), binding.copy_outputs_to_cpu


def openvino(path, values, threads):
    import openvino

    core = openvino.Core()
    # It would compute with bf16 on some processors.
    settings = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    request = core.compile_model(core.read_model(path), "CPU", settings).create_infer_request()
    for name, value in values.items():
        request.set_tensor(name, openvino.Tensor(value, shared_memory=True))
    version = openvino.__version__.split("-")[0]
    return version, request.infer, lambda: [tensor.data for tensor in request.output_tensors]


def inputs(path):
    """The inputs of a model by their names: the elements of MODEL.in0.bin and so on, MODEL without its ending."""
    values = {}
    for number, entry in enumerate(onnx.load(path).graph.input):
        kind = onnx.helper.tensor_dtype_to_np_dtype(entry.type.tensor_type.elem_type)
        shape = [extent.dim_value for extent in entry.type.tensor_type.shape.dim]
        values[entry.name] = np.fromfile(f"{str(path).removesuffix('.onnx')}.in{number}.bin", kind).reshape(shape)
    return values


def main(name, path, threads):
    # The runtimes read these in place, so they stay.
    values = inputs(path)
    version, run, outputs = {"onnxruntime": onnxruntime, "openvino": openvino}[name](path, values, int(threads))
    print(json.dumps({"ready": 1, "version": version}), flush=True)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "quit":
            break
        if words[0] == "out":
            run()
            for number, value in enumerate(outputs()):
                np.asarray(value, np.float32).tofile(f"{words[1]}.{number}")
            print(json.dumps({"ok": 1}), flush=True)
            continue
        times = []
        for _ in range(int(words[1])):
            begin = time.perf_counter()
            run()
            times.append((time.perf_counter() - begin) * 1e6)
        print(json.dumps({"lat_us": times}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
