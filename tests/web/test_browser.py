"""The page in Chromium: whole games by clicking, analysis, trees, a user's game, bad links, two tabs at once."""

import shutil
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed: the page is NOT tested in a browser; apt-get install chromium"
)
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
MOST_BYTES = 300_000  # of the page and all it fetches
PATIENCE = 60_000  # milliseconds


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Tab:
    """A tab of the browser at our page; whatever its console says is a fault."""

    def __init__(self, browser: Any, address: str) -> None:
        self.address = address
        self.page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
        self.page.set_default_timeout(PATIENCE)
        self.said: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, **view: str) -> "Tab":
        self.page.goto("about:blank")
        self.page.goto(
            self.address + ("#" + "&".join(f"{name.replace('_', '.')}={quote(value)}" for name, value in view.items()) if view else "")
        )
        self.page.wait_for_selector("body[data-ready]")
        return self

    def click_cells(self, *cells: str) -> None:
        for cell in cells:
            self.page.locator(f'[data-hit="{cell}"]').click(force=True)

    def make(self, move: str, *cells: str) -> None:
        """A move by its cells; it is made when it stands in the list."""
        before = self.page.locator("#moves button").count()
        self.click_cells(*cells)
        self.page.wait_for_function("n => document.querySelectorAll('#moves button').length === n", arg=before + 1)
        assert self.page.locator("#moves button").last.inner_text() == move

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def wait(self, selector: str, text: str) -> None:
        self.page.wait_for_function("([s, t]) => document.querySelector(s)?.textContent.includes(t)", arg=[selector, text])


@pytest.fixture
def tab(browser: Any, address: str) -> Iterator[Tab]:
    tab = Tab(browser, address)
    yield tab
    tab.page.context.close()
    assert tab.said == []


def test_the_first_visit(tab: Tab, address: str) -> None:
    """Our own games first; small, and nothing from elsewhere."""
    tab.open()
    assert tab.text("#turn") == "Player 1 to move"
    assert tab.page.input_value("#game") == "race"
    fetched = tab.page.evaluate("performance.getEntriesByType('resource').map(e => [e.name, e.encodedBodySize])")
    assert sum(size for _, size in fetched) < MOST_BYTES
    assert all(url.startswith((address, "data:", "about:")) for url in tab.requests)


def test_labels_and_names(tab: Tab) -> None:
    """Every control has a name, every tab its panel, cells that can be chosen are buttons in the order of tabbing."""
    tab.open(game="tictactoe", tab="analyse")
    nameless = tab.page.evaluate(
        """[...document.querySelectorAll('button, input, select, textarea')].filter(e => e.offsetParent && !(e.textContent.trim() || e.ariaLabel || e.labels?.length || e.title)).map(e => e.outerHTML)"""
    )
    assert nameless == []
    assert tab.page.locator('[role=tab][aria-selected="true"]').inner_text() == "Analyse"
    assert tab.page.locator('[role=button][tabindex="0"]').count() == 9
    tab.page.locator('[data-hit="1,1"]').focus()
    tab.page.keyboard.press("Enter")
    tab.wait("#says", "X played 5. O to move.")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(tab: Tab, theme: str) -> None:
    """Contrast, labels, roles and headings, with what the page shows after an analysis, of a tree, and of a hidden game."""
    from axe_playwright_python.sync_playwright import Axe

    tab.page.emulate_media(color_scheme=theme)
    for view, button, ready in (
        ({"game": "tictactoe", "moves": "5 2", "tab": "analyse", "engine": "alphabeta(depth=2)"}, "#analyse", "#best-lines li"),
        ({"game": "trees", "p_tree": "three", "tab": "tree", "engine": "maxn(deepening=false)"}, "#grow", ".tree .node"),
        ({"game": "blind_tictactoe"}, "#flip", "#seat"),
    ):
        tab.open(**view)
        tab.page.click(button)
        tab.page.wait_for_selector(ready)
        found = Axe().run(tab.page).response["violations"]
        assert [(fault["id"], [node["html"][:200] for node in fault["nodes"][:3]]) for fault in found] == []


def test_tictactoe_by_clicking(tab: Tab) -> None:
    tab.open(game="tictactoe", side="all")
    for move, cell in (("5", "1,1"), ("1", "0,0"), ("2", "0,1"), ("3", "0,2"), ("8", "2,1")):
        tab.make(move, cell)
    assert tab.text("#turn") == "The game is over: X wins"
    tab.page.click("#undo")
    tab.wait("#turn", "X to move")
    tab.page.click("#redo")
    tab.wait("#turn", "The game is over")
    assert "moves=5+1+2+3+8" in tab.page.url


def test_chess_by_clicking_and_dragging(tab: Tab) -> None:
    tab.open(game="chess", side="all")
    for move, start, end in (("f3", "f2", "f3"), ("e5", "e7", "e5"), ("g4", "g2", "g4")):
        tab.make(move, start, end)
    tab.page.click("#flip")
    places = [tab.page.locator(f'[data-hit="{cell}"]').bounding_box() for cell in ("d8", "h4")]
    (x1, y1), (x2, y2) = ((p["x"] + p["width"] / 2, p["y"] + p["height"] / 2) for p in places)
    assert y1 > y2  # black is at the bottom
    tab.page.mouse.move(x1, y1)
    tab.page.mouse.down()
    tab.page.mouse.move(x2, y2, steps=3)
    tab.page.mouse.up()
    tab.wait("#turn", "Black wins")
    assert tab.page.locator("#moves button").last.inner_text() == "Qh4#"


def test_a_choice_of_pieces(tab: Tab) -> None:
    tab.open(game="chess", position="8/P6k/8/8/8/8/8/K7 w - - 0 1", side="all")
    tab.click_cells("a7", "a8")
    assert sorted(tab.page.locator(".menu button").all_inner_texts()) == ["a8=B", "a8=N", "a8=Q", "a8=R"]
    tab.page.click(".menu button:text('a8=N')")
    tab.wait("#moves", "a8=N")


def test_connect4_by_clicking(tab: Tab) -> None:
    tab.open(game="connect4", side="all")
    for column in "1213141":
        tab.make(column, column)
    assert tab.text("#turn") == "The game is over: Red (X) wins"


def test_against_the_engine(tab: Tab) -> None:
    tab.open(game="tictactoe")
    assert tab.page.input_value("#side") == "0"  # whoever comes plays against a search
    tab.page.select_option("#level", "0")
    tab.click_cells("1,1")
    tab.page.wait_for_function("() => document.querySelectorAll('#moves button').length === 2")
    tab.wait("#turn", "X to move")
    assert "level=0" in tab.page.url


def test_dice_are_rolled_or_chosen(tab: Tab) -> None:
    tab.open(game="ewn")
    tab.page.click("#roll")
    tab.page.wait_for_function("() => document.querySelectorAll('#moves button').length === 1")
    rolled = tab.page.locator("#moves button").inner_text()
    other = tab.page.locator("#hand button:not([id])").first
    assert other.inner_text() != rolled
    other.click()
    tab.page.wait_for_function("() => document.querySelectorAll('#moves button').length === 2")
    tab.page.click("#roll-on")
    tab.wait("#turn", "Red (X) to move")
    assert tab.page.locator("#moves button").count() == 11  # five men each, the sixth has one place left, and the roll


def test_analysis_and_stop(tab: Tab) -> None:
    tab.open(game="tictactoe", moves="5 2", tab="analyse", engine="alphabeta")
    tab.page.click("#analyse")
    tab.wait("#words", "X wins")
    tab.wait("#analyse", "Start")
    assert "proven" in tab.text("#words")
    assert tab.page.locator(".best").count() == tab.page.locator("#best-lines li").count() == 3
    assert "X wins" in tab.text("#says")  # to a screen reader
    tab.page.click("#panel-analyse summary")
    tab.page.uncheck("#layer-best")
    assert tab.page.locator(".best").count() == 0
    assert tab.page.locator(".mark-last").count() > 0
    tab.page.keyboard.press("1")
    tab.page.wait_for_function("() => document.querySelectorAll('#moves button').length === 3")
    tab.open(game="nim", p_heaps="9,9,9,9", tab="analyse", engine="uct")
    tab.page.click("#analyse")
    tab.wait("#stats", "simulations")
    tab.page.click("#analyse")
    tab.wait("#stats", "stopped")


def test_the_whole_game_and_its_mistakes(tab: Tab) -> None:
    tab.open(game="tictactoe", moves="5 1 9 3 2 4 8", tab="analyse", engine="alphabeta")
    tab.page.click("#whole")
    tab.page.wait_for_selector("#graph .dot.bad")
    tab.wait("#analyse", "Start")
    assert "4" in tab.page.locator("#moves button.bad").all_inner_texts()


def test_a_tree_step_by_step(tab: Tab) -> None:
    """Alpha-beta on the textbook's tree; then with another leaf."""
    tab.open(game="trees", tab="tree", engine="alphabeta(deepening=false)")
    tab.page.click("#grow")
    tab.wait("#tree-headline", "value 3 for MAX")
    said = []
    for step in range(int(tab.page.get_attribute("#tree-step", "max") or 0) + 1):
        tab.page.evaluate(
            "step => { const s = document.querySelector('#tree-step'); s.value = step; s.dispatchEvent(new Event('input')); }", step
        )
        said.append(tab.text("#tree-caption"))
    assert any("cut: 2 ≤ 3 (alpha)" in words for words in said)
    assert tab.page.locator(".tree .node").count() == 11
    assert tab.page.locator(".tree .cut").count() == 2 * 2  # two nodes, each with two strokes
    assert tab.text("#tree-code .now").strip().startswith("return best")
    tab.page.locator(".tree .node").nth(2).click()
    tab.page.fill(".tree form input", "1")
    tab.page.press(".tree form input", "Enter")
    tab.wait("#tree-headline", "value 2 for MAX")
    assert tab.page.evaluate("new URLSearchParams(location.hash.slice(1)).get('position')") == "[[1, 12, 8], [2, 4, 6], [14, 5, 2]]"


def test_a_tree_of_three_players(tab: Tab) -> None:
    """Each goes for his own part: values for all, players by their numbers. Or one against all others, who is MAX."""
    tab.open(game="trees", p_tree="three", tab="tree", engine="maxn(deepening=false)")
    tab.page.click("#grow")
    tab.wait("#tree-caption", "the value (1, 2, 6) goes back")
    assert tab.page.locator(".tree .player").all_text_contents()[:3] == ["1", "2", "3"]
    assert tab.text("#tree-code .now").strip() == "return best"
    tab.open(game="trees", p_tree="three", moves="1", tab="tree", engine="paranoid(deepening=false)")
    tab.page.click("#grow")
    tab.wait("#tree-headline", "value 2 for MAX")
    tab.page.evaluate("() => { const s = document.querySelector('#tree-step'); s.value = 0; s.dispatchEvent(new Event('input')); }")
    assert "the root: MAX moves here" in tab.text("#tree-caption")


def test_two_searches_side_by_side(tab: Tab) -> None:
    """On the textbook's tree, with what each did."""
    tab.open(game="trees", tab="tree", engine="alphabeta(deepening=false)")
    tab.page.check("#compare")
    tab.page.select_option("#tree-beside-engine", "pn")
    tab.page.click("#grow")
    tab.page.wait_for_selector("#tally table")
    assert "leaves expanded" in tab.text("#tally")
    assert "0, ∞" in tab.text("#tree-two")
    assert tab.page.locator("#tree-two .node").count() == 7


def test_a_hidden_game_from_one_side(tab: Tab) -> None:
    """The engine's moves are not shown, nor readable in the address; the belief is."""
    tab.open(game="blind_tictactoe")
    tab.page.select_option("#level", "0")
    assert tab.page.input_value("#seat") == "0"
    tab.click_cells("1,1")
    tab.page.wait_for_function("() => document.querySelectorAll('#moves button').length >= 2")
    tab.wait("#turn", "X to move")
    assert tab.page.locator("#moves button").nth(1).inner_text() in ("-", "taken")
    assert "moves=" not in tab.page.url
    tab.page.click("#tab-analyse")
    tab.page.click("#analyse")
    tab.wait("#belief", "8 positions are possible")
    assert tab.page.locator("g.belief").count() == 8
    address = tab.page.url
    tab.page.goto("about:blank")
    tab.page.goto(address)
    tab.page.wait_for_selector("body[data-ready]")
    assert tab.page.locator("#moves button").count() >= 2


def test_a_user_game_by_buttons(tab: Tab) -> None:
    tab.open(game="race", side="all")
    while "over" not in tab.text("#turn"):
        before = tab.page.locator("#moves button").count()
        tab.page.locator("#hand button").last.click()
        tab.page.wait_for_function("n => document.querySelectorAll('#moves button').length === n", arg=before + 1)
    assert "wins" in tab.text("#turn")


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ({"game": "ches"}, "no game 'ches'"),
        ({"game": "tictactoe", "moves": "1 1"}, "illegal move '1'"),
        ({"game": "trees", "p_tree": "/etc/x.json"}, "cannot name files"),
        ({"game": "chess", "position": "<img src=x onerror=document.title=1>"}, "is no position of chess"),
    ],
)
def test_a_bad_link(tab: Tab, view: dict[str, str], said: str) -> None:
    """Says what is wrong with it, and the page can be used."""
    tab.open(**view)
    assert said in tab.text("#notice")
    assert tab.page.title() == "kibitz"
    tab.page.select_option("#game", "tictactoe")
    tab.page.wait_for_selector('[data-hit="1,1"]')
    tab.make("5", "1,1")
    assert not tab.page.is_visible("#notice")


def test_a_link_shows_the_same(tab: Tab, browser: Any, address: str) -> None:
    tab.open(game="othello", moves="d3 c5", tab="analyse", engine="minimax(depth=2)", flip="1")
    other = Tab(browser, address)
    other.page.goto(tab.page.url)
    other.page.wait_for_selector("body[data-ready]")
    assert other.page.url == tab.page.url
    for selector in ("#moves", "#turn", "#panel-analyse"):
        assert other.text(selector) == tab.text(selector)
    other.page.context.close()


def test_two_tabs_at_once_and_a_third_waits(tab: Tab, browser: Any, address: str) -> None:
    others = [Tab(browser, address).open(game="nim", p_heaps="9,9,9,9", tab="analyse", engine="uct") for _ in range(2)]
    for other in others:
        other.page.click("#analyse")
        other.wait("#stats", "simulations")
    tab.open(game="tictactoe", tab="analyse", engine="alphabeta(depth=2)")
    tab.page.click("#analyse")
    tab.wait("#search-state", "1 before you")
    others[0].page.context.close()
    tab.wait("#stats", "depth 2")
    others[1].page.click("#analyse")
    others[1].wait("#stats", "stopped")
    others[1].page.context.close()


def test_a_phone(tab: Tab) -> None:
    """Nothing is wider than the screen."""
    tab.page.set_viewport_size({"width": 390, "height": 844})
    for game in ("chess", "ewn", "race"):
        tab.open(game=game)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
        assert tab.page.locator("#tab-tree").bounding_box()["y"] > 780
    tab.open(game="tictactoe", tab="analyse", engine="alphabeta(depth=1)")
    tab.page.click("#analyse")
    tab.page.wait_for_selector("#best-lines li")
    top = tab.page.evaluate("scrollY + document.querySelector('#best-lines li').getBoundingClientRect().bottom")
    assert top < tab.page.locator("#tab-tree").bounding_box()["y"]  # what a search finds is seen without scrolling
    assert not tab.page.is_visible("#share")
    tab.page.click("#menu")
    assert tab.page.is_visible("#share")
