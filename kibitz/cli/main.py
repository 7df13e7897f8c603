"""The command line: `kibitz COMMAND ...`. Bad input ends with one line on the error stream and exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Callable

import typer

from kibitz import __version__
from kibitz.cli import (
    belief,
    bench,
    book,
    cache,
    check,
    doctor,
    equilibrium,
    examples,
    experiment,
    games,
    inspect,
    match,
    new,
    perft,
    play,
    protocols,
    prove,
    search,
    serve,
    solve,
    table,
    terminal,
    tree,
    tune,
    warm,
)
from kibitz.core.compiling import compile_progress
from kibitz.core.errors import KibitzError, nearest

STOPPED = 130  # what a shell reports for Ctrl-C

app = typer.Typer(
    name="kibitz",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Game-tree search for shipped games and your own.",
)
MAKE, ASK, WATCH, KNOW, RUN = "A game", "A position", "Play and watch", "Knowledge and measurements", "This machine"
COMMANDS: dict[str, tuple[Callable[..., None], ...]] = {
    MAKE: (games.games, games.show, new.new, check.check, perft.perft, inspect.inspect),
    ASK: (search.search, solve.solve, tree.tree, prove.prove, prove.verify, search.searches),
    WATCH: (play.play, serve.serve, match.match, protocols.uci, protocols.gtp),
    KNOW: (belief.belief, belief.sure, equilibrium.equilibrium, equilibrium.exploit, experiment.experiment),
    RUN: (doctor.doctor, warm.warm, cache.cache, bench.bench),
}
GROUPS = {"table": table.table, "book": book.book, "tune": tune.tune}
for panel, members in COMMANDS.items():
    for command in members:
        app.command(context_settings=experiment.CONTEXT if command is experiment.experiment else None, rich_help_panel=panel)(command)
for name, group in GROUPS.items():
    app.add_typer(group, name=name, rich_help_panel=KNOW)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kibitz {__version__}")
        raise typer.Exit


@app.callback()
def options(version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version and stop.")) -> None:
    """Game-tree search for shipped games and your own."""


def run(arguments: list[str] | None = None) -> None:
    """Entry point of the `kibitz` command."""
    compile_progress.listen(terminal.compile_spinner)
    compile_progress.warn_with(terminal.print_warning)
    code = 0
    program = typer.main.get_command(app)
    examples.improve_help(program)
    try:
        code = program(args=arguments, prog_name="kibitz", standalone_mode=False) or 0
    except KibitzError as error:
        code = _refuse(str(error))
    except typer.TyperException as error:  # the words of the command line do not fit; no words at all have printed the help
        code = _refuse(_advise(error)) if error.format_message() else 0
    except (KeyboardInterrupt, typer.Abort):
        code = STOPPED
    except BrokenPipeError:  # whoever read our output has had enough
        sys.stderr.close()
        code = 0
    if code == STOPPED:
        print("kibitz: stopped", file=sys.stderr)
    sys.exit(code)


def _refuse(message: str) -> int:
    print(f"kibitz: {message}", file=sys.stderr)
    return 2


def _advise(error: typer.TyperException) -> str:
    message = " ".join(error.format_message().split())
    if message.startswith("No such command"):
        wanted = message.split("'")[1]
        return f"there is no command '{wanted}'; {nearest(wanted, _commands(), 'commands')}"
    place = getattr(error, "ctx", None)
    return f"{message.rstrip('.')}; see {place.command_path if place else 'kibitz'} --help"


def _commands() -> list[str]:
    groups = [str(group.name) for group in app.registered_groups]
    return [str(c.name or getattr(c.callback, "__name__", "")) for c in app.registered_commands] + groups
