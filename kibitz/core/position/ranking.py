"""Numbers of positions, for tables that hold a value for every position: what a game must declare.

`rank(s)` is a position's number, from 0 to SIZE - 1, or -1 where it has none. `unrank(i, s)` writes the position with number i to `s`, whatever is in `s`, and says
whether there is one: a number may stand for nothing. Positions may share a number if they are worth the same and lead to positions that share numbers: images of each
other, or such as differ only in a counter. SECTIONS names parts of the numbering that are solved one after the other.

`unplay(s, out)` writes to `out` the positions from which a move leads to `s`, MAX_UNPLAYS at most, and says how many: those of the same section, for an unfinished position that has a
number. What it writes needs no more than `rank` looks at (`canonical` and `key`, where the game has no numbers); positions that cannot be, and those that nobody can reach, do no harm.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.errors import RulesError
from kibitz.core.position import default_rules


def checked(names: Mapping[str, Any], game: str) -> tuple[int, tuple[tuple[str, int, int, int], ...]]:
    """SIZE and SECTIONS as a game declares them; nothing where it defines no `rank`. Other games may use the names as they like."""
    own = [name for name in ("rank", "unrank") if names.get(name) not in (None, getattr(default_rules, name))]
    if not own:
        return 0, ()
    if len(own) == 1:
        raise RulesError(f"{game}: rank(s), unrank(i, s) and SIZE go together; write all three, or none")
    size, sections = names.get("SIZE"), names.get("SECTIONS", ())
    if not isinstance(size, int | np.integer) or isinstance(size, bool) or size < 1:
        raise RulesError(f"{game}: SIZE is {size!r}; write how many numbers rank(s) can return, such as SIZE = 19683")
    try:
        found = tuple((str(name), int(begin), int(end), int(men)) for name, begin, end, men in sections)
    except (TypeError, ValueError):
        raise RulesError(f"{game}: SECTIONS must be a tuple of (name, first number, number behind the last, men)") from None
    behind = [0, *(end for _, _, end, _ in found)]
    if found and (any(s[1] != last or s[2] <= s[1] for s, last in zip(found, behind, strict=False)) or behind[-1] != size):
        raise RulesError(f"{game}: SECTIONS must follow each other without gaps, from 0 to SIZE = {size}")
    if len({name for name, *_ in found}) < len(found):
        raise RulesError(f"{game}: two of SECTIONS have the same name")
    return int(size), found


def most_unplays(names: Mapping[str, Any], game: str) -> int:
    """MAX_UNPLAYS as a game declares it; 0 where it defines no `unplay`."""
    if names.get("unplay") in (None, default_rules.unplay):
        return 0
    most = names.get("MAX_UNPLAYS", 0)
    if not isinstance(most, int | np.integer) or isinstance(most, bool) or most < 1:
        raise RulesError(f"{game}: MAX_UNPLAYS is {most!r}; write how many positions unplay(s, out) can list, such as MAX_UNPLAYS = 64")
    return int(most)
