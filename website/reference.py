"""The public names of kibitz, each with its docstring: mkdocstrings reads them."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import kibitz

HEAD = """# Reference

What `import kibitz as kb` gives. Everything else is an inside: it may change with any version, and its docstrings are in the files.

"""


def write(folder: Path) -> str:
    """The page; its name."""
    parts = [HEAD]
    constants = []
    for name in kibitz.__all__:
        made = getattr(kibitz, name)
        if inspect.isclass(made) or inspect.isfunction(made):
            parts.append(f"::: {made.__module__}.{made.__qualname__}\n")
        elif inspect.ismodule(made):
            parts.append(f"::: {made.__name__}\n")
        else:
            constants.append((name, made))
    parts.append("## Constants\n\n" + "\n".join(f"- `kb.{name}` = `{shown(made)}`" for name, made in constants) + "\n")
    (folder / "reference.md").write_text("\n".join(parts), encoding="utf-8")
    return "reference.md"


def shown(made: Any) -> str:
    return repr(made)
