"""One kernel run by several threads at once, as if it were one call."""

from __future__ import annotations

import threading
from typing import Any

from kibitz.core.compiling.binder import Bound


class Controls:
    """The control blocks of a team: what stops one stops all."""

    limit: int

    def __init__(self, workers: list[Any]) -> None:
        self._workers = workers

    @property
    def nodes(self) -> int:
        """What all of them have counted."""
        return sum(int(w.control.nodes) for w in self._workers)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "limit":
            for w in self._workers:
                w.control.limit = value
        else:
            super().__setattr__(name, value)


class Team:
    """Several calls of one kernel at once, as one; with `together`, all are stopped when one has come back."""

    def __init__(self, kernel: Bound, calls: list[tuple[Any, ...]], together: Controls | None = None) -> None:
        self.kernel, self.calls, self.label, self.together = kernel, calls, kernel.label, together

    def prepare(self) -> None:
        self.kernel.prepare(*self.calls[0])

    def __call__(self) -> None:
        failures: list[BaseException] = []

        def run(call: tuple[Any, ...]) -> None:
            try:
                self.kernel(*call)
            except BaseException as error:
                failures.append(error)
            if self.together is not None:
                self.together.limit = 0

        others = [threading.Thread(target=run, args=(call,), name=self.label, daemon=True) for call in self.calls[1:]]
        for thread in others:
            thread.start()
        run(self.calls[0])
        for thread in others:
            thread.join()
        if failures:
            raise failures[0]


def share_evenly(total: int, threads: int) -> list[int]:
    """So much for each thread, as equal as whole numbers can be."""
    return [total // threads + (1 if i < total % threads else 0) for i in range(threads)]
