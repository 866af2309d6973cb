#!/usr/bin/env python3
"""Checks the language of code, comments, messages and documentation.

    language.py <source folder> [<file or folder>...]

Fails if a word, a phrase or an identifier of language.txt occurs, and names the replacement. A phrase may continue on
the next line of a comment or paragraph. Then runs codespell; if it is not installed, the result is 77 (skipped).
`--count` prints the number of findings of each folder instead.
"""
import bisect
import collections
import functools
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


SCOPES = ("text", "code", "comment", "identifier", "type")


class Rules:
    """The rules of one scope: pairs of a pattern and the advice."""

    def __init__(self):
        self._rules = []
        self._any = None

    def add(self, pattern, advice, flags):
        self._rules.append((re.compile(rf"\b(?:{pattern})\b", flags), advice))

    def find(self, text):
        """Yields position, matched text and advice of each match."""
        if not self._rules:
            return
        if self._any is None:
            self._any = re.compile("|".join(rule.pattern for rule, _ in self._rules), self._rules[0][0].flags)
        for position in (match.start() for match in self._any.finditer(text)):
            rule, advice = next((r, a) for r, a in self._rules if r.match(text, position))
            yield position, rule.match(text, position).group(0), advice

    @functools.cache
    def find_in_name(self, words):
        """As find(), as a list. Most names occur many times."""
        return list(self.find(words))


def read_rules():
    """Returns the rules of each scope."""
    rules = {scope: Rules() for scope in SCOPES}
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
        scope, _, rest = pattern.partition(":")
        if scope in SCOPES:
            pattern = rest.strip()
        else:
            scope = "text"
        rules[scope].add(pattern, advice, 0 if scope in ("identifier", "type") else re.IGNORECASE)
    return rules


def is_documentation(name):
    return name.startswith("docs/") or name in ("README.md", "CHANGELOG.md", "mkdocs.yml")


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
COMMENT_OR_LITERAL = re.compile(
    r'''R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/''', re.S)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[^\n]*", re.M)
# Not the parameters of templates, and without the scope.
TYPE = re.compile(r"\b(?:class|struct|enum(?: class)?)\s+(?:DASH_API\s+)?(?:\w+::)*([A-Za-z]\w*)\s*(?:final\b|[:;{]|$)")


def without_comments(text):
    """The code without comments, literals and includes, on the same lines."""
    def blank(match):
        return " " + "\n" * match.group(0).count("\n")
    return COMMENT_OR_LITERAL.sub(blank, INCLUDE.sub(blank, text))


def comment_of(line):
    """The comment at the end of a line of C or C++. A // in a string literal counts as one, too."""
    _, mark, comment = line.partition("//")
    return words_of(comment.lstrip("/<")) if mark else ""


@functools.cache
def words_of_name(name):
    return words_of(name).strip().lower()


def words_of_identifiers(line, single):
    """Yields the words of the identifiers that consist of one word, or of those that consist of several."""
    for identifier in IDENTIFIER.findall(line):
        words = words_of_name(identifier)
        if single != (" " in words):
            yield words


def findings_in_code(text, rules, single):
    """Yields line, matched text and advice of each finding that depends on the syntax of C or C++.

    single: whether to check types and identifiers that consist of one word.
    """
    for number, line in enumerate(text.splitlines(), 1):
        for _, phrase, advice in rules["comment"].find(comment_of(line)):
            yield number, phrase, advice
        for words in words_of_identifiers(line, single=False):
            for _, phrase, advice in rules["identifier"].find_in_name(words):
                yield number, phrase, advice
    if not single:
        return
    # In prose, names of one word have their ordinary meaning.
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        for words in words_of_identifiers(line, single=True):
            for _, phrase, advice in rules["identifier"].find_in_name(words):
                yield number, phrase, advice
        for name in TYPE.findall(line):
            for _, phrase, advice in rules["type"].find_in_name(words_of_name(name)):
                yield number, phrase, advice


def main():
    arguments = [a for a in sys.argv[1:] if a != "--count"]
    counting = "--count" in sys.argv
    if not arguments:
        sys.exit(__doc__)
    root, folders = arguments[0], arguments[1:]
    rules = read_rules()

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
        for scope in ("text",) if is_documentation(name) else ("text", "code"):
            for position, phrase, advice in rules[scope].find(joined):
                found.append((bisect.bisect(begins, position), phrase, advice))
        if path.suffix in CODE_SUFFIXES:
            found.extend(findings_in_code(text, rules, single=not is_documentation(name)))
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
