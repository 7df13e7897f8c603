"""Memory and launches, on this computer or on a GPU: the caller of a fleet kernel need not know which.

machine = machine_for("cuda")
states = machine.array(State, 1000)            # its address goes into the job; write and read move values there and back
machine.run(kernel, 1000, job)                 # for i = 0 ... 999: function(i, job)
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import numpy as np

from kibitz.core.compiling.binder import CUDA, Bound, options
from kibitz.core.device import driver as drivers
from kibitz.core.device import ptx
from kibitz.core.errors import InputError, RulesError, nearest
from kibitz.core.position.game import Game
from kibitz.core.records.memory import zeros
from kibitz.core.running.pool import cores
from kibitz.core.running.team import Team

DEVICES = ("cpu", CUDA)


# --- the kernel that this computer's cores run ---


def each_of(first: int, end: int, job: Any) -> int:
    """The fleet kernel for numbers first to end - 1."""
    for i in range(first, end):
        options.each(i, job)
    return end - first


# --- shell ---


@dataclass(frozen=True)
class Fleet:
    """A fleet kernel of one game."""

    game: Game
    function: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    def bound(self, target: str | None = None) -> Bound:
        """For a GPU, or in a loop for this computer."""
        if target == CUDA:
            return self.game.bind(self.function, self.options, target=CUDA, label=self.label)
        return self.game.bind(each_of, {**self.options, "each": self.function}, label=self.label)

    def source(self, job: Any) -> str:
        """PTX for jobs like this one; an error in one line says why there is none."""
        return ptx.source(self.bound(CUDA), job)


class Array(Protocol):
    """Records or numbers in the machine's memory."""

    address: int

    def write(self, values: Any, first: int = 0) -> None: ...

    def read(self, first: int = 0, count: int | None = None) -> Any: ...

    def release(self) -> None: ...


class Machine(Protocol):
    """Where kernels run."""

    device: str

    def array(self, kind: Any, count: int) -> Array:
        """Zeroed."""

    def prepare(self, fleet: Fleet, job: Any) -> None:
        """Make the code, if it is not there yet."""

    def run(self, fleet: Fleet, count: int, job: Any) -> None:
        """Call the kernel for 0 to count - 1, and wait."""

    def free(self) -> int:
        """Bytes that arrays may take."""


def machine_for(device: str, threads: int = 0) -> Machine:
    """This computer (`cpu`, on `threads` threads; 0: one for each core) or a GPU (`cuda`)."""
    if device not in DEVICES:
        raise InputError(f"unknown device '{device}'; {nearest(device, DEVICES, 'devices')}")
    return Cuda() if device == CUDA else Host(threads or cores())


class HostArray:
    """In this computer's memory."""

    def __init__(self, kind: Any, count: int) -> None:
        self.values = zeros(
            kind, count, f"no memory for {count} records of {np.dtype(kind).itemsize} bytes; ask for fewer trees or less memory"
        )
        self.address = int(self.values.ctypes.data)

    def write(self, values: Any, first: int = 0) -> None:
        self.values[first : first + len(values)] = values

    def read(self, first: int = 0, count: int | None = None) -> Any:
        end = len(self.values) if count is None else first + count
        return self.values[first:end].copy()

    def release(self) -> None:
        """When nobody refers to it any more."""


class Host:
    """This computer."""

    device = "cpu"

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads

    def array(self, kind: Any, count: int) -> HostArray:
        return HostArray(kind, count)

    def prepare(self, fleet: Fleet, job: Any) -> None:
        fleet.bound().prepare(0, 1, job)

    def run(self, fleet: Fleet, count: int, job: Any) -> None:
        kernel, parts = fleet.bound(), min(self.threads, count)
        edges = [count * part // parts for part in range(parts + 1)]
        calls: list[tuple[Any, ...]] = [(first, end, job) for first, end in itertools.pairwise(edges)]
        kernel.prepare(*calls[0])
        Team(kernel, calls)()

    def free(self) -> int:
        try:
            return int(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        except (AttributeError, ValueError, OSError):  # what not every system tells
            return 1 << 30


class CudaArray:
    """In a GPU's memory."""

    def __init__(self, driver: drivers.Driver, kind: Any, count: int) -> None:
        self.driver, self.kind, self.count = driver, np.dtype(kind), count
        self.address = driver.allocate(self.kind.itemsize * count)
        driver.clear(self.address, self.kind.itemsize * count)

    def write(self, values: Any, first: int = 0) -> None:
        self.driver.write(self.address + first * self.kind.itemsize, np.asarray(values, self.kind))

    def read(self, first: int = 0, count: int | None = None) -> Any:
        values = np.zeros(self.count - first if count is None else count, self.kind)
        self.driver.read(self.address + first * self.kind.itemsize, values)
        return values

    def release(self) -> None:
        address, self.address = self.address, 0
        if address:
            self.driver.release(address)

    def __del__(self) -> None:
        if getattr(self, "address", 0):
            try:
                self.release()
            except Exception:  # the process is ending: the driver is gone, and takes the memory with it
                self.address = 0


class Cuda:
    """The first NVIDIA GPU."""

    device = CUDA

    def __init__(self) -> None:
        self.driver = drivers.driver()
        self.code: dict[int, drivers.Code] = {}
        self.status = self.array(np.int32, 1)
        self.job: CudaArray | None = None

    def array(self, kind: Any, count: int) -> CudaArray:
        return CudaArray(self.driver, kind, count)

    def prepare(self, fleet: Fleet, job: Any) -> None:
        self._code(fleet, job)

    def _code(self, fleet: Fleet, job: Any) -> drivers.Code:
        kernel = fleet.bound(CUDA)
        if id(kernel) not in self.code:
            self.code[id(kernel)] = self.driver.load(ptx.source(kernel, job), ptx.ENTRY)
        return self.code[id(kernel)]

    def run(self, fleet: Fleet, count: int, job: Any) -> None:
        code = self._code(fleet, job)
        if self.job is None or self.job.kind != job.dtype:
            self.job = self.array(job.dtype, 1)
        self.job.write(np.array([job], job.dtype))
        code(count, self.job.address, self.status.address)
        if self.status.read()[0]:
            self.status.write(np.zeros(1, np.int32))
            raise RulesError(
                f"{fleet.game.name}: a rule raised an exception on the GPU; kibitz check {fleet.game.name} tells which, and where"
            )

    def free(self) -> int:
        return self.driver.memory()[0]


def local_bytes(machine: Machine, fleet: Fleet, job: Any) -> tuple[int, int]:
    """Registers and bytes of its own that a thread of the kernel takes on a GPU."""
    code = cast(Cuda, machine)._code(fleet, job)
    return code.registers, code.local
