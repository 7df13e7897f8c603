"""What can be made sure of without seeing everything: equal to its definition on random games, with strategies that the rules alone confirm; and the best chance where nothing is sure."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.view import puzzled, view
from kibitz.searches.belief.guarantee import Guarantee, guaranteed
from kibitz.searches.belief.hope import hoped
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN, least_value
from kibitz.tables.proof.file import BadProof, read_sealed, write_sealed
from kibitz.tables.proof.percept_file import MAGIC, is_percept_file, read_percept_strategy, write_percept_strategy
from kibitz.tables.proof.percept_replay import replayed, verify
from kibitz.tables.proof.percept_strategy import PerceptStrategy, SureClaim, told
from tests import hidden_graphs, hidden_trees, naive_beliefs
from tests.differential.cases import on

DEEPEST = 4
KRIEGSPIEL = kb.load("kriegspiel", draws=False)
CORNER = [f"{rows} w - - 0 1" for rows in ("7k/8/8/5K2/8/8/8/6R1", "8/7k/8/5K2/8/8/8/6R1", "8/8/7k/5K2/8/8/8/6R1")]


def begin(starts: list[kb.Position], player: int) -> Belief:
    return Belief.of(view(puzzled(starts[0], player, starts), player))


def random_belief(seed: int) -> tuple[Belief, str]:
    """Of a random game on a graph or a tree, with a goal."""
    rng = Random(seed)
    if seed % 3:
        return begin(hidden_graphs.draw(seed), rng.randrange(2)), rng.choice(("win", "not lose"))
    position = hidden_trees.line(hidden_trees.draw(seed), rng, rng.randint(0, 2))
    player = rng.randrange(2)
    return Belief.of(view(position, player)), rng.choice(("win", "not lose", "value >= 1", "value >= -2"))


def is_sure(belief: Belief, claim: SureClaim, moves: int) -> bool:
    return naive_beliefs.is_sure(belief.game, [s.tobytes() for s in belief.states], belief.observer, claim.threshold, moves)


def checked(belief: Belief, goal: str, **options: Any) -> Guarantee:
    """The answer, which must be that of the definition for every number of moves."""
    found = guaranteed(belief, goal, DEEPEST, **options)
    least = next((n for n in range(1, DEEPEST + 1) if is_sure(belief, found.claim, n)), None)
    assert (found.verdict, found.moves) == (
        (DISPROVEN, min(DEEPEST, belief.game.constants["MAX_PLIES"])) if least is None else (PROVEN, least)
    )
    assert not found.never or not is_sure(belief, found.claim, 2 * DEEPEST)
    assert (found.strategy is not None) == (found.verdict == PROVEN)
    if found.strategy is not None:
        assert found.strategy.moves <= found.moves
        verify(found.strategy)
    return found


@pytest.mark.parametrize("part", range(4))
@pytest.mark.once
def test_what_is_sure_is_what_its_definition_says(part: int) -> None:
    found = []
    with on("python"):
        for seed in range(40 * part, 40 * part + 40):
            belief, goal = random_belief(seed)
            if not belief.known.is_over:
                settings = {"seeing": seed % 2 == 0, "dominance": seed % 5 != 0}
                found.append((checked(belief, goal, **settings)).verdict)
    assert found.count(PROVEN) > 6 < found.count(DISPROVEN)


@pytest.mark.long
def test_the_same_on_thousands_of_games() -> None:
    with on("cpu"):
        for seed in range(1000, 2500):
            belief, goal = random_belief(seed)
            if not belief.known.is_over:
                for seeing in (True, False):
                    for dominance in (True, False):
                        checked(belief, goal, seeing=seeing, dominance=dominance)


@pytest.mark.once
def test_the_best_chance_is_what_its_definition_says() -> None:
    looked, with_chance = 0, 0
    with on("python"):
        for seed in range(40):
            belief, goal = random_belief(seed)
            if belief.known.is_over:
                continue
            least = SureClaim.of(belief, goal).threshold
            weights = {s.tobytes(): float(c) for s, c in zip(belief.states, belief.chances, strict=True)}
            for found in hoped(belief, least, 2, patience=3):
                truth = naive_beliefs.hope(belief.game, weights, belief.observer, least, found.moves, 3)
                assert found.chance == pytest.approx(truth, abs=1e-9)
                if found.table:
                    assert found.table[0][1] == pytest.approx(truth, abs=1e-9)
                looked, with_chance = looked + 1, with_chance + (0 < truth < 1)
    assert looked > 40
    assert with_chance > 12


def test_a_belief_that_is_sure_has_every_chance() -> None:
    with on("python"):
        for seed in range(16):
            belief, goal = random_belief(seed)
            if belief.known.is_over or (sure := guaranteed(belief, goal, 2)).verdict != PROVEN:
                continue
            *_, found = hoped(belief, sure.claim.threshold, sure.moves)
            assert found.chance == pytest.approx(1.0)


@pytest.mark.once
def test_limits_are_heeded() -> None:
    with on("python"):
        belief = begin(hidden_graphs.draw(7), 0)
        for limits, ended in (({"nodes": 1}, "nodes"), ({"megabytes": 0.01}, "memory"), ({"time_limit": 0.0}, "time")):
            found = guaranteed(belief, "win", 0, **limits)  # type: ignore[arg-type]
            assert found.verdict == PROVEN or (found.verdict, found.ended) == (UNKNOWN, ended)
        *_, cut = hoped(belief, 1.0, 30, nodes=2, patience=3)
        assert cut.ended in ("nodes", "certain")
        with pytest.raises(kb.InputError, match="within 2000 moves: write a whole number up to 1000"):
            guaranteed(belief, "win", 2000)
        with pytest.raises(kb.InputError, match="is no goal"):
            guaranteed(belief, "winning")
        known = view(kb.load("blind_tictactoe").start.play("5", "1", "3"), 1)
        with pytest.raises(kb.InputError, match=r"positions are a sample of what is possible"):
            guaranteed(Belief.of(known, limit=12))


# --- Kriegspiel ---


@pytest.mark.compiled
def test_a_rook_mates_a_king_in_one_of_three_squares(tmp_path: Path) -> None:
    """In six moves, and in no fewer; from each of the squares, whatever Black does, tries in vain among it."""
    belief = begin([KRIEGSPIEL.position(text) for text in CORNER], 0)
    found = guaranteed(belief)
    assert (found.verdict, found.moves) == (PROVEN, 6)
    path = tmp_path / "mate.kbp"
    assert found.strategy is not None
    write_percept_strategy(path, found.strategy)
    assert is_percept_file(path)
    again = verify(read_percept_strategy(path))
    assert (again.moves, again.places) == (6, found.strategy.places)
    lines = list(told(again, 20))
    assert "(3 possible)" in lines[0]
    assert sum("mate: the end" in line for line in lines) >= 3
    for text in CORNER:  # every square by itself, which the same strategy must serve
        alone = SureClaim(KRIEGSPIEL, 0, (KRIEGSPIEL.position(text).data,))
        assert replayed(PerceptStrategy(alone, again.nodes, again.branches, 0, 0, 0)).moves <= 6


@pytest.mark.compiled
def test_a_player_follows_what_is_sure() -> None:
    """Whatever Black does the player mates within six moves of its own, tries included, and says that it will."""
    for seed in range(3):
        rng, position = Random(seed), puzzled(*(lambda p: (p[seed], 0, p))([KRIEGSPIEL.position(text) for text in CORNER]))
        player, moves = kb.player("andor(time=60)").remembering(), 0
        while not position.is_over:
            if position.player == 0:
                result = player.search(position)
                assert result.exact
                assert "make sure of a win" in result.note
                position, moves = position.play(int(result.move)), moves + 1
            else:
                position = position.play(rng.choice(position.numbers))
        assert position.utility(0) == 100.0
        assert moves <= 6


@pytest.mark.once
def test_a_player_tells_a_chance_and_no_guarantee() -> None:
    with on("python"):
        position = kb.load("blind_tictactoe").start.play("5", "1", "2", "9", "3", "8")
        result = kb.search(position, "andor", nodes=400)
        assert result.bound in ("estimate", "exact", "lower")
        if result.bound == "estimate":
            assert "no guarantee" in result.note or "cannot make sure" in result.note
        assert result.move in position.moves
        large = kb.search(position, "andor(states=3)", nodes=50)
        assert "nothing is sure of a sample" in large.note
        assert large.bound == "estimate"
    assert least_value(KRIEGSPIEL, "win") == 100.0
    assert least_value(KRIEGSPIEL, "not lose") == 0.0


# --- files ---


def proven() -> PerceptStrategy:
    """A small strategy, of a random game."""
    with on("python"):
        for seed in range(1, 200):
            belief = begin(hidden_graphs.draw(seed), 0)
            found = guaranteed(belief, "win", 3)
            if found.strategy is not None and found.moves >= 2 and len(found.strategy.branches) > 4:
                return found.strategy
    raise AssertionError


@pytest.mark.once
def test_forged_strategies_are_refused() -> None:
    """Each move, branch and number changed in turn: the rules notice, or it is another strategy that does as claimed."""
    true, refused = proven(), 0
    with on("python"):
        for column, name in (
            (true.nodes, "move"),
            (true.nodes, "first"),
            (true.nodes, "count"),
            (true.branches, "percept"),
            (true.branches, "to"),
        ):
            for i in range(len(column)):
                for change in (-1, 1, 100):
                    nodes, branches = true.nodes.copy(), true.branches.copy()
                    changed = nodes if column is true.nodes else branches
                    changed[name][i] += change
                    forged = PerceptStrategy(true.claim, nodes, branches, true.moves, true.plies, true.places)
                    try:
                        found = replayed(forged)
                    except BadProof:
                        refused += 1
                    else:
                        assert follows(found)
        for wrong in ({"moves": 1}, {"plies": 1}, {"places": 1}):
            figures = {"moves": true.moves, "plies": true.plies, "places": true.places, **wrong}
            with pytest.raises(BadProof, match="the proof says"):
                verify(PerceptStrategy(true.claim, true.nodes, true.branches, **figures))
    assert refused > 20


def follows(strategy: PerceptStrategy) -> bool:
    """Does every play end as claimed? By plain recursion."""
    claim = strategy.claim

    def from_here(data: bytes, node: int, deep: int) -> bool:
        position = kb.Position(claim.game, data)
        if position.is_over:
            return position.utility(claim.player) >= claim.threshold
        after = strategy.following(node)
        replies = naive_beliefs.followers(claim.game, data, claim.player)
        if position.player == claim.player:
            replies = [
                (m, p, c, there)
                for (m, p, c, there), number in zip(replies, position.numbers, strict=True)
                if number == strategy.move(node)
            ]
        return deep > 0 and bool(replies) and all(p in after and from_here(there, after[p], deep - 1) for _, p, _, there in replies)

    return all(from_here(state.tobytes(), 0, 40) for state in claim.belief().states)


@pytest.mark.once
def test_damaged_files_are_refused(tmp_path: Path) -> None:
    with on("python"):
        found = guaranteed(begin([kb.load("blind_tictactoe").position("XX./OO./... 45 12")], 0), "win")
        assert found.strategy is not None
        path = tmp_path / "sure.kbp"
        write_percept_strategy(path, found.strategy)
        content = path.read_bytes()
        verify(read_percept_strategy(path))
        rng = Random(1)
        for _ in range(300):
            damaged = bytearray(content)
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
            path.write_bytes(bytes(damaged[: rng.choice((len(damaged), rng.randrange(len(damaged))))]))
            if path.read_bytes() == content:
                continue
            with pytest.raises(kb.InputError, match="is damaged, or no proof"):
                read_percept_strategy(path)
        _sealed_anew(path, content, origin=["XX./OO./... 45 1"], said="|is another one by the rules|BadProof|")
        for wrong in (
            {"player": 3},
            {"origin": []},
            {"words": "1 2 3"},
            {"nodes": 0},
            {"game": "chess"},
            {"game": "nowhere"},
            {"goal": "x"},
        ):
            _sealed_anew(path, content, said="", **wrong)


def _sealed_anew(path: Path, content: bytes, said: str, **changes: Any) -> None:
    """A file with another head and the right checksum: refused in one line, by its reader or by the replay."""
    path.write_bytes(content)
    _, line, body = read_sealed(path, MAGIC)
    write_sealed(path, MAGIC, {**json.loads(line), **changes}, body)
    with pytest.raises(kb.InputError) as caught:
        verify(read_percept_strategy(path))
    assert "\n" not in str(caught.value), said


@pytest.mark.compiled
def test_compiled_answers_are_the_interpreted_ones() -> None:
    """With every option; nodes and beliefs as well."""
    for seed in range(0, 60, 4):
        belief, goal = random_belief(seed + (seed % 3 == 0))
        if belief.known.is_over:
            continue
        answers = []
        for target in ("cpu", "python"):
            with on(target):
                found = guaranteed(belief, goal, 3)
                answers.append((found.verdict, found.moves, found.nodes, found.beliefs, found.positions, str(found)))
        assert answers[0] == answers[1]
        assert np.isfinite(found.megabytes)
