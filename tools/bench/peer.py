"""One runtime with one model, as a process that is asked in turn with others: the protocol of `skriptnd bench --worker`.

Usage: peer.py onnxruntime|openvino MODEL.onnx THREADS
"""

import json
import sys
import time

import numpy as np


def onnxruntime(path, value, threads):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    binding.bind_cpu_input("input", value)
    binding.bind_output(session.get_outputs()[0].name)
    return onnxruntime.__version__, lambda: session.run_with_iobinding(binding), lambda: binding.copy_outputs_to_cpu()[0]


def openvino(path, value, threads):
    import openvino

    core = openvino.Core()
    # It would compute with bf16 on some processors.
    settings = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    request = core.compile_model(core.read_model(path), "CPU", settings).create_infer_request()
    request.set_input_tensor(openvino.Tensor(value, shared_memory=True))
    return openvino.__version__.split("-")[0], request.infer, lambda: request.get_output_tensor(0).data


def main(name, path, threads):
    value = np.load(path.removesuffix(".onnx") + ".npy")
    version, run, output = {"onnxruntime": onnxruntime, "openvino": openvino}[name](path, value, int(threads))
    print(json.dumps({"ready": 1, "version": version}), flush=True)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "quit":
            break
        if words[0] == "out":
            run()
            np.asarray(output(), np.float32).tofile(words[1] + ".0")
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
