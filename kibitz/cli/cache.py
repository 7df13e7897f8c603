"""`kibitz cache`: where compiled code is kept, how much there is, and how to delete it."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli import options, terminal
from kibitz.core.compiling import cache as kept
from kibitz.core.errors import InputError


def cache(
    action: Annotated[str, typer.Argument(metavar="clear", help="clear: remove all of it.", show_default=False)] = "",
    json: options.AsJson = False,
) -> None:
    """Show where compiled code is kept and how much there is; `kibitz cache clear` removes it."""
    if action not in ("", "clear"):
        raise InputError(f"cache {action}: it can be shown, kibitz cache, or removed, kibitz cache clear")
    files, size = kept.clear() if action else kept.measure()
    if json:
        terminal.print_json({"folder": str(kept.folder()), "files": files, "bytes": size, "removed": bool(action)})
        return
    terminal.console.print(str(kept.folder().parent), markup=False, soft_wrap=True)
    terminal.console.print(
        f"{terminal.count(files)} {'file' if files == 1 else 'files'}, {size / 1e6:.1f} MB{' removed' if action else ''}"
    )
