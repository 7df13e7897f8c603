"""What experiments count with: searches that must run to their end, positions drawn by a seed, games that tell a search less or list moves better."""

from __future__ import annotations

from typing import Any

from kibitz.arena.openings import random_openings
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import Result
from kibitz.players import player

BARE = "order=false, killers=off, history=off, deepening=false, distance=off"  # the search of the textbook, and no more; with table=0


def searched(position: Position, text: str, depth: int) -> Result:
    """What the player `text` finds at this depth."""
    return unbroken(player(text, depth=depth).search(position))


def unbroken(result: Result) -> Result:
    """The result, unless it is that of half a search: Ctrl-C ends the shard."""
    if result.ended == "interrupted":
        raise KeyboardInterrupt
    return result


def opening(game: Game, plies: int, seed: int) -> Position:
    """A position after random moves that is not decided yet."""
    return game.start.after_line(list(random_openings(game, 1, plies, seed)[0]))


def without(game: Game, *hooks: str) -> Game:
    """The same game, less some of the optional functions that tell searches about it."""
    functions = {name: rule for name, rule in game.functions.items() if name not in hooks}
    return Game({**game.constants, **functions, **game.people}, game.name, game.parameters, game.declared)


# --- a game that lists its moves by its own order of promise, for searches that take them as they are listed ---

as_listed: Any = None  # in the game below: the rules' own `moves`,
promise: Any = None  # and their `order`


def best_first(s: Any, out: Any) -> int:
    """The rules' moves in the order of their promise, equal ones as the rules list them."""
    n = as_listed(s, out)
    for i in range(1, n):
        move = out[i]
        place = i
        while place > 0 and promise(s, out[place - 1]) < promise(s, move):
            out[place] = out[place - 1]
            place -= 1
        out[place] = move
    return n  # type: ignore[no-any-return]


def listing_best_first(game: Game) -> Game:
    """The same game with the same positions."""
    own = {name: rule for name, rule in game.functions.items() if game.defines(name)}
    names = {**game.constants, **own, "as_listed": own["moves"], "promise": own["order"], "moves": best_first}
    made = Game(type(game.name, (), names), game.name, game.parameters, game.declared)
    made.people.update(game.people)
    return made
