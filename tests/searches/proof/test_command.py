"""`kibitz prove`, `kibitz verify` and `kibitz play` with a proof, as a user types them."""

from __future__ import annotations

from pathlib import Path

import pytest

import kibitz as kb
from kibitz.core.errors import InputError
from kibitz.searches.proof.prove import prove
from kibitz.tables.proof.file import write_proof
from kibitz.tables.proof.strategy_player import proof_player
from tests.typed import answer, kibitz

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_prove_and_verify(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = kibitz(capsys, "prove", "mnk", "--moves", "b2 a1", "--goal", "not lose", "--out", "safe.kbp")
    assert (code, err) == (0, "")
    assert "proven: X can avoid losing (" in out
    assert "16 positions, longest line 7 plies; written to safe.kbp" in out
    code, out, err = kibitz(capsys, "verify", "safe.kbp")
    assert (code, err) == (0, "")
    assert "verified: in mnk, X can avoid losing: 16 positions, longest line 7 plies" in out
    told = answer(capsys, "verify", "safe.kbp", "mnk")
    assert (told["verdict"], told["positions"], told["longest"]) == ("proven", 16, 7)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    told = answer(capsys, "prove", "mnk", "--moves", "b2 a1", "--player", "1")
    assert (told["verdict"], told["proof"], told["disproof"], told["ended"]) == ("disproven", None, 0, "solved")
    told = answer(capsys, "prove", "trees", "--goal", "value", "--with", "pn")
    assert (told["low"], told["high"], told["exact"]) == (3, 3, True)
    told = answer(capsys, "prove", "mnk", "--moves", "a1 b1 b2", "--player", "1", "--shortest", "--with", "pn2")
    assert (told["verdict"], told["within"]) == ("proven", 4)


def test_unknown_has_its_own_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = kibitz(capsys, "prove", "mnk", "--nodes", "50", "--out", "none.kbp")
    assert code == 1
    assert "unknown: X, win (" in out
    assert "ended by nodes, proof number" in out
    assert not Path("none.kbp").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("prove", "pig"), "nothing can be proven of pig: it has chance"),
        (("prove", "mnk", "--goal", "draw"), "is no goal"),
        (("prove", "mnk", "--player", "3"), "there is no player 3"),
        (("prove", "mnk", "--goal", "value", "--out", "a.kbp"), "asks many questions"),
        (("prove", "mnk", "--out", "no/such/folder.kbp"), "there is no folder"),
        (("prove", "mnk", "--with", "alphabeta"), "unknown method"),
        (("verify", "none.kbp"), "cannot read none.kbp"),
        (("tree", "none.kbp", "--svg", "a.svg"), "a proof is shown as text"),
        (("tree", "mnk", "--html", "a.html"), "--html is for proofs"),
        (("prove", "mnk", "--goal", "value", "--resume", "a.saved"), "asks many questions"),
        (("play", "mnk", "--with", "none.kbp"), "cannot read none.kbp"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str) -> None:
    code, _, err = kibitz(capsys, *words)
    assert code == 2
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_damaged_proof_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert kibitz(capsys, "prove", "mnk", "--moves", "b2 a1", "--out", "a.kbp")[0] == 0
    Path("a.kbp").write_bytes(Path("a.kbp").read_bytes()[:-2])
    code, _, err = kibitz(capsys, "verify", "a.kbp")
    assert code == 2
    assert err == "kibitz: a.kbp is damaged, or no proof; make it again\n"


# --- playing a proof out ---


def test_play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Begun where the proof begins; who plays the holder's own moves against it is told so."""
    assert kibitz(capsys, "prove", "mnk", "--moves", "a1 b1", "--out", "won.kbp")[0] == 0
    typed = iter(["hint", "c3", "quit"])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    code, out, _ = kibitz(capsys, "play", "mnk", "--with", "won.kbp", "--second")
    assert code == 0
    assert "engine plays" in out
    assert "(X wins; depth 0, " in out
    assert "holds the moves of X only" in out


@pytest.mark.parametrize(
    ("goal", "moves", "player", "sure"), [("win", "a1 b1", 0, 1.0), ("win", "b2 a1", 0, 0.0), ("not lose", "b2 a1", 0, 0.0)]
)
def test_every_game_against_a_proof_ends_as_it_says(goal: str, moves: str, player: int, sure: float, tmp_path: Path) -> None:
    start = kb.load("mnk").position(moves)
    found = prove(start, goal, player, with_strategy=True)
    assert found.strategy is not None
    write_proof(tmp_path / "a.kbp", found.strategy)
    engine, holder = proof_player(str(tmp_path / "a.kbp")), found.claim.holder(found.verdict)
    ends, rest = set(), [start]
    while rest:
        p = rest.pop()
        if p.is_over:
            ends.add(p.utility(holder))
        elif p.player == holder:
            result = engine.search(p)
            assert result.value == sure
            rest.append(p.play(int(result.move or 0)))
        else:
            rest += [p.play(int(m)) for m in p.moves]
    assert min(ends) == sure
    elsewhere = kb.load("mnk").position("c3 c2" if holder == 0 else "c3")
    with pytest.raises(InputError, match="does not lead there"):
        engine.search(elsewhere)


def test_a_mate_is_played_out(tmp_path: Path) -> None:
    """In a game that repeats positions, where plies count."""
    start = kb.load("chess").position("7k/8/5K2/8/8/8/8/6R1 w - - 0 1")
    found = prove(start, "win", 0, shortest=True, leaf="moves")
    assert found.strategy is not None
    write_proof(tmp_path / "a.kbp", found.strategy)
    engine = proof_player(str(tmp_path / "a.kbp"))
    rest, longest = [(start, 0)], 0
    while rest:
        p, ply = rest.pop()
        longest = max(longest, ply)
        if p.is_over:
            assert p.utility(0) == 100
            continue
        rest += [(p.play(int(m)), ply + 1) for m in ([engine.search(p).move] if p.player == 0 else p.moves) if m is not None]
    assert longest == found.claim.within == 3


# --- the tree ---


def test_tree(capsys: pytest.CaptureFixture[str]) -> None:
    assert kibitz(capsys, "prove", "mnk", "--moves", "a1 b1 b2", "--player", "1", "--out", "won.kbp")[0] == 0
    code, out, err = kibitz(capsys, "tree", "won.kbp")
    assert (code, err) == (0, "")
    assert "X can force a win: " in out
    lines = out.splitlines()
    assert "├─ c1 → c3  (+1 for X)" in lines
    code, out, _ = kibitz(capsys, "tree", "won.kbp", "--size", "3")
    assert "… 6 replies" in out
    told = answer(capsys, "tree", "won.kbp")["tree"]
    assert [b["reply"] for b in told["then"]] == ["c1", "a2", "c2", "a3", "b3", "c3"]
    assert all("end" in b or "then" in b for b in told["then"])


@pytest.mark.parametrize("depth", [1, 2])
def test_walking_through_a_tree(depth: int, capsys: pytest.CaptureFixture[str]) -> None:
    """After a line of it, so many replies deep; as a page that unfolds."""
    assert kibitz(capsys, "prove", "mnk", "--moves", "a1 b1", "--out", "won.kbp")[0] == 0
    _, out, _ = kibitz(capsys, "tree", "won.kbp", "--depth", str(depth))
    assert ("├─ a3 → b2  … 4 replies" in out) == (depth == 1)
    _, out, _ = kibitz(capsys, "tree", "won.kbp", "--moves", "a2 a3")
    assert out.count("(+1 for X)") == 4
    code, out, err = kibitz(capsys, "tree", "won.kbp", "--html", "won.html", "--depth", str(depth))
    assert (code, err) == (0, "")
    assert "page written to won.html" in out
    page = Path("won.html").read_text(encoding="utf-8")
    assert page.count("<details") == page.count("</details>") == (7 if depth == 1 else 11)
    assert page.count("<details open>") == 1
    assert "c1 → a3 <span" in page
    assert "1 X O .\n2 X . .\n" in page
