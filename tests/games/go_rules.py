"""Life and death in Go by sets of points: the slow twin of go_problem."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from random import Random

Point = tuple[int, int]  # row from the bottom, column
KILLER, KEEPER = 0, 1  # Black kills, White lives


def beside(point: Point, size: int) -> list[Point]:
    r, c = point
    return [(a, b) for a, b in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)) if 0 <= a < size and 0 <= b < size]


@dataclass(frozen=True)
class Board:
    """A problem: Black wants to capture all `asked` stones of White. Stones are put on points that are neither taken nor `settled`."""

    size: int
    stones: tuple[frozenset[Point], frozenset[Point]]
    settled: frozenset[Point]
    asked: frozenset[Point]
    turn: int = KILLER
    ko: Point | None = None
    captures: int = 0
    threats: tuple[int, int] = (0, 0)
    most: int = 12
    over: str = ""

    def text(self) -> str:
        """As go_problem writes it, in one line."""
        rows = ["".join(self.glyph((r, c)) for c in range(self.size)) for r in reversed(range(self.size))]
        return f"{'/'.join(rows)} {'XO'[self.turn]} to move, threats: X {self.threats[0]}, O {self.threats[1]}"

    def glyph(self, point: Point) -> str:
        if point in self.asked:
            return "W"
        return "X" if point in self.stones[0] else "O" if point in self.stones[1] else "_" if point in self.settled else "."

    def chain(self, point: Point) -> tuple[frozenset[Point], frozenset[Point]]:
        """The stones joined to the one here, and their liberties."""
        mine = self.stones[0] if point in self.stones[0] else self.stones[1]
        found, waiting, free = {point}, [point], set[Point]()
        while waiting:
            for near in beside(waiting.pop(), self.size):
                if near in mine and near not in found:
                    found.add(near)
                    waiting.append(near)
                elif near not in self.stones[0] and near not in self.stones[1]:
                    free.add(near)
        return frozenset(found), frozenset(free)

    def put(self, point: Point) -> Board | None:
        """The board after a stone of whoever is to move; None where that is not allowed."""
        mine, theirs = self.turn, 1 - self.turn
        if point in self.stones[0] or point in self.stones[1] or point in self.settled or point == self.ko:
            return None
        stones = [set(self.stones[0]), set(self.stones[1])]
        stones[mine].add(point)
        put = replace(self, stones=(frozenset(stones[0]), frozenset(stones[1])))
        taken = {
            s
            for near in beside(point, self.size)
            if near in put.stones[theirs]
            for chain, free in [put.chain(near)]
            if not free
            for s in chain
        }
        stones[theirs] -= taken
        put = replace(put, stones=(frozenset(stones[0]), frozenset(stones[1])))
        chain, free = put.chain(point)
        if not free:
            return None
        ko = next(iter(taken)) if len(taken) == 1 and len(chain) == 1 and len(free) == 1 else None
        return replace(put, turn=theirs, ko=ko, captures=self.captures + bool(taken), asked=self.asked - taken)

    def moves(self) -> dict[str, Board]:
        """What may be played, and where it leads."""
        found = {}
        for r in range(self.size):
            for c in range(self.size):
                put = self.put((r, c))
                if put is not None:
                    found[f"{'ABCDEFGHJ'[c]}{r + 1}"] = put.judged()
        passed = replace(self, turn=1 - self.turn, ko=None)
        found["pass"] = replace(passed, over="lives") if self.turn == KILLER else passed.judged()
        if self.ko is not None and self.threats[self.turn] > 0:
            left = list(self.threats)
            left[self.turn] -= 1
            found["threat"] = replace(self, ko=None, threats=(left[0], left[1]))
        return found

    def judged(self) -> Board:
        if not self.asked:
            return replace(self, over="dies")
        return replace(self, over="lives") if self.captures > self.most else self

    def safe(self) -> bool:
        """Is a stone in question safe, if White passes for ever? By Benson's definition."""
        points = [(r, c) for r in range(self.size) for c in range(self.size)]
        chains = {self.chain(p) for p in self.stones[KEEPER]}
        always = {chain for chain, free in chains if free & self.settled}
        regions, seen = [], set[Point]()
        for p in points:
            if p not in self.stones[KEEPER] and p not in seen:
                region, waiting = {p}, [p]
                while waiting:
                    for near in beside(waiting.pop(), self.size):
                        if near not in self.stones[KEEPER] and near not in region:
                            region.add(near)
                            waiting.append(near)
                seen |= region
                regions.append(frozenset(region))
        alive = dict(chains)
        while True:
            bordering = {r: [c for c, _ in chains if any(n in c for p in r for n in beside(p, self.size))] for r in regions}
            sound = [r for r in regions if all(c in alive for c in bordering[r])]
            vital = {c: sum((r - self.stones[KILLER]) <= free and c in bordering[r] for r in sound) for c, free in alive.items()}
            left = {c: free for c, free in alive.items() if vital[c] >= 2 or c in always}
            if len(left) == len(alive):
                return any(c & self.asked for c in left)
            alive = left


@cache
def kills(board: Board) -> bool:
    """Does Black capture the stones, by plain recursion? Nothing is known of eyes: White lives by being there when Black has nothing left but a pass."""
    if board.over:
        return board.over == "dies"
    results = (kills(following) for following in board.moves().values())
    return any(results) if board.turn == KILLER else all(results)


def random_problem(rng: Random, size: int = 5, free: int = 5, most: int = 2) -> Board:
    """Random stones in a corner, and some points between them where stones may be put; the rest is settled."""
    while True:
        corner = [(r, c) for r in range(3) for c in range(4)]
        rng.shuffle(corner)
        taken = corner[free:]
        colours = [rng.random() < 0.5 for _ in taken]
        stones = tuple(frozenset(p for p, black in zip(taken, colours, strict=True) if black == wanted) for wanted in (True, False))
        settled = frozenset((r, c) for r in range(size) for c in range(size)) - frozenset(corner)
        wall = frozenset(p for p in settled if rng.random() < 0.7)
        board = Board(size, (stones[0] | wall, stones[1]), settled - wall, frozenset(), most=most)
        if not stones[1] or any(not board.chain(p)[1] for p in board.stones[0] | board.stones[1]):
            continue
        threats = rng.choice(((0, 0), (0, 0), (1, 0), (0, 2), (1, 1)))
        board = replace(board, asked=board.chain(rng.choice(sorted(stones[1])))[0], turn=rng.randrange(2), threats=threats)
        if not board.safe():
            return board
