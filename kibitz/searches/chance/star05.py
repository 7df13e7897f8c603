"""Star0.5: a chance node is cut off as soon as the unknown outcomes cannot bring its mean back into the window.

Exact, to its depth, for games with chance. Each outcome by itself is searched in full."""

from __future__ import annotations

from kibitz.searches.chance import family

METHOD = family.method("star05", "star0 with cutoffs between the outcomes of a chance node", (family.MERGE, *family.SHARED))
