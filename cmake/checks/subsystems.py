#!/usr/bin/env python3
"""Checks the folders of the source tree.

    subsystems.py <source folder>

1. Includes between the subsystems of a layer go down the levels of subsystems.txt only.
2. Each source and each public header belongs to a subsystem that is listed there. A subsystem with sources has a
   README.md.
3. No folder holds more than 30 source files, except public header folders whose paths DASH defines.
"""
import collections
import pathlib
import re
import sys

MAX_LEVELS = 6
MAX_FILES = 30
INTERFACE = "interface"  # above all levels
# Include paths that programs written for DASH name.
FIXED_FOLDERS = {"dash/include/dash", "algorithms/include/dash/algorithm"}
SOURCE_ROOTS = ["core", "async", "dart", "dash", "algorithms", "benchmarks", "tests", "tools"]
SUFFIXES = {".h", ".cpp", ".c"}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)

root = pathlib.Path(sys.argv[1])
failures = []


def read_levels():
    """Returns layer -> subsystem -> level, and layer -> header or header folder -> subsystem."""
    layers = {}
    owner_of = collections.defaultdict(dict)
    layer = ""
    for line in (root / "cmake/checks/subsystems.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, order = line.split(":")
        if line.startswith(" "):
            for header in order.split():
                owner_of[layer][header] = name.strip()
            continue
        layer = name
        levels = [group.split() for group in order.split("<")]
        if len(levels) > MAX_LEVELS:
            failures.append(f"{layer}: {len(levels)} levels, more than {MAX_LEVELS}")
        layers[layer] = {folder: level for level, group in enumerate(levels) for folder in group}
        layers[layer][INTERFACE] = MAX_LEVELS
    return layers, owner_of


def check_layer(layer, levels, owner_of):
    sources = root / layer / "src"
    subsystem_of = {}  # include path -> subsystem
    by_stem = collections.defaultdict(set)
    for path in sorted(sources.rglob("*")):
        if path.suffix not in SUFFIXES:
            continue
        relative = path.relative_to(sources)
        if len(relative.parts) == 1:
            failures.append(f"{layer}/src/{relative}: belongs to no subsystem; move it to a folder")
            continue
        subsystem_of[str(relative)] = relative.parts[0]
        by_stem[path.stem].add(relative.parts[0])
    headers = root / layer / "include"
    for header in headers.rglob("*.h"):
        relative = str(header.relative_to(headers))
        folders = [folder for folder in owner_of if folder.endswith("/") and relative.startswith(folder)]
        owners = by_stem.get(header.stem, set())
        if relative in owner_of:
            subsystem_of[relative] = owner_of[relative]
        elif len(owners) == 1:
            subsystem_of[relative] = next(iter(owners))
        elif header.parent.name in levels:
            subsystem_of[relative] = header.parent.name
        elif folders:
            subsystem_of[relative] = owner_of[max(folders, key=len)]
        else:
            failures.append(f"{layer}/include/{relative}: belongs to no subsystem; add it to "
                            "cmake/checks/subsystems.txt")
    for header in owner_of:
        if not (headers / header).exists():
            failures.append(f"cmake/checks/subsystems.txt: {layer}/include/{header} does not exist")

    for folder in sorted(set(subsystem_of.values())):
        if folder not in levels:
            failures.append(f"{layer}/{folder}: not in cmake/checks/subsystems.txt")
        if (sources / folder).is_dir() and not (sources / folder / "README.md").is_file():
            failures.append(f"{layer}/src/{folder}: has no README.md")
    for folder in levels.keys() - {INTERFACE} - set(subsystem_of.values()):
        failures.append(f"cmake/checks/subsystems.txt: {layer}: no file belongs to {folder}")

    for path in [*sorted(sources.rglob("*")), *sorted(headers.rglob("*.h"))]:
        if path.suffix not in SUFFIXES:
            continue
        own = subsystem_of.get(str(path.relative_to(headers if path.is_relative_to(headers) else sources)))
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            other = subsystem_of.get(include)
            if other is None or other == own or own not in levels or other not in levels:
                continue
            if levels[other] >= levels[own]:
                failures.append(f"{path.relative_to(root)}: {layer}/{own} may not include {include}, which belongs to "
                                f"{layer}/{other}; see cmake/checks/subsystems.txt")


def check_sizes():
    for top in SOURCE_ROOTS:
        count = collections.Counter(
            str(path.parent.relative_to(root)) for path in (root / top).rglob("*") if path.suffix in SUFFIXES)
        for folder, files in sorted(count.items()):
            if files > MAX_FILES and folder not in FIXED_FOLDERS:
                failures.append(f"{folder}: {files} files, more than {MAX_FILES}; divide it into subsystems")


layers, owner_of = read_levels()
for layer, levels in layers.items():
    check_layer(layer, levels, owner_of[layer])
check_sizes()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
