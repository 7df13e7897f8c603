"""Tables that several tests look at."""

import pytest

import kibitz as kb
from kibitz.tables.endgame.builders.building import build
from kibitz.tables.endgame.probing import Tables


@pytest.fixture(scope="session")
def three_men(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """Chess, with so little memory that predecessors are asked of the rules."""
    folder = tmp_path_factory.mktemp("chess")
    build(kb.load("chess"), folder, ["KQK", "KRK", "KPK", "KNK"], memory=1)
    return Tables(folder, kb.load("chess"))
