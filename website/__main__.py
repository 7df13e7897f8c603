"""`python -m website [--out FOLDER]`: the whole site as files that a browser can open without a server."""

import argparse
import os
from pathlib import Path

os.environ.setdefault("KIBITZ_TARGET", "python")  # a few small trees are not worth compiling for

from website.builder import build

parser = argparse.ArgumentParser(prog="python -m website", description="Build the documentation, offline.")
parser.add_argument("--out", metavar="FOLDER", type=Path, default=Path("build/site"), help="where it goes; build/site unless told")
given = parser.parse_args()
print(f"the documentation is in {build(given.out)}")
