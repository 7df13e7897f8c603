"""One game between two contestants.

Every move is checked against the legal moves, in the contestant's own game and in the other's, so recorded games have no
illegal moves. If one of kibitz's searches raises an exception, the match ends with it: no game is won by a bug of kibitz. Another program that ends, hangs,
resigns or makes an illegal move loses the game, and the match says so. A player that takes longer than its time limit plays on, but the match counts it and says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from kibitz.arena.openings import Opening
from kibitz.core.errors import InputError, RulesError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.notation import Move
from kibitz.core.position.random_moves import Lots
from kibitz.core.position.result import Result
from kibitz.core.protocol import outcomes
from kibitz.core.protocol.rules import CHANCE
from kibitz.players import Forfeit, Outsider, Player, player

ONE, TWO = 0, 1  # the contestants, regardless of side
LATE = 0.05  # seconds and
LATE_PART = 0.1  # part of the time limit by which a move may exceed it before it counts as late
_ready: set[tuple[str, Game]] = set()  # players and games whose compiled code this process has read


@dataclass(frozen=True)
class Contestant:
    """A player, and the game as it sees it: the same rules, perhaps with other weights in the evaluation."""

    player: Player | Outsider
    game: Game

    @classmethod
    def of(cls, given: Contestant | Player | Outsider | str, game: Game) -> Contestant:
        """From a player or its text."""
        if isinstance(given, Contestant):
            return given
        return cls(player(given) if isinstance(given, str) else given, game)

    def check(self) -> None:
        """Refuse what cannot play."""
        if self.game.players != 2:
            raise InputError(
                f"a match is for two players; {self.game.label} has {self.game.players}: name one for each seat (kibitz match --player, match_seats)"
            )
        if self.game.is_hidden and isinstance(self.player, Outsider):
            raise InputError(f"{self.player.name} is told all moves, and the players of {self.game.label} must not be")
        self.player.check(self.game)

    def remembering(self) -> Contestant:
        """The same with an empty memory, for one game; other programs keep what they like."""
        return self if isinstance(self.player, Outsider) else replace(self, player=self.player.remembering())

    def get_ready(self, position: Position) -> None:
        """Before there is a clock: a search once in every process, another program before every game, since it may have ended."""
        if isinstance(self.player, Outsider):
            self.player.prepare(position)
        elif (known := (self.player.name, self.game)) not in _ready:
            self.player.prepare(position)
            _ready.add(known)

    def search(self, position: Position, moves: Sequence[Move]) -> Result:
        """What the player finds in the position that these moves have led to."""
        return self.player.search(position, moves) if isinstance(self.player, Outsider) else self.player.search(position)


@dataclass
class Effort:
    """What a contestant spent on its moves."""

    moves: int = 0
    nodes: int = 0
    depths: int = 0
    seconds: float = field(default=0.0, compare=False)
    late: int = field(default=0, compare=False)  # moves that took longer than the limit
    latest: float = field(default=0.0, compare=False)  # seconds over the limit, the most

    def add(self, other: Effort) -> None:
        self.moves += other.moves
        self.nodes += other.nodes
        self.depths += other.depths
        self.seconds += other.seconds
        self.late += other.late
        self.latest = max(self.latest, other.latest)


@dataclass(frozen=True)
class Pairing:
    """A game to be played: `first` is the contestant that is player 0; chance draws from this stream of the seed."""

    contestants: tuple[Contestant, Contestant]
    first: int
    opening: Opening
    start: bytes | None  # where it starts, if not from the start of the game
    seed: int
    stream: int
    remember: bool = True  # may players use for a move what they found for those before it?


@dataclass(frozen=True)
class Played:
    """A game that was played to its end, or forfeited."""

    first: int
    opening: int  # moves of it
    moves: tuple[str, ...]  # from the start, in the game's notation
    utilities: tuple[float, float]  # of contestants one and two
    score: float  # of contestant one: 1, 1/2 or 0
    efforts: tuple[Effort, Effort]
    seed: int
    stream: int
    forfeit: str = ""  # why the loser lost before the rules ended the game

    @property
    def number(self) -> int:
        """Its place in the match, from 0."""
        return 2 * self.stream + self.first


class _Forfeited(Exception):
    """A contestant has lost the game."""

    def __init__(self, who: int, why: str) -> None:
        self.who, self.why = who, why


def play_game(pairing: Pairing) -> Played:
    """Play it."""
    contestants = tuple(c.remembering() if pairing.remember else c for c in pairing.contestants)
    tables = [Position(c.game, pairing.start) if pairing.start else c.game.start for c in contestants]
    lots, efforts = Lots(pairing.seed, pairing.stream), (Effort(), Effort())
    made: list[Move] = []
    for move in pairing.opening:
        made.append(tables[0].move(move))
        tables = [position.play(move) for position in tables]
    try:
        for who in (ONE, TWO):
            with _losing_by_forfeit(who):
                contestants[who].get_ready(tables[who])
        while not tables[0].is_over:
            if tables[0].player == CHANCE:
                move = lots.draw_move(tables[0])
            else:
                who = pairing.first if tables[0].player == 0 else 1 - pairing.first
                with _losing_by_forfeit(who):
                    move = ask_move(contestants[who], tables[who], made, efforts[who])
            made.append(tables[0].move(move))
            tables = [position.play(move) for position in tables]  # refuses what is not legal
            _compare(tables[0], tables[1])
    except _Forfeited as lost:
        return _forfeit(pairing, tables[0].game, made, efforts, lost)
    return _finish(pairing, tables[0], made, efforts)


def play_pair(
    contestants: tuple[Contestant, Contestant], opening: Opening, seed: int, pair: int, remember: bool = True
) -> tuple[Played, Played]:
    """Both games of a pair: one opening, each contestant having each side once."""
    one, two = (play_game(Pairing(contestants, first, opening, None, seed, pair, remember)) for first in (ONE, TWO))
    return one, two


def ask_move(contestant: Contestant, position: Position, moves: Sequence[Move], effort: Effort) -> int:
    """The move a contestant makes after these moves, and what it spent on it."""
    player, began = contestant.player, time.perf_counter()
    result = contestant.search(position, moves)
    took = time.perf_counter() - began
    if result.ended == "interrupted":  # by Ctrl-C, which a search takes as the wish for a quick answer
        raise KeyboardInterrupt
    if result.move is None:
        raise RulesError(f"{player.name} found no move in {position!r}")
    if isinstance(player, Outsider):
        _check_legal(player, position, result.move)
    limit = player.settings.get("time") or 0.0
    over = took - limit if limit and took > limit * (1 + LATE_PART) + LATE else 0.0
    effort.add(Effort(1, result.nodes, result.depth, took, int(over > 0), over))
    return int(result.move)


def _check_legal(player: Outsider, position: Position, move: Move) -> None:
    """Searches of ours that make illegal moves have a fault, which ends the match; others have lost."""
    try:
        position.move(move)
    except InputError as error:
        raise Forfeit(f"{player.name}: {error}") from None


@contextmanager
def _losing_by_forfeit(who: int) -> Iterator[None]:
    try:
        yield
    except Forfeit as error:
        raise _Forfeited(who, " ".join(str(error).split())) from None


def _compare(one: Position, two: Position) -> None:
    if one.data != two.data:
        raise InputError(f"{one.game.label} and {two.game.label} do not have the same rules: after the same moves their positions differ")


def _finish(pairing: Pairing, end: Position, made: list[Move], efforts: tuple[Effort, Effort]) -> Played:
    utilities = (end.utility(pairing.first), end.utility(1 - pairing.first))
    score = float(outcomes.score(utilities[ONE], end.game.constants["VALUES"]))
    return _make_record(pairing, made, utilities, score, efforts)


def _forfeit(pairing: Pairing, game: Game, made: list[Move], efforts: tuple[Effort, Effort], lost: _Forfeited) -> Played:
    """The loser has the least that can be had, the other what that leaves."""
    (low, high), total = game.constants["VALUES"], game.constants["SUM"]
    worth = (low, high if total is None else total - low)
    utilities = worth if lost.who == ONE else (worth[1], worth[0])
    return _make_record(pairing, made, utilities, 1.0 if lost.who == TWO else 0.0, efforts, lost.why)


def _make_record(
    pairing: Pairing, made: list[Move], utilities: tuple[float, float], score: float, efforts: tuple[Effort, Effort], forfeit: str = ""
) -> Played:
    moves = tuple(str(m) for m in made)
    return Played(pairing.first, len(pairing.opening), moves, utilities, score, efforts, pairing.seed, pairing.stream, forfeit)
