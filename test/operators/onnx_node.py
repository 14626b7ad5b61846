"""Single operators of ONNX, executed by ONNX Runtime or by ONNX's own reference."""

import numpy as np
import onnx
import onnxruntime
from onnx import helper
from onnx.reference import ReferenceEvaluator


def run(operator, *inputs, outputs=1, **options):
    """The results of an operator in ONNX Runtime: one array, or a list if there are several. `None` is an input that is
    left out."""
    model, arrays, names = single(operator, inputs, outputs, **options)
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
    found = session.run(names, arrays)
    return found[0] if outputs == 1 else found


def evaluate(operator, *inputs, outputs=1, opset=28, **options):
    """The same by ONNX's reference, which has what ONNX Runtime has not."""
    model, arrays, names = single(operator, inputs, outputs, opset, **options)
    found = ReferenceEvaluator(model).run(names, arrays)
    return found[0] if outputs == 1 else found


def single(operator, inputs, outputs, opset=21, domain="", **attributes):
    """A model of one node, the arrays it takes and the names of its results."""
    names = ["" if value is None else f"x{at}" for at, value in enumerate(inputs)]
    arrays = {name: narrow(value) for name, value in zip(names, inputs) if value is not None}
    results = [f"y{at}" for at in range(outputs)]
    node = helper.make_node(operator, names, results, domain=domain, **attributes)
    declared = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
                for name, array in arrays.items()]
    produced = [onnx.ValueInfoProto(name=name) for name in results]
    graph = helper.make_graph([node], operator, declared, produced)
    version = 1 if domain == "com.microsoft" else 3
    imports = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(domain, version)] if domain else [])
    return helper.make_model(graph, opset_imports=imports, ir_version=10), arrays, results


def narrow(value):
    """Real numbers in 32 bits, which all operators of ONNX Runtime have."""
    array = np.asarray(value)
    return array.astype(np.float32) if array.dtype == np.float64 else array
