"""Star0: alpha-beta between chance nodes, every outcome of a chance node in full: the window does not reach past chance.

Exact, to its depth, for games with chance; what expectiminimax skips when it may cut where players choose."""

from __future__ import annotations

from kibitz.searches.chance import family
from kibitz.searches.method import Method

METHOD = Method(
    name="star0",
    about="alpha-beta where players choose, all outcomes where chance decides",
    options=(family.MERGE, *family.SHARED),
    unfit=family.chance_and_opposite_interests,
    endings=True,
    run=family.searching("star0"),
)
