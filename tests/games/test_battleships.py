"""Battleships, walked in step with OpenSpiel's battleship; beliefs and new deals against all fleets there are; how a sea is written and drawn.

The same there: the order of placing and shooting, what may be done, what is announced of a shot, when it ends and who wins. Other there: nothing says that a ship was the last one.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.checking.conformance import check
from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.marginals import marginals
from kibitz.core.hidden.view import view
from kibitz.core.records.random import seeded
from kibitz.experiments.studies.battleship_shots import WAYS, hunt, shots
from tests import naive_hidden
from tests.differential.cases import on

SMALL = kb.load("battleships", size=4, fleet=(3, 2))
TWINS = kb.load("battleships", size=4, fleet=(2, 2))


def theirs(game: kb.Game) -> Any:
    pyspiel = pytest.importorskip("pyspiel")
    size, fleet = game.parameters["size"], game.parameters["fleet"]
    text = f"battleship(board_width={size},board_height={size},ship_sizes=[{';'.join(map(str, fleet))}],ship_values=[{';'.join('1' * len(fleet))}]"
    return pyspiel.load_game(f"{text},num_shots={size * size},allow_repeated_shots=False)").new_initial_state()


def as_they_say(position: kb.Position, move: int) -> str:
    """One of our moves in OpenSpiel's words."""
    size = position.game.parameters["size"]
    cell = move % (size * size)
    where, who = f"({cell // size}, {cell % size})", f"Pl{position.player}"
    if position.state.placed < 2 * len(position.game.parameters["fleet"]):
        way = "vertically" if move >= size * size else "horizontally"
        return f"{who}: place ship {way} with top-left corner in {where}"
    return f"{who}: shoot at {where}"


def walk(game: kb.Game, seed: int) -> Counter[str]:
    """One random game, side by side; what was announced."""
    rng, position, other, seen = random.Random(seed), game.start, theirs(game), Counter[str]()
    while not position.is_over:
        assert not other.is_terminal()
        assert other.current_player() == position.player
        named = {other.action_to_string(position.player, action): action for action in other.legal_actions()}
        assert {as_they_say(position, int(m)): int(m) for m in position.moves}.keys() == named.keys()
        move, mover = rng.choice(position.numbers), position.player
        other.apply_action(named[as_they_say(position, move)])
        position = position.play(move)
        if percept := position.told[mover].events[-1].percept:
            said = str(game.people["announce"](percept, mover))
            assert other.information_state_string(mover).split("/")[-1][-1] == {"water": "W", "hit": "H", "sunk": "S", "last": "S"}[said]
            assert position.told[1 - mover].events[-1].percept % 5 == percept
            seen[said] += 1
    assert other.is_terminal()
    assert [np.sign(value) for value in other.returns()] == [position.utility(0), position.utility(1)]
    return seen


@pytest.mark.once
def test_in_step_with_openspiel() -> None:
    with on("python"):
        for game in (SMALL, kb.load("battleships", size=5, fleet=(3, 2, 1))):
            seen = sum((walk(game, seed) for seed in range(8)), Counter[str]())
            assert set(seen) == {"water", "hit", "sunk", "last"}


@pytest.mark.long
def test_thousands_of_games_in_step_with_openspiel() -> None:
    with on("python"):
        for seed in range(2000):
            walk(SMALL, seed)


@pytest.mark.compiled
def test_it_is_sound() -> None:
    assert check(TWINS, games=60).failures == []


# --- what may be ---


def late(game: kb.Game, seed: int, shots_made: int) -> kb.Position:
    rng, position = random.Random(seed), game.start
    for _ in range(2 * len(game.parameters["fleet"]) + shots_made):
        position = position.play(rng.choice(position.numbers)) if not position.is_over else position
    return position


@pytest.mark.once
@pytest.mark.parametrize("seed", range(3))
def test_a_belief_is_every_fleet_that_agrees(seed: int) -> None:
    """Ships of one length are not told apart: that leaves half of the fleets of two of them."""
    with on("python"):
        for game in (SMALL, TWINS):
            position = late(game, seed, 2 * seed)
            known = view(position, 0)
            truth = naive_hidden.belief([game.start], 0, known.events)
            fleets: dict[Any, float] = {}
            for data, chance in truth.items():
                ships = [int(place) for place in kb.Position(game, data).state.ships[1]]
                key = tuple(sorted(ships)) if game is TWINS else tuple(ships)
                fleets[key] = fleets.get(key, 0.0) + chance
            belief = Belief.of(known)
            found = {
                tuple(int(place) for place in p.state.ships[1]): float(c) for p, c in zip(belief.positions, belief.chances, strict=True)
            }
            assert found == pytest.approx(fleets)
            wanted = {
                f"2:{'abcd'[cell % 4]}{cell // 4 + 1}": sum(c for ships, c in fleets.items() if cell in squares(game, ships))
                for cell in range(16) if not position.state.shots[1][cell]
            }  # fmt: skip
            assert marginals(belief) == pytest.approx({cell: chance for cell, chance in wanted.items() if chance})


def squares(game: kb.Game, ships: tuple[int, ...]) -> set[int]:
    return {
        place % 16 + i * (4 if place >= 16 else 1)
        for place, length in zip(ships, game.parameters["fleet"], strict=True)
        for i in range(length)
    }


@pytest.mark.once
def test_new_deals_favour_no_fleet() -> None:
    """Every fleet that agrees with the shots so far comes up as often as another, and no other one does."""
    with on("python"):
        position = late(SMALL, 5, 8)
        belief = Belief.of(view(position, 0))
        assert 3 < belief.size < 60
        s, rng, times = position.state, seeded(1), Counter[bytes]()
        with np.errstate(over="ignore"):
            for _ in range(900):
                SMALL.rule("redeal")(s, 0, rng)
                times[s.tobytes()] += 1
        assert times.keys() == {state.tobytes() for state in belief.states}
        expected = 900 / belief.size
        assert sum((n - expected) ** 2 / expected for n in times.values()) < 3 * belief.size


@pytest.mark.compiled
def test_a_sample_that_dwindles_is_dealt_anew() -> None:
    """On the usual sea no sample of the usual fleet would hold the true one for long by itself."""
    game = kb.load("battleships", alone=True)
    position = late(game, 3, 0)
    belief, rng = Belief.of(view(position, 0), limit=600), random.Random(1)
    for _ in range(30):
        position = position.play(rng.choice(position.numbers))
        belief = belief.after(position.told[0].events[-1])
        assert not belief.complete
        assert belief.size > 4
    there = view(position, 0)
    for place in range(0, belief.size, 80):
        other = view(belief.position(place), 0)
        assert (other.board, other.numbers) == (there.board, there.numbers)
        shot = belief.position(place).state.shots[1]
        assert [int(x) for x in shot] == [int(x) for x in position.state.shots[1]]


@pytest.mark.compiled
def test_the_likeliest_square_sinks_a_fleet_soonest() -> None:
    game = kb.load("battleships", alone=True)
    means = {way: sum(shots(game, way, number, 2048) for number in range(2)) / 2 for way in WAYS}
    assert means["likeliest square"] < means["hunt and target"] < means["random"]


def test_hunting_goes_on_beside_a_hit_and_along_a_line() -> None:
    rng = random.Random(1)
    assert hunt({5: "hit"}, 4, 2, rng) in (1, 4, 6, 9)
    assert hunt({5: "hit", 6: "hit"}, 4, 2, rng) in (4, 7)
    assert hunt({5: "hit", 6: "hit", 4: "water"}, 4, 2, rng) == 7
    assert hunt({5: "hit", 6: "sunk"}, 4, 2, rng) not in (4, 7)


# --- text and pictures ---


def test_positions_as_text() -> None:
    text = "b3h a1v / a1v c1h / d1 a1 / c3"
    position = kb.load("battleships", size=5, fleet=(3, 2)).position(text)
    assert position.show().splitlines()[-1] == text
    assert [str(position.player), str(position.moves[0])] == ["1", "a1"]
    assert position.show().splitlines()[2] == " 3 . = x = .     3 = . . . ."
    sunk = SMALL.position("a1h a2h / b1h c4h / b1 c1 d1 / a4 b4")
    assert sunk.show().splitlines()[3] == " 1 = = = .     1 . x x #"
    assert view(sunk, 0).board.splitlines()[0] == " 4 o o . .     4 . . . ."
    assert view(sunk, 1).board.splitlines()[0].endswith("4 o o . .")
    last = sunk.play("d4", "c4", "a3", "d4")
    assert last.is_over
    assert [SMALL.people["announce"](last.told[p].events[-1].percept, p) for p in range(2)] == ["last", "d4:last"]
    for wrong, said in (
        ("a1h / b1h", "2 ships of each player"),
        ("- - / a1h - / - / -", "in turn"),
        ("a1h a1v / b1h c3h / - / -", "no place for a ship of 2 squares"),
        ("c1h a2h / b1h c3h / - / -", "no place for a ship of 3 squares"),
        ("a1h - / b1h - / a1 / -", "before all ships are placed"),
        ("a1h a2h / b1h c3h / a1 a1 / b1", "no shot that can be made"),
        ("a1h a2h / b1h c3h / - / b1", "they shoot in turn"),
    ):
        with pytest.raises(kb.InputError, match=said):
            SMALL.position(wrong)


def test_fleets_that_might_not_fit_are_refused() -> None:
    for size, fleet in ((3, (4,)), (3, (3, 3, 3, 3)), (4, (4, 4, 4, 4, 4))):
        with pytest.raises(kb.InputError, match="might not fit"):
            kb.load("battleships", size=size, fleet=fleet)


def test_only_the_first_player_shoots() -> None:
    game = kb.load("battleships", size=4, fleet=(2,), alone=True)
    position = game.start.play("a1h", "c4h", "a1", "c4")
    assert position.player == 0
    assert position.play("d4").utility(0) == 1.0
    with pytest.raises(kb.InputError, match="only the first player shoots"):
        game.position("a1h / c4h / a1 / b1")


def test_seas_are_drawn() -> None:
    position = SMALL.position("a1h a2h / b1h c4h / b1 c1 d1 / a4 b4")
    drawings = [SMALL.people["draw_to"](position.state, p) for p in range(2)]
    assert drawings[0] != drawings[1]
    assert [drawing.count('fill="#57606a"') for drawing in drawings] == [5, 2]
    assert position.draw().count('fill="#57606a"') == 7
    assert position.cells(int(position.move("c2"))) == ("1:c2",)
