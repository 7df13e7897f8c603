"""`kibitz search` and `kibitz searches`: find the best move, and list the searches."""

from __future__ import annotations

from typing import Any

from kibitz.cli import options, results, terminal
from kibitz.core.position.game import Position
from kibitz.core.position.random_moves import Lots
from kibitz.core.protocol.parameters import Parameter
from kibitz.players import OWN, Player
from kibitz.searches.method import method, names


@options.with_position
@options.with_player
def search(start: Position, engine: Player, json: options.AsJson = False) -> None:
    """Find the best move; without a limit, in two seconds."""
    found = engine.analyse(start)
    if not json:
        terminal.console.print(start if not start.game.is_hidden else start.show_mover())
        options.tell_choice(engine)
        if start.is_chance:
            _tell_way(start)
    result = results.follow(found, quiet=json)
    results.print_answer(result, json)


def _tell_way(start: Position) -> None:
    """Where chance decides there is no move to find: say so, and how to get to where there is one."""
    way, lots = start, Lots(0, 0)
    moves = []
    while way.is_chance:
        moves.append(way.move(lots.draw_move(way)))
        way = way.play(int(moves[-1]))
    if way.is_over:
        return
    said = " ".join(str(move) for move in moves)
    terminal.console.print(
        f'chance decides here, and no move is to be chosen; for one, say what chance brought: --moves "{said}"',
        style="dim",
        markup=False,
        soft_wrap=True,
    )


def searches(name: options.OneSearch = "", json: options.AsJson = False) -> None:
    """List the searches with their options, or one of them."""
    known = [method(name)] if name else [method(each) for each in names()]
    if json:
        terminal.print_json({"searches": [_describe(Player(m, m.settings({}))) for m in known], "every_player": [_option(p) for p in OWN]})
        return
    for m in known:
        terminal.console.print(f"[bold cyan]{m.name}[/]: {m.about}")
        terminal.console.print(terminal.table_of("option", (*m.limits, *m.options)))
    terminal.console.print("[bold cyan]every player[/], whatever its search:")
    terminal.console.print(terminal.table_of("option", OWN))


def _describe(p: Player) -> dict[str, Any]:
    return {"search": p.method.name, "about": p.method.about, "options": [_option(o) for o in (*p.method.limits, *p.method.options)]}


def _option(o: Parameter) -> dict[str, Any]:
    return {"name": o.name, "default": o.default, "range": o.range, "about": o.about}
