"""The project keeps its own rules: layers, sizes, public names, nothing about the machine it was written on."""

import ast
import importlib.util
import itertools
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import kibitz
from tests import layer_map

ROOT = Path(__file__).parent.parent
PYTHON = sorted(p for folder in ("kibitz", "tests", "benchmarks") for p in (ROOT / folder).rglob("*.py"))
MOST_LINES = 400
MOST_OF_A_FUNCTION = 80
MOST_PARAMETERS = 7
SAME_LINES, MOST_WRITTEN_TWICE = 6, 7
MANY_PARAMETERS = {"match", "fit", "asked", "guaranteed"}  # what users call, with all their options by name

# What each part may import from kibitz; a part always may import itself.
LAYERS: dict[str, set[str]] = {
    "core": set(),
    "games": {"core", "kibitz"},
    "tables": {"core"},
    "evaluators": {"core"},
    "searches": {"core", "tables", "evaluators"},
    "strength.py": {"core"},
    "players.py": {"core", "tables", "searches", "strength"},
    "arena": {"core", "players", "searches"},
    "books": {"core", "tables", "arena"},
    "tuning": {"core", "searches", "players", "books"},
    "pictures": {"core", "searches", "players"},
    "experiments": {"core", "searches", "tables", "players", "arena"},
    "protocols": {"core", "players", "strength"},
    "web": {"core", "searches", "players", "pictures", "strength", "kibitz"},
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


def test_games_speak_one_dialect() -> None:
    """`from kibitz import ...`, as users' games do; and the parts of a game from beside it."""
    for path in [*(ROOT / "kibitz" / "games").rglob("*.py"), *(ROOT / "examples").glob("*.py")]:
        tree = ast.parse(path.read_text())
        is_game = path.is_relative_to(ROOT / "kibitz") or "moves" in {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
        for node in ast.walk(tree):
            if is_game and isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kibitz."):
                assert (node.module or "").startswith("kibitz.games"), f"{path}:{node.lineno}"


def test_every_part_has_a_layer() -> None:
    parts = {p.name for p in (ROOT / "kibitz").iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    assert parts - {"__init__.py", "__main__.py"} == set(LAYERS)


def test_the_map_is_drawn_from_the_layers() -> None:
    assert layer_map.drawn_in((ROOT / "CONTRIBUTING.md").read_text()) == layer_map.draw(LAYERS), "run python -m tests.layer_map"


def test_no_module_imports_itself_through_others() -> None:
    """Not for typing, either."""
    assert [sorted(cycle) for cycle in layer_map.cycles(layer_map.modules())] == []


ROOMS = sorted(str(p.parent.relative_to(ROOT / "kibitz")) for p in (ROOT / "kibitz").rglob("__init__.py") if "games" not in p.parts)


@pytest.mark.parametrize("room", [r for r in ROOMS if r != "."])
def test_a_room_names_its_files(room: str) -> None:
    """In its docstring; and no file is as good as unnamed because another's name holds its own."""
    folder = ROOT / "kibitz" / room
    said = set(re.findall(r"\w+", ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""))
    assert {p.stem for p in folder.glob("*.py") if p.stem != "__init__"} <= said


def test_functions_are_short() -> None:
    long = []
    for path in (p for p in PYTHON if p.is_relative_to(ROOT / "kibitz")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= MOST_OF_A_FUNCTION:
                long.append(f"{path.name}:{node.name}")
    assert long == []


def test_functions_take_few_parameters() -> None:
    """Outside commands, whose parameters are the options that a user types, and kernels, which are given records and arrays one by one: those are typed `Any`."""
    many = set()
    for path in (ROOT / "kibitz").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and path.parent.name != "cli":
                given = [a for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs) if a.arg not in ("self", "cls")]
                bare = [a for a in given if a.annotation is None or ast.unparse(a.annotation) == "Any"]
                if len(given) > MOST_PARAMETERS and given[0] not in bare and len(bare) < 2:
                    many.add(node.name)
    assert many == MANY_PARAMETERS


def lines_of_code(path: Path) -> list[tuple[int, str]]:
    """The numbered lines of a file without imports, docstrings, heads of functions and classes, comments, and lines of nothing but punctuation."""
    text = path.read_text()
    passed: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            passed |= set(range(node.lineno, (node.end_lineno or 0) + 1))
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            passed |= set(range(node.lineno, node.body[0].lineno))
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if number not in passed)
    return [(number, line) for number, line in lines if re.search(r"\w", line) and not line.startswith("#")]


def written_twice(paths: list[Path]) -> list[str]:
    """Pairs of places that share SAME_LINES lines of code or more, named by where they begin."""
    places: dict[tuple[str, ...], list[tuple[Path, int, int]]] = {}
    for path in paths:
        lines = lines_of_code(path)
        for i in range(len(lines) - SAME_LINES + 1):
            places.setdefault(tuple(line for _, line in lines[i : i + SAME_LINES]), []).append((path, i, lines[i][0]))
    pairs: dict[tuple[Path, Path, int], str] = {}
    for same in places.values():
        for (path, i, line), (other, j, at) in itertools.combinations(same, 2):
            if path != other or j - i >= SAME_LINES:
                pairs.setdefault((path, other, j - i), f"{path}:{line} and {other}:{at}")
    return sorted(pairs.values())


def test_little_is_written_twice() -> None:
    """What several places need is written once; what may stand twice, such as recursions that teach, is little."""
    twice = written_twice([p for p in PYTHON if p.is_relative_to(ROOT / "kibitz")])
    assert len(twice) <= MOST_WRITTEN_TWICE, twice


def test_what_is_written_twice_is_found(tmp_path: Path) -> None:
    body = "".join(f"    total += weights[{i}] * found\n" for i in range(SAME_LINES))
    for number, lines in enumerate((body, body, body[: body.index("\n") + 1])):
        (tmp_path / f"{number}.py").write_text(f'"""File {number}."""\n\nimport re\n\n\ndef f{number}(found):\n{lines}')
    assert len(lines_of_code(tmp_path / "0.py")) == SAME_LINES
    assert len(written_twice(sorted(tmp_path.glob("*.py")))) == 1


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


def test_the_description_of_the_package_has_no_links_into_the_repository() -> None:
    spec = importlib.util.spec_from_file_location("setup_of_kibitz", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    readme = (ROOT / "README.md").read_text()
    described = module.without_relative_links(readme)
    assert re.findall(r"\]\((?!https?://)", readme)
    assert not re.findall(r"\]\((?!https?://)", described)
    assert "CONTRIBUTING.md" in described
    assert (
        module.without_relative_links("[here](docs/a.md), ![board](b.png), [x](https://example.org)")
        == "here (docs/a.md), , [x](https://example.org)"
    )
