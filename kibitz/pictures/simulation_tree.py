"""The tree of a Monte Carlo search with its last simulation: select, expand, simulate, back up; as text, as a picture of four frames, as data.

In each node stand U/N: the rewards, from 0 to 1 each, of the player who moved there, and the visits. Where interests are opposite the root's U are of the player who is
not to move, as if that one had moved there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.rules import CHANCE
from kibitz.pictures import simulation_svg
from kibitz.pictures.display import Display
from kibitz.pictures.outline import SIGNS, Line
from kibitz.pictures.simulation_excerpt import Shown, counts, fold_simulation
from kibitz.searches.mcts.report.last_simulation import Steps, Twig

DRAWN, LISTED = 12, 40  # positions in a frame and in a text, unless told
USUAL_PLAYOUTS = 100  # of a search without a limit


@dataclass(frozen=True, repr=False)
class MonteCarloTree(Display):
    """What simulations have made of a position. Shows itself in a notebook; prints as text."""

    drawn: ClassVar[int] = DRAWN
    listed: ClassVar[int] = LISTED
    counted: ClassVar[str] = "position"
    result: Result
    steps: Steps

    @property
    def position(self) -> Position:
        return self.result.position

    @property
    def root(self) -> Twig:
        if self.steps.root is None:
            raise InputError("the search made no simulation; give it more time")
        return self.steps.root

    @property
    def headline(self) -> str:
        """Game, player, answer, and how many simulations there were."""
        answer = "" if self.result.move is None else f"move {self.result.move}, "
        value = f"value {self.result.value:+.3g} for {self.position.game.side(max(0, self.position.player))}"
        return f"{self.position.game.label}: {self.result.engine}: {answer}{value}; {self.steps.simulations} simulations"

    @property
    def told(self) -> list[str]:
        """The four steps of the last simulation, a line each."""
        if not self.steps.path:
            return ["proven: no simulation was left to make"]
        names = self._names()
        last = self.steps.path[-1]
        new = last.is_new and len(self.steps.path) > 1
        chosen = names[:-1] if new else names
        expanded = f"{names[-1]} comes into the tree" if new else self._why_nothing_new(last)
        back = ", ".join(f"{counts(t.total_before, t.visits_before)} → {counts(t.total, t.visits)}" for t in reversed(self.steps.path))
        return [
            f"1 select: {', '.join(chosen) if chosen else 'the root, which has untried moves'}",
            f"2 expand: {expanded}",
            f"3 simulate: {self._came_to}",
            f"4 back up: {back}",
        ]

    def _picture(self, size: int) -> str:
        """Four frames, each of about `size` positions."""
        top = fold_simulation(self.root, self.position, size)
        return simulation_svg.draw(top, self.steps, [self.headline], self.told)

    def as_dict(self) -> dict[str, Any]:
        """All that was read of the tree, parents first, and the last simulation, for `--json`."""
        answer = {k: v for k, v in self.result.as_dict().items() if k in ("game", "position", "engine", "move", "value", "line")}
        top = fold_simulation(self.root, self.position, self.steps.room)
        numbers = {id(item): number for number, item in enumerate(top.walk())}
        nodes = []
        for item in top.walk():
            for child in item.children:
                nodes.append(self._describe(child, numbers[id(child)], numbers[id(item)], self.steps.bound(item.twig, child.twig)))
        nodes = [self._describe(top, 0, None, None), *sorted(nodes, key=lambda node: node["node"])]
        last = {"moves": self._names(), "rewards": list(self.steps.rewards), "told": self.told}
        return {**answer, "simulations": self.steps.simulations, "last": last, "nodes": nodes}

    # --- words ---

    def _names(self) -> list[str]:
        """The moves of the last simulation in the tree."""
        return [str(move) for move in self.position.named_line([t.move for t in self.steps.path[1:]])]

    def _why_nothing_new(self, last: Twig) -> str:
        if self.position.after_line([t.move for t in self.steps.path[1:]]).is_over:
            return "nothing, the game is over there"
        return "nothing, that is proven" if last.proven is not None else "nothing, the tree does not grow there now"

    @property
    def _came_to(self) -> str:
        """What the last simulation was worth to whom."""
        rewards = self.steps.rewards
        if max(rewards) == 1.0 and rewards.count(1.0) == 1:
            return f"{self.position.game.side(rewards.index(1.0))} wins"
        if len(set(rewards)) == 1:
            return f"drawn, {rewards[0]:g} each"
        return ", ".join(f"{r:.3g} for {self.position.game.side(i)}" for i, r in enumerate(rewards))

    def _lines(self, size: int) -> list[Line]:
        top = fold_simulation(self.root, self.position, size)
        lines: list[Line] = [[(self.headline, "bold")], *([(said, "blue")] for said in self.told), self._item(top, None)]
        lines += self._below(top, "")
        movers = f"▲ {self.position.game.side(0)} to move  ▼ {self.position.game.side(1)}"
        lines.append([(f"U/N: rewards of who moved there, visits  {movers}  ● chance  ━ the last simulation", "dim")])
        return lines

    def _below(self, item: Shown, before: str) -> Iterator[Line]:
        for i, child in enumerate(item.children):
            last = i == len(item.children) - 1 and not item.rest
            on_path = child.twig.on_path
            branch = ("┕━ " if last else "┝━ ") if on_path else ("└─ " if last else "├─ ")
            yield [(before + branch, "bold" if on_path else "dim"), *self._item(child, self.steps.bound(item.twig, child.twig))]
            yield from self._below(child, before + ("   " if last else "│  "))
        if item.rest:
            yield [(f"{before}└─ ", "dim"), (item.rest, "dim italic")]

    def _item(self, item: Shown, bound: float | None) -> Line:
        twig = item.twig
        style = "bold" if twig.on_path else ""
        line: Line = [(f"{item.name} ", "bold cyan" if twig.on_path else "cyan")] if item.name else []
        line += [(f"{SIGNS.get(item.mover, '■')} ", ""), (counts(twig.total, twig.visits), style)]
        line += [(f"  was {counts(twig.total_before, twig.visits_before)}", "magenta")] if twig.on_path else []
        line += [(f"  UCB {bound:.5f}", "blue")] if bound is not None else []
        return [*line, (f"  {item.certain}", "green")] if item.certain else line

    def _describe(self, item: Shown, number: int, parent: int | None, bound: float | None) -> dict[str, Any]:
        twig = item.twig
        return {
            "node": number,
            "parent": parent,
            "move": item.name or None,
            "player": "chance" if item.mover == CHANCE else item.mover if item.mover >= 0 else None,
            "owner": twig.owner,
            "wins": round(twig.total, 6),
            "visits": twig.visits,
            "before": [round(twig.total_before, 6), twig.visits_before] if twig.on_path else None,
            "ucb": bound,
            "proven": twig.proven,
        }
