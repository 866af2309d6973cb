#!/usr/bin/env python3
"""Runs Doxygen on the public headers and fails if it reports a warning, for example an undocumented function.

    api.py <source folder> [<path>...]

Fails, too, if an algorithm or a collective operation does not state whether it is collective, by one of the tags
`\\collective`, `\\overload`, `\\contract`, `\\asynchronous` (docs/reference/contracts.md).

With paths, only warnings of these files and folders count. Exits with 77 if Doxygen is not installed.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Member types that mean the same in every class (docs/reference/api.md).
STANDARD_TYPES = {
    "allocator_type", "category", "const_iterator", "const_local_pointer", "const_local_reference", "const_pointer",
    "const_reference", "const_reverse_iterator", "const_type", "difference_type", "element_type", "glob_mem_type",
    "gptrdiff_t", "has_view", "index_type", "iterator", "iterator_category", "iterator_concept", "local_iterator",
    "local_pointer", "local_reference", "local_reverse_iterator", "local_type", "mapped_type", "nonconst_type",
    "nonconst_value_type", "key_type", "memory_type", "native_pointer", "offset_type", "pattern_type", "pointer",
    "policy_type", "reference", "reverse_iterator", "self_t", "size_type", "value_type", "view_type"}
UNDOCUMENTED = re.compile(r"Member (?P<name>\S+).* \((?P<kind>\w+)\) of .* is not documented")

CONTRACT_HEADERS = ("algorithms/include/dash/algorithm/*.h", "dash/include/dash/Collectives.h")
INTERNAL = re.compile(r"namespace internal \{.*?\n\}  // namespace internal", re.S)
COMMENT = re.compile(r"(?:^///.*\n)+", re.M)
TEMPLATE = re.compile(r"\Atemplate <.*?>\n(?=\S)", re.S)
NOT_A_FUNCTION = re.compile(r"struct|class|using|enum|(inline )?constexpr|concept|#|\s|template <")
CONTRACT = re.compile(r"\\(collective|overload|contract|asynchronous)\b|@[{}]|\\file")


def without_contract(root):
    """A message for each function at namespace scope that lacks a contract."""
    for pattern in CONTRACT_HEADERS:
        for path in sorted(root.glob(pattern)):
            text = INTERNAL.sub(lambda match: "\n" * match[0].count("\n"), path.read_text())
            for comment in COMMENT.finditer(text):
                declaration = TEMPLATE.sub("", text[comment.end():])
                if not CONTRACT.search(comment[0]) and not NOT_A_FUNCTION.match(declaration):
                    line = text.count("\n", 0, comment.end()) + 1
                    yield f"{path.relative_to(root)}:{line}: the comment has no contract (docs/reference/contracts.md)"


def is_accepted(line):
    match = UNDOCUMENTED.search(line)
    if not match:
        return False
    if match["kind"] == "friend":
        return True
    return match["kind"] == "typedef" and match["name"] in STANDARD_TYPES


def warnings_of_doxygen(root):
    with tempfile.TemporaryDirectory() as folder:
        options = (root / "docs/Doxyfile").read_text()
        options += f"\nOUTPUT_DIRECTORY = {folder}\nWARN_IF_UNDOCUMENTED = YES\nHTML_EXTRA_STYLESHEET =\n"
        run = subprocess.run(["doxygen", "-"], input=options, cwd=root, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"{run.stderr}doxygen ended with exit code {run.returncode}")
    return [line.replace(f"{root}/", "") for line in run.stderr.splitlines()
            if line.strip() and not is_accepted(line)]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    warnings = list(without_contract(root))
    if not warnings:
        if shutil.which("doxygen") is None:
            print("doxygen is not installed")
            return 77
        warnings = warnings_of_doxygen(root)
    paths = tuple(sys.argv[2:])
    if paths:
        warnings = [line for line in warnings if line.startswith(paths)]
    for line in warnings:
        print(line)
    return 1 if warnings else 0


if __name__ == "__main__":
    sys.exit(main())
