"""MkDocs hooks: includes of tested sources, and files that are not pages.

A line `--8<-- "path"` or `--8<-- "path:section"` of a page is replaced by the file, or by one section of it. Paths
start at the top of the repository. A section begins after a line that contains `--8<-- [start:section]` and ends
before a line that contains `--8<-- [end:section]`. This is the syntax of pymdownx.snippets since version 9.7;
Debian 12 has version 9.5, which has no sections.
"""
import os
import pathlib
import re
import textwrap

from mkdocs.exceptions import PluginError

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^(?P<indent>[ \t]*)--8<-- "(?P<path>[^":]+)(:(?P<section>[^"]+))?"[ \t]*$', re.M)
MARKER = re.compile(r"--8<-- \[(start|end):([\w-]+)\]")
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")
CODE = re.compile(r"^[ \t]*```.*?^[ \t]*```[ \t]*$|`[^`\n]+`", re.M | re.S)
# Files outside of docs/ that pages of the site include.
INCLUDED = {"README.md": "index.md", "CONTRIBUTING.md": "development/contributing.md",
            "CHANGELOG.md": "reference/changelog.md"}
INLINE_CODE = re.compile(r"(?<=<code>)[^<]+(?=</code>)")
# Options and names with hyphens, at which a browser breaks lines.
HYPHENATED = re.compile(r"(?<!\S)(?:-\S{1,35}|(?=\S*-)\S{2,24})(?!\S)")
SITE_FILES = {".md", ".png", ".svg", ".css", ".cpp", ".h", ".c"}


def read_section(path, section, page):
    """The text between the two markers of a section, without other markers and common indentation."""
    file = ROOT / path
    if not file.is_file():
        raise PluginError(f"{page}: included file '{path}' does not exist")
    lines = []
    inside = section is None
    found = inside
    for line in file.read_text(encoding="utf-8").splitlines():
        marker = MARKER.search(line)
        if marker:
            if marker[2] == section:
                inside = marker[1] == "start"
                found = True
        elif inside:
            lines.append(line)
    if not found:
        raise PluginError(f"{page}: '{path}' has no section '{section}'; expected a line with "
                          f"'--8<-- [start:{section}]'")
    if section is not None and inside:
        raise PluginError(f"{page}: section '{section}' of '{path}' has no end")
    return textwrap.dedent("\n".join(lines)).strip("\n")


def expand_includes(markdown, page):
    def replace(match):
        text = read_section(match["path"], match["section"], page)
        if match["path"].endswith(".out"):  # `{...}` matches any text (docs/examples/compare_output.py)
            text = re.sub(r"\{([^{}]*)\}", r"\1", text)
        if match["path"].endswith(".md"):
            text = convert_links(text, pathlib.PurePath(match["path"]).parent, page)
        return textwrap.indent(text, match["indent"], lambda line: bool(line.strip()))

    return INCLUDE.sub(replace, markdown)


def convert_links(markdown, folder, page):
    """Makes relative links of Markdown in `folder` relative to the page. A link to a file that is not part of the
    site becomes the text and the path of the file."""
    page_folder = ROOT / "docs" / pathlib.PurePath(page).parent

    def replace(match):
        path = match["path"]
        if "://" in path or path.startswith("mailto:"):
            return match[0]
        target = pathlib.Path(os.path.normpath(ROOT / folder / path))
        if not target.exists():
            raise PluginError(f"{page}: the link to '{path}' leads to no file")
        name = target.relative_to(ROOT).as_posix()
        if name in INCLUDED:
            name = "docs/" + INCLUDED[name]
        elif target.is_dir() or not name.startswith("docs/"):
            return f"`{name}`" if name.startswith(match["text"].strip("`")) else f"{match['text']} (`{name}`)"
        relative = pathlib.PurePath(os.path.relpath(ROOT / name, page_folder)).as_posix()
        return f"{match['image']}[{match['text']}]({relative}{match['anchor'] or ''})"

    parts = []
    last = 0
    for code in CODE.finditer(markdown):  # code may contain brackets that are not links
        parts.append(LINK.sub(replace, markdown[last:code.start()]))
        parts.append(code[0])
        last = code.end()
    parts.append(LINK.sub(replace, markdown[last:]))
    return "".join(parts)


def on_page_markdown(markdown, page, config, files):
    name = page.file.src_path
    markdown = convert_links(markdown, pathlib.PurePath("docs", name).parent, name)
    return expand_includes(markdown, name)


def on_page_content(html, page, config, files):
    """Marks options and names in inline code, which docs/site/extra.css keeps whole."""
    return INLINE_CODE.sub(lambda code: HYPHENATED.sub(r'<span class="whole">\g<0></span>', code[0]), html)


def on_files(files, config):
    """Leaves out files that are no content of the site."""
    for file in list(files):
        path = pathlib.PurePath(file.src_path)
        if not file.abs_src_path.startswith(config["docs_dir"]):
            continue  # a file of the theme
        if path.suffix not in SITE_FILES or (path.parts[0] == "site" and path.suffix != ".css"):
            files.remove(file)
    return files
