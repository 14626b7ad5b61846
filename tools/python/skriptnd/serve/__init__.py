"""A server of models that speaks the Open Inference Protocol (version 2, REST), as KServe and Triton do.

    python -m skriptnd.serve scores=model.onnx --batch 32

Needs `starlette`, `uvicorn` and `prometheus_client`, which `pip install skriptnd[serve]` brings.
"""
