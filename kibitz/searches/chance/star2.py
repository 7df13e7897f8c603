"""Star2 (Ballard 1983): before any outcome is searched in full, one child of each is probed, which often cuts off the chance node already.

Exact, to its depth, for games with chance. Pays off if moves are ordered well and players choose after chance; `probe=h` is Star2.5."""

from __future__ import annotations

from kibitz.searches.chance import approximate, family

METHOD = family.method(
    "star2", "star1 after probing one child of every outcome", (*family.PROBES, family.MERGE, *approximate.OPTIONS, *family.SHARED)
)
