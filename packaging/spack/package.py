# SPDX-License-Identifier: BSD-3-Clause

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class DashPgas(CMakePackage):
    """DASH is a C++20 library for programs on distributed memory: containers in a partitioned
    global address space, algorithms with the interface of the C++ standard library, and
    asynchronous operations on top of MPI."""

    license("BSD-3-Clause")

    # The sources have no public address. `dev_path` of a spec names the source folder. To publish the recipe, add
    # `homepage` and `git`, and the commit of the version.
    version("0.5.0")

    variant("shared", default=True, description="Build a shared library")
    variant("tools", default=True, description="Build all commands, not only dash-info and dashc++")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("mpi@3.1:")
    depends_on("hwloc@2:")
    depends_on("tbb")
    depends_on("boost@1.71: +context")
    depends_on("fmt")
    depends_on("spdlog +fmt_external")
    depends_on("cli11", type="build", when="+tools")
    depends_on("nlohmann-json@3.7:", type="build", when="+tools")

    conflicts("%gcc@:11", msg="DASH needs the C++20 of g++ 12")
    conflicts("%clang@:13", msg="DASH needs the C++20 of clang 14")
    conflicts("platform=darwin", msg="DASH uses interfaces of Linux")
    conflicts("platform=windows", msg="DASH uses interfaces of Linux")

    # dashc++ records the compiler. Within an installation, Spack's build wrapper does not work.
    filter_compiler_wrappers("dashc++", relative_root="bin")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("DASH_BUILD_TESTS", False),
            self.define("DASH_BUILD_BENCHMARKS", False),
            self.define_from_variant("DASH_BUILD_TRACE_TOOL", "tools"),
            self.define_from_variant("DASH_BUILD_MAP_TOOL", "tools"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_CLI11", self.spec.satisfies("~tools")),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        dash_info = Executable(join_path(self.prefix.bin, "dash-info"))
        dash_info()
