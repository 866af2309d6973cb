#!/usr/bin/env python3
"""Runs a program and compares its standard output with a file.

    compare_output.py <expected file> <command>...

The lines may have any order, because the order of the lines of different units is not defined. In the expected
output, `{...}` matches any text within a line, for example a time that was measured: `{2.41} s`.
"""
import difflib
import pathlib
import re
import subprocess
import sys


def matches(expected, line):
    pattern = "".join(".+" if part.startswith("{") else re.escape(part)
                      for part in re.split(r"(\{[^{}]*\})", expected) if part)
    return re.fullmatch(pattern, line) is not None


def main():
    expected = pathlib.Path(sys.argv[1]).read_text().splitlines()
    run = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        print(run.stdout)
        print(f"the program ended with exit code {run.returncode}; expected 0")
        return 1
    actual = run.stdout.splitlines()
    # Each expected line takes the first line that matches it.
    left = list(actual)
    missing = []
    for line in sorted(expected, key=lambda text: ("{" in text, text)):
        found = next((each for each in left if matches(line, each)), None)
        if found is None:
            missing.append(line)
        else:
            left.remove(found)
    if missing or left:
        print(f"the output differs from {sys.argv[1]}: '-' expected, '+' printed")
        print("\n".join(difflib.unified_diff(expected, actual, lineterm="", n=0)))
        print("lines not found:", *missing, sep="\n  ")
        print("lines not expected:", *left, sep="\n  ")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
