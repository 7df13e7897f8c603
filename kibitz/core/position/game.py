"""A game and its positions. Positions are immutable, hashable, picklable; rules run interpreted here, searches compile them."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.core.drawing import marks
from kibitz.core.drawing.fields import draw_fields
from kibitz.core.errors import InputError, RulesError
from kibitz.core.position.first_look import vet
from kibitz.core.position.notation import Move, legal_list, next_move
from kibitz.core.position.rulebook import Rulebook
from kibitz.core.position.told import Told, tell
from kibitz.core.protocol import default_text
from kibitz.core.protocol.rules import CHANCE, FORBIDDEN, LOSS, NO_MOVE, OVER
from kibitz.core.records.record import Cells, blank

if TYPE_CHECKING:
    from rich.text import Text


class Game(Rulebook):
    """The rules of one game with its parameters fixed.

    `Game(namespace)` takes a module, a class used as a namespace, or a dict. Names a function uses are looked up in the class first, so
    a class can hold its own constants and helpers.
    """

    @property
    def start(self) -> Position:
        """The first position."""
        return self.position()

    def position(self, text: str = "") -> Position:
        """A position: from the game's notation of moves played from the start, or from its own text for a board."""
        return from_text(self, text)

    def _vet(self) -> None:
        """Before anything is compiled that would not say where a rule goes wrong."""
        self.trusted = True
        try:
            vet(self)
        except RulesError:
            self.trusted = False
            raise


@dataclass(frozen=True)
class Position:
    """One position of a game. `play` returns the next one; nothing ever changes in place."""

    game: Game
    data: bytes
    past: tuple[int, ...] = field(default=(), compare=False)  # situations of earlier positions that might come up again
    last: int = field(default=0, compare=False)  # who moved last
    before: bytes = field(
        default=b"", compare=False
    )  # the position in which a player made the last move; what chance brought is passed over
    made: int = field(default=NO_MOVE, compare=False)  # that move
    told: tuple[Told, ...] = field(default=(), compare=False)  # to each player, where not all is seen; empty: all know this position

    # --- asking ---

    @property
    def state(self) -> Any:
        """A fresh copy of the record, free to be changed."""
        s = np.frombuffer(bytearray(self.data), self.game.constants["State"])
        return s[0]

    @property
    def player(self) -> int:
        """Whose turn: 0, 1, ..., or CHANCE or OVER."""
        return OVER if self.is_repeated else int(self.game.rule("player")(self.state))

    @property
    def is_repeated(self) -> bool:
        """Has the position come up so often that the game's rule on repetition ends it?"""
        if not self.past or self.game.constants["REPETITION"] == FORBIDDEN:
            return False
        return self.past.count(self.situation) >= int(self.game.constants["REPETITIONS"]) - 1

    @property
    def is_over(self) -> bool:
        return self.player == OVER

    @property
    def is_chance(self) -> bool:
        return self.player == CHANCE

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves, or the outcomes of chance, in the order the rules give them; none when the game is over."""
        return tuple(m for m in self._listed() if not self._is_forbidden(m))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The same without their names, which may take longer to find than the moves."""
        return tuple(n for n in self._all_numbers() if not self._is_forbidden(n))

    @property
    def chances(self) -> tuple[float, ...]:
        """The probability of each of `moves` where chance is to decide."""
        if not self.is_chance:
            raise InputError("it is a player's turn; only a chance position has probabilities")
        weights = np.asarray(self._outcomes()[1], dtype=float)
        return tuple((weights / weights.sum()).tolist())

    @property
    def key(self) -> int:
        """The 64-bit key under which tables know this position."""
        return int(self.game.rule("key")(self.state))

    @property
    def situation(self) -> int:
        """A 64-bit number that positions share if one is a repetition of the other."""
        return int(self.game.rule("situation")(self.state))

    def utility(self, player: int = 0) -> float:
        """What a finished game is worth to `player`."""
        if not 0 <= player < self.game.players:
            raise InputError(f"there is no player {player}; {self.game.name} has players 0 to {self.game.players - 1}")
        if not self.is_over:
            raise InputError("the game is not over; only a finished game has a utility")
        if self.is_repeated:
            if self.game.constants["REPETITION"] == LOSS and self.last >= 0:  # what chance brought about is nobody's fault
                return self._lost_by_repetition(player)
            return self.game.drawn
        return float(self.game.rule("utility")(self.state, player))

    def _lost_by_repetition(self, player: int) -> float:
        """What the game is worth to `player` where whoever moved last has lost it by repeating a position."""
        if self.game.players == 2 and (total := self.game.constants["SUM"]) is not None:
            low, high = self.game.first_range
            first = low if self.last == 0 else high
            return float(first if player == 0 else total - first)
        return float(self.game.constants["VALUES"][0 if player == self.last else 1])

    # --- playing ---

    def move(self, text: str | int) -> Move:
        """The legal move with this notation or number."""
        found = self._spelled(text) if isinstance(text, str) else [Move(n, self._name(n)) for n in self._all_numbers() if n == text]
        if not found or self._is_forbidden(found[0]):
            raise InputError(f"illegal move '{text}': {legal_list(self.moves)}")
        return found[0]

    def _spelled(self, text: str) -> list[Move]:
        """The move that is written so, among all those the rules list."""
        listed = self._listed()
        if found := [m for m in listed if m.notation == text]:
            return found
        spelled = [m for m in listed if text.strip() in self._spellings(m)]
        folded = [m for m in listed if m.notation.lower() == text.strip().lower()]
        return spelled if len(spelled) == 1 else folded if len(folded) == 1 else []

    def wired(self, text: str) -> int:
        """The legal move that programs write to each other in this way, or that people do."""
        s, wire = self.state, self.game.people["wire"]
        for number in self.numbers:
            if wire(s, number) == text:
                return number
        return int(self.move(text))

    def play(self, *moves: str | int) -> Position:
        """The position after these moves, each a number or the game's notation."""
        position = self
        for text in moves:
            position = position._after(int(position.move(text)))
        return position

    def play_line(self, text: str) -> Position:
        """The position after a list of moves in the game's notation, separated or run together."""
        position, rest = self, text
        while rest.strip(" ,;\t\n"):
            found = next_move(rest, position._readable(position._listed()))
            if found is None or position._is_forbidden(found[0]):
                raise InputError(f"illegal move '{rest.split()[0]}': {legal_list(position.moves)}")
            position, rest = position._after(found[0]), found[1]
        return position

    def after_line(self, numbers: list[int]) -> Position:
        """The position after moves known to be legal."""
        position = self
        for number in numbers:
            position = position._after(number)
        return position

    def resumed(self, player: int = OVER) -> Position | None:
        """The position to play on from where people go on though the rules do not: nobody claims a draw, or `player` moves out of turn.

        OVER stands for whoever would be next. A repetition is forgotten; all else is for the game's `resume` to decide. None where play cannot go on.
        """
        here = replace(self, past=()) if self.is_repeated else self
        if here.player == player if player != OVER else not here.is_over:
            return here
        s, resume = here.state, self.game.people["resume"]
        return replace(here, data=s.tobytes()) if resume is not None and resume(s, player) else None

    def named_line(self, numbers: list[int]) -> tuple[Move, ...]:
        """Moves known to be legal, each named in the position where it is made."""
        line, position = [], self
        for i, number in enumerate(numbers, 1):
            line.append(Move(number, position._name(number)))
            position = position._after(number) if i < len(numbers) else position
        return tuple(line)

    def wire_line(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """Moves known to be legal, as programs write them to each other."""
        line, position = [], self
        for number in numbers:
            line.append(str(self.game.people["wire"](position.state, number)))
            position = position._after(number) if len(line) < len(numbers) else position
        return tuple(line)

    # --- showing ---

    def show(self) -> str:
        """The board as text."""
        return str(self.game.people["show"](self.state))

    def show_mover(self) -> str:
        """The same as whoever is to move may see it; when nobody is, or the game is over, all of it."""
        if not self.game.is_hidden or self.player < 0:
            return self.show()
        return str(self.game.people["show_to"](self.state, self.player))

    def draw(self, best: str | int | None = None) -> str:
        """The board as SVG, with a rim around the last move and, if it is told, an arrow or a rim for the best one; empty where the game draws nothing."""
        drawn = plain = self.picture()
        if plain and self.made != NO_MOVE:
            before = Position(self.game, self.before)
            earlier = before.picture()
            drawn = marks.mark_last(drawn, before.cells(self.made, earlier), earlier)
        if plain and best is not None:
            move = int(self.move(best))
            drawn = marks.mark_best(drawn, self.cells(move, plain), self._after(move).picture())
        return drawn

    def picture(self) -> str:
        """The board as SVG as the game draws it, without marks; empty where it draws nothing."""
        return str(self.game.people["draw"](self.state))

    def cells(self, move: int, picture: str | None = None) -> tuple[str, ...]:
        """Where on the picture a move is made, in order: what the game says, else the cells that its name is made of; none where it is not."""
        if said := tuple(str(cell) for cell in self.game.people["cells"](self.state, move)):
            return said
        drawn = marks.cells_drawn(self.picture() if picture is None else picture)
        return marks.cells_in_name(self._name(move), drawn) if drawn else ()

    def __str__(self) -> str:
        return self.show()

    def __repr__(self) -> str:
        return f"<position of {self.game.label}: {' / '.join(self.show().splitlines())}>"

    def __rich__(self) -> Text:
        from rich.text import Text

        coloured = Text()
        for glyph in self.show():
            coloured.append(glyph, style=self.game.colours.get(glyph))
        return coloured

    def _repr_html_(self) -> str:
        if picture := self.draw():
            return picture
        return draw_fields(self.state) if self.game.people["show"] is default_text.show else f"<pre>{html.escape(self.show())}</pre>"

    # --- inside ---

    def _after(self, move: int) -> Position:
        s = self.state
        past: tuple[int, ...] = ()
        if self.game.repeats and not self.game.rule("irreversible")(s, move):
            past = (*self.past, self.situation)
        self.game.rule("play")(s, move)
        player = self.player
        before, made = (self.before, self.made) if player == CHANCE else (self.data, move)
        told = tell(self.game, self.told, player, self.state, move, s) if self.game.is_hidden else ()
        return Position(self.game, s.tobytes(), past, player, before, made, told)

    def _listed(self) -> tuple[Move, ...]:
        """The moves before those that the rule on repetition forbids are left out, which takes a look at each."""
        s, name = self.state, self.game.people["name"]
        return tuple(Move(n, str(name(s, n))) for n in self._all_numbers())

    def _all_numbers(self) -> list[int]:
        """The same without names."""
        player = self.player
        if player == OVER:
            return []
        numbers: list[int] = (self._outcomes()[0] if player == CHANCE else self._numbers()).tolist()
        return numbers

    def _is_forbidden(self, move: int) -> bool:
        """Because it would bring back an earlier position?"""
        return bool(self.past) and self.game.constants["REPETITION"] == FORBIDDEN and self._would_repeat(move)

    def _would_repeat(self, move: int) -> bool:
        """Would the move bring back an earlier position? What changes nothing does not."""
        s = self.state
        self.game.rule("play")(s, move)
        following = int(self.game.rule("situation")(s))
        return following in self.past and following != self.situation

    def _numbers(self) -> Any:
        out = np.zeros(self.game.constants["MAX_MOVES"], self.game.constants["MOVE"]).view(Cells)
        return out[: self.game.rule("moves")(self.state, out)]

    def _outcomes(self) -> tuple[Any, Any]:
        most = self.game.constants["MAX_OUTCOMES"]
        out, weights = np.zeros(most, self.game.constants["MOVE"]).view(Cells), np.zeros(most).view(Cells)
        n = self.game.rule("outcomes")(self.state, out, weights)
        return out[:n], weights[:n]

    def _name(self, move: int) -> str:
        return str(self.game.people["name"](self.state, move))

    def _readable(self, legal: tuple[Move, ...]) -> dict[str, int]:
        """All that a legal move may be written as; other spellings than its name only where they mean one move."""
        others = [(spelling, int(m)) for m in legal for spelling in self._spellings(m)]
        times = Counter(spelling for spelling, _ in others)
        return {spelling: number for spelling, number in others if times[spelling] == 1} | {m.notation: int(m) for m in legal}

    def _spellings(self, move: Move) -> tuple[str, ...]:
        return tuple(self.game.people["spellings"](self.state, int(move), move.notation))


def first(game: Game) -> Position:
    """The position a game starts from."""
    s = blank(game.constants["State"])
    game.rule("start")(s)
    return Position(game, s.tobytes())


def from_text(game: Game, text: str) -> Position:
    """Moves from the start, a board, or the name of one of the game's own positions: whichever the text is."""
    if text.strip() in game.positions:
        return from_board(game, game.positions[text.strip()])
    try:
        return first(game).play_line(text)
    except InputError as as_moves:
        try:
            return from_board(game, text)
        except InputError as as_board:
            raise InputError(
                f"'{' / '.join(text.splitlines())}' is no position of {game.name}; as moves: {as_moves}; as a board: {as_board}"
            ) from None


def from_board(game: Game, text: str) -> Position:
    """A board in the game's own text."""
    s = blank(game.constants["State"])
    try:
        with np.errstate(over="ignore"):  # a game may hash what it reads
            game.people["read"](text, s)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"'{' / '.join(text.splitlines())}' is not a board of {game.name}: {error}") from None
    return Position(game, s.tobytes())
