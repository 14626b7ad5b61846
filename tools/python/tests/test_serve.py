"""The server, asked by a client over the loopback: the protocol, requests that fail, processes that die, load, its end."""

import concurrent.futures
import contextlib
import io
import json
import logging
import os
import re
import signal
import threading
import time
import unittest
from unittest import mock

import numpy
from batch_support import LOOKUP, OUTSIDE, TABLE
from serve_support import HALF, ServerTest, Started, lookup_request, tensor
from support import AFFINE, COUNTER, KINDS, onnx_affine

import skriptnd


class ProtocolTest(ServerTest):
    """What one server of two models answers."""

    @classmethod
    def setUpClass(cls):
        shared = cls("setUp")
        shared.setUp()
        cls.addClassCleanup(shared.doCleanups)
        folders = [shared.write(LOOKUP, "lookup", table=TABLE), shared.write(KINDS, "kinds")]
        cls.server = Started(*folders, "--body-bytes", 5000, "--bytes", 8000, "--threads", 1).wait_until_ready()
        cls.addClassCleanup(cls.server.close)

    def assert_refused(self, response, status, *texts):
        self.assertEqual(response.status_code, status, response.text)
        for text in texts:
            self.assertIn(text, response.json()["error"])

    def test_health_and_descriptions(self):
        get = self.server.client.get
        for place in ("/v2/health/live", "/v2/health/ready", "/v2/models/lookup/ready", "/v2/models/lookup/versions/1/ready"):
            self.assertEqual(get(place).status_code, 200)
        told = get("/v2").json()
        self.assertEqual((told["name"], told["extensions"]), ("skriptnd", ["binary_tensor_data"]))
        described = get("/v2/models/lookup").json()
        self.assertEqual(described["inputs"][0], {"name": "i", "datatype": "INT64", "shape": [-1, 2]})
        self.assertEqual(described["outputs"][0], {"name": "y", "datatype": "FP32", "shape": [-1, 2, 3]})
        self.assert_refused(get("/v2/models/no"), 404, "there is no model `no`; there are lookup, kinds")
        self.assert_refused(get("/v2/models/lookup/versions/2"), 404, "no version `2`")
        self.assert_refused(self.server.infer({}, "no"), 404, "there is no model `no`")

    def test_infers(self):
        answer = self.server.infer(lookup_request((1, 9), (0, 3), x=2.5, id="first")).json()
        self.assertEqual((answer["model_name"], answer["model_version"], answer["id"]), ("lookup", "1", "first"))
        y, z = answer["outputs"]
        self.assertEqual((y["name"], y["datatype"], y["shape"]), ("y", "FP32", [2, 2, 3]))
        self.assertEqual(y["data"], TABLE[[1, 9, 0, 3]].ravel().tolist())
        self.assertEqual(z["data"], [5.0] * 6)
        (only,) = self.server.infer(lookup_request((1, 2), outputs=[{"name": "z"}])).json()["outputs"]
        self.assertEqual(only["name"], "z")
        nested = lookup_request((1, 2))
        nested["inputs"][0]["data"] = [[1, 2]]
        self.assertEqual(self.server.infer(nested).status_code, 200)
        kinds = {"inputs": [tensor("i", numpy.array([3, -4])), tensor("b", numpy.array([True, False]))]}
        j, c = self.server.infer(kinds, "kinds").json()["outputs"]
        self.assertEqual((j["data"], c["data"], c["datatype"]), ([6, -8], [False, True], "BOOL"))

    def binary(self, indices, x, **further):
        """A request with bytes behind the JSON: a head, and all of it."""
        inputs = [tensor("i", indices), tensor("x", x)]
        for entry, array in zip(inputs, (indices, x)):
            del entry["data"]
            entry["parameters"] = {"binary_data_size": array.nbytes}
        head = json.dumps({"inputs": inputs, **further}).encode()
        return head, head + indices.tobytes() + x.tobytes()

    def post(self, content, length=None):
        headers = {} if length is None else {"Inference-Header-Content-Length": str(length)}
        return self.server.client.post("/v2/models/lookup/infer", content=content, headers=headers)

    def test_tensors_are_bytes_where_a_client_likes(self):
        indices, x = numpy.array([[4, 5]]), numpy.array([[numpy.nan, numpy.inf, 1]], "float32")
        head, body = self.binary(indices, x, parameters={"binary_data_output": True})
        response = self.post(body, len(head))
        length = int(response.headers["Inference-Header-Content-Length"])
        y, z = json.loads(response.content[:length])["outputs"]
        size = y["parameters"]["binary_data_size"]
        tail = response.content[length:]
        self.assertEqual(numpy.frombuffer(tail[:size], "float32").tolist(), TABLE[[4, 5]].ravel().tolist())
        numpy.testing.assert_array_equal(numpy.frombuffer(tail[size:], "float32"), 2 * x[0])
        head, body = self.binary(indices, x)
        self.assert_refused(self.post(body, len(head)), 400, "output `z` has values that JSON has not", '"binary_data": true')
        head, body = self.binary(indices, x, outputs=[{"name": "y"}, {"name": "z", "parameters": {"binary_data": True}}])
        y, z = json.loads((answer := self.post(body, len(head))).content[: int(answer.headers["inference-header-content-length"])])["outputs"]
        self.assertIn("data", y)
        self.assertEqual(z["parameters"], {"binary_data_size": 12})
        self.assert_refused(self.post(body[:-1], len(head)), 400, "`binary_data_size` is 12, but 11 bytes follow")
        self.assert_refused(self.post(body + b"12", len(head)), 400, "2 bytes are left behind the tensors")
        self.assert_refused(self.post(body, 100_000), 400, "inference-header-content-length is '100000'")
        self.assert_refused(self.post(body, "-1"), 400, "inference-header-content-length is '-1'")

    def test_what_a_model_refuses_is_told_with_its_place(self):
        error = self.server.infer(lookup_request((1, 10))).json()["error"]
        self.assertRegex(error, r"^stdlib/layout\.sknd:\d+:\d+: error: " + re.escape(OUTSIDE))
        self.assertRegex(error, r"in layout\.gather invoked at lookup/main\.sknd:10:13")
        self.assert_refused(self.server.infer(lookup_request(*[(1, 1)] * 65)), 400, "65")
        self.assertEqual(self.server.infer(lookup_request((1, 9))).status_code, 200)

    def test_malformed_requests_are_told(self):
        def changed(name, value):
            request = lookup_request((1, 2))
            request["inputs"][0][name] = value
            return request

        missing = {"inputs": lookup_request((1, 2))["inputs"][:1]}
        for request, text in (
            ([], "the request: expected an object, found []"),
            ({}, "expected `inputs`, a list of objects, found None"),
            (missing, "inputs are missing: `x`"),
            ({"inputs": [5]}, "an input: expected an object, found 5"),
            ({**lookup_request((1, 2)), "ids": 1}, "the request: `ids` is not known"),
            (lookup_request((1, 2), id=5), "expected `id`, a text, found 5"),
            (lookup_request((1, 2), parameters={"sequence_id": 1}), "`sequence_id` is not known"),
            (lookup_request((1, 2), parameters=[1]), "the parameters of the request: expected an object"),
            (lookup_request((1, 2), outputs=[{"name": "no"}]), "the model has no output 'no'; its outputs: `y`, `z`"),
            (lookup_request((1, 2), outputs=5), "expected `outputs`, a list"),
            (changed("name", "no"), "the model has no input 'no'; its inputs: `i`, `x`"),
            (changed("name", "x"), "input `x`: its datatype is 'INT64', but the model has FP32"),
            (changed("datatype", "INT32"), "input `i`: its datatype is 'INT32', but the model has INT64"),
            (changed("shape", [1, 3]), "input `i`: its shape is [1, 3], but the model has [n, 2]"),
            (changed("shape", [-1, 2]), "expected `shape`, a list of whole numbers, found [-1, 2]"),
            (changed("shape", [True, 2]), "expected `shape`"),
            (changed("shape", [10**30, 2]), "elements for the shape"),
            (changed("data", [1]), "input `i`: 1 elements for the shape [1, 2]"),
            (changed("data", [[1], [1, 2]]), "input `i`"),
            (changed("data", [1, 2.5]), "input `i`: the elements are float64, but the model has int64"),
            (changed("data", [1, 10**30]), "input `i`"),
            (changed("data", ["a", "b"]), "input `i`"),
            (changed("data", "ab"), "input `i`: expected `data`, a list of numbers, found 'ab'"),
            (changed("data", None), "input `i`: expected `data`"),
            (changed("parameters", {"binary_data_size": 16}), "`binary_data_size` is 16, but 0 bytes follow"),
        ):
            with self.subTest(text=text):
                self.assert_refused(self.server.infer(request), 400, text)
        wide = lookup_request((1, 2))
        wide["inputs"][1]["data"] = [1e300, 0, 0]
        self.assert_refused(self.server.infer(wide), 400, "input `x`: a number is too large for float32")
        for content in (b"", b"{", b"\xff", b"[" * 4000, b'{"inputs": NaN}'):
            self.assert_refused(self.post(content), 400, "the request is no JSON")
        self.assertEqual(self.server.infer(lookup_request((1, 9))).status_code, 200)

    def test_all_bodies_together_have_a_limit(self):
        with self.server.connect() as first:
            first.sendall(HALF.replace(b"100", b"5000") + b" " * 4500)
            while self.server.figures()["skriptnd_request_bytes"] < 4500:
                time.sleep(0.01)
            answer = self.post(b" " * 4500)
            self.assert_refused(answer, 503, "the server is busy: requests with 45", "bytes are here already; try again later")
            self.assertEqual(answer.headers["Retry-After"], "1")
            first.sendall(b" " * 499)
            self.assertIn(b"HTTP/1.1 400 ", first.makefile("rb").readline())
        self.assert_refused(self.post(b" " * 4500), 400, "no JSON")

    def test_bodies_have_a_limit(self):
        self.assert_refused(self.post(b" " * 5001), 413, "5001 bytes or more; at most 5000 are taken")
        self.assert_refused(self.post(iter([b" " * 3000, b" " * 3000])), 413, "at most 5000 are taken")
        self.assert_refused(self.post(b" " * 5000), 400, "no JSON")
        response = self.server.client.post("/v2/models/lookup/infer", content=b"1", headers={"Content-Encoding": "gzip"})
        self.assert_refused(response, 415, "encoded as gzip")
        self.assertEqual(self.server.client.get("/v2/models/lookup/infer").status_code, 405)
        figures = self.server.figures()
        self.assertEqual((figures["skriptnd_requests_open"], figures["skriptnd_request_bytes"]), (0, 0))


class LoadTest(ServerTest):
    """Many clients at a time."""

    def ask(self, server, count, between=lambda number: None, clients=16):
        """Asks so often, each fifth time for what fails; how often each answer came. Each is looked at."""
        import httpx

        lock, numbers, seen = threading.Lock(), iter(range(count)), {}

        def client():
            with httpx.Client(base_url=server.address, timeout=60) as own:
                while True:
                    with lock:
                        number = next(numbers, None)
                    if number is None:
                        return
                    between(number)
                    wrong = number % 5 == 3
                    request = lookup_request((number % 10, 10 if wrong else 1), x=float(number))
                    answer = own.post("/v2/models/lookup/infer", json=request)
                    with lock:
                        seen[answer.status_code] = seen.get(answer.status_code, 0) + 1
                    self.look(number, wrong, answer)

        with concurrent.futures.ThreadPoolExecutor(clients) as pool:
            for done in [pool.submit(client) for _ in range(clients)]:
                done.result()
        return seen

    def look(self, number, wrong, answer):
        if answer.status_code == 503:
            self.assertIn("the server is busy", answer.json()["error"])
            self.assertEqual(answer.headers["Retry-After"], "1")
            return
        self.assertEqual(answer.status_code, 400 if wrong else 200, answer.text)
        if wrong:
            self.assertIn(OUTSIDE, answer.json()["error"])
            return
        y, z = (output["data"] for output in answer.json()["outputs"])
        self.assertEqual((y, z), (TABLE[[number % 10, 1]].ravel().tolist(), [2.0 * number] * 3))

    def test_each_request_gets_its_own_results(self):
        server = self.served("--batch", 16, "--delay", 0.005, "--processes", 2)
        self.assertEqual(self.ask(server, 300), {200: 240, 400: 60})
        figures = server.figures()
        self.assertEqual(figures['skriptnd_requests_total{code="200",model="lookup"}'], 240)
        self.assertEqual(figures['skriptnd_requests_total{code="400",model="lookup"}'], 60)
        self.assertLess(figures['skriptnd_run_requests_count{model="lookup"}'], 240)
        self.assertEqual(figures['skriptnd_run_requests_sum{model="lookup"}'], 240)
        self.assertEqual(figures['skriptnd_process_starts{model="lookup"}'], 2)
        self.assertEqual((figures["skriptnd_requests_open"], figures["skriptnd_request_bytes"]), (0, 0))
        printed, _, code = server.stop()
        self.assertIn("stopped; requests answered: 240 with 200, 60 with 400", printed)
        self.assertEqual(code, 0)

    def test_nothing_is_lost_with_a_process_that_is_killed(self):
        server = self.served("--batch", 8)

        def kill(number):
            if number == 60:
                (process,) = server.workers()
                os.kill(process, signal.SIGKILL)

        self.assertEqual(self.ask(server, 200, kill), {200: 160, 400: 40})
        self.assertEqual(server.figures()['skriptnd_process_starts{model="lookup"}'], 2)

    def test_too_many_are_refused_and_the_others_answered(self):
        server = self.served("--requests", 2)
        seen = self.ask(server, 200, clients=12)
        self.assertEqual(sum(seen.values()), 200)
        self.assertGreater(seen[503], 0)
        self.assertGreater(seen[200], 0)
        self.assertEqual(server.figures()["skriptnd_requests_open"], 0)
        self.assertEqual(self.ask(server, 5, clients=1), {200: 4, 400: 1})

    def test_a_stop_answers_what_is_inside(self):
        import httpx

        server, stopped = self.served("--batch", 8), threading.Event()
        seen, lock = {}, threading.Lock()

        def client():
            with httpx.Client(base_url=server.address, timeout=60) as own:
                while True:
                    try:
                        status = own.post("/v2/models/lookup/infer", json=lookup_request((1, 1))).status_code
                    except httpx.TransportError:
                        if stopped.is_set():
                            return
                        raise
                    with lock:
                        seen[status] = seen.get(status, 0) + 1

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            clients = [pool.submit(client) for _ in range(8)]
            while sum(seen.values()) < 50:
                time.sleep(0.01)
            stopped.set()
            printed, logged, code = server.stop()
            for done in clients:
                done.result()
        self.assertEqual((list(seen), code, logged.count("Traceback")), ([200], 0, 0))
        self.assertIn(f"stopped; requests answered: {seen[200]} with 200", printed)


class ProcessTest(ServerTest):
    """The server's side of a process."""

    def started(self, seconds):
        from skriptnd.serve import process

        path = self.folder / "rows.onnx"
        path.write_bytes(onnx_affine())
        started = process.Process(lambda: str(skriptnd.compile(path).artifact), 1, seconds)
        self.addCleanup(started.stop)
        return process, started

    def test_what_it_is_sent_may_be_large_whatever_the_process_does(self):
        process, started = self.started(1.0)
        rows = [numpy.ones((200_000, 3), "float32")]
        self.assertEqual(started.run(rows)[0][199_999].tolist(), [1, 2, 3])
        os.kill(started.pid, signal.SIGSTOP)
        with self.assertRaisesRegex(process.TookTooLong, "the model did not come to its end in 1 seconds"):
            started.run(rows)
        self.assertEqual((started.run(rows)[0][0].tolist(), started.starts), ([1, 2, 3], 2))

    def test_how_it_ended_is_told(self):
        process, started = self.started(20.0)
        started.start()
        os.kill(started.pid, signal.SIGSTOP)
        killer = threading.Timer(0.2, os.kill, (started.pid, signal.SIGKILL))
        killer.start()
        with self.assertRaisesRegex(process.ProcessDied, "the process that ran the model ended by SIGKILL"):
            started.run([numpy.ones((1, 3), "float32")])
        self.assertEqual(started.run([numpy.ones((1, 3), "float32")])[0].tolist(), [[1, 2, 3]])
        started.stop()
        with self.assertRaisesRegex(process.ModelFailed, "the server stops"):
            started.run([])


class FailureTest(ServerTest):
    """Servers that can't serve, and runs that do not end."""

    def failed(self, *arguments):
        """Starts a server that ends by itself, in this process; what it says."""
        from skriptnd.serve.__main__ import main

        for number in (signal.SIGTERM, signal.SIGINT):
            self.addCleanup(signal.signal, number, signal.getsignal(number))
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()), self.assertLogs() as logs:
            logging.getLogger().warning("nothing yet")
            try:
                code = main(["--port", "0", *map(str, arguments)])
            except SystemExit as ended:
                code = ended.code
        return code, "\n".join([said.getvalue(), *(record.getMessage() for record in logs.records)])

    def test_models_that_can_not_be_served_are_told(self):
        affine = self.write(AFFINE, "affine", scale=numpy.ones(3, "float32"))
        counter = self.write(COUNTER, "counter", sum=numpy.zeros(3, "float32"))
        broken = self.write("graph {", "broken")
        for arguments, text in (
            ([self.folder / "no.onnx"], "no.onnx can't be read: No such file"),
            ([broken], "broken/main.sknd:1:7: error:"),
            ([counter], "error: model `counter`: it has states (main.Counter.sum)"),
            ([affine, "--batch", 4], "error: model `affine`: output `doubled` has 4 rows for 2 of the inputs"),
            ([affine, affine], "two models are called `affine`"),
        ):
            with self.subTest(text=text):
                code, said = self.failed(*arguments)
                self.assertIn(text, said)
                self.assertEqual(code, 1)

    def test_wrong_words_are_told(self):
        for words, text in (
            (["a b=model"], "`a b` is no name of a model"),
            (["m", "--batch", "0"], "expected a whole number from 1, found `0`"),
            (["m", "--seconds", "soon"], "expected a number of seconds, found `soon`"),
            (["m", "--run-seconds", "0"], "expected a number of seconds, found none"),
            (["m", "--bound", "N"], "expected NAME=NUMBER, found `N`"),
            ([], "the following arguments are required"),
        ):
            code, said = self.failed(*words)
            self.assertIn(text, said)
            self.assertEqual(code, 2)

    def test_runs_that_do_not_end_are_ended(self):
        server = self.served("--run-seconds", 0.5)
        self.assertEqual(server.infer(lookup_request((1, 1))).status_code, 200)
        (process,) = server.workers()
        os.kill(process, signal.SIGSTOP)
        answer = server.infer(lookup_request((1, 1)))
        self.assertEqual(answer.status_code, 504)
        self.assertEqual(answer.json()["error"], "the model did not come to its end in 0.5 seconds")
        self.assertEqual(server.infer(lookup_request((1, 1))).status_code, 200)
        self.assertNotEqual(server.workers(), [process])

    def test_requests_take_no_longer_than_they_may(self):
        server = self.served("--seconds", 0.5)
        (process,) = server.workers()
        os.kill(process, signal.SIGSTOP)
        answer = server.infer(lookup_request((1, 1)))
        self.assertEqual((answer.status_code, answer.json()["error"]), (504, "no result in 0.5 seconds"))
        os.kill(process, signal.SIGCONT)
        with server.connect() as slow:
            slow.sendall(HALF)
            answer = slow.makefile("rb").read()
        self.assertTrue(answer.startswith(b"HTTP/1.1 408 "), answer)
        self.assertIn(b'{"error":"the body did not arrive in 0.5 seconds"}', answer)
        with server.connect() as left:
            left.sendall(HALF)
        self.assertEqual(server.infer(lookup_request((1, 1))).status_code, 200)
        self.assertEqual(server.figures()["skriptnd_requests_open"], 0)

    def test_a_model_that_went_from_the_cache_is_made_again(self):
        with mock.patch.dict(os.environ, {"SKRIPTND_CACHE": str(self.cache)}):
            server = self.served()
            self.assertEqual(server.infer(lookup_request((1, 1))).status_code, 200)
            (artifact,) = (self.cache / "artifacts").iterdir()
            artifact.rename(self.folder / "gone")
            os.kill(server.workers()[0], signal.SIGKILL)
            self.assertEqual(server.infer(lookup_request((1, 1))).status_code, 200)
            self.assertEqual(self.entries(), [artifact.name])


if __name__ == "__main__":
    unittest.main()
