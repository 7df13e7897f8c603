"""Star1 (Ballard 1983): every outcome is searched in a window of its own, outside of which it would decide the chance node.

Exact, to its depth, for games with chance."""

from __future__ import annotations

from kibitz.searches.chance import approximate, family

METHOD = family.method("star1", "star05 with cutoffs inside outcomes, too", (family.MERGE, *approximate.OPTIONS, *family.SHARED))
