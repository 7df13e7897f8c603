"""The project keeps its own rules: layers, sizes, public names, nothing about the machine it was written on."""

import ast
import subprocess
import tomllib
from pathlib import Path

import pytest

import kibitz

ROOT = Path(__file__).parent.parent
PYTHON = sorted(p for folder in ("kibitz", "tests", "benchmarks") for p in (ROOT / folder).rglob("*.py"))
MOST_LINES = 400

# What each part may import from kibitz; a part always may import itself.
LAYERS: dict[str, set[str]] = {
    "core": set(),
    "games": {"core"},
    "tables": {"core"},
    "evaluators": {"core"},
    "searches": {"core", "tables", "evaluators"},
    "strength.py": {"core"},
    "players.py": {"core", "tables", "searches", "strength"},
    "arena": {"core", "searches", "players"},
    "books": {"core", "tables", "arena"},
    "tuning": {"core", "tables", "searches", "players", "arena", "books"},
    "pictures": {"core", "searches", "players"},
    "experiments": {"core", "tables", "searches", "players", "arena"},
    "protocols": {"core", "searches", "players", "strength"},
    "web": {"core", "searches", "players", "pictures", "kibitz"},
    "cli": {"core", "tables", "searches", "players", "arena", "books", "tuning", "pictures", "experiments", "protocols", "web", "kibitz"},
}


def imported(path: Path) -> set[str]:
    """The parts of kibitz that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [a.name for a in node.names]
            if isinstance(node, ast.Import)
            else []
        )
        for name in names:
            if name.split(".")[0] == "kibitz":
                found.add(name.split(".")[1] if "." in name else "kibitz")
    return found


@pytest.mark.parametrize("part", LAYERS)
def test_layers(part: str) -> None:
    place = ROOT / "kibitz" / part
    files = [place] if place.is_file() else list(place.rglob("*.py"))
    assert files
    for path in files:
        assert imported(path) <= LAYERS[part] | {part}, path


def test_every_part_has_a_layer() -> None:
    parts = {p.name for p in (ROOT / "kibitz").iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    assert parts - {"__init__.py", "__main__.py"} == set(LAYERS)


def test_files_are_short() -> None:
    assert not [p for p in PYTHON if len(p.read_text().splitlines()) > MOST_LINES]


def test_public_names() -> None:
    tree = ast.parse((ROOT / "kibitz" / "__init__.py").read_text())
    brought = {a.asname or a.name for node in tree.body if isinstance(node, ast.ImportFrom) for a in node.names}
    assert brought == set(kibitz.__all__)
    assert all(isinstance(n, ast.ImportFrom | ast.Assign | ast.Expr) for n in tree.body)


def test_versions_are_plain() -> None:
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        name, _, version = line.partition("==")
        assert name, line
        assert version, line
        assert "/" not in line
        assert "@" not in line
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = {line.partition("==")[0].lower().replace("_", "-") for line in (ROOT / "constraints.txt").read_text().splitlines()}
    for requirement in [*wanted["dependencies"], *(r for group in wanted["optional-dependencies"].values() for r in group)]:
        assert requirement.partition(">=")[0].lower().replace("_", "-") in pinned, requirement


def test_nothing_about_this_machine() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    files = [ROOT / name for name in listed.stdout.splitlines()]
    assert files or listed.returncode != 0
    marks = ("/wo" + "rk/", "/ro" + "ot/", "pypi" + ".org", "pythonhosted" + ".org")
    for path in files:
        if path.is_file():
            text = path.read_text(errors="ignore")
            assert not [m for m in marks if m in text], path
