"""The written pages, copied. A link to a page of docs/ stays; one to a file outside of it, which the site does not hold, becomes the file's path in plain type."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
OUTSIDE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "README.md": "index.md",
}  # pages of the site from beside docs/


def stage(folder: Path) -> list[str]:
    """Copy what is written; the names of the pages."""
    pages = []
    for path in sorted(DOCS.rglob("*")):
        if path.is_dir():
            continue
        name = path.relative_to(DOCS)
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            target.write_text(relinked(path.read_text(encoding="utf-8"), path.parent, target.parent, folder), encoding="utf-8")
            pages.append(str(name))
        else:
            shutil.copyfile(path, target)
    for source, name in OUTSIDE.items():
        (folder / name).write_text(relinked((ROOT / source).read_text(encoding="utf-8"), ROOT, folder, folder), encoding="utf-8")
        pages.append(name)
    return pages


def relinked(text: str, source: Path, target: Path, top: Path) -> str:
    """The text of a page that stood in `source` and will stand in `target`; `top` is the folder of the site's pages."""

    def changed(match: re.Match[str]) -> str:
        picture, said, to = match.groups()
        if "://" in to or to.startswith("#"):
            return match[0]
        to, mark, place = to.partition("#")
        path = (source / to).resolve()
        if path.parent == ROOT and path.name in OUTSIDE:
            there = top / OUTSIDE[path.name]
        elif path.is_relative_to(DOCS) and path.is_file():
            there = top / path.relative_to(DOCS)
        else:
            return (
                f"`{path.relative_to(ROOT)}`" if said.strip("`") == to.strip("./") or not said else f"{said} (`{path.relative_to(ROOT)}`)"
            )
        up = Path(*[".."] * len(target.relative_to(top).parts))
        return f"{picture}[{said}]({(up / there.relative_to(top)).as_posix()}{mark}{place})"

    return LINK.sub(changed, text)
