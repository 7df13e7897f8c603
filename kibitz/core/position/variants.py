"""Games that are variants of others with something left out."""

from __future__ import annotations

from functools import cache

from kibitz.core.position.game import Game


def remove_hooks(game: Game, *hooks: str) -> Game:
    """The same game, less some of the optional functions that tell searches about it."""
    functions = {name: rule for name, rule in game.functions.items() if name not in hooks}
    return Game({**game.constants, **functions, **game.people}, game.name, game.parameters, game.declared)


@cache
def with_cards_open(game: Game) -> Game:
    """The same game, in which all players see the whole position."""
    return remove_hooks(game, "percept", "redeal")
