"""The description of the package: README.md without links that lead nowhere outside the repository. All else is in pyproject.toml.

There is no address of the project to make them whole with. The path of what a link leads to is named instead; it is in the source distribution.
"""

import re
from pathlib import Path

from setuptools import setup

RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+://)([^)]*)\)")


def without_relative_links(page: str) -> str:
    """A page of which pictures beside it are left out, and links to files beside it are their words and their paths."""
    return RELATIVE.sub(lambda link: "" if link[1] else link[2] if link[3].endswith(link[2]) else f"{link[2]} ({link[3]})", page)


if __name__ == "__main__":
    readme = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
    setup(long_description=without_relative_links(readme), long_description_content_type="text/markdown")
