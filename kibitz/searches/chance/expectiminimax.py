"""Expectiminimax: the best move where a player chooses, the mean where chance decides; every position to the depth is visited, without pruning.

Exact, to its depth, for two-player games of opposite interests with chance and without hidden information, and for one player against chance. Kept for
teaching and as the measure of the Star searches. With b moves, n outcomes and m of either on a path it visits b^m n^m positions.
"""

from __future__ import annotations

from kibitz.searches.chance import family, sampling
from kibitz.searches.deepening import OPTIONS
from kibitz.searches.method import Method

METHOD = Method(
    name="expectiminimax",
    about="every move and every outcome to its depth: for games with chance",
    options=(*family.LIMITS, *sampling.OPTIONS, *family.RISK, *(p for p in OPTIONS if p.name in ("deepening", "quiescence"))),
    unfit=family.chance_and_opposite_interests,
    run=family.searching("expectiminimax"),
)
