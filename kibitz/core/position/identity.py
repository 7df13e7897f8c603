"""Which game with which settings: under this name things are kept that were long in the making, and found again only where nothing has changed."""

from __future__ import annotations

import hashlib
from typing import Any

from kibitz.core.position.game import Game


def identity(game: Game, *settings: Any) -> str:
    """Hexadecimal digits, equal exactly where the rules, the parameters and these settings are."""
    return digest(game.identity, *settings)


def digest(*parts: Any) -> str:
    """Hexadecimal digits of what these parts print as."""
    return hashlib.sha256("\n".join(map(repr, parts)).encode()).hexdigest()
