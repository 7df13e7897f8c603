"""What the documents promise: the README's lines run, the guide's game is sound, tables name what exists."""

import doctest
import re
from pathlib import Path

import kibitz as kb
from kibitz.core import rules
from kibitz.core.conformance import check

ROOT = Path(__file__).parent.parent


def test_readme_runs() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 6
    assert failed == 0


def test_the_guides_game_is_sound(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "writing-a-game.md").read_text()
    source = re.search(r"```python\n(.*?)```", guide, re.DOTALL)
    assert source is not None
    path = tmp_path / "race.py"
    path.write_text(source[1])
    assert check(kb.load(str(path)), games=50).failures == []


def test_the_guide_names_the_whole_protocol() -> None:
    guide = (ROOT / "docs" / "writing-a-game.md").read_text()
    for name in (*rules.REQUIRED, *rules.OPTIONAL, *rules.FOR_PEOPLE, *rules.DEFAULTS):
        assert name in guide, name


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), (page.name, target)
