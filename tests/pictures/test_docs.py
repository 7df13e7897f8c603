"""The pictures in the documents are those that are drawn today."""

from pathlib import Path

import pytest

import kibitz as kb
from tests.pictures.test_search_tree import figure

DOCS = Path(__file__).parent.parent.parent / "docs"
PICTURES = {
    "alphabeta": ("aima", "alphabeta(deepening=false, depth=2)"),
    "scout": ("scout-revisits", "scout(deepening=false, depth=8)"),
    "maxn": ("three", "maxn(deepening=false)"),
    "star2": ("aima-chance", "star2(deepening=false, depth=2)"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_up_to_date(name: str) -> None:
    """To draw them anew: kibitz tree trees -p tree=FIGURE --with SEARCH --svg docs/pictures/NAME.svg"""
    assert (DOCS / "pictures" / f"{name}.svg").read_text() == figure(*PICTURES[name]).svg()


def test_the_text_is_up_to_date() -> None:
    page = (DOCS / "pictures.md").read_text()
    for line in figure("scout-revisits", "scout(deepening=false, depth=8)").text().splitlines():
        assert f"    {line}\n" in page, line
    assert isinstance(figure("aima", "alphabeta"), kb.SearchTree)
