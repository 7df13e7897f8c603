"""What experiments measure: searches that must run to their end, positions drawn by a seed, games with moves listed best first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.arena.openings import random_openings
from kibitz.core.errors import KibitzError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import Result
from kibitz.players import player

ROUNDING = 1e-9  # of values that are computed in another order
BARE = "order=false, killers=off, history=off, deepening=false, distance=off"  # the search of the textbook, and no more; with table=0


def search_to_depth(position: Position, text: str, depth: int) -> Result:
    """The result of the player `text` at this depth."""
    return require_complete(player(text, depth=depth).search(position))


def check_agreement(results: Mapping[str, Result]) -> None:
    """Refuse results for one position that differ in its value, by more than rounding can do."""
    values = [result.value for result in results.values()]
    if max(values) - min(values) > ROUNDING * (1 + abs(values[0])):
        position = next(iter(results.values())).position
        raise KibitzError(f"the searches disagree on {position.show()} of {position.game.label}: a fault of kibitz")


def count_visits(counts: dict[str, Any], results: Mapping[str, Result]) -> None:
    """Add the leaves and nodes of each result to `counts`, which has a list of either for each name."""
    for name, result in results.items():
        counts[name]["leaves"].append(result.leaves)
        counts[name]["nodes"].append(result.nodes)


def require_complete(result: Result) -> Result:
    """The result, unless it is that of half a search: Ctrl-C ends the shard."""
    if result.ended == "interrupted":
        raise KeyboardInterrupt
    return result


def draw_opening(game: Game, plies: int, seed: int) -> Position:
    """A position after random moves that is not decided yet."""
    return game.start.after_line(list(random_openings(game, 1, plies, seed)[0]))


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


def list_best_first(game: Game) -> Game:
    """The same game with the same positions."""
    own = {name: rule for name, rule in game.functions.items() if game.defines(name)}
    names = {**game.constants, **own, "as_listed": own["moves"], "promise": own["order"], "moves": best_first}
    made = Game(type(game.name, (), names), game.name, game.parameters, game.declared)
    made.people.update(game.people)
    return made
