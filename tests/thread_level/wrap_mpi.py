#!/usr/bin/env python3
"""Writes a wrapper for each function that mpi.h declares: it records the call and calls the PMPI function.

    wrap_mpi.py <output> <C++ compiler> [<option of the compiler>...]
"""
import pathlib
import re
import subprocess
import sys

# Defined in ThreadLevel.cpp, callable by any thread at any time, or with a variable number of arguments.
# Conversions for Fortran, which are in another library, are omitted, too.
OMITTED = {"MPI_Init", "MPI_Init_thread", "MPI_Query_thread", "MPI_Initialized", "MPI_Finalized",
           "MPI_Is_thread_main", "MPI_Get_version", "MPI_Get_library_version", "MPI_Pcontrol"}


def wrapper(name, parameters):
    arguments = []
    if parameters != "void":
        for parameter in parameters.split(","):
            arguments.append(re.search(r"(\w+)\s*(\[\w*\])*$", parameter.strip()).group(1))
    return (f"int {name}({parameters}) {{\n  const Call call(\"{name}\");\n"
            f"  return P{name}({', '.join(arguments)});\n}}\n")


def main():
    output, *compiler = sys.argv[1:]
    header = subprocess.run([*compiler, "-E", "-P", "-x", "c++", "-"], input="#include <mpi.h>\n", text=True,
                            stdout=subprocess.PIPE, check=True).stdout
    declarations = re.findall(r"\bint\s+(MPI_[A-Z][a-z]\w*)\s*\(([^()]*)\)", header)
    wrappers = {name: wrapper(name, " ".join(parameters.split())) for name, parameters in declarations
                if name not in OMITTED and not re.match(r"MPI_Status_[cf]\d*2|MPI_Status_f08", name)}
    if "MPI_Send" not in wrappers:
        sys.exit(f"wrap_mpi.py: only {len(wrappers)} functions found in mpi.h")
    pathlib.Path(output).write_text('extern "C" {\n' + "".join(wrappers.values()) + '}  // extern "C"\n')


main()
