#!/usr/bin/env python3
"""Prints the dependency graph of Debian packages, as known to apt: the given packages and all that they need.

    make_debian_graph.py gnome > debian-12.txt

Each line is the name of a package and the names of the packages on which it depends (Depends and Pre-Depends, and of
alternatives the first). Virtual packages are left out.
"""
import re
import subprocess
import sys

depends = {}
name = None
available = subprocess.run(["apt-cache", "dumpavail"], stdout=subprocess.PIPE, text=True, check=True).stdout
for line in available.splitlines():
    field, _, value = line.partition(": ")
    if field == "Package":
        name = value
        depends.setdefault(name, set())
    elif field in ("Depends", "Pre-Depends"):
        depends[name] |= {re.split(r"[ (:|]", each.strip())[0] for each in value.split(",")}

needed = set()
queue = sys.argv[1:]
while queue:
    name = queue.pop()
    if name not in needed and name in depends:
        needed.add(name)
        queue += depends[name]
for name in sorted(needed):
    print(name, *sorted(depends[name] & needed))
