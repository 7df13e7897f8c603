"""One schema for what travels: what fits is taken, what does not is named."""

import json

import pytest

from kibitz.core.errors import InputError
from kibitz.searches.method import method, names
from kibitz.web import catalogue, messages
from kibitz.web.messages import Limits, fault_of

SHOW = {"do": "show", "id": 1, "game": "nim"}


def test_what_fits_is_taken() -> None:
    assert messages.read(json.dumps(SHOW)) == SHOW
    assert messages.read(json.dumps({**SHOW, "moves": "a1", "parameters": {"heaps": "1,2"}}))["moves"] == "a1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ("[1]", "a JSON object"),
        ("{", "not JSON"),
        ("[" * 30_000, "not JSON"),
        ('{"do": "dance"}', "one of show, analyse, play, tree, stop"),
        ('{"do": ["show"]}', "one of show"),
        ('{"do": "show", "id": 1}', "'game' is missing"),
        ('{"do": "show", "id": true, "game": "nim"}', "id: must be integer"),
        ('{"do": "show", "id": -1, "game": "nim"}', "id: must be from 0"),
        ('{"do": "show", "id": 1, "game": 7}', "game: must be string"),
        ('{"do": "show", "id": 1, "game": "nim", "file": "x"}', "there is no 'file' here"),
        ('{"do": "show", "id": 1, "game": "nim", "parameters": {"a": [1]}}', "parameters.a: must be string or integer"),
        ('{"do": "analyse", "id": 1, "game": "nim", "player": "uct", "limits": {"time": 0}}', "limits.time: must be from 0.01"),
        ('{"do": "analyse", "id": 1, "game": "nim", "player": "uct", "limits": {"time": NaN}}', "not JSON"),
        ('{"do": "analyse", "id": 1, "game": "nim", "player": "uct", "lines": 1e9}', "lines: must be integer"),
        (json.dumps({**SHOW, "moves": "1" * 20_001}), "moves: at most 20000 characters"),
        (json.dumps({**SHOW, "position": " " * 70_000}), "longer than 64 kB"),
        ('{"do": "show", "id": 1, "game": "\\ud800"}', "half a character"),
    ],
)
def test_what_does_not_fit_is_named(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        messages.read(text)
    assert said in str(caught.value)


def test_lists_are_looked_into() -> None:
    schema = {"type": "array", "items": {"type": "integer"}}
    assert fault_of([1, 2], schema) is None
    assert fault_of([1, "2"], schema) == "[1]: must be integer"


def test_options_that_name_files_are_known() -> None:
    """A new option that takes any text must be looked at: may a page give it?"""
    harmless = {"only", "guess"}  # moves, a number
    texts = {
        p.name for name in names() for p in (*method(name).limits, *method(name).options) if isinstance(p.default, str) and not p.choices
    }
    assert texts <= {*catalogue.FILES, *catalogue.PLAYERS, *harmless}
    offered = {o["name"] for search in catalogue.searches() for o in search["options"]}
    assert not offered & set(catalogue.FILES)


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("alphabeta(book='/etc/passwd')", "the page cannot name files"),
        ("alphabeta(tables='/etc')", "the page cannot name files"),
        ("solver(resume='/etc/passwd')", "the page cannot name files"),
        ("puct(network='x.onnx')", "the page cannot name files"),
        ("pimc(inner='alphabeta(table=100000)')", "at most 1024 MB"),
        ("pimc(inner=\"puct(network='x.onnx')\")", "the page cannot name files"),
        ("alphabeta(threads=8)", "at most 1"),
        ("alphabeta(table=100000)", "at most 1024 MB"),
        ("uct(memory=100000)", "at most 1024 MB"),
        ("selective(lines=40)", "at most 8"),
        ("__import__('os')", "is no player"),
        ("alphabeta(depth=__import__('os'))", "is no player"),
        ("gamma", "unknown search"),
    ],
)
def test_a_player_keeps_to_the_limits(player: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        catalogue.engine_of(player, {}, Limits())
    assert said in str(caught.value)


def test_limits_hold_whatever_is_asked() -> None:
    assert catalogue.engine_of("alphabeta(time=1e6)", {}, Limits(time=7)).settings["time"] == 7
    assert catalogue.engine_of("alphabeta", {"time": 1e9, "depth": 3}, Limits(time=7)).settings["time"] == 7
    assert catalogue.engine_of("selective", {}, Limits(), lines=30).settings["lines"] == 8
    assert catalogue.engine_of("uct", {"depth": 3, "time": 1}, Limits()).settings["time"] == 1
