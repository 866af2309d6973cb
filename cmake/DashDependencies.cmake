# Looks for everything first and reports what is missing at once, with the command that installs it.
# The names after each find are what Debian and Ubuntu call the package.

set(_dash_missing "")
set(_dash_missing_packages "")

# Needs TARGET to exist after the find calls above it; otherwise remembers `what` and `packages`.
macro(dash_need target what)
  if(NOT TARGET ${target})
    list(APPEND _dash_missing "${what}")
    list(APPEND _dash_missing_packages ${ARGN})
  endif()
endmacro()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

find_package(MPI 3.1 QUIET COMPONENTS C)
dash_need(MPI::MPI_C "MPI 3.1 or newer (MPICH 4 recommended)" mpich libmpich-dev)

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(hwloc QUIET IMPORTED_TARGET hwloc>=2.0)
  dash_need(PkgConfig::hwloc "hwloc 2 or newer" libhwloc-dev)
else()
  list(APPEND _dash_missing "pkg-config")
  list(APPEND _dash_missing_packages pkg-config libhwloc-dev)
endif()

find_package(TBB 2021 QUIET CONFIG)
dash_need(TBB::tbb "oneTBB 2021 or newer" libtbb-dev)

find_package(Boost 1.71 QUIET COMPONENTS context)
dash_need(Boost::context "Boost.Context 1.71 or newer" libboost-context-dev)

find_package(fmt QUIET CONFIG)
dash_need(fmt::fmt "fmt" libfmt-dev)

find_package(spdlog QUIET CONFIG)
dash_need(spdlog::spdlog "spdlog" libspdlog-dev)

if(DASH_BUILD_TESTS)
  find_package(Catch2 2.13 QUIET CONFIG)
  if(Catch2_FOUND AND Catch2_VERSION VERSION_GREATER_EQUAL 3)
    message(FATAL_ERROR "Catch2 ${Catch2_VERSION} was found; the tests are written for 2.13.")
  endif()
  dash_need(Catch2::Catch2 "Catch2 2.13" catch2)
endif()

if(DASH_BUILD_TESTS OR DASH_BUILD_BENCHMARKS)
  # A factorisation is compared with LAPACK's; what lives together with OpenMP is tested.
  find_package(LAPACK QUIET)
  dash_need(LAPACK::LAPACK "LAPACK" liblapack-dev)
  find_package(OpenMP QUIET COMPONENTS CXX)
  dash_need(OpenMP::OpenMP_CXX "OpenMP for C++" g++)
endif()

find_package(CLI11 QUIET CONFIG)
dash_need(CLI11::CLI11 "CLI11" libcli11-dev)

if(DASH_BUILD_BENCHMARKS OR DASH_BUILD_TRACE_TOOL OR DASH_BUILD_MAP_TOOL)
  find_package(nlohmann_json 3.7 QUIET CONFIG)
  dash_need(nlohmann_json::nlohmann_json "nlohmann-json 3.7 or newer" nlohmann-json3-dev)
endif()

if(DASH_BUILD_BENCHMARKS)
  find_package(PNG QUIET)
  dash_need(PNG::PNG "libpng" libpng-dev)
endif()

if(DASH_BUILD_MAP_TOOL AND PkgConfig_FOUND)
  # Optional: dash-map --simulate.
  pkg_check_modules(simgrid QUIET IMPORTED_TARGET simgrid>=3.32)
endif()

if(_dash_missing)
  list(REMOVE_DUPLICATES _dash_missing_packages)
  list(JOIN _dash_missing "\n  " _dash_missing)
  list(JOIN _dash_missing_packages " " _dash_missing_packages)
  message(FATAL_ERROR "Not found:\n  ${_dash_missing}\nOn Debian and Ubuntu:\n"
                      "  apt-get install ${_dash_missing_packages}")
endif()

# Only the C binding is used: keep MPI's C++ headers out of our compilations.
target_compile_definitions(MPI::MPI_C INTERFACE MPICH_SKIP_MPICXX OMPI_SKIP_MPICXX)
