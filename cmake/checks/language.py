#!/usr/bin/env python3
"""Checks the language of code, comments, messages and documentation.

    language.py <source folder> [<file or folder>...]

Fails if a word or phrase of language.txt occurs, and names the replacement. Then runs codespell, if it is
installed. `--count` prints the number of findings of each folder instead.
"""
import collections
import pathlib
import re
import shutil
import subprocess
import sys

CHECKS = pathlib.Path(__file__).resolve().parent
SUFFIXES = {".h", ".hpp", ".cpp", ".c", ".in", ".cmake", ".sh", ".py", ".md", ".txt", ".yml", ".json", ".supp"}
# Deprecated names of settings.
DEPRECATED_NAMES = re.compile(r"DART_COPY_QUANTUM|DART_COPY_SLAB|DART_RMA_PIECE")
# These files contain the words to replace, or have no prose.
EXCEPTIONS = {"cmake/checks/language.txt", "cmake/checks/codespell.txt", "tools/dash-report/results.py",
              "tests/tools/dash_report_test.py"}


def read_rules():
    rules = []
    for line in (CHECKS / "language.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        # The first bar outside of parentheses separates the two parts.
        depth = 0
        split = -1
        for i, letter in enumerate(line):
            depth += (letter == "(") - (letter == ")")
            if letter == "|" and depth == 0:
                split = i
                break
        rules.append((line[:split], line[split + 1:]))
    return rules


def tracked_files(root, places):
    command = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "--", *places]
    listed = subprocess.run(command, capture_output=True, text=True)
    if listed.returncode == 0:
        names = listed.stdout.split("\n")
    else:  # an unpacked archive
        names = [str(p.relative_to(root)) for p in pathlib.Path(root).rglob("*") if "build" not in p.parts]
    for name in sorted(set(names)):
        path = pathlib.Path(root, name)
        if name in EXCEPTIONS or "/data/" in name or not path.is_file():
            continue
        if path.suffix in SUFFIXES or name == "dev":
            yield name, path


def words_of(line):
    """The line with identifiers split into words: BestTime, time_ms -> Best Time, time ms."""
    line = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", line)
    return line.replace("_", " ")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--count"]
    counting = "--count" in sys.argv
    if not arguments:
        sys.exit(__doc__)
    root, places = arguments[0], arguments[1:]
    rules = read_rules()
    anything = re.compile(r"\b(?:" + "|".join(f"(?:{rule})" for rule, _ in rules) + r")\b", re.IGNORECASE)
    compiled = [(re.compile(rf"\b(?:{rule})\b", re.IGNORECASE), advice) for rule, advice in rules]

    names = []
    findings = 0
    per_folder = collections.Counter()
    for name, path in tracked_files(root, places):
        names.append(str(path))
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            words = words_of(DEPRECATED_NAMES.sub("", line))
            if not anything.search(words):
                continue
            for rule, advice in compiled:
                for found in rule.finditer(words):
                    findings += 1
                    per_folder[str(pathlib.Path(name).parent)] += 1
                    if not counting:
                        print(f"{name}:{number}: '{found.group(0)}'; instead: {advice}")
    if counting:
        for folder, count in sorted(per_folder.items()):
            print(f"{count:6} {folder}")
        print(f"{findings:6} in all")

    misspelt = 0
    if shutil.which("codespell") and not counting:
        spelling = subprocess.run(["codespell", "--ignore-words", str(CHECKS / "codespell.txt"), *names])
        misspelt = spelling.returncode
    elif not counting:
        print("codespell is not installed: spelling was not checked")
    sys.exit(1 if findings or misspelt else 0)


if __name__ == "__main__":
    main()
