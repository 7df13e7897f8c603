"""Endgame tables, and the game's own bounds, as leaves of a proof: what is said is true, and the file says what it rests on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

import kibitz as kb
from kibitz.core.errors import InputError
from kibitz.searches.proof.prove import METHODS, prove
from kibitz.tables.endgame.builders.building import build
from kibitz.tables.endgame.numbering import WHOLE
from kibitz.tables.proof import leaves
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN
from kibitz.tables.proof.file import BadProof, read_proof, verify, write_proof
from tests.differential import claims, tabled
from tests.differential.cases import on
from tests.differential.families import FAMILIES
from tests.naive import minimax_memoised

FOLDER = "tables of a random graph"


def sweep(family: str, seeds: range, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Random claims about random games, parts of which are in tables."""
    said: Counter[str] = Counter()
    assert tabled.fit(FAMILIES[family].game)
    for seed in seeds:
        rng = Random(f"{family}:tables:{seed}")
        claim = claims.drawn(family, rng, True)
        if claim is None:
            continue
        true = claim.is_true  # without tables
        inside = tabled.inside(claim.graph, claim.position, claim.truth, rng.choice(tabled.SHARES))
        inside.tables.files[WHOLE].digest = str(seed)
        monkeypatch.setattr(leaves, "open_inside", lambda *_, inside=inside: inside)
        settings = {**claim.settings, "with_strategy": True, "tables": FOLDER, "expand": rng.random() < 0.3, "nodes": 3000}
        found = prove(claim.position, f"value >= {claim.bound!r}", claim.player, within=claim.within, **settings)
        said[found.verdict] += 1
        assert found.verdict in (UNKNOWN, PROVEN if true else DISPROVEN), (family, seed)
        if found.strategy is not None and found.verdict != UNKNOWN:
            verify(found.strategy, FOLDER)
            assert not (settings["expand"] and found.strategy.rests)
            said["resting"] += bool(found.strategy.tables)
            if found.strategy.tables:
                with pytest.raises(InputError, match="rests on the endgame table"):
                    verify(found.strategy)
    return said


@pytest.mark.once
@pytest.mark.parametrize("family", ["wins", "draws", "scores"])
def test_what_is_said_with_tables_is_true(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with on("python"):
        said = sweep(family, range(14), monkeypatch)
    assert min(said[PROVEN], said[DISPROVEN], said["resting"]) > 0


@pytest.mark.long
@pytest.mark.parametrize("family", ["wins", "draws", "scores"])
def test_thousands_with_tables(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with on("python"):
        said = sweep(family, range(1000, 2000), monkeypatch)
    assert min(said[PROVEN], said[DISPROVEN], said["resting"]) > 50


@pytest.mark.once
@pytest.mark.parametrize("method", METHODS[:2])
def test_a_proof_says_what_it_rests_on(method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    game, folder = kb.load("tictactoe"), str(tmp_path)
    build(game, tmp_path, target="python")
    for goal in ("win", "not lose"):
        found = prove(game.start, goal, with_strategy=True, method=method, tables=folder, memory=1)
        assert found.nodes < 12
        assert found.strategy is not None
        assert found.as_dict()["rests"] == found.strategy.rests == "the endgame table all"
        write_proof(tmp_path / "a.kbp", found.strategy)
        back = read_proof(tmp_path / "a.kbp")
        assert verify(back, folder).rests == found.strategy.rests
        with pytest.raises(InputError, match=r"rests on the endgame table all; name the folder that has them \(--tables DIR\)"):
            verify(back)
    (tmp_path / "others").mkdir()
    build(kb.load("tictactoe"), tmp_path / "others", target="python")
    path = next((tmp_path / "others").glob("*.table"))
    path.write_bytes(path.read_bytes())
    assert verify(back, str(tmp_path / "others"))  # the same bytes are the same table
    with pytest.raises(BadProof, match="none"):
        verify(back.__class__(**{**back.__dict__, "tables": {"all": back.tables["all"], "more": "0"}}), folder)
    with pytest.raises(BadProof, match="another one"):
        verify(back.__class__(**{**back.__dict__, "tables": {"all": "0"}}), folder)


@pytest.mark.once
def test_bounds_of_the_game() -> None:
    """Kalah: what a player has banked, and what is left."""
    game, memo = kb.load("kalah", holes=2, seeds=2), dict[bytes, float]()
    rested = list[str]()
    with on("python"):
        worth = minimax_memoised(game.start, 0, memo)
        for bound in (worth - 2, worth, worth + 1):
            plain = prove(game.start, f"value >= {bound}", 0, with_strategy=True)
            short = prove(game.start, f"value >= {bound}", 0, with_strategy=True, bounds=True)
            assert plain.verdict == short.verdict == (PROVEN if worth >= bound else DISPROVEN)
            assert short.nodes <= plain.nodes
            assert short.strategy is not None
            rested.append(verify(short.strategy).rests)
            expanded = prove(game.start, f"value >= {bound}", 0, with_strategy=True, bounds=True, expand=True)
            assert expanded.strategy is not None
            assert verify(expanded.strategy).rests == ""
    assert "the game's own bounds (best_case)" in rested
    with pytest.raises(InputError, match="tells no bounds"):
        prove(kb.load("tictactoe").start, bounds=True)
