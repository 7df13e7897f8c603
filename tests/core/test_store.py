"""The store keeps finished pieces whole: text and bytes, once each, and never a damaged one."""

import sqlite3
from pathlib import Path

import pytest

from kibitz.core.errors import InputError
from kibitz.core.running.store import Piece, Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "below" / "kept.sqlite"


def test_pieces_come_back(path: Path) -> None:
    with Store(path, "") as store:
        store.keep(Piece("a", "text"))
        store.keep(Piece("b", b"\0bytes"))
        store.keep(Piece("a", "another"))  # the first one stays
    with Store(path, "") as store:
        assert sorted(store.known_keys()) == ["a", "b"]
        assert store.finished(["a", "b", "c"]) == {"a": "text", "b": b"\0bytes"}
        store.forget(["a"])
        assert store.finished(["a", "b"]) == {"b": b"\0bytes"}


def test_more_keys_than_one_question_holds(path: Path) -> None:
    keys = [str(n) for n in range(1200)]
    with Store(path, "") as store:
        for key in keys[::2]:
            store.keep(Piece(key, key))
        assert store.finished(keys) == {key: key for key in keys[::2]}


def test_damaged_pieces_are_forgotten(path: Path) -> None:
    with Store(path, "") as store:
        store.keep(Piece("a", "whole"))
        store.keep(Piece("b", b"whole"))
    with sqlite3.connect(path) as file:
        file.execute("update shards set result = substr(result, 2)")
    file.close()
    with Store(path, "") as store:
        assert store.finished(["a", "b"]) == {}
        assert store.known_keys() == []


def test_pace_is_of_one_work(path: Path) -> None:
    with Store(path, "") as store:
        assert store.pace("one") is None
        store.keep(Piece("a", "", "one", cost=2.0, seconds=3.0))
        store.keep(Piece("b", "", "one", cost=1.0, seconds=6.0))
        store.keep(Piece("c", "", "other", cost=1.0, seconds=100.0))
        assert store.pace("one") == 3.0


def test_files_that_cannot_be_used(path: Path, tmp_path: Path) -> None:
    Store(path, "").close()
    with sqlite3.connect(path) as file:
        file.execute("pragma user_version = 77")
    file.close()
    with pytest.raises(InputError, match="written by another version of kibitz; take another"):
        Store(path, "take another")
    with pytest.raises(InputError, match=r"cannot be used as a store of results .*; take another"):
        Store(tmp_path, "take another")
