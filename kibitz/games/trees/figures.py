"""Trees from books and lectures, by name. Moves that lead to a node with a name in the source bear that name."""

from __future__ import annotations

from dataclasses import dataclass

AIMA = "Russell and Norvig, Artificial Intelligence, a Modern Approach"
LLEIDA = "Ansótegui, Intelligent Systems, Adversarial Search, 2014"
HSU = "Tsan-sheng Hsu, Scout, NegaScout and Proof-Number Search, 2015"


ROADS = "Road A leads to a heap of gold, road B to a fork with a bigger heap on one side and a bus on the other. On day 3 nobody says on which. The numbers are ours: 1, 3 and -10."


@dataclass(frozen=True)
class Figure:
    """A tree in the notation of this game, where it is from, and what had to be read into it."""

    tree: str
    source: str
    reading: str = ""


FIGURES = {
    "aima": Figure("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", f"{AIMA}, figure 5.2"),
    "aima2": Figure("[[7, 1, 5], [20, 13, 12], [7, 3, 2]]", f"{LLEIDA}, exercise on AIMA's figure 5.2"),
    "aima-chance": Figure(
        '[{"chance": [9, 1], "moves": [[2, 2], [3, 3]]}, {"chance": [9, 1], "moves": [[1, 1], [4, 4]]}]',
        f"{AIMA}, figure on order-preserving changes of leaf values, left; {LLEIDA}",
    ),
    "aima-chance2": Figure(
        '[{"chance": [9, 1], "moves": [[20, 20], [30, 30]]}, {"chance": [9, 1], "moves": [[1, 1], [400, 400]]}]',
        f"{AIMA}, figure on order-preserving changes of leaf values, right; {LLEIDA}",
    ),
    "test-skips": Figure(
        '{"moves": {"1": 5, "p": {"moves": {"K": [8, 15], "2": 10, "3": 4}}}}',
        f"{HSU}, slide 10",
        "The numbers 5 8 15 10 from left to right are the root's first branch, K's two and p's second. K is p's first branch: were 10 "
        "before it, it would do as well, but then the numbers would stand otherwise. p's third branch bears no number; TEST(p, >, 5) fails "
        "there, so it is at most 5, here 4. TEST leaves K after 8 > 5; alpha-beta comes to K with (5, inf) and has to see 15 too.",
    ),
    "scout-revisits": Figure(
        '{"moves": {"1": 10, "A": {"moves": {"1": 25, "B": {"moves": {"1": 0, "C": {"moves": {"1": 8, "D": 5}}, "3": 20}}}}}}',
        f"{HSU}, slide 11",
        "10 makes the window (10, inf) of A, and 25 the window (10, 25) of B, C and what is below. Alpha-beta leaves C after 8 <= 10 and "
        "never sees D. B must exceed 10 for TEST(A, >, 10), so 20 is a branch of B, and a later one than C, which would have the window (20, "
        "25) otherwise. TEST(C, >, 0) means that B's first branch, not drawn with a number, is 0. TEST(D, >=, 8) fails, so 8 is C's first "
        "branch, and D is below 8 and above 0: the number left over, 5. SCOUT tests C against 0 and D against 8, then visits both again.",
    ),
    "negascout": Figure(
        '{"player": 1, "moves": [[5, 4], 7, [[4, 4, 5, 3]]]}',
        f"{HSU}, slides 23 and 24",
        "The leaves are those of slide 24, from left to right. A search again with [3, 4] after one with [4, 5] can only come from a MIN "
        "node with the window [3, 9] whose best was 5; that this is the root is the smallest reading. Of all trees with these leaves in "
        "this order this is the smallest for which F4' and G4', as printed, from [3, 9], come with the slide's windows and no others (3 "
        "times [3, 9], once [5, 6], 4 times [4, 5]), then search one branch again, with [3, 4]: first 4, then 3.",
    ),
    "negascout2": Figure(
        "[[[5, 4], [6, 7]], [[4, 4], [5, 9]]]",
        f"{HSU}, slide 29",
        "The slide gives leaves as the player to move there sees them, who is the second at this depth: -5 is 5 here. With the root's window "
        "[4, 5] F4 cuts after 5, after 6 and then at the root; its windows and values come in the order printed.",
    ),
    "proof-numbers": Figure(
        '{"moves": {"b": {"moves": {"d": 1, "e": [0]}}, "c": {"moves": {"f": 1, "g": [1], "h": [1]}}}}',
        f"{HSU}, slide 38, left",
        "Of the picture the names, the leaves 1 ? 1 ? ? and the numbers have come down to us, not the lines. This is the smallest tree with "
        "these numbers: a is a MAX node, b and c are MIN nodes. A leaf '?' is a node whose one child is not known before it is expanded.",
    ),
    "proof-numbers2": Figure(
        '{"moves": {"b": {"moves": {"d": [1], "e": 0}}, "c": {"moves": {"f": 1, "g": [1], "h": {"moves": {"i": 0, "j": 0, "k": [1]}}}}}}',
        f"{HSU}, slide 38, right",
        "The same, with the infinite number at b and the nodes i, j and k below h.",
    ),
    "proof-numbers-values": Figure(
        '{"moves": {"b": {"moves": {"d": 18, "e": [15]}}, "c": {"moves": {"f": 10, "g": [12], "h": [20]}}}}',
        f"{HSU}, slides 42 and 43",
        "The same tree with more than two values: leaves 18 ? 10 ? ?. What is behind the '?' is not told; 15, 12 and 20 are ours.",
    ),
    "three": Figure(
        '[[[{"value": [1, 2, 6]}, {"value": [4, 2, 3]}], [{"value": [6, 1, 2]}, {"value": [7, 4, 1]}]], '
        '[[{"value": [5, 1, 1]}, {"value": [1, 5, 2]}], [{"value": [7, 7, 1]}, {"value": [5, 4, 5]}]]]',
        f"{AIMA}, figure 5.4; {LLEIDA}, optimal decisions in multiplayer games",
        "Of the lecture's picture only who moves has come down to us, A B C A; the leaves are the book's, whose figure it is.",
    ),
    "deep-pruning": Figure(
        '[{"value": [5, 4, 0]}, [{"value": [6, 1, 2]}, [{"value": [2, 2, 5]}, {"value": [3, 0, 6]}]]]',
        "after Korf, Multi-player alpha-beta pruning, 1991",
        "The numbers are ours. Player 1 has 5; player 3 finds 5 of 9, which leaves player 1 no more than 4. Who leaves the node there tells player 2 that it is worth 2 to him, where it is worth 0.",
    ),
    "roads1": Figure('{"moves": {"A": 1, "B": {"player": 0, "moves": {"left": 3, "right": -10}}}}', f"{AIMA}, card games: day 1", ROADS),
    "roads2": Figure('{"moves": {"A": 1, "B": {"player": 0, "moves": {"left": -10, "right": 3}}}}', f"{AIMA}, card games: day 2", ROADS),
    "roads3": Figure(
        '{"chance": [1, 1], "seen": [], "moves": [{"moves": {"A": 1, "B": {"player": 0, "moves": {"left": 3, "right": -10}}}}, '
        '{"moves": {"A": 1, "B": {"player": 0, "moves": {"left": -10, "right": 3}}}}]}',
        f"{AIMA}, card games: day 3",
        ROADS,
    ),
    "nonlocal": Figure(
        '{"chance": [1, 1], "seen": [1], "moves": ['
        '{"player": 1, "moves": {"stop": -4, "go": {"player": 0, "moves": {"x": 12, "y": 4}}}}, '
        '{"player": 1, "moves": {"stop": 4, "go": {"player": 0, "moves": {"x": -4, "y": 2}}}}]}',
        "after Frank and Basin, Search in games with incomplete information, 1998",
        "Ours: the smallest tree we found in which what the other has done tells more than all open positions. Player 1 sees what chance did, and stops where x "
        "and y are both bad for him.",
    ),
}
