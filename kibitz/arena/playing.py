"""The games of a match, played over several processes and written down as they are over; a match that was broken off goes on with those that are missing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Generic

from kibitz.arena.records import Over, Recorder
from kibitz.core.running.pool import spread


class Playing(Generic[Over]):
    """A plan of games under way. `done` has those that are over, by their numbers in the plan."""

    def __init__(self, plan: Sequence[Any], recorder: Recorder[Over] | None) -> None:
        self.plan, self.recorder = plan, recorder
        self.done: dict[int, Over] = {}
        self.began = time.perf_counter()

    def play(self, work: Callable[[Any], Over], jobs: int, resume: bool, get_ready: Callable[[], None], watch: Callable[[], None]) -> None:
        """Play what is missing: `work` makes a game of an entry of the plan. `watch` is called after each; Ctrl-C ends it."""
        if self.recorder and resume:
            self.done = self.recorder.resume(self.plan)
        left = [number for number in range(len(self.plan)) if number not in self.done]
        try:
            if left:
                get_ready()
            self.began = time.perf_counter()
            for number, game in spread(work, [self.plan[number] for number in left], jobs):
                self.done[left[number]] = game
                if self.recorder:
                    self.recorder.add(game)
                watch()
        except KeyboardInterrupt:
            pass
        if self.recorder:
            self.recorder.finish(self.games)

    @property
    def games(self) -> tuple[Over, ...]:
        """Those that are over, in the order of the plan."""
        return tuple(self.done[number] for number in sorted(self.done))

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.began

    @property
    def unwritten(self) -> str:
        """Why games are missing in the record."""
        return self.recorder.trouble if self.recorder else ""
