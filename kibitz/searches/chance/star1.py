"""Star1 (Ballard 1983): every outcome is searched in a window of its own, outside of which it would decide the chance node.

Exact, to its depth, for games with chance."""

from __future__ import annotations

from kibitz.searches.chance import approximate, family
from kibitz.searches.method import Method

METHOD = Method(
    name="star1",
    about="cuts inside the outcomes of chance, too",
    options=(family.MERGE, *approximate.OPTIONS, *family.SHARED),
    unfit=family.chance_and_opposite_interests,
    endings=True,
    run=family.searching("star1"),
)
