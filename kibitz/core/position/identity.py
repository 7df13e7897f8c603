"""A name for a game with its settings, under which expensive results are stored, and found again only if nothing has changed."""

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
