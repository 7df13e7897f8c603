"""Does a game of hidden information leak what is hidden? The part of `kibitz check` for `percept`.

A player cannot tell apart positions with the same history of his own moves and percepts. So they must agree in whether it is his turn, whether the game is
over, which moves he may try, how they are named and what `show_to` shows him; otherwise a view would reveal more than the player was told.
Random games are followed together with the belief of each player, and all, or many, of its positions are compared with the true one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.core.errors import RuleFault
from kibitz.core.hidden.belief import Belief, Impossible, SampleLost
from kibitz.core.hidden.view import View, blurred_for, view
from kibitz.core.position.game import Game, Position
from kibitz.core.position.random_moves import Lots
from kibitz.core.protocol.rules import CHANCE, OVER

GAMES = 12
MOST = 300  # states that a belief follows
ALIKE = 24  # of them that are looked at after each event
LONGEST = 60  # events of a game that are followed; beliefs of most games are samples by then
REDEALS = 3  # of each position

Problem = tuple[str, str, str, list[int] | None]  # function, what is wrong, what to do, the moves that lead there

ALIKE_ADVICE = (
    "positions with the same own moves and percepts look alike to a player: let percept tell him what makes them differ, or let them agree"
)
BLUR_ADVICE = "let it change only what can make no difference to that player, ever"


def problems(game: Game, seed: int, games: int = GAMES) -> Iterator[Problem]:
    """What is wrong in some random games."""
    if not game.is_hidden:
        return
    for number in range(games):
        found = list(_of_game(game, seed, number))
        yield from found
        if found:
            return


def _of_game(game: Game, seed: int, number: int) -> Iterator[Problem]:
    lots, picks, line = Lots(seed, number), random.Random(number), list[int]()
    position = game.start
    beliefs: list[Belief | None] = [Belief.of(view(position, player), MOST, number) for player in range(game.players)]
    while not position.is_over and len(line) < LONGEST:
        line.append(lots.draw_move(position))
        try:
            position = position.after_line(line[-1:])
        except RuleFault as fault:
            yield fault.function, fault.problem, fault.advice, line
            return
        for player, belief in enumerate(beliefs):
            if belief is None:
                continue
            try:
                beliefs[player] = belief = belief.after(position.told[player].events[-1])
            except Impossible:
                yield "percept", f"lost the true position for player {player}", "let it depend on its arguments alone", line
                return
            except SampleLost:
                beliefs[player] = None
                continue
            yield from ((*problem, line) for problem in _of_belief(position, belief, player, picks))
        yield from ((*problem, line) for problem in _of_words(position))
        yield from ((*problem, line) for problem in _of_redeal(position, lots))
        yield from ((*problem, line) for problem in _of_blur(position))
        yield from ((*problem, line) for problem in _of_untried(position))


def _of_belief(position: Position, belief: Belief, player: int, picks: random.Random) -> Iterator[tuple[str, str, str]]:
    """The true position against some that look alike."""
    true = view(position, player)
    if belief.complete and not belief.holds(position):
        yield "percept", f"lost the true position for player {player}", "let it depend on its arguments alone"
        return
    for place in picks.sample(range(belief.size), min(ALIKE, belief.size)):
        for function, told in _differences(true, view(belief.position(place), player)):
            other = " / ".join(belief.position(place).show().splitlines())
            yield function, f"differs for player {player} from {other}, which looks alike to him: {told}", ALIKE_ADVICE
            return


def _differences(one: View, other: View) -> Iterator[tuple[str, str]]:
    if one.player != other.player:
        says = {one.observer: "his turn", OVER: "the end of the game"}
        yield "player", f"{says.get(one.player, 'not his turn')}, and {says.get(other.player, 'not his turn')}"
    if one.numbers != other.numbers:
        yield "moves", f"{list(one.numbers)}, and {list(other.numbers)}"
    elif [str(m) for m in one.moves] != [str(m) for m in other.moves]:
        yield "name", f"{' '.join(map(str, one.moves))}, and {' '.join(map(str, other.moves))}"
    if one.board != other.board:
        yield "show_to", "other text"


def _of_words(position: Position) -> Iterator[tuple[str, str, str]]:
    """Percepts as people read them: one word each, and not the sign for silence."""
    for player, told in enumerate(position.told):
        percept = told.events[-1].percept
        if percept == 0:
            continue
        try:
            said = position.game.people["announce"](percept, player)
        except Exception as error:
            yield "announce", f"{type(error).__name__}: {error} for percept {percept}", "return a word for every percept but 0"
            return
        if not isinstance(said, str) or not said or said.split() != [said] or said == "-" or "/" in said:
            yield "announce", f"returned {said!r} for percept {percept}", "return one word, without blanks or /, and not -"


def _of_redeal(position: Position, lots: Lots) -> Iterator[tuple[str, str, str]]:
    """A position dealt anew looks to the player as the true one does."""
    if not position.game.defines("redeal") or position.is_over or position.player == CHANCE:
        return
    for player in range(position.game.players):
        for _ in range(REDEALS):
            s: Any = position.state
            with np.errstate(over="ignore"):
                position.game.rule("redeal")(s, player, lots.rng)
            for _, told in _differences(view(position, player), view(replace(position, data=s.tobytes()), player)):
                yield "redeal", f"made a position that player {player} can tell from the true one: {told}", "keep all that he knows"
                return


def _of_blur(position: Position) -> Iterator[tuple[str, str, str]]:
    """What stands for a position in a player's beliefs looks as it does, ends as it does, and leads, by the same percepts with the same chances, to what is the same to him."""
    game = position.game
    if not game.defines("blur"):
        return
    for player in range(game.players):
        other = replace(position, data=blurred_for(game, player, position.data))
        if other.data == position.data:
            continue
        for _, told in _differences(view(position, player), view(other, player)):
            yield "blur", f"made a position that player {player} can tell from the true one: {told}", BLUR_ADVICE
            return
        if position.is_over:
            same = [position.utility(player), other.utility(player)]
            found = "" if same[0] == same[1] else f"worth {same[0]:g}, and {same[1]:g}"
        else:
            found = _follows_otherwise(position, other, player)
        if found:
            yield "blur", f"made a position that is not the same to player {player}: {found}", BLUR_ADVICE
            return


def _follows_otherwise(one: Position, other: Position, player: int) -> str:
    """Where the next event tells two positions apart; nothing where it does not."""
    if one.player == player:
        for move in one.numbers:
            after = [_next(p, move, player) for p in (one, other)]
            if after[0] != after[1]:
                return f"after {one.move(move)}"
        return ""
    return "" if _distribution(one, player) == _distribution(other, player) else "what may follow differs, or its chances"


def _distribution(position: Position, player: int) -> dict[tuple[int, bytes], float]:
    """What the player may learn next and what then stands for the position, each with its chance."""
    numbers, found = position.numbers, dict[tuple[int, bytes], float]()
    chances = position.chances if position.is_chance else [1.0 / len(numbers)] * len(numbers)
    for move, chance in zip(numbers, chances, strict=True):
        after = _next(position, move, player)
        found[after] = found.get(after, 0.0) + chance
    return {after: round(chance, 9) for after, chance in found.items()}


def _next(position: Position, move: int, player: int) -> tuple[int, bytes]:
    """What the player learns of a move, and what then stands for the position."""
    s = position.state
    position.game.rule("play")(s, move)
    percept = int(position.game.rule("percept")(position.state, move, s, player))
    return percept, blurred_for(position.game, player, s.tobytes())


def _of_untried(position: Position) -> Iterator[tuple[str, str, str]]:
    """Without the notes of what was tried in vain there are the same moves with the same effects, and those that were tried, in vain again."""
    game = position.game
    if not game.defines("untried") or position.is_over:
        return
    fresh = replace(position, data=_untried(position))
    if fresh.data == position.data:
        return
    if fresh.player != position.player or not set(position.numbers) <= set(fresh.numbers):
        yield "untried", "changed whose turn it is, or took moves away", "let it forget only which moves were tried in vain"
        return
    for move in fresh.numbers:
        after = fresh.after_line([move])
        if move not in position.numbers:
            if _untried(after) != fresh.data:
                yield (
                    "untried",
                    f"brought {fresh.move(move)} back, which is not in vain",
                    "let it forget only which moves were tried in vain",
                )
                return
        elif _untried(after) != _untried(position.after_line([move])):
            yield "untried", f"changed what {fresh.move(move)} does", "let it forget only which moves were tried in vain"
            return


def _untried(position: Position) -> bytes:
    s = position.state
    position.game.rule("untried")(s)
    return bytes(s.tobytes())
