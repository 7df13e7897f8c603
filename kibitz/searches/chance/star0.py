"""Star0: alpha-beta between chance nodes, every outcome of a chance node is searched in full: the window is not passed through chance nodes.

Exact, to its depth, for games with chance; it is expectiminimax with cutoffs at players' nodes only."""

from __future__ import annotations

from kibitz.searches.chance import family

METHOD = family.method("star0", "alpha-beta at players' nodes, all outcomes at chance nodes", (family.MERGE, *family.SHARED))
