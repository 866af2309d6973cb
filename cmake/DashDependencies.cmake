# Finds all packages, then reports all missing ones with the command that installs them. The last arguments of
# dash_need are the names of the packages in Debian and Ubuntu.
#
# The library needs MPI, hwloc, oneTBB, Boost.Context, fmt and spdlog. Tests and benchmarks need more; a missing one
# is then also an error. A tool whose package is missing is omitted (dash_can_build_tool).

set(_dash_missing "")
set(_dash_missing_packages "")

# dash_need(<target> <name> <package>...): records a missing package if the preceding find call did not define the
# target.
macro(dash_need target name)
  if(NOT TARGET ${target})
    list(APPEND _dash_missing "${name}")
    list(APPEND _dash_missing_packages ${ARGN})
  endif()
endmacro()

# A project that contains this one links a static libdash, and with it these targets.
if(NOT PROJECT_IS_TOP_LEVEL)
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
endif()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

set(_dash_chosen_launcher "$CACHE{MPIEXEC_EXECUTABLE}") # by the user, or by an earlier configuration
find_package(MPI 3.1 QUIET COMPONENTS C)
dash_need(MPI::MPI_C "MPI 3.1 or newer (MPICH 4 recommended)" mpich libmpich-dev)

# Open MPI has another launcher, with other options.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(OPEN_MPI mpi.h DASH_HAS_OPEN_MPI)
unset(CMAKE_REQUIRED_LIBRARIES)

# Sets MPIEXEC_EXECUTABLE to a launcher that does not report another MPI. If several MPI libraries are installed, FindMPI
# may find the mpiexec of another one, which starts each unit as a program with one unit.
function(_dash_find_launcher)
  set(found "${MPIEXEC_EXECUTABLE}")
  unset(MPIEXEC_EXECUTABLE CACHE)
  set(other_mpi "Open ?MPI|OpenRTE")
  set(names mpiexec.hydra mpiexec.mpich)
  if(DASH_HAS_OPEN_MPI)
    set(other_mpi "HYDRA|Intel|MVAPICH|MPICH")
    set(names mpiexec.openmpi orterun)
  endif()
  foreach(candidate "${found}" ${names})
    find_program(launcher "${candidate}" NO_CACHE)
    if(launcher)
      execute_process(COMMAND "${launcher}" --version OUTPUT_VARIABLE version ERROR_VARIABLE version)
      if(NOT version MATCHES "${other_mpi}")
        set(MPIEXEC_EXECUTABLE "${launcher}" CACHE FILEPATH "Executable for running MPI programs." FORCE)
        return()
      endif()
    endif()
    unset(launcher)
  endforeach()
  if(DASH_BUILD_TESTS OR DASH_BUILD_BENCHMARKS)
    set(severity FATAL_ERROR)
  elseif(DASH_BUILD_TOOLS)
    set(severity WARNING)
  else()
    return()
  endif()
  message(${severity} "No launcher of the MPI of ${MPI_C_HEADER_DIR}/mpi.h was found (only '${found}'). Set "
                      "MPIEXEC_EXECUTABLE to the mpiexec of this MPI")
endfunction()
if(NOT TARGET MPI::MPI_C)
  unset(MPIEXEC_EXECUTABLE CACHE)
elseif(NOT _dash_chosen_launcher)
  _dash_find_launcher()
endif()

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(hwloc QUIET IMPORTED_TARGET GLOBAL hwloc>=2.0)
  dash_need(PkgConfig::hwloc "hwloc 2 or newer" libhwloc-dev)
else()
  list(APPEND _dash_missing "pkg-config")
  list(APPEND _dash_missing_packages pkg-config libhwloc-dev)
endif()

find_package(TBB 2021 QUIET CONFIG)
dash_need(TBB::tbb "oneTBB 2021 or newer" libtbb-dev)

if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW) # CMake 3.30 has no module for Boost; Boost has a package
endif()
find_package(Boost 1.71 QUIET COMPONENTS context)
dash_need(Boost::context "Boost.Context 1.71 or newer" libboost-context-dev)

find_package(fmt QUIET CONFIG)
dash_need(fmt::fmt "fmt" libfmt-dev)

find_package(spdlog QUIET CONFIG)
dash_need(spdlog::spdlog "spdlog" libspdlog-dev)

if(DASH_BUILD_TESTS)
  # A package of version 3 does not satisfy a request for version 2.13, and the other way round.
  find_package(Catch2 3 QUIET CONFIG)
  if(NOT Catch2_FOUND)
    find_package(Catch2 2.13 QUIET CONFIG)
  endif()
  dash_need(Catch2::Catch2 "Catch2 2.13 or 3" catch2)
endif()

if(DASH_BUILD_TESTS OR DASH_BUILD_BENCHMARKS)
  # LAPACK is a baseline; the tests check that the library works in programs that use OpenMP.
  find_package(LAPACK QUIET)
  dash_need(LAPACK::LAPACK "LAPACK" liblapack-dev)
  find_package(OpenMP QUIET COMPONENTS CXX)
  dash_need(OpenMP::OpenMP_CXX "OpenMP for C++" g++)
  # Pictures of examples and applications.
  find_package(PNG QUIET)
  dash_need(PNG::PNG "libpng" libpng-dev)
endif()

# The tools use these if they are installed.
find_package(CLI11 QUIET CONFIG)
find_package(nlohmann_json 3.7 QUIET CONFIG)

if(DASH_BUILD_BENCHMARKS)
  dash_need(CLI11::CLI11 "CLI11" libcli11-dev)
  dash_need(nlohmann_json::nlohmann_json "nlohmann-json 3.7 or newer" nlohmann-json3-dev)
endif()

if(DASH_BUILD_TESTS OR DASH_BUILD_BENCHMARKS)
  # Optional, for check.subsystems, check.language, and the tests of dash-report and of examples.
  find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
endif()

if(DASH_BUILD_MAP_TOOL AND PkgConfig_FOUND)
  # Optional: for dash-map --simulate.
  pkg_check_modules(simgrid QUIET IMPORTED_TARGET simgrid>=3.32)
endif()

if(_dash_missing)
  list(REMOVE_DUPLICATES _dash_missing_packages)
  list(JOIN _dash_missing "\n  " _dash_missing)
  list(JOIN _dash_missing_packages " " _dash_missing_packages)
  message(FATAL_ERROR "Not found:\n  ${_dash_missing}\nOn Debian and Ubuntu:\n"
                      "  apt-get install ${_dash_missing_packages}\n"
                      "The library alone needs fewer packages: -DDASH_BUILD_TESTS=OFF -DDASH_BUILD_BENCHMARKS=OFF")
endif()

# dash_can_build_tool(<out> <tool> <target>...): sets <out> to whether all packages of a tool were found; if not,
# prints the missing ones.
function(dash_can_build_tool out tool)
  set(package_CLI11::CLI11 libcli11-dev)
  set(package_nlohmann_json::nlohmann_json nlohmann-json3-dev)
  set(missing "")
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      list(APPEND missing ${package_${target}})
    endif()
  endforeach()
  if(missing)
    list(JOIN missing " " missing)
    message(STATUS "${tool} is not built: it needs ${missing}")
    set(${out} OFF PARENT_SCOPE)
  else()
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()

# Sets <out> to the linker options of the libraries that libdash uses, as text: -lNAME, and -LFOLDER for folders that the
# linker does not search.
function(dash_link_options_of_dependencies out)
  set(files ${MPI_C_LIBRARIES} ${hwloc_LINK_LIBRARIES})
  foreach(target TBB::tbb Boost::context fmt::fmt spdlog::spdlog)
    set(file "")
    foreach(property IMPORTED_LOCATION IMPORTED_LOCATION_RELEASE IMPORTED_LOCATION_RELWITHDEBINFO
                     IMPORTED_LOCATION_NONE IMPORTED_LOCATION_DEBUG)
      if(NOT file)
        get_target_property(file ${target} ${property})
      endif()
    endforeach()
    if(file) # not for libraries of headers only
      list(APPEND files "${file}")
    endif()
  endforeach()
  set(options "")
  foreach(file IN LISTS files)
    get_filename_component(folder "${file}" DIRECTORY)
    get_filename_component(name "${file}" NAME)
    if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND options "-L${folder}")
    endif()
    string(REGEX REPLACE "^lib(.+)[.](so|a)([.][0-9.]+)?$" "-l\\1" name "${name}")
    list(APPEND options "${name}")
  endforeach()
  list(APPEND options ${CMAKE_THREAD_LIBS_INIT})
  foreach(library IN LISTS CMAKE_DL_LIBS)
    list(APPEND options "-l${library}")
  endforeach()
  list(REMOVE_DUPLICATES options)
  list(JOIN options " " options)
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# Only the C binding is used; do not include MPI's C++ headers. Not a property of MPI::MPI_C, which a project that
# contains this one may use, too.
add_compile_definitions(MPICH_SKIP_MPICXX OMPI_SKIP_MPICXX)
