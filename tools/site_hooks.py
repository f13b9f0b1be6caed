"""Hooks of mkdocs: documents that stand beside the code become pages of the site.

Links in all documents are written as they hold in the repository, so that they work in a checkout
and on a hosting site too. Here they are turned into links between pages.
"""

import posixpath
import re
from pathlib import Path, PurePosixPath
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).parent.parent

PAGES: Final = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "docker/README.md": "host/cluster.md",
    "engine/BOTS.md": "play/bots.md",
    "engine/LANGUAGES.md": "play/languages.md",
    "engine/RULES.md": "play/statements.md",
    "protocol/PROTOCOL.md": "protocol.md",
    "server/LOAD.md": "host/load.md",
    "server/SETTINGS.md": "host/settings.md",
}
"""Documents outside of ``docs/``, and the page that each becomes."""

SOURCES: Final = {page: source for source, page in PAGES.items()}
PICTURES: Final = ("clients/pictures/*", "server/*.svg")

_FENCE: Final = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
_LINK: Final = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
_ROLE: Final = re.compile(r":(?:attr|class|const|data|exc|func|meth|mod):<code>~?")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the documents beside the code, and the pictures."""
    for source, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    for pattern in PICTURES:
        for picture in sorted(ROOT.glob(pattern)):
            name = f"pictures/{picture.name}"
            files.append(File.generated(config, name, abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links between files of the repository into links between pages."""
    here = page.file.src_uri
    folder = PurePosixPath(SOURCES.get(here, f"docs/{here}")).parent

    def relinked(link: re.Match[str]) -> str:
        image, text, target = link.groups()
        path, hash_, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return link[0]
        there = _page(posixpath.normpath(str(folder / path)))
        if there is None:
            return text  # code: it has no page
        relative = posixpath.relpath(there, posixpath.dirname(here) or ".")
        return f"{image}[{text}]({relative}{hash_}{anchor})"

    parts = _FENCE.split(markdown)
    return "".join(part if part.startswith("```") else _LINK.sub(relinked, part) for part in parts)


def _page(source: str) -> str | None:
    """The path in the site of a file of the repository, None for one that is not there."""
    if source in PAGES:
        return PAGES[source]
    if source == "README.md":
        return "index.md"
    if source.startswith("docs/"):
        return source.removeprefix("docs/")
    if any(PurePosixPath(source).match(pattern) for pattern in PICTURES):
        return f"pictures/{PurePosixPath(source).name}"
    if not (ROOT / source).exists():
        raise FileNotFoundError(source)
    return None


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Show names in docstrings as code, without the roles in front of them."""
    return _ROLE.sub("<code>", html)
