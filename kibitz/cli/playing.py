"""`kibitz play`: a game against the engine in the terminal."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from kibitz.arena.openings import Draws
from kibitz.cli import shell
from kibitz.cli.searching import Depth, Nodes, Time, With
from kibitz.core.errors import InputError
from kibitz.core.files import check_place
from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.core.position.transcript import save as save_game
from kibitz.core.position.transcript import written
from kibitz.players import Player, player
from kibitz.tables.proof.playing import SUFFIX, ProofPlayer, proof_player

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
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Same seed, same rolls of the dice.", show_default=False)] = None,
    save: Annotated[str, typer.Option("--save", metavar="FILE", help="Write the game to a file when it ends, such as SGF for Go.")] = "",
    param: shell.Parameters = [],  # noqa: B006
) -> None:
    """Play against the engine: type moves, or undo, hint, sides, moves, quit."""
    start = shell.opened(game, param, position, moves, from_, at)
    engine: Player | ProofPlayer
    if with_.endswith(SUFFIX):
        engine = proof_player(with_)
        start = (
            engine.strategy.claim.position
            if not (position or moves or from_) and start.game == engine.strategy.claim.position.game
            else start
        )
    else:
        engine = player(with_, time=time, depth=depth, nodes=nodes)
    engine.check(start.game)
    if second and start.game.players == 1:
        raise InputError(f"--second: {start.game.name} has one player, and that is you")
    if save:
        written(start, (), start)  # which refuses what cannot be written, before hours of play
        check_place(save)
    rolls = Draws(secrets.randbits(32) if seed is None else seed, 0)
    table = _Table(engine.remembering(), start, 1 if second else 0, rolls)
    try:
        table.play()
    finally:
        if save:
            table.save(Path(save))


class _Table:
    """A game in progress."""

    def __init__(self, engine: Player | ProofPlayer, start: Position, human: int, rolls: Draws) -> None:
        self.engine, self.human, self.rolls = engine, human, rolls
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
            if self.now.is_chance:
                self._roll()
            elif self.now.player != self.human:
                self._answer()
            elif not self._ask():
                return
        utility = self.now.utility(self.human)
        middle = sum(self.now.game.constants["VALUES"]) / 2
        verdict = "you win" if utility > middle else "you lose" if utility < middle else "a draw"
        shell.console.print(f"game over: {verdict} ({utility:+g})")

    def _roll(self) -> None:
        """What chance decides, each outcome as often as its weight says."""
        outcome = self.now.move(self.rolls.move(self.now))
        shell.console.print(f"chance: [bold yellow]{escape(str(outcome))}[/]")
        self._make(outcome)

    def _answer(self) -> None:
        """The engine's move, for whoever is not the human."""
        result = self.engine.search(self.now)
        if result.move is None:
            raise InputError(f"{self.engine.name} found no move before it had to stop; give it more time")
        who = f"engine as player {self.now.player + 1}" if self.now.game.players > 2 else "engine"
        shell.console.print(f"{who} plays [bold green]{escape(str(result.move))}[/] ({result.value:+.4g}, depth {result.depth})")
        self._make(result.move)

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
                self._hint()
            case "sides":
                self.human = (self.human + 1) % self.now.game.players
                shell.console.print(f"you are player {self.human + 1} now")
            case "moves" | "help" | "?":
                shell.console.print(f"{HELP}\nlegal: {' '.join(str(m) for m in self.now.moves)}", markup=False)
            case "":
                pass
            case _:
                try:
                    self._make(self.now.move(words))
                except InputError as error:
                    shell.console.print(str(error), style="red", markup=False)
        return True

    def _hint(self) -> None:
        """What the engine would play, if it knows."""
        try:
            result = self.engine.search(self.now)
            shell.console.print(f"try {result.move} ({result.value:+.4g})", markup=False)
        except InputError as error:
            shell.console.print(str(error), style="red", markup=False)

    def save(self, path: Path) -> None:
        """Write the game as it stands."""
        players = (self.engine.name, "") if self.human == 1 else ("", self.engine.name)
        save_game(path, self.played[0], self.moves, self.now, players)
        shell.console.print(f"game written to {path}", markup=False)

    def _make(self, move: Move) -> None:
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
