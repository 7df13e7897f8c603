"""Examples for `--help`, by command, and help texts that name the values of options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

EXAMPLES = {
    "games": ("kibitz games", "kibitz games othello"),
    "show": ('kibitz show connect4 --moves "4 4 5 3"', "kibitz show othello --svg board.svg"),
    "inspect": ("kibitz inspect ewn --games 100",),
    "check": ("kibitz check my_game.py",),
    "perft": ("kibitz perft othello 7", "kibitz perft my_game.py 5 --divide"),
    "new": ("kibitz new my_game",),
    "search": ("kibitz search othello --time 5", 'kibitz search chess --with "selective(lines=3)" --depth 8', "kibitz search go -p size=9"),
    "solve": ("kibitz solve tictactoe", "kibitz solve connect4 --moves 4455 --all"),
    "searches": ("kibitz searches", "kibitz searches selective"),
    "tree": ('kibitz tree connect4 --moves 4453 --with "negascout(depth=3)" --svg tree.svg',),
    "play": ("kibitz play connect4 --depth 8", 'kibitz play pig -p players=3 --with "uct(time=1)"'),
    "match": ("kibitz match othello --one negascout --two alphabeta --time 0.1", "kibitz match ewn --one star2 --two uct --games 20"),
    "bench": ("kibitz bench connect4 othello",),
    "experiment": ("kibitz experiment", "kibitz experiment reinefeld"),
    "gtp": ("kibitz gtp",),
    "uci": ("kibitz uci",),
    "prove": ('kibitz prove tictactoe --goal "not lose" --out draw.kbp',),
    "verify": ("kibitz verify draw.kbp",),
    "belief": ('kibitz belief blind_tictactoe --player 2 --history "- 1 -"',),
    "sure": (
        'kibitz sure kriegspiel -p draws=false --position "7k/8/5K2/8/8/8/8/6R1 w - - 0 1" --position "8/7k/5K2/8/8/8/8/6R1 w - - 0 1"',
    ),
    "equilibrium": ("kibitz equilibrium kuhn_poker", "kibitz equilibrium leduc_poker --until 0.001 --resume leduc.npz"),
    "exploit": ('kibitz exploit kuhn_poker --with "sampling(playouts=100)"',),
    "serve": ("kibitz serve", "kibitz serve my_game.py --port 8080"),
    "cache": ("kibitz cache", "kibitz cache clear"),
    "warm": ("kibitz warm", "kibitz warm chess go"),
    "doctor": ("kibitz doctor",),
    "tune eval": ("kibitz tune eval othello --games 1000",),
    "tune probcut": ("kibitz tune probcut othello",),
    "book build": ("kibitz book build chess games.pgn --out chess.book",),
    "book probe": ("kibitz book probe chess chess.book --moves e4",),
    "table build": ("kibitz table build tictactoe --tables tables",),
    "table probe": ("kibitz table probe tictactoe --tables tables",),
    "table stats": ("kibitz table stats tictactoe --tables tables",),
    "table longest": ("kibitz table longest chess KRK --tables tables",),
    "table verify": ("kibitz table verify tictactoe --tables tables",),
    "table list": ("kibitz table list tictactoe --tables tables",),
}


def commands(command: Any, before: str = "") -> dict[str, Any]:
    """All commands below this one by their words: `tune eval`."""
    found = {}
    for name, one in getattr(command, "commands", {}).items():
        words = f"{before}{name}"
        found.update(commands(one, f"{words} ") if getattr(one, "commands", None) else {words: one})
    return found


def improve_help(program: Any) -> None:
    """Give the commands of a program their examples, and options that take no value no type."""
    for words, command in commands(program).items():
        command.epilog = "\n\n".join(("Examples:", *(f"  {example}" for example in EXAMPLES.get(words, ()))))
    for command in (program, *getattr(program, "commands", {}).values(), *commands(program).values()):
        for parameter in command.params:
            _take_type(parameter)
        command.get_help_option = partial(_help_option, command.get_help_option)


def _help_option(make: Callable[[Any], Any], context: Any) -> Any:
    """`--help` itself, which is made when it is first asked for."""
    return _take_type(make(context))


def _take_type(parameter: Any) -> Any:
    """Nothing for a flag; `N` or `TEXT` where nothing better is said."""
    if parameter.metavar is None and parameter.opts[0].startswith("-"):
        parameter.metavar = "" if getattr(parameter, "is_flag", False) else "TEXT" if isinstance(parameter.default, str) else "N"
    return parameter
