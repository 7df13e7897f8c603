"""The driver of NVIDIA GPUs, called through its C interface. Nothing else needs to be installed: the driver makes machine code of PTX itself."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from kibitz.core.errors import InputError, KibitzError

LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
INSTEAD = "; leave --device cuda out to work on the CPU"
OUT_OF_MEMORY = 2
MULTIPROCESSORS, MAJOR, MINOR = 16, 75, 76  # attributes of a device
REGISTERS, LOCAL = 4, 3  # of a function
ERROR_LOG, ERROR_LOG_SIZE = 5, 6  # options of making machine code
WIDTH = 32  # threads of a block: they have nothing to tell each other
FILLED, MOST_APART = 256, 8  # threads that are enough for a multiprocessor; of how many beside each other one has work where they are fewer


class GpuError(KibitzError):
    """The driver could not do what it was asked."""


@dataclass(frozen=True)
class Gpu:
    """What the driver says of a GPU."""

    name: str
    memory: int  # bytes
    free: int
    multiprocessors: int
    capability: tuple[int, int]
    driver: str  # the newest CUDA it knows

    def __str__(self) -> str:
        return f"{self.name}, {self.memory / 1e9:.0f} GB, {self.multiprocessors} multiprocessors, driver for CUDA {self.driver}"


class Driver:
    """The first GPU. One for the process: see `driver`."""

    def __init__(self) -> None:
        try:
            self.library: Any = ctypes.CDLL(LIBRARY)
        except OSError:
            raise InputError(f"no GPU here: NVIDIA's driver ({LIBRARY}) is not installed{INSTEAD}") from None
        try:
            self._ask("cuInit", 0)
        except GpuError as error:
            raise InputError(f"no GPU here: {error}{INSTEAD}") from None
        self.device = ctypes.c_int()
        self._ask("cuDeviceGet", ctypes.byref(self.device), 0)
        self.context = ctypes.c_void_p()
        self._ask("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), self.device)
        self._here()
        self.multiprocessors = self._attribute(MULTIPROCESSORS)

    def _ask(self, function: str, *arguments: Any) -> None:
        code = getattr(self.library, function)(*arguments)
        if code:
            said = ctypes.c_char_p()
            self.library.cuGetErrorString(code, ctypes.byref(said))
            words = (said.value or b"unknown error").decode()
            if code == OUT_OF_MEMORY:
                raise InputError(f"the GPU has too little memory for this ({words}); ask for fewer trees or less memory")
            raise GpuError(f"{function}: {words} (CUDA error {code})")

    def _here(self) -> None:
        """The context belongs to a thread: to the one that asks."""
        self._ask("cuCtxSetCurrent", self.context)

    # --- what there is ---

    def describe(self) -> Gpu:
        self._here()
        name, version = ctypes.create_string_buffer(128), ctypes.c_int()
        self._ask("cuDeviceGetName", name, 128, self.device)
        self._ask("cuDriverGetVersion", ctypes.byref(version))
        free, total = self.memory()
        return Gpu(
            name.value.decode(), total, free, self._attribute(MULTIPROCESSORS), (self._attribute(MAJOR), self._attribute(MINOR)),
            f"{version.value // 1000}.{version.value % 1000 // 10}",
        )  # fmt: skip

    def _attribute(self, which: int) -> int:
        value = ctypes.c_int()
        self._ask("cuDeviceGetAttribute", ctypes.byref(value), which, self.device)
        return value.value

    def memory(self) -> tuple[int, int]:
        """Bytes that are free, and all."""
        self._here()
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self._ask("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value, total.value

    # --- memory ---

    def allocate(self, size: int) -> int:
        self._here()
        address = ctypes.c_uint64()
        self._ask("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        return address.value

    def release(self, address: int) -> None:
        self._here()
        self._ask("cuMemFree_v2", ctypes.c_uint64(address))

    def clear(self, address: int, size: int) -> None:
        self._here()
        self._ask("cuMemsetD8_v2", ctypes.c_uint64(address), ctypes.c_ubyte(0), ctypes.c_size_t(size))

    def write(self, address: int, values: Any) -> None:
        self._here()
        values = np.ascontiguousarray(values)
        self._ask("cuMemcpyHtoD_v2", ctypes.c_uint64(address), ctypes.c_void_p(values.ctypes.data), ctypes.c_size_t(values.nbytes))

    def read(self, address: int, values: Any) -> None:
        """Into an array whose numbers lie side by side."""
        self._here()
        self._ask("cuMemcpyDtoH_v2", ctypes.c_void_p(values.ctypes.data), ctypes.c_uint64(address), ctypes.c_size_t(values.nbytes))

    # --- code ---

    def load(self, ptx: str, entry: str) -> Code:
        """Machine code, made by the driver, which keeps it on disk for the next time."""
        self._here()
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        log = ctypes.create_string_buffer(4096)
        names = (ctypes.c_int * 2)(ERROR_LOG, ERROR_LOG_SIZE)
        values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p).value, len(log))
        try:
            self._ask("cuModuleLoadDataEx", ctypes.byref(module), ctypes.c_char_p(ptx.encode()), 2, names, values)
        except GpuError as error:
            raise GpuError(f"{error}: {' '.join(log.value.decode(errors='replace').split())}") from None
        self._ask("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        return Code(self, function, self._of_function(REGISTERS, function), self._of_function(LOCAL, function))

    def _of_function(self, which: int, function: Any) -> int:
        value = ctypes.c_int()
        self._ask("cuFuncGetAttribute", ctypes.byref(value), which, function)
        return value.value

    def apart(self, count: int) -> int:
        """Only each 1st, 2nd, 4th or 8th thread has work: few of them are shared out among all multiprocessors, and wait for fewer others."""
        apart = 1
        while apart < MOST_APART and count * 2 * apart <= self.multiprocessors * FILLED:
            apart *= 2
        return apart

    def launch(self, function: Any, count: int, arguments: list[Any]) -> None:
        """Run it for so many threads and wait for the end."""
        self._here()
        pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.cast(ctypes.byref(a), ctypes.c_void_p).value for a in arguments))
        self._ask("cuLaunchKernel", function, -(-count // WIDTH), 1, 1, WIDTH, 1, 1, 0, None, pointers, None)
        self._ask("cuCtxSynchronize")


@dataclass(frozen=True)
class Code:
    """A function on the GPU."""

    driver: Driver
    function: Any
    registers: int  # of each thread
    local: int  # bytes of memory that each thread has to itself

    def __call__(self, count: int, job: int, status: int) -> None:
        apart = self.driver.apart(count)
        numbers = [ctypes.c_int64(count), ctypes.c_int64(apart), ctypes.c_uint64(job), ctypes.c_uint64(status)]
        self.driver.launch(self.function, count * apart, numbers)


@cache
def driver() -> Driver:
    """The driver; an InputError that says why where there is no GPU to use."""
    return Driver()


def why_none() -> str | None:
    """Why no GPU can be used here; None where one can."""
    try:
        driver().describe()
    except KibitzError as error:
        return str(error).removesuffix(INSTEAD)
    return None
