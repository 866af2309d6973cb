#!/usr/bin/env python3
"""Builds the documentation site and checks it.

    site.py <source folder>

Fails if MkDocs reports a warning, a page is missing from the navigation, a link or an anchor leads nowhere, or a block of
code in C, C++, CMake or Python is not included from a source that the tests use. Exits with 77 if MkDocs is not installed.
"""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

CODE_BLOCK = re.compile(r"^([ \t]*)```+ *(?:\{ *\.)?(cpp|c\+\+|c|cmake|python)\b[^\n]*\n(.*?)^\1```", re.M | re.S)
INCLUDE_LINE = re.compile(r'[ \t]*--8<-- "[^"]+"[ \t]*')


class Page(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.anchors = set()
        self.links = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for key in ("id", "name"):
            if values.get(key):
                self.anchors.add(values[key])
        for key in ("href", "src"):
            if values.get(key):
                self.links.append(values[key])


def check_links(site):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    failures = []
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc or (not url.path and not url.fragment):
                continue
            target = path
            if url.path:
                start = site if url.path.startswith("/") else path.parent
                target = pathlib.Path(os.path.normpath(start / urllib.parse.unquote(url.path).lstrip("/")))
                if target.is_dir():
                    target /= "index.html"
            name = path.relative_to(site)
            if target.relative_to(site).parts[0] == "api":
                continue  # Doxygen writes the API reference
            if not target.exists():
                failures.append(f"{name}: '{link}' leads to no file")
            elif url.fragment and target in pages and not url.fragment.startswith("__"):
                if urllib.parse.unquote(url.fragment) not in pages[target].anchors:
                    failures.append(f"{name}: '{link}' leads to no anchor of the page")
    return failures


def check_code(docs):
    failures = []
    for path in sorted(docs.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        for block in CODE_BLOCK.finditer(text):
            lines = [line for line in block[3].splitlines() if line.strip()]
            if not all(INCLUDE_LINE.fullmatch(line) for line in lines):
                number = text.count("\n", 0, block.start()) + 1
                failures.append(f"docs/{path.relative_to(docs)}:{number}: code is not included from a tested source; "
                                'write --8<-- "docs/examples/<file>:<section>"')
    return failures


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    failures = check_code(root / "docs")
    if shutil.which("mkdocs") is None:
        print("\n".join(failures))
        print("mkdocs is not installed: the site is not checked")
        return 1 if failures else 77
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PYTHONWARNINGS="ignore", NO_COLOR="1")
        run = subprocess.run(["mkdocs", "build", "--strict", "--config-file", root / "mkdocs.yml", "--site-dir", folder],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        if run.returncode != 0:
            failures.append(run.stdout)
        elif "not included in the" in run.stdout:
            failures.append(run.stdout)
        else:
            failures += check_links(pathlib.Path(folder))
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
