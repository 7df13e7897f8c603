"""Explicit trees: the figures with what their sources say of them, every form a tree may be written in, and everything that is refused."""

import json
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import paths, perft
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.rules import CHANCE, GENERAL, WEIGHTED
from kibitz.games.trees.figures import FIGURES
from tests.naive import alphabeta, best_moves, expectiminimax, minimax

EVERYTHING = (
    '[3, [2, 4], {"player": 0, "moves": {"up": 7, "down": 1}}, {"chance": [1, 2], "moves": [6, [0, 9]]}, {"value": 5, "moves": [2, 8]}]'
)


def tree(text: str, **parameters: Any) -> Position:
    return load("trees", tree=text, **parameters).start


# --- the figures ---


@pytest.mark.parametrize(("figure", "below", "value", "move"), [("aima", [3, 2, 2], 3, "1"), ("aima2", [1, 12, 2], 12, "2")])
def test_textbook_minimax(figure: str, below: list[float], value: float, move: str) -> None:
    root = tree(figure)
    assert [minimax(root.play(m)) for m in root.moves] == below
    assert minimax(root) == value
    assert minimax(root, player=1) == -value
    assert [str(m) for m in best_moves(root)] == [move]


@pytest.mark.parametrize(("figure", "below"), [("aima-chance", [2.1, 1.3]), ("aima-chance2", [21.0, 40.9])])
def test_values_of_a_chance_tree_are_more_than_an_order(figure: str, below: list[float]) -> None:
    root = tree(figure)
    assert [expectiminimax(root.play(m)) for m in root.moves] == pytest.approx(below)
    assert expectiminimax(root) == pytest.approx(max(below))


@pytest.mark.parametrize(
    ("figure", "value", "nodes"),
    [("aima", 3, 11), ("aima2", 12, 11), ("test-skips", 5, 8), ("scout-revisits", 20, 9), ("negascout", 3, 11), ("negascout2", 5, 11)],
)
def test_alphabeta_on_every_figure(figure: str, value: float, nodes: int) -> None:
    assert alphabeta(tree(figure)) == (value, nodes)
    assert minimax(tree(figure)) == value


def test_every_figure_has_a_source() -> None:
    assert all(figure.source for figure in FIGURES.values())


@pytest.mark.parametrize("figure", ["aima", "aima-chance2", "scout-revisits", "negascout"])
def test_conformance(figure: str) -> None:
    assert not check(tree(figure).game, games=20).failures


def passes(position: Position, above: bool, bound: float, visits: Counter[str], name: str) -> bool:
    """TEST(position, >, bound) or, below, TEST(position, <, bound), on slides 4 and 8."""
    visits[name] += 1
    if position.is_over:
        return position.utility() > bound if above else position.utility() < bound
    tested = (passes(position.play(m), above, bound, visits, str(m)) for m in position.moves)
    return any(tested) if (position.player == 0) == above else all(tested)


def scout(position: Position, tests: list[tuple[str, str, float, bool]], visits: Counter[str], name: str) -> float:
    """SCOUT of slide 7; every TEST it calls is written down."""
    visits[name] += 1
    if position.is_over:
        return position.utility()
    above = position.player == 0
    best = scout(position.play(position.moves[0]), tests, visits, str(position.moves[0]))
    for move in position.moves[1:]:
        passed = passes(position.play(move), above, best, visits, str(move))
        tests.append((str(move), ">" if above else "<", best, passed))
        if passed:
            best = scout(position.play(move), tests, visits, str(move))
    return best


def test_slide_10_test_skips_what_alphabeta_visits() -> None:
    root, visits = tree("test-skips"), Counter[str]()
    p = root.play("p")
    assert root.play("1").utility() == 5
    assert not passes(p, True, 5, visits, "p")
    assert visits == {"p": 1, "K": 1, "1": 1, "2": 1, "3": 1}  # K's second branch is not there, p's third is
    assert passes(p.play("K"), True, 5, visits, "K")
    assert alphabeta(root)[1] == 8  # all there are


def test_slide_11_scout_visits_what_alphabeta_cuts() -> None:
    root, visits = tree("scout-revisits"), Counter[str]()
    tests: list[tuple[str, str, float, bool]] = []
    assert scout(root, tests, visits, "root") == 20
    assert tests == [("A", ">", 10, True), ("B", "<", 25, True), ("C", ">", 0, True), ("D", "<", 8, True), ("3", ">", 5, True)]
    assert visits["D"] == 3
    assert alphabeta(root)[1] == 9  # all but D
    assert alphabeta(root.play("A", "B", "C"), 10, 25) == (10, 2)


def negascout(position: Position, alpha: float, beta: float, depth: int, windows: list[Any], again: list[Any]) -> float:
    """F4' and G4' of slides 21 and 22; `windows` of every visit that is not part of a second search, `again`: the second searches."""
    windows.append((alpha, beta))
    if position.is_over:
        return position.utility()
    best, high = 0.0, position.player == 0
    for i, move in enumerate(position.moves):
        child, null = position.play(move), (best, best + 1) if high else (best - 1, best)
        low_end, high_end = (alpha, beta) if i == 0 else null
        value = negascout(child, low_end, high_end, depth - 1, windows, again)
        if i == 0 or (value > best if high else value < best):
            best = value
            if i > 0 and depth >= 3 and alpha < value < beta:
                wider = (value, beta) if high else (alpha, value)
                best = negascout(child, *wider, depth - 1, [], again)
                again.append((wider, value, best))
        if best >= beta if high else best <= alpha:
            break
    return best


def test_slides_23_and_24_one_second_search() -> None:
    root, windows, again = tree("negascout"), [], []  # type: ignore[var-annotated]
    assert negascout(root, 3, 9, 3, windows, again) == 3
    assert Counter(windows) == {(3, 9): 3, (5, 6): 1, (4, 5): 4}
    assert again == [((3, 4), 4, 3)]


def negamax_scout(position: Position, alpha: float, beta: float, log: list[Any]) -> float:
    """F4 of slide 25 without its second searches, of which the example has none."""
    if position.is_over:
        return -position.utility()  # the second player's turn, at this depth
    log.append((alpha, beta))
    best, high = float("-inf"), beta
    for move in position.moves:
        value = -negamax_scout(position.play(move), -high, -max(alpha, best), log)
        best = max(best, value)
        if best >= beta:
            break
        high = max(alpha, best) + 1
    log.append(best)
    return best


def test_slide_29_in_the_order_printed() -> None:
    log: list[Any] = []
    assert negamax_scout(tree("negascout2"), 4, 5, log) == 5
    assert log == [(4, 5), (-5, -4), (4, 5), 5, (4, 5), 6, -5, 5]


# --- ways to write a tree ---


def test_everything_at_once() -> None:
    root = tree(EVERYTHING)
    assert [str(m) for m in root.moves] == ["1", "2", "3", "4", "5"]
    assert [root.play(m).player for m in ("2", "3", "4", "5")] == [1, 0, CHANCE, 1]
    assert [str(m) for m in root.play("3").moves] == ["up", "down"]
    assert root.play("3", "up").utility() == 7
    assert root.play("4").chances == pytest.approx((1 / 3, 2 / 3))
    assert root.play("4", "2").player == 1  # chance took nobody's turn
    assert [root.game.rule("evaluate")(root.play(m).state, 0) for m in ("2", "5")] == [0.0, 5.0]
    assert expectiminimax(root) == 7
    assert expectiminimax(root.play("4")) == pytest.approx(2.0)
    assert not check(root.game, games=50).failures
    assert perft(root, 2, "cpu") == perft(root, 2, "python") == 8


def test_players_take_turns_after_the_one_who_moved() -> None:
    root = tree('{"player": 1, "moves": [[1, 2], {"player": 1, "moves": [[3, 4]]}]}')
    assert (root.player, root.play("1").player, root.play("2").player, root.play("2", "1").player) == (1, 0, 1, 0)
    assert minimax(root) == 2


def test_a_tree_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    file.write_text("[[1, 2],\n [3, 4]]\n")
    assert minimax(tree(str(file))) == 3
    file.with_name("other.json").write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8 text"):
        tree(str(file.with_name("other.json")))
    with pytest.raises(InputError, match=r"cannot read the tree .*: No such file"):
        tree(str(tmp_path / "none.json"))


def test_other_trees_in_the_same_game() -> None:
    game = load("trees")
    other = from_board(game, "[[[1, -7], 4], 2, [5, 6]]")
    assert minimax(other) == 5
    assert other.key != game.start.key
    assert from_board(game, "aima2").play("2", "3").utility() == 12
    assert from_board(game, "[[1, 2], [3, 4]] at 2 1").utility() == 3
    assert tree("[[1, 2], [3, 4]] at 2") == tree("[[1, 2], [3, 4]] at 2")
    assert tree("[[1, 2], [3, 4]] at 2").player == 1


def test_one_compilation_serves_all_trees_of_a_capacity() -> None:
    digests = {load("trees", tree=figure).bind(paths).digest for figure in ("aima", "aima2", "test-skips", "negascout2")}
    assert len(digests) == 1


def test_capacity_grows_with_the_tree() -> None:
    wide = json.dumps([[i, -i] for i in range(90)])
    game = load("trees", tree=wide)
    assert game.constants["MAX_MOVES"] == 511
    assert minimax(game.start) == 0
    assert len(game.start.moves) == 90
    deep = json.loads("[" * 45 + "1" + "]" * 45)
    assert load("trees", tree=json.dumps(deep)).constants["MAX_PLIES"] == 45
    assert load("trees", capacity=4).constants["MAX_MOVES"] == 15


def test_range_and_sum() -> None:
    assert load("trees").constants["VALUES"] == (-100, 100)
    assert load("trees", tree="[-250.5, 3]").constants["VALUES"] == (-251, 251)
    assert load("trees", tree='[{"value": 100, "moves": [1]}]').constants["VALUES"] == (-101, 101)
    dice = load("trees", tree="[1, 6]", low=1, high=6)
    assert (dice.constants["VALUES"], dice.constants["SUM"]) == ((1, 6), 7)
    assert (dice.start.play("1").utility(0), dice.start.play("1").utility(1)) == (1, 6)
    assert minimax(dice.start, player=1) == 1


def test_grain_and_kind_of_chance() -> None:
    kinds = [
        ("[1, 2]", 1.0, False, WEIGHTED),
        ("[1, 2.5]", 0.0, False, WEIGHTED),
        ('[{"chance": [2, 1], "moves": [1, 2]}, 3]', 1.0, True, WEIGHTED),
        ('[{"chance": [0.2, 0.8], "moves": [1, 2]}, 3]', 1.0, True, GENERAL),
    ]
    for text, grain, has_chance, kind in kinds:
        game = load("trees", tree=text)
        assert (game.constants["GRAIN"], game.has_chance, game.constants["CHANCE_KIND"]) == (grain, has_chance, kind)


@pytest.mark.parametrize("text", ["[0.5, [-0.0, 1e-3]]", '{"moves": {"é": 1, "x\\"y": [2, 3]}}', EVERYTHING, *FIGURES])
def test_show_and_read(text: str) -> None:
    position = tree(text)
    while not position.is_over:
        assert from_board(position.game, position.show()) == position
        assert ElementTree.fromstring(position.draw()).tag.endswith("svg")
        position = position.play(position.moves[-1])
    assert from_board(position.game, position.show()) == position


def test_text_of_a_position() -> None:
    assert tree("aima").show() == "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
    assert tree("aima").play("3", "1").show() == "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]\nat 3 1"
    assert tree("test-skips").play("p", "K").show().endswith("\nat p K")
    assert max(len(line) for line in tree(json.dumps([[i, -i] for i in range(90)])).show().splitlines()) <= 100


def test_picture() -> None:
    drawn = tree(EVERYTHING).play("3").draw()
    assert (drawn.count("<polygon"), drawn.count("<circle"), drawn.count("#fc6")) == (5, 1, 1)
    for text in (">up<", ">7<", ">2<"):
        assert text in drawn


# --- what is refused ---


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "'' is no tree: write lists such as [[3, 12], [2, 4]], the path of a .json file, or a figure; figures: aima,"),
        ("aime", "did you mean aima"),
        ("7", "'7' is no tree"),
        ("[[3, 12], [2, 4]", "the tree is no JSON: expecting ',' delimiter in line 1, column 17"),
        ("[3, 12] 5", "'5' stands after the tree; only 'at' and the moves to a node may, such as: at 1 2"),
        ("[3, 12] at 3", "at 3: there is no move '3'; the moves there are 1 2"),
        ("[3, 12] at 1 1", "there is no move '1'; the game is over there"),
        ("[]", "the root: there are no moves; a node is a number, a list of nodes such as [3, 12, 8]"),
        ("[[1], []]", "the node after 2: there are no moves"),
        ('[[1, "x"]]', 'the node after 1 2: "x" is no value; a node is a number, a list of nodes'),
        ("[true]", "the node after 1: true is no value"),
        ("[null]", "null is no value"),
        ("[NaN]", "NaN is no value; write a finite number"),
        ("[1e999]", "Infinity is no value"),
        (f"[{10**400}]", "is no value"),
        (f"[{'9' * 5000}]", "a number of the tree has too many digits"),
        ("[1, 2]\n3\n4", "'3 4' stands after the tree"),
        ("{}", "the root: there are no moves"),
        ('{"value": 3}', "the root is a leaf: a tree needs at least one move"),
        ('{"value": "a", "moves": [1]}', 'the root: "a" is no value'),
        ('{"moves": 3}', "there are no moves"),
        ('{"move": [1]}', "the root: 'move' is not known; did you mean moves"),
        ('{"player": 2, "moves": [1]}', "the player 2 is not known; write 0, who wants high values, or 1, who wants low ones"),
        ('{"player": true, "moves": [1]}', "the player true is not known"),
        ('{"player": 1, "chance": [1], "moves": [1]}', "either a player moves or chance does; leave out 'player' or 'chance'"),
        ('{"chance": [1, 2], "moves": [1]}', "the chances [1, 2] do not fit; write a positive number for each of its moves, 1 in all"),
        ('{"chance": [0, 2], "moves": [1, 2]}', "the chances [0, 2] do not fit"),
        ('{"chance": 1, "moves": [1]}', "the chances 1 do not fit"),
        ('{"moves": {"a": 1, "a": 2}}', "'a' stands twice in one object; give each move its own name"),
        ('{"moves": {"a b": 1}}', "'a b' cannot name a move; write 1 to 8 letters without blanks or commas"),
        ('{"moves": {"": 1}}', "'' cannot name a move"),
        ('{"moves": {"much-too-long": 1}}', "'much-too-long' cannot name a move"),
        ("[" * 201 + "1" + "]" * 201, "the tree is too large: at most 4096 nodes, and 200 moves to a leaf"),
        ("[" * 100000 + "1" + "]" * 100000, "the tree is nested too deep; at most 200 moves lead to a leaf"),
        (f"[{'1,' * 4096}1]", "the tree is too large: at most 4096 nodes"),
    ],
)  # fmt: skip
def test_trees_that_are_none(text: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        load("trees", tree=text)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (json.dumps(list(range(64))), "the tree has 65 nodes and a depth of 1; this game has room for 64 and 32"),
        ("[" * 33 + "1" + "]" * 33, "a depth of 33; this game has room for 64 and 32"),
        ("[101]", "the value 101 is outside low=-100 to high=100; load trees with a wider range"),
        ("[0.5]", "the value 0.5 is no whole number, as all were in the tree this game was loaded with; load trees with it"),
        ('{"value": 100, "moves": [1]}', "the value 100 of a node with moves must lie between low=-100 and high=100; widen the range"),
        (
            '{"chance": [1], "moves": [1]}',
            "the tree this game was loaded with has no chance nodes, so there can be none; load trees with it",
        ),
    ],
)
def test_trees_this_game_was_not_loaded_for(text: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        from_board(load("trees"), text)
    assert says in str(error.value)


def test_chances_this_game_was_not_loaded_for() -> None:
    with pytest.raises(InputError, match="the chances must be whole numbers"):
        from_board(load("trees", tree="aima-chance"), '{"chance": [0.5, 0.5], "moves": [1, 2]}')


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"low": 5, "high": 2}, "trees: low=5 must be less than high=2"),
        ({"low": 0, "high": 10}, "the value 12 is outside low=0 to high=10"),
        ({"capacity": 5000}, "must be a whole number from 2 to 4096"),
    ],
)
def test_parameters_that_cannot_be(parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as error:
        load("trees", **parameters)
    assert says in str(error.value)
