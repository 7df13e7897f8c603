"""What the documents show: commands, Python, and files that they speak of; with limits so short that all of it can be run."""

import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import kibitz as kb
from kibitz.cli.new import TEMPLATE
from kibitz.core.protocol import weights

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROGRAMS = ("kibitz", "make", "python", "pip")

# --- what a page shows ---


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Everything that is set apart, in order: ("python", lines) of what stands between fences, ("", lines) of what is indented."""
    kind, lines = None, []
    for line in [*page.read_text(encoding="utf-8").splitlines(), "end"]:
        if line.startswith("```"):
            if kind is not None and kind != "":
                yield kind, lines
                kind, lines = None, []
            else:
                kind, lines = line[3:].strip() or "text", []
        elif kind:
            lines.append(line)
        elif line.startswith("    "):
            kind = ""
            lines.append(line[4:])
        elif kind == "" and line:
            yield "", lines
            kind, lines = None, []
        elif kind == "":
            lines.append("")


def commands(page: Path) -> list[str]:
    """Every command in the order of the page, without the remark behind it."""
    found = []
    for _, lines in blocks(page):
        for line in lines:
            if line.split(" ")[0] in PROGRAMS:
                found += [" ".join(part.split()) for part in re.split(r"\s#\s", line)[0].split("&&")]
    return found


def python(page: Path) -> list[str]:
    """Every piece of Python that is no file of its own: what is indented beside commands, and what is fenced without being a game or an experiment."""
    found = []
    for kind, lines in blocks(page):
        own = "\n".join(line for line in lines if line.split(" ")[0] not in PROGRAMS)
        is_file = "State = record" in own or "EXPERIMENT = " in own
        fenced, indented = (
            kind == "python" and ">>>" not in own and not is_file,
            kind == "" and re.search(r"\bkb\.|^import ", own, re.MULTILINE),
        )
        if fenced or indented:
            found.append(own)
    return found


def files(page: Path) -> list[str]:
    """Games and experiments that a page shows whole."""
    return [
        "\n".join(lines) + "\n"
        for kind, lines in blocks(page)
        if kind == "python" and re.search("State = record|EXPERIMENT = ", "\n".join(lines))
    ]


# --- short limits ---

FEW = {
    "time": 0.02,
    "nodes": 5,
    "playouts": 8,
    "depth": 1,
    "games": 2,
    "trees": 2,
    "memory": 16,
    "table": 1,
    "threads": 1,
    "rounds": 3,
    "seeds": 1,
}
EXPERIMENTS = {  # the least there is to compute
    "ballard": "trees=2;widths=2;chances=2;probes=1;kinds=independent",
    "esprit": "trees=2;playouts=1;samples=0",
    "esprit-params": "trees=2;playouts=1;sweeps=sigma",
    "esprit-real": "games=connect4;pairs=2;playouts=1",
    "growth": "positions=2;games=breakthrough;deeper=-3",
    "noe-kalah": "positions=2;depths=1;seeds=1",
    "pi": "runs=2;throws=10",
    "proof": "claims=mnk 4x3x3;methods=dfpn,solver;nodes=200;memory=1",
    "reinefeld": "trees=2;widths=2;depths=2",
    "sensitivity": "trees=2;positions=2;depths=1;changes=half",
    "sparse": "positions=2;seeds=1;samples=1;playouts=2;places=one toss",
    "star-ewn": "positions=2;depths=1;searches=expectiminimax,Star1;orders=ordered;tables=no table",
    "uct-vs-alphabeta": "games=connect4;pairs=1;seconds=0.001",
}


def hastened(text: str) -> str:
    """Limits inside a player's text or a call of Python, `time=2` or `playouts=100_000`, made small; none is made larger."""

    def small(found: re.Match[str]) -> str:
        given = float(found[2].replace("_", ""))
        return f"{found[1]}={min(given, FEW[found[1]]):g}"

    return re.sub(rf"\b({'|'.join(FEW)})=(\d[\d_.]*)", small, text)


def shortened(command: str) -> list[str]:
    """The words of a command of kibitz, with little to do."""
    words = [hastened(word) for word in shlex.split(command)[1:]]
    for option, most in (*((f"--{name}", most) for name, most in FEW.items()), ("--jobs", 1), ("--opening-plies", 4), ("--size", 8)):
        if option in words and words[0] != "experiment":
            place = words.index(option) + 1
            words[place] = f"{min(float(words[place]), most):g}"
    match words[0]:
        case "search" | "play" | "gtp" if not any(re.search(r"(time|depth|nodes|playouts)\b", word) for word in words):
            words += ["--time", str(FEW["time"])]
        case "solve" if words[1] == "my_game.py":
            words += ["-p", "target=9"]
        case "solve" if words[1] == "examples/bear_off.py":
            words += ["-p", "first=2,1", "-p", "second=1"]
        case "equilibrium" if "--rounds" not in words:
            words += ["--rounds", str(FEW["rounds"])]
        case "check":
            words += ["--games", "20"]
        case "inspect":
            words += ["--games", "1"]
        case "perft":
            words[2] = str(min(int(words[2]), 3))
            words.append("--interpreted")
        case "match" if "--games" not in words:
            words += ["--games", "2"]
        case "table" if "verify" in words:
            words = [w.replace("KBNK", "KRK") for w in words[:-2]] + ["--positions", "10"]
        case "table":
            words = [w.replace("KBNK", "KRK") for w in words]
            if words[-4:-2] == ["--men", "4"]:  # minutes
                words[-3] = "2"
        case "tune" if "--games" in words:
            words[words.index("--games") + 1] = "10"
        case "experiment" if len(words) > 1:
            least = EXPERIMENTS.get(words[1], "positions=2")
            kept = [
                w
                for i, w in enumerate(words[2:], 2)
                if w in ("--plot", "--csv", "--test", "--device") or words[i - 1] in ("--plot", "--csv", "--test", "--device")
            ]
            words = [*words[:2], *kept, "--jobs", "1", *(word for p in least.split(";") for word in ("-p", p))]
    return words


def suggested(output: str) -> list[str]:
    """Commands that a command's own output advises to try."""
    return re.findall(r"try: (kibitz .*)$", output, re.MULTILINE)


TYPED = {"play": "quit\n", "gtp": "1 name\n2 quit\n", "uci": "uci\nisready\nquit\n"}

# --- what a page takes to be there ---


def provide_games(folder: Path) -> None:
    """Two short games of chess, as PGN."""
    for name, result in (("games.pgn", "1-0"), ("more.pgn", "0-1")):
        (folder / name).write_text(f'[Event "?"]\n[Result "{result}"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {result}\n')


def provide_game(folder: Path) -> None:
    (folder / "my_game.py").write_text(TEMPLATE)


def provide_games_to_start_from(folder: Path) -> None:
    provide_game(folder)
    shutil.copytree(ROOT / "examples", folder / "examples", dirs_exist_ok=True)


def provide_race(folder: Path) -> None:
    (folder / "race30.py").write_text(files(ROOT / "docs" / "evaluation.md")[0])


def provide_heap(folder: Path) -> None:
    (folder / "heap.py").write_text(files(ROOT / "docs" / "tutorial.md")[0])


def provide_weights(folder: Path) -> None:
    """Of chess, from fits that came before."""
    chess = kb.load("chess")
    for name in ("first.json", "second.json"):
        weights.write(folder / name, "chess", chess.constants["FEATURES"], chess.constants["WEIGHTS"], {})


def provide_decision(folder: Path) -> None:
    """A game that was won, besides: those of players who look at five positions are drawn, and nothing can be learned from draws alone."""
    moves = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
    (folder / "chess_games_2.txt").write_text(f"{moves} 1-0\n")


def provide_network(folder: Path) -> None:
    shutil.copy(next((ROOT / "kibitz").rglob("networks/connect4.onnx")), folder / "connect4.onnx")


def provide_record(folder: Path) -> None:
    """A game of Go, forty moves long."""
    moves = "".join(f";{'BW'[i % 2]}[{'abcdefghi'[i % 9]}{'abcdefghi'[i // 9 * 2]}]" for i in range(40))
    (folder / "game.sgf").write_text(f"(;GM[1]FF[4]SZ[9]KM[6.5]{moves})")


def provide_problem(folder: Path) -> None:
    """Of life and death, as its page shows it."""
    shown = next(lines for kind, lines in blocks(ROOT / "docs" / "go-problems.md") if kind == "sgf")
    (folder / "problem.sgf").write_text("\n".join(shown))


PROVIDED: dict[str, Callable[[Path], None]] = {  # before a page, and before commands that begin so
    "docs/books.md": provide_games,
    "docs/evaluation.md": provide_race,
    "kibitz match chess": provide_weights,
    "kibitz tune eval chess": provide_decision,
    "docs/go-problems.md": provide_problem,
    "docs/learning.md": provide_network,
    "docs/many-players.md": provide_games_to_start_from,
    "docs/montecarlo.md": provide_game,
    "docs/tutorial.md": provide_heap,
    "docs/protocols.md": provide_record,
    "docs/writing-a-game.md": provide_games_to_start_from,
}
