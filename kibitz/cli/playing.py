"""`kibitz play`: a game against the engine in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli import shell
from kibitz.cli.searching import Depth, Nodes, Time, With
from kibitz.core.errors import InputError
from kibitz.core.position import Position
from kibitz.players import Player, player

HELP = "a move, or: undo, hint, sides (change sides), moves, quit"


def play(
    game: shell.GameName,
    position: shell.Board = "",
    moves: shell.Moves = "",
    with_: With = "alphabeta",
    time: Time = None,
    depth: Depth = None,
    nodes: Nodes = None,
    second: Annotated[bool, typer.Option("--second", help="Let the engine move first.")] = False,
    param: shell.Parameters = [],  # noqa: B006
) -> None:
    """Play against the engine: type moves, or undo, hint, sides, moves, quit."""
    chosen = shell.game_of(game, param)
    engine = player(with_, time=time, depth=depth, nodes=nodes)
    engine.check(chosen)
    _Table(engine.remembering(), shell.position_of(chosen, position, moves), 1 if second else 0).play()


class _Table:
    """A game in progress."""

    def __init__(self, engine: Player, start: Position, human: int) -> None:
        self.engine, self.human = engine, human
        self.played = [start]

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

    def _make(self, move: str) -> None:
        self.played.append(self.now.play(move))
        shell.console.print(self.now)

    def _undo(self) -> None:
        """Back to the human's previous turn."""
        earlier = [i for i, p in enumerate(self.played[:-1]) if p.player == self.human]
        if not earlier:
            shell.console.print("there is nothing to undo")
            return
        del self.played[earlier[-1] + 1 :]
        shell.console.print(self.now)
