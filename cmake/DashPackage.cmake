# Packages for Debian and Ubuntu: `cpack` in a build folder that was configured with -DCMAKE_INSTALL_PREFIX=/usr makes one
# package for each component.
#
#   dash-pgas0.5    the library; the name has its SONAME version, so that packages of two versions can be installed
#   dash-pgas-dev   headers, and the files for CMake and pkg-config
#   dash-pgas-tools commands
#
# `dash` alone is the name of a shell in Debian.

string(CONCAT DASH_RUNTIME_PACKAGE dash-pgas ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
# Each package has its own copy of the license.
foreach(component runtime dev tools)
  set(package dash-pgas-${component})
  if(component STREQUAL runtime)
    set(package ${DASH_RUNTIME_PACKAGE})
  endif()
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${package})
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    install(
      FILES "${PROJECT_SOURCE_DIR}/LICENSE"
      DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}"
      RENAME copyright
      COMPONENT ${component})
  endif()
endforeach()

# The commands of this MPI start the programs.
if(DASH_HAS_OPEN_MPI)
  set(launcher openmpi-bin)
  set(mpi_headers libopenmpi-dev)
else()
  set(launcher mpich)
  set(mpi_headers libmpich-dev)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dash-pgas)
set(CPACK_PACKAGE_VENDOR "DASH")
set(CPACK_PACKAGE_CONTACT "The DASH-Async authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev tools)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Library of DASH, a C++20 library for partitioned global address spaces.")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Headers of DASH, and the files with which CMake and pkg-config find it.")
set(CPACK_COMPONENT_DEV_DEPENDS runtime)
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "Commands of DASH, which show settings and hardware, and start and tune programs.")
set(CPACK_COMPONENT_TOOLS_DEPENDS runtime)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
# dpkg-shlibdeps finds the packages of the libraries; libdash itself is in the build folder.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_GENERATE_SHLIBS ON) # also makes the package call ldconfig
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS ${launcher})
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS g++)
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS dash-pgas-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS dash-pgas-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "${mpi_headers}, cmake, pkg-config")
include(CPack)
