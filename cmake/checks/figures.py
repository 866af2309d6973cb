#!/usr/bin/env python3
"""Checks the figures of the documentation against the tables of the benchmarks.

    figures.py <source folder> [--update]

A page quotes a figure as `<!-- figure RUN; BENCHMARK; SIZE[; BASELINE] -->VALUE<!-- end -->`. The value has to be the
ratio of that row of docs/reference/performance-tables.md, which dash-report generates. `--update` writes the values. No
line may begin with a figure: the page of the site would show it as a block of HTML, which ends a list.
"""
import pathlib
import re
import sys

FIGURE = re.compile(r"<!-- figure (.*?) -->(.*?)<!-- end -->", re.S)

root = pathlib.Path(sys.argv[1])
tables = root / "docs/reference/performance-tables.md"
ratios = {}  # (run, benchmark, size) -> baseline -> ratio
for line in tables.read_text().splitlines():
    cells = [cell.strip() for cell in line.split("|")[1:-1]]
    if len(cells) >= 5:
        ratios.setdefault(tuple(cells[:3]), {})[cells[3]] = cells[4]

failures = 0
figures = 0
for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
    text = page.read_text()
    for match in re.finditer(r"^[ \t]*<!-- figure", text, re.M):
        line = text.count("\n", 0, match.end()) + 1
        print(f"{page.relative_to(root)}:{line}: the line begins with a figure; break it before another word")
        failures += 1

    def value(match):
        """The figure with the ratio of its row; reports what is wrong."""
        global failures, figures
        figures += 1
        key = [part.strip() for part in re.sub(r"\s+", " ", match[1]).split(";")]
        key += [""] * (3 - len(key))
        rows = ratios.get(tuple(key[:3]), {})
        rows = {baseline: ratio for baseline, ratio in rows.items() if len(key) < 4 or baseline == key[3]}
        line = text.count("\n", 0, match.start()) + 1
        if len(rows) != 1:
            print(f"{page.relative_to(root)}:{line}: {len(rows)} rows of {tables.name} match '{match[1]}'; expected one")
            failures += 1
            return match[0]
        ratio = next(iter(rows.values()))
        if match[2] != ratio and "--update" not in sys.argv:
            print(f"{page.relative_to(root)}:{line}: {match[2]}; expected {ratio}, the ratio of '{match[1]}'; "
                  "run cmake/checks/figures.py . --update")
            failures += 1
        return f"<!-- figure {match[1]} -->{ratio}<!-- end -->"

    updated = FIGURE.sub(value, text)
    if "--update" in sys.argv and updated != text:
        page.write_text(updated)
if figures == 0:
    print("no page quotes a figure")
sys.exit(1 if failures or figures == 0 else 0)
