"""A server of its own process, and requests for it."""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import numpy
from batch_support import LOOKUP, TABLE, LookupTest, needs

import skriptnd

PACKAGE = str(pathlib.Path(skriptnd.__file__).parent.parent)
#: A request of which the most is missing.
HALF = b"POST /v2/models/lookup/infer HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{"


def tensor(name, array):
    """An input in JSON."""
    kind = {"float32": "FP32", "int64": "INT64", "bool": "BOOL"}[array.dtype.name]
    return {"name": name, "shape": list(array.shape), "datatype": kind, "data": array.ravel().tolist()}


def lookup_request(*rows, x=1.0, **further):
    """A request for rows of the table."""
    indices = numpy.array(rows, "int64").reshape(len(rows), 2)
    return {"inputs": [tensor("i", indices), tensor("x", numpy.full((len(rows), 3), x, "float32"))], **further}


class Started:
    """A server of its own process, and a client for it."""

    def __init__(self, *arguments):
        import httpx

        environment = {**os.environ, "PYTHONPATH": PACKAGE}
        command = [sys.executable, "-m", "skriptnd.serve", "--port", "0", *map(str, arguments)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)
        self.address = self.process.stdout.readline().strip().rpartition(" ")[2]
        self.client = httpx.Client(base_url=self.address, timeout=60)

    def wait_until_ready(self):
        """Waits for the models."""
        for _ in range(600):
            if self.process.poll() is not None or self.client.get("/v2/health/ready").status_code == 200:
                return self
            time.sleep(0.1)
        raise AssertionError("the server is not ready")

    def connect(self):
        """A connection that says what a test likes."""
        host, _, port = self.address.rpartition("/")[2].partition(":")
        return socket.create_connection((host, int(port)), timeout=30)

    def infer(self, request, model="lookup"):
        """The answer to a request."""
        return self.client.post(f"/v2/models/{model}/infer", json=request)

    def figures(self):
        """The metrics by their names with labels."""
        lines = self.client.get("/metrics").text.splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}

    def workers(self):
        """The processes that run models."""
        own = self.process.pid
        return [int(word) for word in pathlib.Path(f"/proc/{own}/task/{own}/children").read_text().split()]

    def stop(self, how=signal.SIGTERM):
        """Ends it; what it has printed, and how it ended."""
        self.process.send_signal(how)
        printed, logged = self.process.communicate(timeout=60)
        return printed, logged, self.process.returncode

    def close(self):
        """Ends it whatever it does."""
        self.client.close()
        self.process.kill()
        self.process.communicate()


@needs("starlette", "uvicorn", "prometheus_client", "httpx")
class ServerTest(LookupTest):
    """Models with a server for each test that asks for one."""

    def served(self, *arguments, **options):
        folder = self.write(LOOKUP, "lookup", table=TABLE)
        started = Started(folder, *arguments, **options)
        self.addCleanup(started.close)
        return started.wait_until_ready()
