"""Single operators of ONNX, executed by ONNX Runtime."""

import numpy as np
import onnx
import onnxruntime
from onnx import helper


def run(operator, *inputs, outputs=1, opset=21, **attributes):
    """The results of an operator: one array, or a list if there are several. `None` is an input that is left out."""
    names = ["" if value is None else f"x{at}" for at, value in enumerate(inputs)]
    arrays = {name: narrow(value) for name, value in zip(names, inputs) if value is not None}
    results = [f"y{at}" for at in range(outputs)]
    node = helper.make_node(operator, names, results, **attributes)
    declared = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
                for name, array in arrays.items()]
    produced = [onnx.ValueInfoProto(name=name) for name in results]
    graph = helper.make_graph([node], operator, declared, produced)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    found = session.run(results, arrays)
    return found[0] if outputs == 1 else found


def narrow(value):
    """Real numbers in 32 bits, which all operators of ONNX Runtime have."""
    array = np.asarray(value)
    return array.astype(np.float32) if array.dtype == np.float64 else array
