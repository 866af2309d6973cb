#!/usr/bin/env python3
"""Checks the language of code, comments, messages and documentation.

    language.py <source folder> [<file or folder>...]

Fails if a word or phrase of language.txt occurs, and names the replacement. A phrase may continue on the next line
of a comment or paragraph. Then runs codespell; if it is not installed, the result is 77 (skipped). `--count` prints
the number of findings of each folder instead.
"""
import bisect
import collections
import pathlib
import re
import shutil
import subprocess
import sys

CHECKS = pathlib.Path(__file__).resolve().parent
SUFFIXES = {".h", ".hpp", ".cpp", ".c", ".in", ".cmake", ".sh", ".py", ".md", ".txt", ".yml", ".json", ".supp"}
CODE_SUFFIXES = {".h", ".hpp", ".cpp", ".c"}
# Deprecated names of settings and types.
DEPRECATED_NAMES = re.compile(r"DART_COPY_QUANTUM|DART_COPY_SLAB|DART_RMA_PIECE|DART_RMA_RUN_MIN|UnitPlace")
# These files contain the words to replace, or have no prose.
EXCEPTIONS = {"cmake/checks/language.txt", "cmake/checks/codespell.txt", "tools/dash-report/results.py",
              "tests/tools/dash_report_test.py"}


def read_rules():
    """Returns the rules for words and phrases, and those for identifiers: pairs of a pattern and the advice."""
    rules = []
    identifier_rules = []
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
        pattern, advice = line[:split], line[split + 1:]
        if pattern.startswith("identifier:"):
            identifier_rules.append((re.compile(rf"\b(?:{pattern[11:].strip()})\b"), advice))
        else:
            rules.append((re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), advice))
    return rules, identifier_rules


def tracked_files(root, folders):
    command = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders]
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
    """The line without comment marks, and with identifiers split into words: BestTime, time_ms -> Best Time, time ms."""
    line = re.sub(r"^\s*(///?<?|#|\*|>)?\s*", "", line)
    line = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", line)
    return line.replace("_", " ").rstrip()


def join_lines(text):
    """Returns the words of all lines, joined by spaces, and the position at which each line begins."""
    joined = []
    begins = []
    position = 0
    for line in text.splitlines():
        # A second line of a comment continues the sentence; an empty line ends it.
        words = words_of(DEPRECATED_NAMES.sub("", line)) or "."
        begins.append(position)
        joined.append(words)
        position += len(words) + 1
    return " ".join(joined), begins


IDENTIFIER = re.compile(r"\b_?[A-Za-z]\w*\b")


def words_of_identifiers(text):
    """Yields the words of each identifier that has several, or a leading underscore."""
    for identifier in IDENTIFIER.findall(text):
        words = words_of(identifier).strip().lower()
        if " " in words or identifier[0] == "_":
            yield words


def main():
    arguments = [a for a in sys.argv[1:] if a != "--count"]
    counting = "--count" in sys.argv
    if not arguments:
        sys.exit(__doc__)
    root, folders = arguments[0], arguments[1:]
    rules, identifier_rules = read_rules()
    any_rule = re.compile("|".join(rule.pattern for rule, _ in rules), re.IGNORECASE)
    any_identifier_rule = re.compile("|".join(rule.pattern for rule, _ in identifier_rules))

    names = []
    findings = 0
    per_folder = collections.Counter()
    for name, path in tracked_files(root, folders):
        names.append(str(path))
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found = []  # line, word or phrase, advice
        joined, begins = join_lines(text)
        for position in (match.start() for match in any_rule.finditer(joined)):
            rule, advice = next((r, a) for r, a in rules if r.match(joined, position))
            found.append((bisect.bisect(begins, position), rule.match(joined, position).group(0), advice))
        if path.suffix in CODE_SUFFIXES:
            for number, line in enumerate(text.splitlines(), 1):
                for words in words_of_identifiers(line):
                    if any_identifier_rule.search(words):
                        rule, advice = next((r, a) for r, a in identifier_rules if r.search(words))
                        found.append((number, rule.search(words).group(0), advice))
        findings += len(found)
        per_folder[str(pathlib.Path(name).parent)] += len(found)
        if not counting:
            for number, phrase, advice in sorted(found):
                print(f"{name}:{number}: '{phrase}'; instead: {advice}")
    if counting:
        for folder, count in sorted(per_folder.items()):
            print(f"{count:6} {folder}")
        print(f"{findings:6} in all")

    if findings or counting:
        sys.exit(1 if findings else 0)
    if not names:
        sys.exit(0)
    if not shutil.which("codespell"):
        print("codespell is not installed: spelling was not checked")
        sys.exit(77)
    spelling = subprocess.run(["codespell", "--ignore-words", str(CHECKS / "codespell.txt"), *names])
    sys.exit(1 if spelling.returncode else 0)


if __name__ == "__main__":
    main()
