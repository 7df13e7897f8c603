"""Does a game keep the protocol? One routine for shipped games and for users' games: `kibitz check GAME`.

Random games are played interpreted first, so that Python names the faulty line, then compiled with the same seeds, where every
number must be the same, and finally by the thousand. Everything a search relies on is checked; each failure names the function, the moves
that lead there and what to write instead.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from kibitz.core.checking import display_check, evaluation_check, hidden_check, random_walk, ranking_check, solver_hook_check, unplay_check
from kibitz.core.checking.source_check import plainly_wrong
from kibitz.core.compiling.binder import Bound
from kibitz.core.errors import RuleFault, RulesError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.watchdog import TimeIsUp, watching
from kibitz.core.protocol.rules import CHANCE, OVER, UNIFORM, WEIGHTED
from kibitz.core.records.record import blank

INTERPRETED_PLIES = 400  # random moves made interpreted, at least; a few games whatever their length
INTERPRETED_GAMES = 3
TEXT_POSITIONS = 60  # positions whose text and pictures are tried
LONGEST_GAME = 60.0  # seconds that one may take interpreted; whole games of Go take a few
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Failure:
    """One thing that is wrong."""

    function: str
    problem: str
    advice: str
    moves: tuple[str, ...] | None  # that lead there; None where it is not about a position

    def __str__(self) -> str:
        if self.moves is None:
            return f"{self.function}: {self.problem}; {self.advice}"
        after = f"after {' '.join(self.moves)}" if self.moves else "at the start"
        return f"{self.function}: {self.problem} {after}; {self.advice}"


@dataclass
class Report:
    """What was tried, and what was found."""

    game: str
    games: int = 0
    positions: int = 0
    most_moves: int = 0
    longest: int = 0
    failures: list[Failure] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.failures


def check(game: Game, games: int = 2000, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Report:
    """Play `games` random games and report what breaks the protocol; an empty list of failures means none was found."""
    return _Examination(game, seed).run(games, progress)


class _Stop(Exception):
    """A failure after which nothing further can be learned."""


class _Examination:
    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.report = Report(game.label)
        self.constants = game.constants
        self.longest = self.constants["MAX_PLIES"] + 1
        self._keys: dict[int, tuple[tuple[Any, ...], list[int], int]] = {}
        self._hashes: dict[int, int] = {}
        self._rests: dict[int, float] = {}
        self._movers: set[int] = set()
        self._most_turns = 0  # of players in one game
        self._ended = False  # has any game?

    def run(self, games: int, progress: Callable[[int, int], None] | None) -> Report:
        self.game.trusted = True  # nobody need look a second time
        try:
            for fault in plainly_wrong(self.game):
                self._stop(*fault, None)
            sample = self._interpreted_games()
            self._people(sample)
            for examine in (evaluation_check.problems, ranking_check.problems, unplay_check.problems):
                for problem in examine(self.game, ((r.states[i], r.line()[:i]) for r in sample for i in range(r.plies))):
                    self._fail(*problem)
            ended = ((r.states, r.line()) for r in sample if r.plies < self.longest and r.steps["player"][r.plies] == OVER)
            for problem in solver_hook_check.problems(self.game, ended):
                self._fail(*problem)
            for problem in hidden_check.problems(self.game, self.seed):
                self._fail(*problem)
            if self.report.failures:
                raise _Stop
            compiled = self._compiled()
            for number, recorded in enumerate(sample):
                self._compare(recorded, self._played(compiled, number))
            for number in range(games):
                self._examine(self._played(compiled, number))
                if progress:
                    progress(number + 1, games)
            self._turns(games)
        except _Stop:
            self.game.trusted = False
        return self.report

    # --- playing ---

    def _interpreted_games(self) -> list[_Recorded]:
        kernel = self.game.bind(random_walk.walk, target="python")
        sample: list[_Recorded] = []
        while len(sample) < INTERPRETED_GAMES or sum(r.plies + 1 for r in sample) < INTERPRETED_PLIES:
            recorded = self._played(kernel, len(sample))
            self._examine(recorded)
            if self.report.failures:
                raise _Stop
            sample.append(recorded)
        return sample

    def _compiled(self) -> Bound:
        try:
            kernel = self.game.bind(random_walk.walk, target="cpu", label="check", checked=True)
            recorded = _Recorded(self.game, self.longest)
            kernel.prepare(recorded.w, recorded.steps, recorded.states, self.seed, 0)
        except RulesError as error:
            self._fail("compile", str(error), "see docs/writing-a-game.md", None)
            raise _Stop from None
        return kernel

    def _played(self, kernel: Bound, number: int) -> _Recorded:
        recorded = _Recorded(self.game, self.longest)
        watch = watching(self.game, LONGEST_GAME) if kernel.target == "python" else nullcontext()
        try:
            with watch:
                recorded.plies = int(kernel(recorded.w, recorded.steps, recorded.states, self.seed, number))
        except TimeIsUp:
            advice = "let player return OVER when nothing can happen any more; is MAX_PLIES far too high?"
            self._stop("player", f"no game ended in {len(recorded.made)} plies and {LONGEST_GAME:g} seconds", advice, recorded.made[:12])
        except RulesError as error:
            if kernel.target == "cpu":  # the same game interpreted can say more
                self._played(self.game.bind(random_walk.walk, target="python"), number)
            fault = error if isinstance(error, RuleFault) else RuleFault("rules", str(error), "mend that line")
            self._stop(fault.function, fault.problem, fault.advice, recorded.made)
        return recorded

    # --- looking ---

    def _examine(self, r: _Recorded) -> None:
        """Everything one recorded game can show."""
        n = min(r.plies + 1, self.longest)
        steps, report = r.steps[:n], self.report
        report.games += 1
        report.positions += n
        report.longest = max(report.longest, r.plies)
        report.most_moves = max(report.most_moves, int(steps["count"].max()))
        self._lists(r, steps)
        self._effects(r, steps)
        if r.plies >= self.longest and not self.game.repeats:
            advice = "raise MAX_PLIES, or let player return OVER when nothing can happen any more"
            self._fail("player", f"the game is not over after MAX_PLIES = {self.constants['MAX_PLIES']} moves", advice, r.line()[:12])
            raise _Stop
        self._movers.update(steps["player"].tolist())
        self._most_turns = max(self._most_turns, int((steps["player"] >= 0).sum()))
        if steps["player"][-1] == OVER:
            self._ended = True
            self._utilities(r)
            self._reach(r)
        self._identity(r, steps)

    def _turns(self, games: int) -> None:
        """What only all games together show."""
        idle = [player for player in range(self.game.players) if player not in self._movers]
        if idle and self._most_turns > 1:
            problem = f"player {idle[0] + 1} never moves, in {games} games"
            self._fail(
                "player", problem, "let play hand on the turn, such as s.turn = 1 - s.turn, or set PLAYERS to how many there are", None
            )
        if not self._ended:
            problem = f"no game ended in {self.report.longest} plies"
            self._fail("player", problem, "let player return OVER when nothing can happen any more, or raise MAX_PLIES", None)

    def _lists(self, r: _Recorded, steps: Any) -> None:
        most = {True: self.constants["MAX_OUTCOMES"], False: self.constants["MAX_MOVES"]}
        low, high = self.constants["VALUES"]
        player, evaluation = steps["player"], steps["evaluation"]
        sound = (
            (player >= 0)
            & (player < self.game.players)
            & ~steps["overrun"]
            & (steps["count"] > 0)
            & (steps["twice"] == random_walk.UNTOUCHED)
        )
        sound &= steps["lowest"] >= 0
        sound &= (low < evaluation) & (evaluation < high) & np.isfinite(steps["order"])
        for ply in np.flatnonzero(~sound & (player != OVER)):  # chance positions among them
            step = steps[ply]
            player, chance = int(step["player"]), int(step["player"]) == CHANCE
            function, limit = ("outcomes", "MAX_OUTCOMES") if chance else ("moves", "MAX_MOVES")
            at = r.line()[:ply]
            if not chance and not 0 <= player < self.game.players:
                self._stop("player", f"returned {player}", f"return 0 to {self.game.players - 1}, CHANCE or OVER", at)
            if chance and not self.game.has_chance:
                self._stop("player", "returned CHANCE, but the game has no outcomes", "write def outcomes(s, out, weights)", at)
            if step["overrun"]:
                self._stop(function, f"wrote more than {limit} = {most[chance]} entries", f"raise {limit} to a true upper bound", at)
            if step["count"] <= 0:
                self._stop(function, "found nothing to do though the game is not over", "return a pass, or let player return OVER", at)
            if step["lowest"] < 0:
                self._stop(function, f"listed {int(step['lowest'])}", "use numbers from 0: negative ones stand for no move", at)
            if step["twice"] != random_walk.UNTOUCHED:
                self._fail(function, f"listed {int(step['twice'])} twice", "list each move once", at)
            if chance:
                self._weights(step, at)
            else:
                self._knowledge(step, at)

    def _weights(self, step: Any, at: list[int]) -> None:
        least, most, kind = float(step["least_weight"]), float(step["most_weight"]), self.constants["CHANCE_KIND"]
        if not least > 0 or not np.isfinite(most):
            self._fail("outcomes", f"gave a weight of {least if not least > 0 else most}", "every weight must be positive and finite", at)
        elif kind == UNIFORM and least != most:
            self._fail("outcomes", f"gave unequal weights from {least} to {most}", "give equal ones, or declare CHANCE_KIND = WEIGHTED", at)
        elif kind == WEIGHTED and not step["whole_weights"]:
            self._fail("outcomes", "gave a weight that is no whole number", "give whole numbers, or declare CHANCE_KIND = GENERAL", at)

    def _knowledge(self, step: Any, at: list[int]) -> None:
        low, high = self.constants["VALUES"]
        if not low < step["evaluation"] < high:
            self._fail("evaluate", f"returned {step['evaluation']}", f"stay strictly inside VALUES = ({low}, {high})", at)
        if not np.isfinite(step["order"]):
            self._fail("order", f"returned {step['order']} for the move {int(step['move'])}", "return a finite number", at)

    def _effects(self, r: _Recorded, steps: Any) -> None:
        for ply in np.flatnonzero(steps["disturbed"]):
            self._fail("moves, player, key, utility or evaluate", "changed the position", "only play may write to s", r.line()[:ply])
        for ply in np.flatnonzero(steps["same"]):
            self._fail("play", f"the move {int(steps['move'][ply])} changed nothing", "make the move in s, in place", r.line()[: ply + 1])

        for ply in np.flatnonzero(steps["picked"] != steps["move"])[:1]:
            if steps["player"][ply] >= 0:
                what = f"took {int(steps['picked'][ply])}" if steps["picked"][ply] != random_walk.UNTOUCHED else "did not draw one lot"
                problem = f"{what}, where the same lot draws {int(steps['move'][ply])} from the list that moves writes"
                self._fail("pick", problem, "take move number below(rng, n), in the order of moves, or leave pick out", r.line()[:ply])

    def _utilities(self, r: _Recorded) -> None:
        low, high = self.constants["VALUES"]
        grain, total, values = self.constants["GRAIN"], self.constants["SUM"], np.asarray(r.w["utilities"])
        for player, value in enumerate(values):
            if not low <= value <= high:
                self._fail("utility", f"returned {value} for player {player}", f"widen VALUES = ({low}, {high})", r.line())
            elif grain and abs((value - low) / grain - round((value - low) / grain)) > TOLERANCE:
                self._fail(
                    "utility",
                    f"returned {value}, which is no multiple of GRAIN = {grain} above {low}",
                    "set GRAIN, or 0 for reals",
                    r.line(),
                )
        if total is not None and abs(values.sum() - total) > TOLERANCE * max(1.0, high - low):
            advice = "make them add up, or declare SUM = None for a general-sum game"
            self._fail(
                "utility", f"the players' utilities {values.tolist()} add up to {values.sum()}, not to SUM = {total}", advice, r.line()
            )

    def _reach(self, r: _Recorded) -> None:
        """No game may end better for a player than best_case said on the way; where the game does not say, VALUES do."""
        if not self.game.defines("best_case"):
            return
        reach, final = np.asarray(r.w["reach"])[: r.plies], np.asarray(r.w["utilities"])
        for ply, player in np.argwhere(reach < final - TOLERANCE):
            problem = f"said {reach[ply, player]} for player {player}, who then got {final[player]}"
            self._fail("best_case", problem, "return an upper bound of all that can still happen", r.line()[:ply])

    def _identity(self, r: _Recorded, steps: Any) -> None:
        """The same position has one key; positions that share a key must be interchangeable."""
        final = tuple((np.asarray(r.w["utilities"]) - np.asarray(r.w["banked"])).tolist())  # what a key must decide
        line = r.line()
        columns = (steps[name].tolist() for name in ("key", "player", "count", "listing", "rest"))
        for ply, (key, player, count, listing, rest) in enumerate(zip(*columns, strict=True)):
            if self._hashes.setdefault(hash(r.states[ply].tobytes()), key) != key:
                self._fail("key", "gave one position two keys", "compute it from s alone", line[:ply])
            meaning = (player, final if player == OVER else (count, listing))
            known, there, its_ply = self._keys.setdefault(key, (meaning, line, ply))
            if known != meaning:
                other = " ".join(self._notation(there[:its_ply])) or "no moves"
                problem = f"two different positions have the same key (the other one is after: {other})"
                self._fail("key", problem, "let every field that matters count, or leave key out", r.line()[:ply])
            elif player >= 0 and abs(self._rests.setdefault(key, rest) - rest) > TOLERANCE * max(1.0, abs(rest)):
                self._unlike(self._rests[key], rest, line[:ply])

    def _unlike(self, known: float, rest: float, at: list[int]) -> None:
        """Evaluations of two positions with one key."""
        problem = f"less banked it is {rest:g}, and {known:g} in a position with the same key"
        if self.game.defines("evaluate"):
            self._fail("evaluate", problem, evaluation_check.KEY_ADVICE, at)
        else:
            problem = f"the one that stands in for it does not know of banked: {problem}"
            self._fail("evaluate", problem, "write evaluate(s, player), and let it add banked(s, player)", at)

    def _compare(self, interpreted: _Recorded, compiled: _Recorded) -> None:
        """Compiled and interpreted, move for move."""
        for ply in range(min(interpreted.plies, compiled.plies) + 1):
            if ply >= self.longest:
                break
            at = interpreted.line()[:ply]
            a, b = interpreted.steps[ply], compiled.steps[ply]
            for function, name in (("player", "player"), ("moves", "count"), ("moves", "listing"), ("key", "key"), ("order", "order")):
                if a[name] != b[name]:
                    self._differ(function, f"{name} {a[name]} interpreted, {b[name]} compiled", at)
            if abs(a["evaluation"] - b["evaluation"]) > TOLERANCE:
                self._differ("evaluate", f"{a['evaluation']} interpreted, {b['evaluation']} compiled", at)
            for name in interpreted.states.dtype.names:
                if not np.array_equal(interpreted.states[ply][name], compiled.states[ply][name]):
                    values = f"{interpreted.states[ply][name]} interpreted, {compiled.states[ply][name]} compiled"
                    self._differ("play" if ply else "start", f"the field {name} is {values}", at)
        if not np.allclose(interpreted.w["utilities"], compiled.w["utilities"], rtol=0, atol=TOLERANCE):
            self._differ("utility", f"{interpreted.w['utilities']} interpreted, {compiled.w['utilities']} compiled", interpreted.line())

    def _differ(self, function: str, how: str, at: list[int]) -> None:
        advice = "look for division or remainder of negative numbers, integers that overflow, and arrays read outside their range"
        self._stop(function, f"differs: {how}", advice, at)

    # --- text and pictures ---

    def _people(self, sample: list[_Recorded]) -> None:
        """Names, text and pictures of positions from the recorded games, spread evenly."""
        places = [(r, ply) for r in sample for ply in range(min(r.plies + 1, self.longest))]
        for r, ply in places[:: max(1, len(places) // TEXT_POSITIONS)]:
            for function, problem, better in display_check.faults(Position(self.game, r.states[ply].tobytes())):
                self._fail(function, problem, better, r.line()[:ply])

    # --- reporting ---

    def _fail(self, function: str, problem: str, advice: str, moves: list[int] | None) -> None:
        """One failure of each kind: the first, which has the simplest cause."""
        if all(f.function != function or f.advice != advice for f in self.report.failures):
            self.report.failures.append(Failure(function, problem, advice, None if moves is None else self._notation(moves)))

    def _stop(self, function: str, problem: str, advice: str, moves: list[int] | None) -> NoReturn:
        self._fail(function, problem, advice, moves)
        raise _Stop

    def _notation(self, moves: list[int]) -> tuple[str, ...]:
        """The moves as people write them; by number from the first one that cannot be named."""
        names: list[str] = []
        try:
            position = self.game.start
            for move in moves:
                names.append(position._name(move))
                s = position.state
                self.game.rule("play")(s, move)
                position = Position(self.game, s.tobytes())
        except Exception:
            return (*names[: len(moves)], *(str(m) for m in moves[len(names) :]))
        return tuple(names)


class _Recorded:
    """One game as `walk` wrote it down."""

    def __init__(self, game: Game, longest: int) -> None:
        self.w = blank(random_walk.workspace(game.constants))
        self.steps = np.zeros(longest, random_walk.Step)
        self.steps["move"] = random_walk.UNTOUCHED
        self.states = np.zeros(longest, game.constants["State"])
        self.plies = 0

    @property
    def made(self) -> list[int]:
        """The moves, also of a game that was broken off."""
        return [int(m) for m in self.steps["move"] if m != random_walk.UNTOUCHED]

    def line(self) -> list[int]:
        """The moves made."""
        return self.steps["move"][: self.plies].tolist()  # type: ignore[no-any-return]
