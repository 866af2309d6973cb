#!/usr/bin/env python3
"""Runs proselint on the documentation, without its code.

    prose.py <source folder> [<file>...]

Exits with 77 if proselint is not installed.
"""
import bisect
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Typographic symbols are hard to type; ranges of dates are confused with file names.
DISABLED = ["typography.symbols", "dates_times.dates"]
# codespell checks the spelling. The others have found nothing, and take half of the time.
DISABLED += ["spelling.able_atable", "spelling.able_ible", "spelling.em_im_en_in", "spelling.misc", "cliches.misc",
             "terms.animal_adjectives", "terms.denizen_labels", "terms.venery"]
CODE = re.compile(r"^([ \t]*)```.*?^\1```[ \t]*$|`[^`\n]+`", re.M | re.S)


def blank(match):
    """Keeps the lines of removed code, so that line numbers stay right."""
    return "code" + "\n" * match[0].count("\n") if "\n" in match[0] else "code"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    if shutil.which("proselint") is None:
        print("proselint is not installed")
        return 77
    pages = [pathlib.Path(name).resolve() for name in sys.argv[2:]]
    pages = pages or [*(root / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
                      *sorted((root / "docs").rglob("*.md"))]
    pages = [page for page in pages if page.name != "performance-tables.md"]  # generated
    # All pages form one text: proselint writes a hundred cache files for each text, which takes longer than the checks.
    lines = []
    begins = []  # the number of the line before a page
    for page in pages:
        begins.append(len(lines))
        lines += CODE.sub(blank, page.read_text(encoding="utf-8")).splitlines() + [""]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "proselint", "config")
        config.parent.mkdir()
        config.write_text(json.dumps({"max_errors": 1000, "checks": dict.fromkeys(DISABLED, False)}))
        text = pathlib.Path(folder, "all.md")
        text.write_text("\n".join(lines), encoding="utf-8")
        run = subprocess.run(["proselint", str(text)], stdout=subprocess.PIPE, text=True,
                             env=dict(os.environ, XDG_CONFIG_HOME=folder, XDG_CACHE_HOME=folder, LC_ALL="C.UTF-8"))
    for output in run.stdout.splitlines():
        found = re.match(re.escape(str(text)) + r":(\d+):(.*)", output)
        if found:
            number = int(found[1])
            page = bisect.bisect_left(begins, number) - 1
            print(f"{pages[page].relative_to(root)}:{number - begins[page]}:{found[2]}")
            failures += 1
        else:
            print(output)
    if run.returncode != 0 and not failures:
        print(f"proselint ended with exit code {run.returncode}")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
