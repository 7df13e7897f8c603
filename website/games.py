"""A page for every shipped game, made of its own words: docstring, picture, settings, named positions, and the searches that fit."""

from __future__ import annotations

import inspect
from pathlib import Path

import kibitz as kb
from kibitz.core.position.loading import shipped
from kibitz.core.protocol.default_text import of_parameter
from kibitz.players import usual_player
from kibitz.searches.method import fitting
from website.markup import table, words

SHOWN = 6  # plies into the game, so that there is something to see


def write_all(folder: Path) -> list[str]:
    """The pages; their names."""
    (folder / "games").mkdir(exist_ok=True)
    rows = []
    for name in shipped():
        game = kb.load(name)
        (folder / "games" / f"{name}.md").write_text(page(game), encoding="utf-8")
        rows.append(
            (
                f"[{name}]({name}.md)",
                game.title,
                f"{game.players}{' + chance' if game.has_chance else ''}{', hidden' if game.is_hidden else ''}",
            )
        )
    head = "# Games\n\n    kibitz games\n\nA game is one file, found by its name; each page here is made of what that file says, and its picture is the one that the game draws.\n\n"
    (folder / "games" / "index.md").write_text(head + table(("game", "what it is", "players"), rows), encoding="utf-8")
    return ["games/index.md", *(f"games/{name}.md" for name in shipped())]


def page(game: kb.Game) -> str:
    """Of one game."""
    position, made = shown(game)
    best = usual_player(game)
    parts = [f"# {game.name}", f"    kibitz play {game.name}\n    kibitz search {game.name}\n    kibitz serve    # and choose {game.name}"]
    if svg := position.draw():
        after = f"After {' '.join(made)}." if made else "The start."
        parts.append(f'<figure class="board" markdown="span">{svg}<figcaption>{after}</figcaption></figure>')
    else:
        parts.append("```text\n" + position.show() + "\n```")
    parts.append(words(docstring(game)))
    if game.declared:
        rows = [(f"`{p.name}`", f"`{of_parameter(p.default)}`", p.range, p.about or "") for p in game.declared.values()]
        parts += [
            "## Settings",
            "Given as `-p NAME=VALUE`, or in Python as `kb.load(" + repr(game.name) + ", NAME=VALUE)`.",
            table(("name", "usual", "may be", "what it is"), rows),
        ]
    if game.positions:
        parts += [
            "## Positions by name",
            ", ".join(f"`{name}`" for name in sorted(game.positions)) + f": `kibitz show {game.name} --position NAME`.",
        ]
    parts += [
        "## Searches that fit",
        f"Usually **{best.method.name}**, because {best.why}. All: "
        + ", ".join(f"[{name}](../algorithms/{name}.md)" for name in fitting(game))
        + ".",
    ]
    parts += [
        "## Size",
        table(
            ("what", "here"),
            [
                ("moves of a position, at most", game.constants["MAX_MOVES"]),
                ("plies of a game, at most", game.constants["MAX_PLIES"]),
                ("utilities", f"{game.constants['VALUES'][0]:g} to {game.constants['VALUES'][1]:g}"),
            ],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def docstring(game: kb.Game) -> str:
    """Of the file: the rules and the notation. A game is no module that could be imported, so it is read where its functions look for names."""
    return inspect.cleandoc(game.namespace["start"].__globals__.get("__doc__") or game.title)


def shown(game: kb.Game) -> tuple[kb.Position, list[str]]:
    """A position some moves into the game, the same each time; where it is over before that, the start."""
    position, made = game.start, []
    for ply in range(SHOWN):
        if position.is_over or not position.draw():
            break
        move = position.moves[(5 * ply + 3) % len(position.moves)]
        made.append(str(move))
        position = position.play(int(move))
    return (game.start, []) if position.is_over else (position, made)
