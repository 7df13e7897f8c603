"""Star0.5: a chance node is left as soon as the outcomes still unknown cannot bring its mean back into the window.

Exact, to its depth, for games with chance. Each outcome by itself is searched in full."""

from __future__ import annotations

from kibitz.searches.chance import family
from kibitz.searches.method import Method

METHOD = Method(
    name="star05",
    about="star0 that leaves a chance node between outcomes",
    options=(family.MERGE, *family.SHARED),
    unfit=family.chance_and_opposite_interests,
    endings=True,
    run=family.searching("star05"),
)
