"""Star0: alpha-beta between chance nodes, every outcome of a chance node in full: the window does not reach past chance.

Exact, to its depth, for games with chance; what expectiminimax skips when it may cut where players choose."""

from __future__ import annotations

from kibitz.searches.chance import family

METHOD = family.method("star0", "alpha-beta where players choose, all outcomes where chance decides", (family.MERGE, *family.SHARED))
