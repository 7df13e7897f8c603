"""Compiled code is shared by all test processes and kept between runs, in a folder of its own."""

import os
from pathlib import Path

from hypothesis import settings

os.environ.setdefault("KIBITZ_CACHE", str(Path(__file__).parent.parent / ".pytest_cache" / "kibitz"))

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes that tests start need not translate all of kibitz anew

settings.register_profile("kibitz", deadline=None)  # the first example of a test may have to compile
settings.load_profile("kibitz")
