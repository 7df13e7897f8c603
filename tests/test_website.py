"""The documentation as a site: it is whole, every page is in its menu, and nothing in it comes from elsewhere."""

import re
from pathlib import Path

import pytest

from kibitz.core.position.loading import shipped
from kibitz.searches.method import names
from tests.documents import ROOT
from website import algorithms
from website.builder import build
from website.markup import table, words
from website.menu import menu
from website.performance import figures
from website.stage import relinked


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("KIBITZ_TARGET", "python")
        return build(tmp_path_factory.mktemp("site"))


def test_every_page_is_there(site: Path) -> None:
    written = [path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")]
    made = [*(Path("games") / name for name in shipped()), *(Path("algorithms") / name for name in names())]
    there = {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")}
    wanted = {path.with_name("index") if path.name == "README" else path for path in (*written, *made)}
    assert wanted <= there
    front = (site / "index.html").read_text()
    menu_of_front = set(re.findall(r'href="([^"#]+)\.html"', front))
    assert {str(path) for path in wanted} <= menu_of_front


def test_nothing_comes_from_elsewhere(site: Path) -> None:
    """No page loads anything by an address of another machine: not a script, a style, a font or a picture."""
    for page in site.rglob("*.html"):
        said = page.read_text(encoding="utf-8")
        assert re.findall(r'(?:src|href|srcset|action|poster)="(?:https?:)?//[^"]*"', said) == [], page.name
        assert "mermaid" not in said  # the theme would fetch what draws it
    for style in site.rglob("*.css"):
        assert re.findall(r"url\(['\"]?(?:https?:)?//|@import", style.read_text(encoding="utf-8")) == [], style.name


def test_figures_are_drawn_by_the_searches(site: Path) -> None:
    for name, card in algorithms.CARDS.items():
        page = (site / "algorithms" / f"{name}.html").read_text(encoding="utf-8")
        assert ('<figure class="tree"><svg' in page) == (card.tree is not None), name
        lacking = [part for part in ("Formula", "In a few lines", "A search, as it ran", 'id="from"') if part not in page]
        assert lacking == [], name
    assert 'data-cell="e4"' in (site / "games" / "chess.html").read_text(encoding="utf-8")


def test_pages_of_games_tell_rules_and_notation(site: Path) -> None:
    """All that the game's file says of itself, not its first line only."""
    lost = [name for name in shipped() if "Notation" not in (site / "games" / f"{name}.html").read_text(encoding="utf-8")]
    assert lost == []
    assert "hops over a man" in (site / "games" / "chinese_checkers.html").read_text(encoding="utf-8")


def test_the_public_names_are_described(site: Path) -> None:
    page = (site / "reference.html").read_text(encoding="utf-8")
    assert 'id="kibitz.players.search"' in page
    assert "seconds for a search without a limit" not in page  # an inside


def test_a_page_that_nobody_named_stands_under_more() -> None:
    parts = menu(["index.md", "new-page.md", "games/index.md", "games/nim.md", "experiments/README.md", "experiments/x.md", "changes.md"])
    assert parts[0] == {"Start": ["index.md"]}
    assert {"More": ["new-page.md"]} in parts
    assert {"Games": ["games/index.md", "games/nim.md"]} in parts
    assert parts[-1] == {"Reference": ["changes.md"]}


def test_links_that_leave_the_site_become_paths() -> None:
    docs = ROOT / "docs"
    said = relinked(
        "[web](web.md#values) [tests](../tests/web) ![x](pictures/uct.svg) [map](../CONTRIBUTING.md)", docs, Path("/t"), Path("/t")
    )
    assert said == "[web](web.md#values) tests (`tests/web`) ![x](pictures/uct.svg) [map](contributing.md)"
    assert relinked("[go](solving.md)", docs, Path("/t/games"), Path("/t")) == "[go](../solving.md)"


def test_pieces_of_markdown() -> None:
    assert table(("a",), [("x | y",)]) == "| a |\n| --- |\n| x \\| y |"
    assert words("a *-b and `c_d` of x_y\n\n    as *it* is") == "a \\*-b and `c_d` of x\\_y\n\n    as *it* is"


def test_kept_figures_are_a_table() -> None:
    assert figures().startswith(("| what", "Measured on", "No run"))
