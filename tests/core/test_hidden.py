"""Hidden information: beliefs against their definition, views that tell nothing they should not, histories as text, and the conformance of hidden games."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.checking import hidden_check
from kibitz.core.checking.conformance import check
from kibitz.core.hidden import history
from kibitz.core.hidden.belief import LIMIT, Belief, Impossible, SampleLost
from kibitz.core.hidden.marginals import likeliest, marginals
from kibitz.core.hidden.view import puzzled, view
from kibitz.core.position.told import Event
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.records import random
from kibitz.searches.method import fitting
from tests import naive_hidden
from tests.core import hidden_games

BLIND = kb.load("blind_tictactoe")
SECRET = kb.Game(hidden_games.Secret)


@pytest.fixture(autouse=True)
def interpreted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.node.get_closest_marker("compiled"):
        monkeypatch.setenv("KIBITZ_TARGET", "python")


def random_line(game: kb.Game, rng: Random, plies: int) -> kb.Position:
    position = game.start
    for _ in range(plies):
        if position.is_over:
            break
        position = position.play(int(rng.choice(position.moves)))
    return position


def as_dict(belief: Belief) -> dict[bytes, float]:
    return {state.tobytes(): float(chance) for state, chance in zip(belief.states, belief.chances, strict=True)}


# --- beliefs ---


@pytest.mark.parametrize("number", range(8))
def test_marginals_are_counted_over_the_whole_belief(number: int) -> None:
    """In blind tic-tac-toe: on each square the chance of a mark that is not seen; of a large belief about the same."""
    known = view(random_line(BLIND, Random(number), 2 + number % 3), number % 2)
    belief = Belief.of(known)
    wanted: dict[str, float] = {}
    for position, chance in zip(belief.positions, belief.chances, strict=True):
        for cell in range(9):
            whole, seen = position.show().splitlines()[cell // 3][cell % 3], known.board.splitlines()[cell // 3][cell % 3]
            name = f"{cell // 3},{cell % 3}"
            wanted[name] = wanted.get(name, 0.0) + (float(chance) if whole != seen else 0.0)
    assert marginals(belief) == pytest.approx({cell: chance for cell, chance in wanted.items() if chance})
    assert sum(chance for _, chance in likeliest(belief, belief.size)) == pytest.approx(1.0)
    if belief.size > 4:
        assert marginals(belief, 4).keys() <= set(wanted)


@pytest.mark.parametrize("number", range(30))
@pytest.mark.parametrize("game", [BLIND, SECRET], ids=str)
def test_a_belief_is_what_its_definition_says(game: kb.Game, number: int) -> None:
    position = random_line(game, Random(number), 1 + number % 5)
    for observer in range(2):
        known = view(position, observer)
        truth = naive_hidden.belief([game.start], observer, known.events)
        found = as_dict(Belief.of(known))
        assert found.keys() == truth.keys()
        assert all(found[data] == pytest.approx(truth[data]) for data in truth)
        assert position.data in found


@pytest.mark.parametrize("number", range(6))
def test_several_beginnings(number: int) -> None:
    rng = Random(number)
    boards = [BLIND.position(text) for text in ("X.O/.../... - -", "XO./.../... - -", "X../O../... - -")]
    position = puzzled(rng.choice(boards), 0, boards)
    for _ in range(3):
        position = position.play(int(rng.choice(position.moves)))
    found = as_dict(Belief.of(view(position, 0)))
    assert found == pytest.approx(naive_hidden.belief(boards, 0, view(position, 0).events))
    assert Belief.of(view(position, 1)).origin == (position.told[1].origin[0],)
    with pytest.raises(kb.InputError, match="among those that are possible"):
        puzzled(BLIND.start, 0, boards)


def test_a_sample_says_that_it_is_one() -> None:
    position = BLIND.start.play("5", "1", "3", "7")
    known = view(position, 0)
    whole, sample = Belief.of(known), Belief.of(known, limit=12)
    assert (whole.complete, sample.complete) == (True, False)
    assert sample.size <= 12 < whole.size
    assert as_dict(sample).keys() <= as_dict(whole).keys()
    assert as_dict(Belief.of(known, limit=12)) == as_dict(sample)
    assert as_dict(Belief.of(known, limit=12, seed=1)).keys() != as_dict(sample).keys()


def test_samples_favour_no_state() -> None:
    """Each of the states is drawn as often as another: 28 of them, 400 samples."""
    known = view(BLIND.start.play("5", "1", "3"), 1)
    times: dict[bytes, int] = {}
    total = 0
    for seed in range(400):
        for data in as_dict(Belief.of(known, limit=10, seed=seed)):
            times[data] = times.get(data, 0) + 1
            total += 1
    expected = total / 28
    assert len(times) == 28
    assert sum((n - expected) ** 2 / expected for n in times.values()) < 60  # chi-square, 27 degrees: 1 in 4,000


def test_a_sample_that_dies_says_so() -> None:
    known = view(
        BLIND.start.play("5", "1", "3", "7", "1"), 0
    )  # the first player finds the second one's 1, which a sample of one may not hold
    sizes = {1: 0, 4096: 0}
    for limit in sizes:
        for seed in range(20):
            try:
                Belief.of(known, limit, seed)
            except SampleLost as error:
                sizes[limit] += f"keep more (limit={8 * limit})" in str(error)
    assert sizes[1] > 5
    assert sizes[4096] == 0
    with pytest.raises(kb.InputError, match="at least one state"):
        Belief.of(known, limit=0)


def test_drawing_by_weight() -> None:
    belief = Belief.of(view(SECRET.start.play(3), 1))
    rng = random.seeded(1)
    drawn = np.bincount([int(belief.draw(rng).number) for _ in range(2000)], minlength=4) / 2000
    assert drawn == pytest.approx([0.1, 0.2, 0.3, 0.4], abs=0.04)


@pytest.mark.compiled
def test_compiled_beliefs_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(10):
        position = random_line(BLIND, Random(number), 7)
        for observer in range(2):
            compiled = as_dict(Belief.of(view(position, observer), limit=200))
            with monkeypatch.context() as patched:
                patched.setenv("KIBITZ_TARGET", "python")
                assert as_dict(Belief.of(view(position, observer), limit=200)) == pytest.approx(compiled)


@pytest.mark.compiled
def test_a_hundred_thousand_positions_of_chess_become_a_sample() -> None:
    """The observer's own move, and the other side's with the usual limit."""
    game = kb.load("kriegspiel")
    belief = history.read(Belief.at(game, 0, (game.start.data,), 1 << 20), "e2e4 - g1f3 - f1c4 - d2d3 - c1e3 -")[-1]
    assert (belief.size, belief.complete) == (467_601, True)
    belief = replace(belief, states=belief.states[:100_000], weights=belief.weights[:100_000], limit=LIMIT)
    for event in (Event(int(belief.known.move("b1c3")), 0), Event(NO_MOVE, 0)):
        belief = belief.after(event)
    assert 99_000 < belief.size <= LIMIT
    assert not belief.complete


# --- views ---


@pytest.mark.parametrize("game", [BLIND, SECRET], ids=str)
def test_nobody_can_tell_positions_apart_that_look_alike(game: kb.Game) -> None:
    """A search is given the same, and answers the same, whichever of them is the true one."""
    looked_at = 0
    for number in range(8):
        position = random_line(game, Random(number), 2 + number % 4)
        if position.player < 0:
            continue
        known = view(position, position.player)
        answer = kb.search(position, "sampling", playouts=20)
        for other in Belief.of(known).positions[:6]:
            there = view(other, position.player)
            assert (there, there.player, there.moves, there.board) == (known, known.player, known.moves, known.board)
            same = kb.search(other, "sampling", playouts=20)
            assert (same.move, same.value, same.nodes, same.table and [c.value for c in same.table]) == (
                answer.move, answer.value, answer.nodes, answer.table and [c.value for c in answer.table],
            )  # fmt: skip
            looked_at += other.data != position.data
    assert looked_at > 5


def test_a_view_holds_no_position() -> None:
    known = view(BLIND.start.play("5", "1"), 0)
    assert known.origin == (BLIND.start.data,)
    assert known.events == (Event(4, 0), Event(NO_MOVE, 0))
    assert "O" not in known.board
    assert [str(m) for m in known.moves] == list("12346789")
    assert known.move("1").notation == "1"
    with pytest.raises(kb.InputError, match="illegal move '5': legal moves are 1 2 3"):
        known.move("5")
    assert view(BLIND.start, 1).moves == ()
    with pytest.raises(kb.InputError, match="hides nothing"):
        view(kb.load("tictactoe").start, 0)
    with pytest.raises(kb.InputError, match="there is no player 3"):
        view(BLIND.start, 2)


def test_a_match_hands_out_views(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `run` is called with in a match."""
    from kibitz.searches.hidden import sampling

    given: list[Any] = []
    run = sampling.Sampling.__init__

    def watch(self: Any, known: Any, *others: Any) -> None:
        given.append(known)
        run(self, known, *others)

    monkeypatch.setattr(sampling.Sampling, "__init__", watch)
    result = kb.match("sampling(playouts=9)", "sampling(playouts=9, seed=1)", BLIND, games=2)
    assert len(result.games) == 2
    assert given
    assert {type(known).__name__ for known in given} == {"View"}


def test_open_searches_refuse_what_is_hidden() -> None:
    assert fitting(BLIND)
    assert all(kb.player(name).method.views for name in fitting(BLIND))
    with pytest.raises(
        kb.InputError,
        match=r"alphabeta cannot search blind_tictactoe: its players do not see the whole position; searches that fit: .*sampling",
    ):
        kb.search(BLIND.start, "alphabeta")
    with pytest.raises(kb.InputError, match="sampling cannot search tictactoe: its players see the whole position"):
        kb.search(kb.load("tictactoe").start, "sampling")
    for ask in (kb.solve, kb.prove):
        with pytest.raises(kb.InputError, match="do not see the whole position"):
            ask(BLIND.start)
    with pytest.raises(kb.InputError, match="knows positions, and the players"):
        kb.search(BLIND.start, "sampling(book='x')")
    with pytest.raises(kb.InputError, match="here chance decides"):
        kb.search(SECRET.start, "sampling")


# --- histories ---


def test_histories_come_back() -> None:
    for number in range(30):
        position = random_line(BLIND, Random(number), 6)
        for observer in range(2):
            belief = Belief.of(view(position, observer))
            text = history.write(belief)
            assert len(text.split()) == len(belief.events)
            again = history.read(Belief.at(BLIND, observer, (BLIND.start.data,)), text)[-1]
            assert (again.events, as_dict(again)) == (belief.events, as_dict(belief))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("line", "impossible word 1, 'line': what may be heard is -$"),
        ("- 5 line", "impossible word 3, 'line': what may be heard is - taken"),
        ("- 5 - 5", "impossible word 4, '5': it is the turn of O.*legal moves are 1 2 3 4 6"),
        ("- taken", "impossible word 2, 'taken': it is the turn of O"),
        ("- 5/line", "impossible word 2, '5/line': what may be heard is 5 5/taken"),
        ("- 5/taken 1 - 2/taken 3/taken 4", "impossible word 6, '3/taken': what may be heard is 3$"),
    ],
)
def test_the_first_impossible_word_is_named(text: str, said: str) -> None:
    with pytest.raises(Impossible, match=said):
        history.read(Belief.at(BLIND, 1, (BLIND.start.data,)), text)


# --- conformance ---


def test_sound_games_are_sound() -> None:
    assert list(hidden_check.problems(SECRET, 0)) == []


@pytest.mark.parametrize("broken", hidden_games.BROKEN, ids=lambda g: g.__name__)
def test_broken_games_are_not(broken: type) -> None:
    problem = next(hidden_check.problems(kb.Game(broken), 0))
    assert problem[0] == hidden_games.BROKEN[broken]


@pytest.mark.compiled
def test_check_looks_at_what_is_hidden() -> None:
    report = check(kb.Game(hidden_games.Leaking), games=10)
    assert [f.function for f in report.failures] == ["moves"]
    assert "looks alike" in str(report.failures[0])


def test_repetition_is_for_open_games() -> None:
    class Repeating(hidden_games.Secret):
        REPETITION = kb.DRAW

    with pytest.raises(kb.RulesError, match="count in the state what ends the game"):
        kb.Game(Repeating)
