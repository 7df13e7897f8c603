"""PUCT, ESPRIT and the regularised policy: the tree of their naive twins, the order of moves, chance, several players, self-play, faults."""

import json
import math
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.cli.main import run as command
from kibitz.core.errors import InputError
from kibitz.searches.mcts import esprit, puct
from kibitz.searches.mcts.guided_search import GuidedSearch
from kibitz.searches.mcts.search import Memory
from kibitz.searches.method import method
from tests import naive, naive_guided
from tests.naive_montecarlo import CAPACITY, Trees3, three_players
from tests.searches.driver import INTERPRETED

USUAL = {"c0": 1.25, "c1": 19652.0, "alpha": 0.5, "lam": 1.0, "gamma": 3.0, "sigma": 0.07, "first": 0.0}
PLAIN = {"solve": False, "memory": 1.0, "playouts": 1 << 20}
SMALL = {"m_root": 4, "m_mean": 4, "m_sd": 1.5, "m_max": 7}
TREES = kb.load("simulated", **SMALL, depth=5)


@pytest.fixture
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled: the logic is the same, and it is small."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")


interpreted = pytest.mark.usefixtures("_interpreted")


def searching(position: kb.Position, name: str, kept: Memory | None = None, **options: Any) -> GuidedSearch:
    if name == "esprit":
        return esprit.make_search(position, method(name).settings({**PLAIN, **options}), name, kept)
    return puct.make_search(position, method("puct").settings({**PLAIN, "rule": name, **options}), "puct", kept)


def grown(position: kb.Position, name: str, playouts: int, **options: Any) -> GuidedSearch:
    search = searching(position, name, **options)
    search.grow(playouts)
    return search


def visits(search: GuidedSearch) -> dict[int, Any]:
    return naive_guided.visits_in(search.tree, int(search.tree.trunk.root))


# --- the same tree as the naive twin ---


@pytest.mark.parametrize("name", ["esprit", "puct"])
def test_grows_the_tree_of_its_twin(name: str) -> None:
    """Visit for visit; games end on the way."""
    of = {**USUAL, "c0": 0.8}
    for tree, e_par in ((1, 0.0), (2, 5.0)):
        position = TREES.position(f"tree={tree} e_par={e_par} e_ch=0.5")
        playouts = 60 if INTERPRETED else 300
        twin = naive_guided.guided(position, playouts, name, of)
        assert visits(grown(position, name, playouts, **({"c0": 0.8} if name == "puct" else {}))) == naive_guided.visits_of(twin)


@interpreted
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("esprit", {"alpha": 0.8, "lam": 3.0, "gamma": 1.5, "sigma": 0.3, "first": 0.3}),
        ("esprit", {"first": 0.1, "untried": "parent"}),
        ("puct", {"c0": 0.3, "c1": 50.0, "first": 0.2, "untried": "parent"}),
        ("regularised", {"c0": 0.5}),
    ],
)
def test_options_grow_the_tree_of_their_twin(name: str, options: dict[str, Any]) -> None:
    position = TREES.position("tree=4 e_ch=0.4")
    of = {**USUAL, **options, "from_parent": options.get("untried") == "parent"}
    twin = naive_guided.guided(position, 50, name, of)
    assert visits(grown(position, name, 50, **options)) == naive_guided.visits_of(twin)


def test_puct_reinterpreted_grows_the_same_tree() -> None:
    position, of = TREES.position("tree=3"), {**USUAL, "c0": 0.8}
    assert naive_guided.visits_of(naive_guided.guided(position, 80, "puct9", of)) == naive_guided.visits_of(
        naive_guided.guided(position, 80, "puct", of)
    )


@interpreted
@pytest.mark.parametrize("name", ["esprit", "puct"])
def test_the_order_of_moves_does_not_matter(name: str) -> None:
    shuffled = kb.load("simulated", **SMALL, depth=5, order="shuffled")
    for tree in (0, 1):
        text = f"tree={tree}"
        assert visits(grown(shuffled.position(text), name, 40)) == visits(grown(TREES.position(text), name, 40))
    even = "tree=2 p_sm=0"  # all priors are equal
    assert visits(grown(shuffled.position(even), name, 30)) == visits(grown(TREES.position(even), name, 30))


@pytest.mark.compiled
def test_interpreted_equals_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte."""

    def content() -> bytes:
        tree = grown(TREES.position("tree=9"), "esprit", 60).tree
        return tree.nodes.memory[: tree.used].tobytes()  # type: ignore[no-any-return]

    monkeypatch.setenv("KIBITZ_TARGET", "cpu")
    compiled = content()
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    assert content() == compiled


# --- kinds of games ---


class Guided3(Trees3):
    """Three players, with an opinion on every position."""

    def evaluate(s, player):  # type: ignore[no-untyped-def]
        return 1.0 * ((s.at * 7 + player * 5) % 16)

    def policy(s, moves, n, out):  # type: ignore[no-untyped-def]
        for i in range(n):
            out[i] = 1.0 + (s.at * 3 + moves[i]) % 5


@interpreted
@pytest.mark.parametrize("name", ["esprit", "puct"])
def test_three_players_grow_the_tree_of_their_twin(name: str) -> None:
    tree = (0, [(1, [(1, 2, 3), (4, 0, 1)]), (2, [(5, 5, 5), (1, [(0, 9, 2), (7, 3, 4)])]), (0, [(6, 6, 1), (2, 8, 8)])])
    assert CAPACITY > 12
    position = kb.Position(kb.Game(Guided3, name="guided3"), three_players(tree).data)
    twin = naive_guided.guided(position, 60, name, USUAL)
    assert visits(grown(position, name, 60)) == naive_guided.visits_of(twin)


@interpreted
@pytest.mark.parametrize("name", ["esprit(policy=even)", "puct(policy=even)", "puct(rule=regularised, policy=even)"])
def test_proofs_and_chance(name: str) -> None:
    """Values that are proven are true; an outcome of chance is as likely as its weight says."""
    tree = '[{"chance": [1, 3], "moves": [[6, 1], 4]}, {"chance": [1, 1], "moves": [[0, 9], 2]}, 3]'
    position = kb.load("trees", tree=tree, low=-1, high=10).start
    result = kb.search(position, name, playouts=400)
    assert (result.bound, result.value) == ("exact", naive.expectiminimax(position, position.player))
    assert naive.expectiminimax(position.play(result.move or 0), position.player) == result.value


@interpreted
def test_realization_probabilities_multiply_along_lines() -> None:
    position = kb.load("trees", tree='[{"chance": [1, 3], "moves": [[6, 1], [4, 2]]}, [3, 5]]', low=-1, high=10).start
    search = grown(position, "esprit", 30, leaf="playout")
    lines = search._likely()
    root = dict(zip([int(r["move"]) for r in search._rows()], search._rows()["share"], strict=True))
    assert sum(root.values()) == pytest.approx(1.0)
    assert [one.share for one in lines] == sorted((one.share for one in lines), reverse=True)
    assert sum(one.share for one in lines) <= 1.0 + 1e-9
    through = [one for one in lines if int(one.line[0]) == 0 and len(one.line) == 3]
    assert through
    assert all(one.share <= root[0] * (0.75 if int(one.line[1]) == 1 else 0.25) + 1e-9 for one in through)


@interpreted
def test_what_json_says() -> None:
    result = kb.search(TREES.start, "esprit", playouts=30)
    told = result.as_dict()
    assert sum(move["r"] for move in told["moves"]) == pytest.approx(1.0)
    assert sum(move["prior"] for move in told["moves"]) == pytest.approx(1.0, abs=1e-5)
    assert told["likely"][0]["r"] >= told["likely"][-1]["r"] > 0.0
    assert told["move"] == told["moves"][0]["move"] == str(result.move)
    assert told["playouts"] == sum(move["visits"] for move in told["moves"]) == 30
    assert "likely" not in kb.search(kb.load("nim").start, "uct", playouts=10).as_dict()


@pytest.mark.compiled
def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["search", "simulated", "--with", "esprit(solve=false)", "--playouts", "200", "--json", "--position", "tree=1"]
    words += [word for name, value in {**SMALL, "depth": 5}.items() for word in ("--param", f"{name}={value}")]
    with pytest.raises(SystemExit) as ended:
        command(words)
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert sum(move["r"] for move in told["moves"]) == pytest.approx(1.0)


@interpreted
def test_a_policy_from_the_evaluation_and_odds_for_it() -> None:
    """Weights are exp(sharp * value after the move); values are 1 / (1 + e^(-evaluation / odds)), and a finished game's own."""
    position = kb.load("connect4").position("4 4 4 1 4 1")
    search = grown(position, "puct", 1, odds=0.2, sharp=4.0)
    rows = {int(row["move"]): float(row["prior"]) for row in search._rows()}
    evaluate = position.game.rule("evaluate")

    def worth(after: kb.Position) -> float:
        v = after.utility(position.player) if after.is_over else float(evaluate(after.state, position.player))
        return 0.5 + 0.5 * v if after.is_over else 1.0 / (1.0 + math.exp(-v / 0.2))

    weights = {int(m): math.exp(4.0 * worth(position.play(m))) for m in position.moves}
    assert rows == pytest.approx({m: weight / sum(weights.values()) for m, weight in weights.items()}, rel=1e-5)
    best = max(weights, key=lambda m: weights[m])
    tried = [search.tree.edges[e] for e in search.tree.block_of(0) if search.tree.edges[e].child < -1]
    assert [(int(x.move), float(x.value)) for x in tried] == [(best, pytest.approx(worth(position.play(best)), rel=1e-6))]
    even = grown(position, "puct", 0, policy="even")._rows()["prior"]
    assert even == pytest.approx(1 / len(position.moves))


# --- self-play ---


@interpreted
def test_noise_stirs_the_root_alone() -> None:
    position = TREES.position("tree=1")
    plain = grown(position, "puct", 0)
    stirred = searching(position, "puct", noise=0.25, playouts=20)
    for _ in stirred.results():
        pass
    priors = [sorted(float(s.tree.edges[e].prior) for e in s.tree.block_of(int(s.tree.trunk.root))) for s in (plain, stirred)]
    assert priors[0] != priors[1]
    assert sum(priors[1]) == pytest.approx(1.0, abs=1e-5)
    assert all(0.75 * before <= after + 1e-6 for before, after in zip(*priors, strict=True))
    again = searching(position, "puct", noise=0.25, seed=7, playouts=20)
    for _ in again.results():
        pass
    assert visits(again) != visits(stirred)


@interpreted
def test_temperature() -> None:
    position = TREES.position("tree=1")
    best = kb.search(position, "esprit", playouts=20).move
    drawn = {kb.search(position, "esprit(temperature=5)", playouts=20, seed=seed).move for seed in range(12)}
    assert len(drawn) > 1
    assert {kb.search(position, "esprit(temperature=0.01)", playouts=20, seed=seed).move for seed in range(4)} == {best}


@interpreted
def test_descents_drawn_by_their_shares() -> None:
    """Visits come to be as the shares are, up to chance; and the seed decides."""
    position = TREES.position("tree=1 e_ch=0.1")
    one, again, other = (visits(grown(position, "esprit", 60, descend="sample", seed=seed)) for seed in (1, 1, 2))
    assert one == again
    assert one != other


@interpreted
def test_the_tree_is_kept_between_two_moves() -> None:
    memory = Memory()
    first = searching(TREES.position("tree=1"), "esprit", memory, playouts=40)
    *_, result = first.results()
    assert result.move is not None
    before = visits(first)[int(result.move)]
    second = searching(first.position.play(result.move), "esprit", memory, playouts=1)
    assert sum(v for v, _ in visits(second).values()) == before[0] - 1


# --- faults ---


def faulty(**functions: Any) -> kb.Game:
    own = {**TREES.constants, **{n: f for n, f in TREES.functions.items() if TREES.defines(n)}, **functions}
    return kb.Game(type("faulty", (), own), name="faulty")


@interpreted
def test_a_policy_or_an_evaluation_that_is_none_is_refused_in_one_line() -> None:
    def negative(s, moves, n, out):  # type: ignore[no-untyped-def]
        for i in range(n):
            out[i] = -1.0 if s.ply == 1 else 1.0

    def nothing(s, player):  # type: ignore[no-untyped-def]
        return np.nan if s.ply == 2 else 0.5

    for functions, said in (({"policy": negative}, "the policy gave weights"), ({"evaluate": nothing}, "evaluate gave a value")):
        with pytest.raises(InputError) as refused:
            kb.search(kb.Position(faulty(**functions), TREES.start.data), "puct", playouts=50)
        assert str(refused.value).startswith(f"faulty: {said}")


@interpreted
def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="leaf=evaluate: nim has no evaluate; use leaf=auto"):
        kb.search(kb.load("nim").start, "puct(leaf=evaluate)", playouts=5)
    with pytest.raises(InputError, match="policy=game: nim has no policy; use policy=auto"):
        kb.search(kb.load("nim").start, "esprit(policy=game)", playouts=5)
