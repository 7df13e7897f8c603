"""Compiled code is shared by all test processes and kept between runs, in a folder of its own."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("KIBITZ_CACHE", str(Path(__file__).parent.parent / ".pytest_cache" / "kibitz"))

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes that tests start need not translate all of kibitz anew

settings.register_profile("kibitz", deadline=None)  # the first example of a test may have to compile
settings.load_profile("kibitz")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Tests marked `once` run interpreted, fixtures and all."""
    before = os.environ.get("KIBITZ_TARGET")
    if item.get_closest_marker("once"):
        os.environ["KIBITZ_TARGET"] = "python"
    yield
    if before is None:
        os.environ.pop("KIBITZ_TARGET", None)
    else:
        os.environ["KIBITZ_TARGET"] = before
