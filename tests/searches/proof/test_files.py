"""Proofs as files: they come back, and whatever is not a proof is refused with the line that fails."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.compiling.binder import default_target
from kibitz.core.errors import InputError
from kibitz.searches.proof.prove import prove
from kibitz.tables.proof import replay
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, claimed
from kibitz.tables.proof.file import BadProof, Strategy, read_proof, verify, write_proof
from tests.differential.cases import on
from tests.naive import minimax_memoised

ROOT = Path(__file__).parent.parent.parent.parent
TOE = kb.load("mnk")
MEMOS: tuple[dict[bytes, float], ...] = ({}, {})


@cache
def shown(goal: str = "not lose", moves: str = "", player: int = 0) -> Strategy:
    found = prove(TOE.position(moves), goal, player, with_strategy=True, memory=1).strategy
    assert found is not None
    return found


def holds(strategy: Strategy) -> bool:
    """Is what it says true? By plain recursion."""
    claim = strategy.claim
    worth = minimax_memoised(claim.position, claim.player, MEMOS[claim.player])
    return (worth >= claim.threshold) == (strategy.verdict == PROVEN)


# --- there and back ---


@pytest.mark.parametrize(("goal", "moves"), [("win", ""), ("not lose", "b2 a1"), ("value >= 1", "a1 b1"), ("win", "a1 b1 b2 c1 c3")])
def test_a_proof_comes_back(goal: str, moves: str, tmp_path: Path) -> None:
    strategy = shown(goal, moves)
    write_proof(tmp_path / "a.kbp", strategy)
    back = read_proof(tmp_path / "a.kbp")
    assert str(back) == str(strategy)
    assert back.claim == strategy.claim
    assert list(back.choices) == list(strategy.choices)
    assert (verify(back).positions, back.longest) == (strategy.positions, strategy.longest)
    with on("python"):
        verify(back)


def test_it_is_small(tmp_path: Path) -> None:
    strategy = shown("win")
    write_proof(tmp_path / "a.kbp", strategy)
    assert strategy.positions > 300
    assert (tmp_path / "a.kbp").stat().st_size < 500 + 2 * len(strategy.choices)


def test_nothing_of_a_search_is_needed() -> None:
    """All of kibitz that checking reaches, followed import by import."""
    rest, reached = ["kibitz.tables.proof.file"], set[str]()
    while rest:
        name = rest.pop()
        if name in reached or not name.startswith("kibitz."):
            continue
        reached.add(name)
        path = ROOT / f"{name.replace('.', '/')}.py"
        path = path if path.exists() else path.with_suffix("") / "__init__.py"
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                inside = [f"{node.module}.{a.name}" for a in node.names]
                rest += [node.module, *(n for n in inside if (ROOT / f"{n.replace('.', '/')}.py").exists())]
            elif isinstance(node, ast.Import):
                rest += [a.name for a in node.names]
    assert "kibitz.tables.proof.replay" in reached
    assert {name.split(".")[1] for name in reached} == {"core", "tables"}
    assert not [name for name in reached if "search" in name or "transposition" in name]


# --- what is no proof ---


def faults(strategy: Strategy) -> Iterator[tuple[str, Strategy, str]]:
    """Every way in which a strategy can be wrong, and the words that say so."""
    claim, choices = strategy.claim, strategy.choices
    other = claimed(claim.position, "win", claim.player)
    yield "another goal", replace(strategy, claim=other), "ends there, and not as claimed"
    yield "another player", replace(strategy, claim=replace(claim, player=1)), "after "
    yield "another verdict", replace(strategy, verdict=DISPROVEN), "after "
    yield "too short", replace(strategy, choices=choices[:-1]), "no move there"
    yield "too long", replace(strategy, choices=np.append(choices, choices[:1])), "1 more moves than"
    yield "no such move", replace(strategy, choices=np.concatenate([choices[:3], choices[:1] + 20, choices[4:]])), "does not exist"
    yield "more positions", replace(strategy, positions=strategy.positions + 1), "the proof says"
    yield "fewer positions", replace(strategy, positions=strategy.positions - 1), "more positions than"
    yield "another length", replace(strategy, longest=8), "longest line of 9"
    yield "very many positions", replace(strategy, positions=10**15), "the proof says"
    yield "a shorter game", replace(strategy, claim=replace(claim, within=8)), "not over there"


@pytest.mark.parametrize("number", range(11))
def test_faults_are_told(number: int) -> None:
    name, wrong, words = list(faults(shown()))[number]
    with pytest.raises(BadProof, match=words):
        verify(wrong)
    assert name


def test_the_line_that_fails_is_named() -> None:
    """X leaves b3 open; the first line in which O takes it is told."""
    strategy = shown("not lose", "a1 b2 c3 b1")  # X must take b3
    wrong = replace(strategy, choices=np.concatenate([strategy.choices * 0, strategy.choices]))
    with pytest.raises(BadProof, match=r"after c1 c2 a2 b3: the game ends there, and not as claimed"):
        verify(wrong)


def test_one_choice_may_lead_to_many_positions() -> None:
    """And none, where the other player makes all the moves."""
    game = kb.load("trees", tree='{"player": 1, "moves": [{"player": 1, "moves": [{"player": 1, "moves": [[1, 1], 1]}, 1]}, 1]}')
    with on("python"):
        found = prove(game.start, "value >= 1", 0, with_strategy=True)
        assert found.strategy is not None
        assert (len(found.strategy.choices), found.strategy.positions) == (1, 4)
        verify(found.strategy)
        large = kb.load("nim", heaps="1,1,1,1,1").start
        lost = prove(large, "win", large.player, with_strategy=True)
        assert lost.strategy is not None
        verify(lost.strategy)


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "a.kbp"
    write_proof(path, shown())
    whole = path.read_bytes()
    for content in (b"", whole[:10], whole[:-1], whole + b"x", whole.replace(b"not lose", b"win"), whole.replace(b"\n", b"", 1)):
        path.write_bytes(content)
        with pytest.raises(InputError, match="is damaged, or no proof"):
            read_proof(path)
    with pytest.raises(InputError, match="cannot read"):
        read_proof(tmp_path / "none.kbp")


def test_wrong_games(tmp_path: Path) -> None:
    path = tmp_path / "a.kbp"
    write_proof(path, shown())
    with pytest.raises(InputError, match="is a proof of mnk, which cannot be loaded as tictactoe"):
        read_proof(path, "tictactoe")
    with pytest.raises(InputError, match=r"cannot be loaded as nim"):
        read_proof(path, "nim")
    assert read_proof(path, "mnk").claim == shown().claim


def test_positions_without_text_are_refused_first() -> None:
    """Before anything is searched."""
    game = kb.Game(_silent())
    with pytest.raises(InputError, match="does not come back"):
        prove(game.start, with_strategy=True)


def _silent() -> dict[str, object]:
    """A game that is shown in a way which nobody can read."""
    game = kb.load("tictactoe")
    return {**game.constants, **game.functions, "show": lambda _: "a board", "name": game.people["name"]}


def mutated(content: bytes, rng: Random) -> bytes:
    """Bytes changed, lost, doubled or exchanged."""
    at, to = sorted(rng.sample(range(len(content)), 2))
    return rng.choice(
        [
            content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :],
            content[:at] + rng.randbytes(rng.randrange(1, 9)) + content[at + 1 :],
            content[:at] + content[to:],
            content[:to] + content[at:],
            content[:at],
        ]
    )


def forged(strategy: Strategy, rng: Random) -> Strategy:
    """Something about the proof that its maker would like to be otherwise."""
    claim, choices = strategy.claim, strategy.choices.copy()
    for _ in range(rng.randrange(1, 4)):
        choices[rng.randrange(len(choices))] = rng.randrange(9)
    others = [claimed(claim.position, goal, player) for goal in ("win", "not lose") for player in (0, 1)]
    return rng.choice(
        [
            replace(strategy, choices=choices),
            replace(strategy, claim=rng.choice(others)),
            replace(strategy, verdict=rng.choice([PROVEN, DISPROVEN])),
            replace(strategy, claim=replace(claim, position=TOE.position(rng.choice(["a1", "b2 a1", "b1"])))),
            replace(strategy, choices=choices, claim=rng.choice(others), verdict=rng.choice([PROVEN, DISPROVEN])),
        ]
    )


def sweep(path: Path, seeds: range) -> None:
    strategies = [shown(goal, moves, player) for goal, moves, player in (("not lose", "", 0), ("win", "b2 b1", 0), ("win", "a1 b1", 1))]
    contents = []
    for strategy in strategies:
        write_proof(path, strategy)
        contents.append(path.read_bytes())
    refused = 0
    for seed in seeds:
        rng = Random(seed)
        i = rng.randrange(len(strategies))
        damaged = mutated(contents[i], rng)
        path.write_bytes(damaged)
        if damaged != contents[i]:
            with pytest.raises(InputError):
                read_proof(path)
        made_up = forged(strategies[i], rng)
        write_proof(path, made_up)
        try:
            verify(read_proof(path))
        except BadProof:
            refused += 1
        else:
            assert holds(made_up), seed
    assert refused > len(seeds) // 2


def test_mutated_files_are_refused(tmp_path: Path) -> None:
    """And what is made up, with a checksum of its own, is refused or true all the same."""
    sweep(tmp_path / "a.kbp", range(200 if default_target() == "cpu" else 40))


@pytest.mark.long
def test_ten_thousand_mutated_files(tmp_path: Path) -> None:
    sweep(tmp_path / "a.kbp", range(1000, 11_000))


def test_every_fault_has_words() -> None:
    codes = {
        getattr(replay, n)
        for n in (
            "BAD_END",
            "TOO_LONG",
            "NO_SUCH_MOVE",
            "NO_MORE_CHOICES",
            "COMES_BACK",
            "FULL",
            "NOT_ALLOWED",
            "NO_REPLY",
            "MAY_REPEAT",
            "BAD_TABLE",
        )
    }
    assert set(replay.FAULTS) == codes
