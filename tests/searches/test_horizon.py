"""The shipped position of docs/horizon.md: plain alpha-beta falls for it, quiescence and singular extensions do not."""

import pytest

import kibitz as kb

GAME = kb.load("breakthrough", rows=6, columns=5, weights="start")
SINGULAR = "selective(depth=5, singular=0.05, null=0, reductions=0, quiescence=0, extend=false)"

pytestmark = pytest.mark.compiled


def test_plain_alpha_beta_plays_a_losing_move() -> None:
    position = GAME.position("horizon")
    result = kb.search(position, "alphabeta(depth=5)")
    assert [str(move) for move in result.line] == ["c3xb4", "c5xb4", "d3xc4", "b5xc4", "b3xc4"]
    refuted = kb.solve(position.play("c3xb4"))
    assert refuted.exact
    assert refuted.value == 1.0  # for the other side


@pytest.mark.parametrize("player", ["alphabeta(depth=5, quiescence=8)", SINGULAR])
def test_the_cures_play_the_winning_move(player: str) -> None:
    position = GAME.position("horizon")
    assert str(kb.search(position, player).move) == "d3xc4"
    assert kb.solve(position.play("d3xc4")).value == -1.0


def test_named_positions_of_shipped_games_can_be_read() -> None:
    assert GAME.position("horizon") == GAME.position(GAME.positions["horizon"])
    for name in kb.shipped():
        game = kb.load(name)
        for title in game.positions:
            assert game.position(title).moves
