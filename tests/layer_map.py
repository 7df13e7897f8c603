"""The map of the layers in CONTRIBUTING.md, drawn from the table that enforces them: `python -m tests.layer_map` writes it anew."""

import ast
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- the map: python -m tests.layer_map -->\n", "<!-- the end of the map -->"
WIDE = 16  # characters of a name


def draw(layers: Mapping[str, Set[str]]) -> str:
    """Floors from the top down, then a line for each room."""
    floors: dict[int, list[str]] = {}
    for part in layers:
        floors.setdefault(floor_of(part, layers), []).append(part.removesuffix(".py"))
    width = max(len("   ".join(parts)) for parts in floors.values()) + 4
    edge = f"+{'-' * width}+"
    lines = [edge]
    for floor in sorted(floors, reverse=True):
        lines += [f"|{'   '.join(sorted(floors[floor])).center(width)}|", edge]
    rooms = [line for part in layers for line in describe(part, layers[part])]
    return "\n".join(
        [
            "Code imports from its own room, and from rooms on floors below that stand in brackets.",
            "",
            "```text",
            *lines,
            "",
            *rooms,
            "```",
            "",
        ]
    )


def floor_of(part: str, layers: Mapping[str, Set[str]]) -> int:
    """One above the highest it imports from."""
    names = {name.removesuffix(".py"): name for name in layers}
    below = [floor_of(names[needed], layers) for needed in layers[part] if needed in names]
    return 1 + max(below, default=0)


def describe(part: str, below: Set[str]) -> Iterator[str]:
    """The part, what it holds and what it imports; then the rooms inside it."""
    place = ROOT / "kibitz" / part
    needs = f" ({', '.join(sorted(below - {'kibitz'}))})" if below else ""
    yield f"{part.removesuffix('.py'):{WIDE}} {summary(place)}{needs}"
    if place.is_dir():
        for room in sorted(p.parent for p in place.glob("*/__init__.py")):
            if said := summary(room) if part != "games" else "":
                yield f"  {room.name:{WIDE - 2}} {said}"


def summary(place: Path) -> str:
    """The first sentence of a module's or a package's docstring."""
    file = place / "__init__.py" if place.is_dir() else place
    said = (ast.get_docstring(ast.parse(file.read_text())) or "").partition("\n")[0]
    return said.partition(". ")[0].rstrip(".:")


def drawn_in(page: str) -> str:
    """The map as it stands on the page."""
    return page.partition(BEGIN)[2].partition(END)[0]


# --- cycles ---


def modules() -> dict[str, Path]:
    """Every module of kibitz by its name."""
    found = {}
    for path in (ROOT / "kibitz").rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def cycles(known: Mapping[str, Path]) -> list[set[str]]:
    """Groups of modules that import each other, directly or not."""
    needs = {name: imports_of(path, known) - {name} for name, path in known.items()}
    reach = {name: reachable(name, needs) for name in needs}
    groups = {frozenset(other for other in reach[name] if name in reach[other]) for name in needs if name in reach[name]}
    return [set(group) for group in groups]


def imports_of(path: Path, known: Mapping[str, Path]) -> set[str]:
    """Modules of kibitz that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & set(known)
            found |= inner or {node.module}
    return found & set(known)


def reachable(start: str, needs: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = needs[waiting.pop()] - found
        found |= new
        waiting += new
    return found


if __name__ == "__main__":
    from tests.test_project import LAYERS

    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    PAGE.write_text(before + BEGIN + draw(LAYERS) + END + rest.partition(END)[2])
