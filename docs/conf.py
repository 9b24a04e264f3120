"""How the site is built: `sphinx-build -W docs build/docs`.

Pages that live elsewhere in the repository (guide, reference, notation …) are copied into
docs/pages/ before every build, with their links turned to the pages here.
"""

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

project = "Taut"
author = "the Taut project"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Taut"
exclude_patterns = ["lessons/**"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
suppress_warnings = ["config.cache"]
highlight_language = "text"

PAGES = {  # file of the repository → page of the site
    "levels/GUIDE.md": "level_guide.md",
    "levels/REFERENCE.md": "level_reference.md",
    "physics/NOTATION.md": "notation.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}


def _copied(source: str, target: str) -> str:
    """The text of a page, with links to other files of the repository made links to pages."""
    text = (ROOT / source).read_text(encoding="utf-8")
    folder = Path(source).parent

    def link(match: re.Match[str]) -> str:
        path, _, anchor = match[1].partition("#")
        if not path or path.startswith("https:"):
            return match[0]
        whole = (ROOT / folder / path).resolve().relative_to(ROOT).as_posix()
        page = PAGES.get(whole) or (f"../{Path(whole).name}" if whole.startswith("docs/") else "")
        return f"]({page}{'#' + anchor if anchor else ''})" if page else "]"

    return re.sub(r"\]\(([^)\s]+)\)", link, text)


def _write_pages() -> None:
    folder = HERE / "pages"
    folder.mkdir(exist_ok=True)
    for source, target in PAGES.items():
        text = _copied(source, target)
        path = folder / target
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


_write_pages()


def _read(app: Any, page: str, text: list[str]) -> None:
    """Links of pages here to files that are pages there."""
    for source, target in PAGES.items():
        text[0] = text[0].replace(f"](../{source}", f"](pages/{target}")


def _docstring(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are plain text: paragraphs, and blocks that are indented or aligned."""
    found: list[str] = []
    for paragraph in "\n".join(lines).split("\n\n"):
        rows = paragraph.split("\n")
        aligned = any(row[:1] == " " or "  " in row.strip() or row[:3] == ">>>" for row in rows)
        if aligned:
            found += ["::", "", *(f"    {row}" for row in rows), ""]
        else:
            found += [*(_plain(row) for row in rows), ""]
    lines[:] = found


def _plain(row: str) -> str:
    """`code` as code; nothing else means anything."""
    parts = row.split("`")
    for i, part in enumerate(parts):
        escaped = re.sub(r"([*|\\])", r"\\\1", part)
        parts[i] = f"``{part}``" if i % 2 and part else re.sub(r"_(?=\W|$)", r"\\_", escaped)
    return "".join(parts)


def setup(app: Any) -> None:
    app.connect("source-read", _read)
    app.connect("autodoc-process-docstring", _docstring)
