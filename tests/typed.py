"""Commands as a user types them."""

import json
from typing import Any

import pytest

from kibitz.cli.main import run


def kibitz(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, output, errors."""
    with pytest.raises(SystemExit) as ended:
        run(list(words))
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """What a command says with --json."""
    code, out, _ = kibitz(capsys, *words, "--json")
    assert code == 0
    return json.loads(out)
