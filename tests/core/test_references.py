"""Compiled code counts references to arrays only where it makes some; what Python hands over and is handed back is counted right in any case."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from kibitz.core.compiling.binder import Bound, bind

pytestmark = pytest.mark.compiled


def element(numbers: Any, i: int) -> float:
    """Another function that is handed the array; more than one way out of it."""
    for k in range(i, numbers.size):
        if numbers[k] > 0.0:
            return numbers[k]  # type: ignore[no-any-return]
    return -1.0


def total(numbers: Any) -> float:
    found = 0.0
    for i in range(numbers.size):
        found += element(numbers, i)
    return found


def doubled(numbers: Any) -> Any:
    made = np.empty(numbers.size)
    for i in range(numbers.size):
        made[i] = 2.0 * numbers[i]
    return made


def total_of_doubled(numbers: Any) -> float:
    return total(doubled(numbers)) + element(numbers, 0)


def same(numbers: Any) -> Any:
    return numbers


def first_or_same(numbers: Any) -> Any:
    """An array that Python is handed back, with a reference of its own."""
    return same(numbers)


def flat(numbers: Any) -> Any:
    return numbers.reshape(numbers.size)


def total_of_reshaped(numbers: Any) -> float:
    """Numba's own function makes no array, but counts."""
    return total(flat(numbers))


def compiled(function: Callable[..., Any]) -> Bound:
    kernel = bind(function, {}, "a test of references", target="cpu")
    kernel.prepare(np.ones(3))
    return kernel


def body_of(kernel: Bound) -> str:
    """The machine code of the function itself, without the wrapper by which Python calls it."""
    (code,) = kernel.function.inspect_llvm().values()  # type: ignore[attr-defined]
    (library,) = [each.library for each in kernel.function.overloads.values()]  # type: ignore[attr-defined]
    assert library is not None
    return str(code).split("@_ZN7cpython", 1)[0]


def test_code_that_makes_no_array_does_not_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))  # code from disk cannot be looked at
    code = body_of(compiled(total))
    assert "define" in code
    assert "NRT_" not in code
    assert "kibitz." not in code
    assert "NRT_decref" in body_of(compiled(total_of_doubled))


@pytest.fixture
def counted() -> Iterator[None]:
    """Numba counts what is made and freed."""
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(
    ("function", "value"), [(total, 9.0), (total_of_doubled, 19.0), (total_of_reshaped, 9.0)], ids=lambda x: getattr(x, "__name__", "")
)
def test_arrays_are_freed_and_kept(function: Callable[..., Any], value: float) -> None:
    kernel, numbers = compiled(function), np.array([1.0, 3.0, 5.0])
    assert kernel(numbers) == value  # whatever a first call keeps
    before, made = sys.getrefcount(numbers), rtsys.get_allocation_stats()
    for _ in range(20):
        assert kernel(numbers) == value
    after = rtsys.get_allocation_stats()
    assert sys.getrefcount(numbers) == before
    assert after.alloc - made.alloc == after.free - made.free
    assert after.mi_alloc - made.mi_alloc == after.mi_free - made.mi_free


def test_an_array_handed_back_lives_on() -> None:
    kernel, numbers = compiled(first_or_same), np.array([1.0, 3.0, 5.0])
    before = sys.getrefcount(numbers)
    handed = kernel(numbers)
    assert sys.getrefcount(numbers) > before
    del numbers
    np.full(3, 7.0)  # would take its place, were it freed
    assert handed.tolist() == [1.0, 3.0, 5.0]
