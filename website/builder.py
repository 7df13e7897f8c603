"""All pages into a folder, and mkdocs over that: strict, so that a link into nothing ends it; nothing is fetched."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import yaml
from mkdocs.commands.build import build as run_mkdocs
from mkdocs.config import load_config

from website import algorithms, games, performance, reference
from website.menu import menu
from website.stage import ROOT, stage

HERE = Path(__file__).parent
BESIDE = ("style.css", "file_search.js")  # files of this folder that pages use
FETCHED = "https://unpkg.com/iframe-worker/shim"  # what the theme would have pages fetch; ours is file_search.js
OPTIONS: dict[str, Any] = {  # of what a docstring is shown with
    "show_root_heading": True, "show_root_full_path": False, "show_source": False, "heading_level": 2, "show_category_heading": False, "members_order": "source", "docstring_style": None,
    "show_if_no_docstring": False, "separate_signature": True, "show_signature_annotations": True, "filters": ["!^_"], "line_length": 100,
}  # fmt: skip
CONFIG: dict[str, Any] = {
    "site_name": "kibitz",
    "site_description": "Game-tree search at machine-code speed for games written as plain Python functions",
    "use_directory_urls": False,  # pages open from a folder, without a server
    "strict": True,
    "theme": {
        "name": "material",
        "font": False,  # the system's: no fonts are fetched
        "features": ["navigation.indexes", "navigation.top", "navigation.tabs", "content.code.copy", "toc.follow"],
        "icon": {"logo": "material/triangle-outline"},
        "palette": [
            {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "blue grey", "accent": "blue", "toggle": {"icon": "material/weather-night", "name": "Dark"}},
            {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "blue grey", "accent": "light blue", "toggle": {"icon": "material/weather-sunny", "name": "Light"}},
        ],
    },
    "extra": {"generator": False},
    "extra_css": ["style.css"],
    "plugins": ["search", "offline", {"mkdocstrings": {"handlers": {"python": {"options": OPTIONS}}}}],
    "markdown_extensions": ["tables", "attr_list", "md_in_html", "admonition", "sane_lists", {"toc": {"permalink": True}}, "pymdownx.superfences", {"pymdownx.highlight": {"use_pygments": True}}],
}  # fmt: skip


def build(out: Path) -> Path:
    """The whole site in `out`, which is made anew."""
    with tempfile.TemporaryDirectory() as place:
        pages = Path(place) / "docs"
        pages.mkdir()
        names = [*stage(pages), *games.write_all(pages), *algorithms.write_all(pages), reference.write(pages), performance.write(pages)]
        for name in BESIDE:
            shutil.copyfile(HERE / name, pages / name)
        config = {**CONFIG, "docs_dir": str(pages), "site_dir": str(out.absolute()), "nav": menu(names)}
        config["plugins"][-1]["mkdocstrings"]["handlers"]["python"]["paths"] = [str(ROOT)]
        written = Path(place) / "mkdocs.yml"
        written.write_text(yaml.safe_dump(config, sort_keys=False, allow_unicode=True), encoding="utf-8")
        loaded = load_config(str(written))
        loaded.plugins.on_startup(command="build", dirty=False)
        try:
            run_mkdocs(loaded)
        finally:
            loaded.plugins.on_shutdown()
    for page in out.rglob("*.html"):
        up = "../" * len(page.relative_to(out).parts[1:])
        page.write_text(page.read_text(encoding="utf-8").replace(FETCHED, f"{up}file_search.js"), encoding="utf-8")
    return out
