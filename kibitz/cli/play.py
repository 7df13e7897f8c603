"""`kibitz play`: a game against the engine in the terminal."""

from __future__ import annotations

import contextlib
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from kibitz.cli import options, terminal
from kibitz.core.errors import InputError
from kibitz.core.files import check_place
from kibitz.core.hidden.view import in_words, view
from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.core.position.random_moves import Lots
from kibitz.core.position.readable import count
from kibitz.core.position.result import Result, effort, verdict, worth
from kibitz.core.position.transcript import save as save_game
from kibitz.core.position.transcript import written
from kibitz.core.protocol import outcomes
from kibitz.core.protocol.rules import CHANCE
from kibitz.players import Player
from kibitz.tables.proof.percept_player import PerceptPlayer
from kibitz.tables.proof.strategy_player import SUFFIX, ProofPlayer, player_of_file

HELP = "a move, or: undo, hint, sides (change sides; sides 2: be player 2), moves, quit"
HIDDEN_HELP = "a move, or: hint, moves, quit"
HINTS = 3  # moves that a hint compares


@options.with_position
def play(
    start: Position,
    second: Annotated[bool, typer.Option("--second", help="Let the engine move first.")] = False,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Same seed, same rolls of the dice.", show_default=False)] = None,
    with_: options.With = "",
    time: options.Time = None,
    depth: options.Depth = None,
    nodes: options.Nodes = None,
    save: Annotated[
        str, typer.Option("--save", metavar="FILE", help="Write the game to a file when it ends; --from continues it. SGF for Go.")
    ] = "",
) -> None:
    """Play against the engine: type moves, or undo, hint, sides, moves, quit."""
    engine: Player | ProofPlayer | PerceptPlayer
    if with_.endswith(SUFFIX):
        engine = player_of_file(with_)
        engine.check(start.game)
        start = engine.beginning(start)
    else:
        engine = options.choose_player(with_, start.game, time=time, depth=depth, nodes=nodes)
    engine.check(start.game)
    if second and start.game.players == 1:
        raise InputError(f"--second: {start.game.name} has one player, and that is you")
    if save:
        written(start, (), start)  # refuses what cannot be written, before hours of play
        check_place(save)
    rolls = Lots(secrets.randbits(32) if seed is None else seed, 0)
    if isinstance(engine, Player):
        options.tell_choice(engine)
    table = _Table(engine.remembering(), start, 1 if second else 0, rolls)
    try:
        if isinstance(engine, Player) and start.player >= 0:
            engine.prepare(start)  # now, so that nobody waits for it in the middle of the game
        table.play()
    finally:
        if save:
            table.save(Path(save))


class _Table:
    """A game in progress."""

    def __init__(self, engine: Player | ProofPlayer | PerceptPlayer, start: Position, human: int, rolls: Lots) -> None:
        self.engine, self.human, self.rolls = engine, human, rolls
        self.played = [start]
        self.moves: list[str] = []
        self.hidden = start.game.is_hidden  # then the human is shown his view, and told what he may hear

    @property
    def now(self) -> Position:
        return self.played[-1]

    def play(self) -> None:
        """Until the game is over or the human leaves."""
        terminal.console.print(HELP if not self.hidden else HIDDEN_HELP, style="dim")
        terminal.console.print(self._board())
        while not (self.now.is_over and self._ends()):
            if self.now.is_chance:
                self._roll()
            elif self.now.player != self.human:
                self._answer()
            elif not self._ask():
                return

    def _ends(self) -> bool:
        """Tell who has won, and, where there are more than two, what everybody has got. Somebody who has lost may take a move back, and play on."""
        utility, players = self.now.utility(self.human), self.now.game.players
        verdict = self._verdict(utility)
        others = [f"{self.now.game.side(p)}: {self.now.utility(p):+g}" for p in range(players) if p != self.human] if players > 2 else []
        terminal.console.print(f"game over: {verdict} ({'; '.join([f'{utility:+g}', *others])})")
        if sys.stdin.isatty() and self.moves and not self.hidden:
            with contextlib.suppress(EOFError):
                if input("undo, or Enter to leave> ").strip().lower() == "undo":
                    self._undo()
        return self.now.is_over

    def _verdict(self, utility: float) -> str:
        """Of two, what the utility is; of more, whether anybody has more or as much."""
        game = self.now.game
        if game.players <= 2:
            return {1.0: "you win", 0.0: "you lose", 0.5: "a draw"}[outcomes.score(utility, game.constants["VALUES"])]
        shares = outcomes.shares([self.now.utility(p) for p in range(game.players)])
        own = shares[self.human]
        return "you lose" if own == 0.0 else "you win" if own == 1.0 else "a draw" if min(shares) > 0.0 else "you share the win"

    def _roll(self) -> None:
        """What chance decides, each outcome as often as its weight says."""
        outcome = self.now.move(self.rolls.draw_move(self.now))
        if not self.hidden:
            terminal.console.print(f"chance: [bold yellow]{escape(str(outcome))}[/]")
        self._make(outcome)

    def _answer(self) -> None:
        """The engine's move, for whoever is not the human."""
        result = self._think()
        if result.move is None:
            raise InputError(f"{self.engine.name} found no move before it had to stop; give it more time")
        who = f"engine as {self.now.game.side(self.now.player)}" if self.now.game.players > 2 else "engine"
        if not self.hidden:
            terminal.console.print(f"{who} plays [bold green]{escape(str(result.move))}[/] ({verdict(result)}; {effort(result)})")
        self._make(result.move)

    def _think(self, lines: int = 1) -> Result:
        """The engine's answer; on the way there, its depth and what it thinks, on a line of the terminal that goes away."""
        engine = self.engine
        if isinstance(engine, Player) and lines > 1 and "lines" in engine.settings:
            engine = engine.limited(lines=min(lines, len(self.now.numbers)))
        if not isinstance(engine, Player) or not terminal.errors.is_terminal or (self.hidden and self.now.player != self.human):
            return engine.search(self.now)
        with terminal.errors.status("thinking") as line:
            for result in engine.analyse(self.now):
                line.update(escape(f"thinking: {result.move or ''} {verdict(result)}; {effort(result)}"))
        return result

    def _ask(self) -> bool:
        """One line from the human; False to leave."""
        try:
            words = input(f"{self.now.game.side(self.human)}> ").strip()
        except EOFError:
            terminal.console.print("\nthe game stops here")
            return False
        match words.lower():
            case "quit" | "exit":
                return False
            case other if self.hidden and other.split()[:1] in (["undo"], ["sides"]):
                terminal.console.print("not here: you would know more than you may")
            case "undo":
                self._undo()
            case "hint":
                self._hint()
            case other if other.split()[:1] == ["sides"]:
                self._change_sides(other.split()[1:])
            case "moves" | "help" | "?":
                terminal.console.print(
                    f"{HIDDEN_HELP if self.hidden else HELP}\nlegal: {' '.join(str(m) for m in self.now.moves)}", markup=False
                )
            case "":
                pass
            case _:
                try:
                    self._make(self.now.move(words))
                except InputError as error:
                    terminal.console.print(str(error), style="red", markup=False)
        return True

    def _change_sides(self, words: list[str]) -> None:
        """To the next player, or to the one that is named."""
        players = self.now.game.players
        chosen = int(words[0]) - 1 if words and words[0].isdigit() else (self.human + 1) % players if not words else -1
        if 0 <= chosen < players:
            self.human = chosen
            terminal.console.print(f"you are {self.now.game.side(self.human)} now")
        else:
            terminal.console.print(f"there is no player {' '.join(words)}; sides alone, or sides 1 to {players}", style="red", markup=False)

    def _hint(self) -> None:
        """What the engine would play, if it knows, and what else there is: moves with their values and lines."""
        try:
            result = self._think(lines=HINTS)
        except InputError as error:
            terminal.console.print(str(error), style="red", markup=False)
            return
        terminal.console.print(f"try {result}", markup=False)
        for c in result.table[:HINTS] if len(result.table) > 1 else ():
            tried = f"  {count(c.visits)} playouts" if c.visits else ""
            terminal.console.print(f"  {c.move!s:<6} {worth(c):>12}{tried}  {' '.join(str(m) for m in c.line[1:])}", markup=False)

    def save(self, path: Path) -> None:
        """Write the game as it stands."""
        players = (self.engine.name, "") if self.human == 1 else ("", self.engine.name)
        save_game(path, self.played[0], self.moves, self.now, players)
        terminal.console.print(f"game written to {path}", markup=False, soft_wrap=True)

    def _make(self, move: Move) -> None:
        mover = self.now.player
        self.played.append(self.now.play(int(move)))
        self.moves.append(str(move))
        if self.hidden:
            self._tell(mover, str(move))
        terminal.console.print(self._board())

    def _board(self) -> Position | str:
        """What the human sees."""
        return view(self.now, self.human).board if self.hidden else self.now

    def _tell(self, mover: int, name: str) -> None:
        """What the human hears of a move; when the game is over, all of it."""
        event = self.now.told[self.human].events[-1]
        said = in_words(self.now.game, event, self.human, name)
        who = "you" if mover == self.human else "chance" if mover == CHANCE else self.now.game.side(mover)
        terminal.console.print(f"{who}: {said if said != '-' else '- (nothing is heard)'}", markup=False)
        if self.now.is_over:
            terminal.console.print(self.now)
            terminal.console.print(f"the game was: {' '.join(self.moves)}", markup=False, soft_wrap=True)

    def _undo(self) -> None:
        """Back to the human's previous turn."""
        earlier = [i for i, p in enumerate(self.played[:-1]) if p.player == self.human]
        if not earlier:
            terminal.console.print("there is nothing to undo")
            return
        del self.played[earlier[-1] + 1 :], self.moves[earlier[-1] :]
        terminal.console.print(self.now)
