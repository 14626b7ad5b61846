"""Runs, one at a time, with what runs on inputs of the same shapes share."""

from __future__ import annotations

import threading
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy

from . import library
from .errors import ShapeError
from .interface import Interface
from .memory import address_of, borrow
from .plan import Plan, make_array

#: How many shapes of inputs a runner remembers.
_MOST_PLANS = 64


class Runner:
    """A session of the library. Threads that share one take turns."""

    def __init__(self, model: library.Handle, interface: Interface, threads: int) -> None:
        self._inputs, self._outputs = interface.inputs, interface.outputs
        self._handle = library.Handle("session_new", model.address)
        self.address = self._handle.address
        library.call("session_threads", self.address, threads)
        #: Held by whoever uses the session.
        self.lock = threading.Lock()
        self._plans: Dict[Tuple[Tuple[int, ...], ...], Plan] = {}
        self._run = library.function("session_run")

    def execute(self, values: Sequence[Any], outs: Optional[Sequence[Any]] = None) -> List[Any]:
        """Runs on inputs in the order of the model; outputs in its order, in the memory of `outs` where it is given."""
        ports = self._inputs
        if len(values) != len(ports):
            names = ", ".join(port.info.name for port in ports)
            raise ShapeError(f"the model has {len(ports)} inputs ({names}); {len(values)} were given")
        addresses, shapes, owners = [], [], []
        for value, port in zip(values, ports):
            # What `borrow` does, for the common case.
            if type(value) is numpy.ndarray and value.dtype == port.numpy and value.flags.c_contiguous:
                addresses.append(address_of(value))
                shapes.append(value.shape)
            else:
                memory = borrow(value, port.dtype, port.numpy, f"input `{port.info.name}`")
                addresses.append(memory.address)
                shapes.append(memory.shape)
                owners.append(memory.owner)
        with self.lock:
            plan = self._plans.get(tuple(shapes)) or self._plan(shapes, addresses)
            for descriptor, address in zip(plan.input_descriptors, addresses):
                descriptor.data = address
            arrays = self._place(plan, outs, owners)
            status = self._run(self.address, plan.inputs, plan.input_count, plan.output_array, plan.output_count)
            if status:
                raise library.failure(status)
            return [output.found(array) for output, array in zip(plan.outputs, arrays)]

    def _plan(self, shapes: List[Tuple[int, ...]], addresses: List[int]) -> Plan:
        plan = Plan(self.address, self._inputs, self._outputs, shapes, addresses)
        if len(self._plans) >= _MOST_PLANS:
            self._plans.clear()
        self._plans[tuple(shapes)] = plan
        return plan

    def _place(self, plan: Plan, outs: Optional[Sequence[Any]], owners: List[Any]) -> List[Any]:
        """Says where the outputs go; the arrays that take them."""
        arrays = []
        for index, (output, port) in enumerate(zip(plan.outputs, self._outputs)):
            given = outs[index] if outs is not None else None
            if given is None:
                given = make_array(output, port)
                address = address_of(given)
            else:
                what = f"output `{port.info.name}`"
                address, shape, owner = borrow(given, port.dtype, port.numpy, what, writable=True)
                if shape != output.shape:
                    raise ShapeError(f"{what}: the array's shape is {shape}, but the output's is {output.shape}")
                owners.append(owner)
            output.descriptor.data = address
            arrays.append(given)
        return arrays
