"""Random games of hidden information, followed by what each player thinks possible."""

from __future__ import annotations

from collections.abc import Iterator

import kibitz as kb
from kibitz.core.hidden.belief import LIMIT, Belief
from kibitz.core.hidden.view import view
from kibitz.core.position.loading import shipped
from kibitz.core.position.random_moves import Lots

# Small boards; what is too large to be followed to the end is followed as far as a belief is the whole set, and from endings.
SMALL = {"battleships": {"size": 4, "fleet": "3,2"}, "kriegspiel": {"draws": "false"}}
ENDINGS = {"kriegspiel": ("4k3/8/8/8/8/8/8/KR6 w - - 0 1", "8/1p6/k7/8/8/8/P7/K7 w - - 0 1")}
HIDDEN = [name for name in shipped() if kb.load(name).is_hidden]


def small(name: str) -> kb.Game:
    return kb.load(name, **SMALL.get(name, {}))


def never_lost(games: int, seed: int, game: kb.Game, limit: int = LIMIT, whole: bool = True, plies: int = 1 << 20) -> int:
    """The true position is in all players' beliefs after every move, as long as they are whole sets; how often that was looked at."""
    looked = 0
    for number in range(games):
        starts = [game.start, *(game.position(text) for text in ENDINGS.get(game.name, ()))]
        position, lots = starts[number % len(starts)], Lots(seed, number)
        beliefs = [Belief.of(view(position, player), limit) for player in range(game.players)]
        made = 0
        while not position.is_over and made < plies and (whole or all(belief.complete for belief in beliefs)):
            position, made = position.after_line([lots.draw_move(position)]), made + 1
            beliefs = [belief.after(position.told[player].events[-1]) for player, belief in enumerate(beliefs)]
            for belief in beliefs:
                assert belief.complete or not whole
                assert belief.holds(position) or not belief.complete
                looked += belief.complete
    return looked


def alike(game: kb.Game, seed: int, plies: int, most: int, limit: int = 2000) -> Iterator[tuple[kb.Position, kb.Position, int]]:
    """A position of a random game, another one that looks the same to a player, and that player."""
    position, lots = game.start, Lots(seed, plies)
    while not position.is_over and (plies > 0 or position.is_chance):
        position, plies = position.after_line([lots.draw_move(position)]), plies - 1
    for player in range(game.players):
        belief = Belief.of(view(position, player), limit)
        for place in range(0, belief.size, max(1, belief.size // most)):
            yield position, belief.position(place), player
