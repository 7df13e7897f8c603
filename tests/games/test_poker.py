"""Kuhn and Leduc poker, walked in step with OpenSpiel's kuhn_poker and leduc_poker: the same moves, turns, deals, results and information sets."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest

import kibitz as kb
from kibitz.core.checking.conformance import check
from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.view import view

KUHN, LEDUC = kb.load("kuhn_poker"), kb.load("leduc_poker")


def in_step(ours: kb.Position, theirs: Any, seen: tuple[dict[Any, str], dict[str, Any]]) -> None:
    """Whose turn, what may be done, how likely chance does it, what it came to; and every information set of ours is one of theirs."""
    assert ours.is_over == theirs.is_terminal()
    if ours.is_over:
        assert [ours.utility(0), ours.utility(1)] == theirs.returns()
        return
    assert ours.is_chance == theirs.is_chance_node()
    assert sorted(ours.numbers) == theirs.legal_actions()
    if ours.is_chance:
        assert dict(zip(ours.numbers, ours.chances, strict=True)) == pytest.approx(dict(theirs.chance_outcomes()))
        return
    assert ours.player == theirs.current_player()
    here, there = (ours.player, ours.told[ours.player].events), theirs.information_state_string()
    assert seen[0].setdefault(here, there) == there
    assert seen[1].setdefault(there, here) == here


def walk_all(ours: kb.Position, theirs: Any, seen: tuple[dict[Any, str], dict[str, Any]]) -> int:
    """All games from here; how many end."""
    in_step(ours, theirs, seen)
    return int(ours.is_over) + sum(walk_all(ours.after_line([n]), theirs.child(n), seen) for n in ours.numbers)


def test_all_of_kuhn_in_step_with_openspiel() -> None:
    seen: tuple[dict[Any, str], dict[str, Any]] = ({}, {})
    assert walk_all(KUHN.start, pyspiel.load_game("kuhn_poker").new_initial_state(), seen) == 30
    assert len(seen[0]) == 12


def test_leduc_in_step_with_openspiel() -> None:
    rng, seen = random.Random(1), ({}, {})  # type: ignore[var-annotated]
    for _ in range(150):
        ours, theirs = LEDUC.start, pyspiel.load_game("leduc_poker").new_initial_state()
        while not ours.is_over:
            in_step(ours, theirs, seen)
            move = rng.choice(ours.numbers)
            ours = ours.after_line([move])
            theirs.apply_action(move)
        in_step(ours, theirs, seen)


@pytest.mark.long
def test_all_of_leduc_in_step_with_openspiel() -> None:
    seen: tuple[dict[Any, str], dict[str, Any]] = ({}, {})
    assert walk_all(LEDUC.start, pyspiel.load_game("leduc_poker").new_initial_state(), seen) == 5520
    assert len(seen[0]) == 936


@pytest.mark.compiled
@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=str)
def test_they_are_sound(game: kb.Game) -> None:
    assert check(game, games=100).failures == []


@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=str)
def test_a_new_deal_is_one_of_those_possible(game: kb.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each card as often as another: 600 deals, chi-square of at most four degrees of freedom, 1 in 10,000."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    position = game.start.play("K", "J", "bet") if game is KUHN else game.start.play("Kh", "Js", "check", "check", "Jh", "raise")
    rng = kb.random.seeded(3)
    belief = Belief.of(view(position, 0))
    times = {state.tobytes(): 0 for state in belief.states}
    for _ in range(600):
        s = position.state
        game.rule("redeal")(s, 0, rng)
        times[s.tobytes()] += 1
    expected = 600 / belief.size
    assert sum((n - expected) ** 2 / expected for n in times.values()) < 23.6


@pytest.mark.parametrize(
    ("game", "moves", "text"),
    [
        (KUHN, "", "? ?\n-"),
        (KUHN, "J", "J ?\n-"),
        (KUHN, "J K pass bet", "J K\npass bet"),
        (LEDUC, "Js", "Js ? ?\n-\n-"),
        (LEDUC, "Js Qh check raise call", "Js Qh ?\ncheck raise call\n-"),
        (LEDUC, "Js Qh check raise call Ks raise fold", "Js Qh Ks\ncheck raise call\nraise fold"),
    ],
)
def test_boards_come_back(game: kb.Game, moves: str, text: str) -> None:
    position = game.position(moves)
    assert position.show() == text
    assert game.position(" / ".join(text.splitlines())) == position
    assert view(position, 1).board.split()[0] == "?"


@pytest.mark.parametrize(
    ("game", "text", "said"),
    [
        (KUHN, "J J / -", "two different cards"),
        (KUHN, "? J / -", "dealt in this order"),
        (KUHN, "J ? / bet", "before anybody moves"),
        (KUHN, "J Q / bet bet pass", "the game is over after bet bet"),
        (KUHN, "A Q / bet", "of J, Q and K"),
        (LEDUC, "Js Qh / bet", "three cards and the moves of each round"),
        (LEDUC, "Js Js ? / - / -", "each card is there once"),
        (LEDUC, "? Js ? / - / -", "dealt in this order"),
        (LEDUC, "Js Qh Ks / check / -", "that is not over"),
        (LEDUC, "Js Qh ? / fold / -", "'fold' in the first round: what may come there is check raise"),
        (LEDUC, "Js Qh ? / check check / check", "in the second round: what may come there is a card"),
    ],
)
def test_boards_that_cannot_be(game: kb.Game, text: str, said: str) -> None:
    with pytest.raises(kb.InputError, match=said):
        game.position(text)


def test_a_match_plays_every_deal_with_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """An opening is a deal, though with the cards open each is decided; nobody's moves are made for him."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    result = kb.match("sampling(playouts=4)", "sampling(playouts=4)", KUHN, games=12)
    deals = [g.moves[:2] for g in result.games]
    assert [g.opening for g in result.games] == [2] * 12
    assert deals[::2] == deals[1::2]
    assert len(set(deals)) == 6
    assert result.notes == ()


def test_a_card_of_the_other_lies_face_down() -> None:
    for game, text, hidden in (("kuhn_poker", "J K / pass bet", ">K<"), ("leduc_poker", "Jh Ks ? / check / -", ">K<")):
        position = kb.load(game).position(text)
        assert hidden in position.picture()
        seen = position.game.people["draw_to"](position.state, 0)
        assert hidden not in seen
        assert ">?<" in seen
