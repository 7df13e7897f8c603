"""Star2.5 (Ballard 1983): Star2 with more than one probe of every outcome, in rounds or outcome by outcome.

Exact, to its depth, for games with chance. With `probe=0` it is Star1, with `probe=1` Star2.
"""

from __future__ import annotations

from dataclasses import replace

from kibitz.searches.chance import approximate, family

MORE = replace(family.PROBES[0], default=3)

METHOD = family.method(
    "star25",
    "star2 with more probes, in rounds or outcome by outcome",
    (MORE, family.PROBES[1], family.MERGE, *approximate.OPTIONS, *family.SHARED),
)
