"""`kibitz play`: a game against the engine in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.arena.records import check_place
from kibitz.cli import shell
from kibitz.cli.searching import Depth, Nodes, Time, With
from kibitz.core.errors import InputError
from kibitz.core.position import Position
from kibitz.core.transcript import save as save_game
from kibitz.core.transcript import written
from kibitz.players import Player, player

HELP = "a move, or: undo, hint, sides (change sides), moves, quit"


def play(
    game: shell.GameName,
    position: shell.Board = "",
    moves: shell.Moves = "",
    from_: shell.From = "",
    at: shell.At = None,
    with_: With = "alphabeta",
    time: Time = None,
    depth: Depth = None,
    nodes: Nodes = None,
    second: Annotated[bool, typer.Option("--second", help="Let the engine move first.")] = False,
    save: Annotated[str, typer.Option("--save", metavar="FILE", help="Write the game to a file when it ends, such as SGF for Go.")] = "",
    param: shell.Parameters = [],  # noqa: B006
) -> None:
    """Play against the engine: type moves, or undo, hint, sides, moves, quit."""
    start = shell.opened(game, param, position, moves, from_, at)
    engine = player(with_, time=time, depth=depth, nodes=nodes)
    engine.check(start.game)
    if save:
        written(start, (), start)  # which refuses what cannot be written, before hours of play
        check_place(Path(save))
    table = _Table(engine.remembering(), start, 1 if second else 0)
    try:
        table.play()
    finally:
        if save:
            table.save(Path(save))


class _Table:
    """A game in progress."""

    def __init__(self, engine: Player, start: Position, human: int) -> None:
        self.engine, self.human = engine, human
        self.played = [start]
        self.moves: list[str] = []

    @property
    def now(self) -> Position:
        return self.played[-1]

    def play(self) -> None:
        """Until the game is over or the human leaves."""
        shell.console.print(HELP, style="dim")
        shell.console.print(self.now)
        while not self.now.is_over:
            if self.now.player == self.human:
                if not self._ask():
                    return
            else:
                result = self.engine.search(self.now)
                shell.console.print(f"engine plays [bold green]{result.move}[/] ({result.value:+.4g}, depth {result.depth})")
                self._make(str(result.move))
        utility = self.now.utility(self.human)
        middle = sum(self.now.game.constants["VALUES"]) / 2
        verdict = "you win" if utility > middle else "you lose" if utility < middle else "a draw"
        shell.console.print(f"game over: {verdict} ({utility:+g})")

    def _ask(self) -> bool:
        """One line from the human; False to leave."""
        try:
            words = input(f"player {self.human + 1}> ").strip()
        except EOFError:
            return False
        match words.lower():
            case "quit" | "exit":
                return False
            case "undo":
                self._undo()
            case "hint":
                result = self.engine.search(self.now)
                shell.console.print(f"try {result.move} ({result.value:+.4g})", markup=False)
            case "sides":
                self.human = 1 - self.human
                shell.console.print(f"you are player {self.human + 1} now")
            case "moves" | "help" | "?":
                shell.console.print(f"{HELP}\nlegal: {' '.join(str(m) for m in self.now.moves)}", markup=False)
            case "":
                pass
            case _:
                try:
                    self._make(words)
                except InputError as error:
                    shell.console.print(str(error), style="red", markup=False)
        return True

    def save(self, path: Path) -> None:
        """Write the game as it stands."""
        players = (self.engine.name, "") if self.human == 1 else ("", self.engine.name)
        save_game(path, self.played[0], self.moves, self.now, players)
        shell.console.print(f"game written to {path}", markup=False)

    def _make(self, text: str) -> None:
        move = self.now.move(text)
        self.played.append(self.now.play(int(move)))
        self.moves.append(str(move))
        shell.console.print(self.now)

    def _undo(self) -> None:
        """Back to the human's previous turn."""
        earlier = [i for i, p in enumerate(self.played[:-1]) if p.player == self.human]
        if not earlier:
            shell.console.print("there is nothing to undo")
            return
        del self.played[earlier[-1] + 1 :], self.moves[earlier[-1] :]
        shell.console.print(self.now)
