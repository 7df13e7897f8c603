"""The file of a table: whole or not there, and refused when a byte of it has changed."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.errors import InputError
from kibitz.tables.endgame import store
from kibitz.tables.endgame.builders.building import build
from kibitz.tables.endgame.probing import ABSENT, FINISHED, NOTHING, Known, Tables, path_of, place_in, probe, shortened, values_of
from kibitz.tables.endgame.root import from_tables, open_tables
from kibitz.tables.endgame.store import BLOCK, TableFile, open_table, write_table


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The table of a small game."""
    folder = tmp_path_factory.mktemp("tables")
    (table,) = build(kb.load("nim", heaps="1,2,3"), folder, target="python")
    return table.path


def read_all(path: Path) -> dict[str, bytes]:
    table = open_table(path, kb.load("nim", heaps="1,2,3"))
    return {name: table.whole(name).tobytes() for name in table.arrays}


def test_every_flipped_byte_is_seen(built: Path, tmp_path: Path) -> None:
    content, damaged = built.read_bytes(), tmp_path / "damaged.table"
    read_all(built)
    for place in range(len(content)):
        for flip in (1, 128):
            damaged.write_bytes(content[:place] + bytes([content[place] ^ flip]) + content[place + 1 :])
            with pytest.raises(InputError):
                read_all(damaged)


def test_every_length_but_the_right_one_is_seen(built: Path, tmp_path: Path) -> None:
    content, damaged = built.read_bytes(), tmp_path / "damaged.table"
    for length in range(len(content)):
        damaged.write_bytes(content[:length])
        with pytest.raises(InputError, match=r"damaged|no table"):
            read_all(damaged)
    damaged.write_bytes(content + b"x")
    with pytest.raises(InputError, match="damaged"):
        read_all(damaged)


def test_other_games_and_rules_are_refused(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"is a table of nim\(heaps=1,2,3\), not of nim"):
        open_table(built, kb.load("nim"))
    with pytest.raises(InputError, match="cannot read"):
        open_table(built.with_name("none"), kb.load("nim"))
    monkeypatch.setattr(store, "rules_digest", lambda _: "another")
    with pytest.raises(InputError, match="other rules"):
        open_table(built, kb.load("nim", heaps="1,2,3"))


def test_edited_rules_are_other_rules() -> None:
    """What the evaluation is worth does not matter; what a move does."""
    template = (
        "from kibitz.core.records.record import record\nfrom kibitz.core.protocol.rules import OVER\nState = record(left=int)\n"
        "PLAYERS, MAX_MOVES, MAX_PLIES, VALUES = 2, 2, 9, (-1.0, 1.0)\n"
        "def start(s):\n    s.left = 5\ndef player(s):\n    return OVER if s.left < 1 else s.left & 1\n"
        "def moves(s, out):\n    out[0], out[1] = 1, 2\n    return 2\ndef play(s, move):\n    s.left -= move\n"
        "def utility(s, player):\n    return 0.0\n"
    )

    def digest(text: str) -> str:
        names: dict[str, object] = {}
        exec(text, names)
        return store.rules_digest(kb.Game(names, "left"))

    assert digest(template) == digest(template + "# a remark\ndef evaluate(s, player):\n    return 0.5\n")
    assert digest(template) != digest(template.replace("s.left -= move", "s.left -= move + 0 * s.left"))
    assert digest(template) != digest(template.replace("(-1.0, 1.0)", "(-2.0, 1.0)"))


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = kb.load("nim", heaps="1,2")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        build(game, tmp_path, target="python")
    assert not [p for p in tmp_path.iterdir() if p.is_file()]
    monkeypatch.undo()
    (done,) = build(game, tmp_path, target="python")
    assert list(tmp_path.iterdir()) == [done.path]


def test_arrays_come_back(tmp_path: Path) -> None:
    """Of several blocks, whole and element by element."""
    draw = np.random.default_rng(1)
    arrays = {
        "values": draw.integers(-100, 100, 3 * BLOCK + 17).astype(np.int8),
        "keys": draw.integers(0, 1 << 62, BLOCK).astype(np.uint64),
    }
    path = tmp_path / "some.table"
    write_table(path, {"game": "none"}, {**arrays, "empty": np.zeros(0, np.int16)})
    first = path.read_bytes()
    table = TableFile(path)
    table.check()
    for name, array in arrays.items():
        assert np.array_equal(table.whole(name), array)
        for place in (0, 1, len(array) // 2, len(array) - 1):
            assert table.at(name, place) == array[place]
    assert len(table.whole("empty")) == 0
    write_table(path, {"game": "none"}, {**arrays, "empty": np.zeros(0, np.int16)})
    assert path.read_bytes() == first


def test_results_fit_into_bytes_where_they_can(tmp_path: Path) -> None:
    values = np.array([5, -6, 0, NOTHING, FINISHED], np.int16)
    assert shortened(values).dtype == np.int8
    assert shortened(np.append(values, np.int16(121))).dtype == np.int16

    path = tmp_path / "some.table"
    write_table(path, {"kind": "results"}, {"values": shortened(values)})
    assert np.array_equal(values_of(TableFile(path)), values)


def test_probing_many_sections() -> None:
    """Every number finds its own value, and none where its section has no table."""
    begins = np.array([0, 3, 4, 9, 20, 21], np.int64)
    places = np.array([0, -1, 3, -1, 8], np.int64)
    results = np.arange(100, 109).astype(np.int16)
    known = Known(begins, places, results, np.zeros(1))
    found = [probe(known, number) for number in range(-1, 23)]
    expected = [ABSENT, 100, 101, 102, ABSENT, 103, 104, 105, 106, 107, *[ABSENT] * 11, 108, ABSENT, ABSENT]
    assert found == expected
    assert place_in(known, 20) == 8


# --- players ---


def test_players_answer_from_tables(built: Path) -> None:
    game = kb.load("nim", heaps="1,2,3")
    result = kb.search(game.start, f"alphabeta(depth=1, tables='{built.parent}')")
    assert (result.value, result.distance, result.exact, result.ended, result.nodes) == (-1.0, 6, True, "tables", 0)
    assert len(result.line) == 6
    after = game.start.play("c3")
    assert str(kb.search(after, f"alphabeta(depth=1, tables='{built.parent}')").move) == "b1"
    with pytest.raises(InputError, match="there is no folder"):
        kb.search(game.start, "alphabeta(depth=1, tables='nowhere')")
    assert from_tables(open_tables(built.parent, kb.load("nim")), kb.load("nim").start, "x") is None


def test_names_tell_parameters_apart(tmp_path: Path) -> None:
    one, other = kb.load("nim"), kb.load("nim", heaps="1,2")
    assert path_of(tmp_path, one, "all").name == "nim-all.table"
    assert path_of(tmp_path, other, "all").name not in ("nim-all.table", path_of(tmp_path, kb.load("nim", heaps="1,3"), "all").name)
    build(other, tmp_path, target="python")
    assert not Tables(tmp_path, one).files
    assert Tables(tmp_path, other).files
