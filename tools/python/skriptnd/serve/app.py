"""The routes of the protocol, as an ASGI application."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List, Optional, Sequence

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .._version import __version__
from ..errors import Error
from . import protocol
from .admission import Gate, Limits, Refused, drain
from .batching import Arrays
from .metrics import Metrics
from .process import ModelFailed, ProcessDied, RequestFailed, TookTooLong
from .served import VERSION, Served
from .tensors import Malformed

_log = logging.getLogger("skriptnd.serve")

#: What a failure is in HTTP.
_STATUSES = ((Malformed, 400), (RequestFailed, 400), (TookTooLong, 504), (ModelFailed, 500), (ProcessDied, 500))

#: What is told of a client that left, as other servers do.
_LEFT = 499


class Server:
    """Models behind the routes of the protocol; `failed` hears why they can't be served."""

    def __init__(
        self, models: Sequence[Served], limits: Limits = Limits(), failed: Optional[Callable[[str], None]] = None
    ) -> None:
        self._models = {model.name: model for model in models}
        self._gate = Gate(limits)
        self._metrics = Metrics()
        self._metrics.open.set_function(lambda: self._gate.open)
        self._metrics.bytes.set_function(lambda: self._gate.bytes)
        self._failed = failed
        #: How many requests of inference were answered, by status.
        self.answered: Dict[int, int] = {}

    def application(self) -> Starlette:
        """What an ASGI server runs. The models are loaded while it is alive already."""
        model = "/v2/models/{name}"
        version = model + "/versions/{version}"
        routes = [
            Route("/v2", self._server),
            Route("/v2/health/live", self._live),
            Route("/v2/health/ready", self._ready),
            Route("/metrics", self._figures),
        ]
        for place in (model, version):
            routes.append(Route(place, self._model))
            routes.append(Route(f"{place}/ready", self._model_ready))
            routes.append(Route(f"{place}/infer", self._infer, methods=["POST"]))
        return Starlette(routes=routes, lifespan=self._lifespan)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        loading = asyncio.create_task(self._load())
        try:
            yield
        finally:
            loading.cancel()
            await asyncio.gather(loading, return_exceptions=True)
            for model in self._models.values():
                if model.batcher is not None:
                    await model.batcher.close()
                model.stop()

    async def _load(self) -> None:
        for model in self._models.values():
            try:
                await _in_thread(model.load)
            except Exception as error:  # noqa: BLE001 - whatever it is, nothing can be served
                text = str(error) if isinstance(error, Error) else f"model `{model.name}`: {error!r}"
                _log.error("error: %s", text)
                if self._failed is not None:
                    self._failed(text)
                return
            model.begin(self._metrics)
            _log.info("model `%s` is ready", model.name)

    @property
    def _is_ready(self) -> bool:
        return all(model.batcher is not None for model in self._models.values())

    async def _live(self, _: Request) -> Response:
        return JSONResponse({"live": True})

    async def _ready(self, _: Request) -> Response:
        return JSONResponse({"ready": self._is_ready}, 200 if self._is_ready else 503)

    async def _server(self, _: Request) -> Response:
        return JSONResponse({"name": "skriptnd", "version": __version__, "extensions": ["binary_tensor_data"]})

    async def _figures(self, _: Request) -> Response:
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4")

    async def _model(self, request: Request) -> Response:
        try:
            return JSONResponse(self._asked(request).describe())
        except Refused as refused:
            return _refusal(refused)

    async def _model_ready(self, request: Request) -> Response:
        try:
            return JSONResponse({"name": self._asked(request).name, "ready": True})
        except Refused as refused:
            return _refusal(refused)

    def _asked(self, request: Request) -> Served:
        """The model that a path names, which is ready."""
        name, version = request.path_params["name"], request.path_params.get("version", VERSION)
        model = self._models.get(name)
        if model is None:
            raise Refused(404, f"there is no model `{name}`; there are {', '.join(self._models)}")
        if version != VERSION:
            raise Refused(404, f"there is no version `{version}` of the model `{name}`; there is {VERSION}")
        if model.batcher is None:
            raise Refused(503, f"the model `{name}` is being loaded", {"Retry-After": "1"})
        return model

    async def _infer(self, request: Request) -> Response:
        name, begin = request.path_params["name"], asyncio.get_running_loop().time()
        stream = request.stream()
        try:
            response = await self._answered(request, stream)
        except Refused as refused:
            response = _refusal(refused)
            with contextlib.suppress(ClientDisconnect, asyncio.TimeoutError):
                await drain(stream)
        except ClientDisconnect:
            response = Response(status_code=_LEFT)
        except tuple(kind for kind, _ in _STATUSES) as error:
            response = JSONResponse({"error": str(error)}, _status(error))
        if name in self._models:
            self._metrics.requests.labels(name, str(response.status_code)).inc()
            self._metrics.seconds.labels(name).observe(asyncio.get_running_loop().time() - begin)
        self.answered[response.status_code] = self.answered.get(response.status_code, 0) + 1
        return response

    async def _answered(self, request: Request, stream: AsyncIterator[bytes]) -> Response:
        entry = self._gate.enter()
        try:
            model = self._asked(request)
            encoding = request.headers.get("content-encoding", "identity")
            if encoding != "identity":
                raise Refused(415, f"the body is encoded as {encoding}; expected a plain one")
            body = entry.read(stream, request.headers.get("content-length"))
            return await self._inside(request, model, body)
        finally:
            entry.leave()

    async def _inside(self, request: Request, model: Served, body: Awaitable[bytes]) -> Response:
        end = asyncio.get_running_loop().time() + self._gate.limits.seconds
        head = request.headers.get(protocol.LENGTH_HEADER)
        inference = protocol.parse(await body, head, model.signature)
        results = await self._results(request, model, inference.arrays, end)
        outputs = {info.name: array for info, array in zip(model.signature.outputs, results)}
        content, length = protocol.response(model.name, VERSION, inference, outputs)
        headers = {} if length is None else {protocol.LENGTH_HEADER: str(length)}
        kind = "application/json" if length is None else "application/octet-stream"
        return Response(content, media_type=kind, headers=headers)

    async def _results(self, request: Request, model: Served, arrays: List[Any], end: float) -> Arrays:
        """The results of the model, while the client waits and there is time."""
        assert model.batcher is not None
        run, left = asyncio.ensure_future(model.batcher.infer(arrays)), asyncio.ensure_future(_leaving(request))
        try:
            seconds = max(end - asyncio.get_running_loop().time(), 0.0)
            await asyncio.wait({run, left}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if run.done():
                return run.result()
            if left.done():
                raise ClientDisconnect
            raise Refused(504, f"no result in {self._gate.limits.seconds:g} seconds")
        finally:
            run.cancel()
            left.cancel()


def _status(error: BaseException) -> int:
    return next(status for kind, status in _STATUSES if isinstance(error, kind))


def _refusal(refused: Refused) -> Response:
    return JSONResponse({"error": str(refused)}, refused.status, headers=refused.headers)


async def _leaving(request: Request) -> None:
    """Waits until the client has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _in_thread(work: Callable[[], None]) -> Awaitable[None]:
    """Does something that may take minutes in a thread that nobody has to wait for when the server stops."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[None] = loop.create_future()

    def tell(error: Optional[BaseException]) -> None:
        if not future.done():
            future.set_exception(error) if error is not None else future.set_result(None)

    def do() -> None:
        error: Optional[BaseException] = None
        try:
            work()
        except BaseException as raised:  # noqa: BLE001 - told to who waits
            error = raised
        with contextlib.suppress(RuntimeError):  # The loop may be closed.
            loop.call_soon_threadsafe(tell, error)

    threading.Thread(target=do, daemon=True).start()
    return future


