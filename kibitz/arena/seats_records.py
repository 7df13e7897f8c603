"""Lines of a match of more than two players, for the file of its games (records).

A line holds fields with tabs between them:

    game  opening  seats  random  seed  moves  player 1  player 2  player 3 ...

the numbers of the game and of its opening, which contestant sat in each seat, how many of the moves are the opening, the seed and stream that chance drew
from, all moves from the start in the game's notation, and of each contestant, as they were named, its utility and what it spent, as in matches of two.
"""

from __future__ import annotations

from kibitz.arena.records import Lines, effort_text, no_game, read_effort
from kibitz.arena.seats_result import SeatedGame
from kibitz.core.protocol import outcomes

COLUMNS = ("game", "opening", "seats", "random", "seed", "moves")


def lines_of_many(players: int, seed: int) -> Lines[SeatedGame]:
    """Lines of matches of `players` players."""
    columns = (*COLUMNS, *(f"player {who + 1}" for who in range(players)))

    def line_of(game: SeatedGame) -> str:
        fields = (
            game.number + 1,
            game.stream + 1,
            " ".join(str(who + 1) for who in game.seats),
            game.opening,
            f"{seed}:{game.stream}",
            " ".join(game.moves),
            *(effort_text(game.utilities[who], game.efforts[who]) for who in range(players)),
        )
        return "\t".join(map(str, fields))

    def game_of(line: str, place: str) -> SeatedGame:
        fields = line.split("\t")
        try:
            number, stream, opening = int(fields[0]) - 1, int(fields[1]) - 1, int(fields[3])
            seats = tuple(int(word) - 1 for word in fields[2].split())
            utilities, efforts = zip(*map(read_effort, fields[len(COLUMNS) :]), strict=True)
            if sorted(seats) != list(range(players)) or len(fields) != len(columns) or fields[4] != f"{seed}:{stream}":
                raise ValueError
        except (IndexError, ValueError):
            raise no_game(place) from None
        return SeatedGame(number, stream, seats, opening, tuple(fields[5].split()), utilities, outcomes.shares(utilities), efforts)

    return Lines(columns, line_of, game_of, lambda game, seating: (game.opening, game.seats) == (len(seating.opening), seating.seats))
