"""`kibitz inspect`, and what `search` prints of chance."""

import pytest

from tests.typed import answer, kibitz


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few games and nodes: not worth a compilation."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def test_inspect_ewn(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("inspect", "ewn", "-p", "setup=123456", "--games", "3", "--plies", "2")
    told = answer(capsys, *words)
    assert (told["players"], told["chance"], told["turn"], told["branching"]) == (2, "uniform", "chance", 6)
    assert told["determinacy"]["mean"] == pytest.approx(1 / 6)
    assert len(told["determinacy"]["moves"]) == 18
    assert "star2" in told["searches"]
    assert len(told["plies"]) == 2
    code, out, _ = kibitz(capsys, *words)
    assert code == 0
    assert "chance decides between 6 outcomes, which may allow 18 different moves" in " ".join(out.split())
    assert "more plies" in out


def test_inspect_without_chance_and_without_choice(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "inspect", "tictactoe", "--games", "2")["chance"] is None
    code, out, _ = kibitz(capsys, "inspect", "duel", "-p", "rounds=2", "--games", "2")
    assert code == 0
    assert "here: chance decides between 6 outcomes\n" in out
    over = answer(capsys, "inspect", "tictactoe", "--moves", "14253", "--games", "1")
    assert (over["turn"], over["branching"], over["plies"]) == ("over", 0, [])


def test_search_tells_outlooks(capsys: pytest.CaptureFixture[str]) -> None:
    tree = 'tree=[{"chance": [1, 1], "moves": [-10, 8]}, -2]'
    code, out, _ = kibitz(capsys, "search", "trees", "-p", tree, "--with", "star2(outlook=true)")
    assert code == 0
    assert [line.split() for line in out.splitlines()[-2:]] == [["1", "-1", "9", "50.0%", "50.0%"], ["2", "-2", "0", "0.0%", "100.0%"]]


def test_search_where_chance_decides(capsys: pytest.CaptureFixture[str]) -> None:
    told = answer(capsys, "search", "duel", "-p", "rounds=2", "--with", "star1")
    assert (told["move"], told["line"], told["bound"]) == (None, [], "exact")
    assert told["value"] == pytest.approx(0.0)


def test_broken_options(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("--with", "star2(probe=-1)"), ("--with", "star2(probing=zigzag)"), ("--with", "star1(confidence=2)")):
        code, out, err = kibitz(capsys, "search", "ewn", *words)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
