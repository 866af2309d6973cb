# Installs libdash, its public headers, the CMake package and the pkg-config file. The tools install themselves.
include(CMakePackageConfigHelpers)

set(config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/dash")

install(
  TARGETS dash
  EXPORT dashTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime NAMELINK_COMPONENT dev
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT dashTargets NAMESPACE dash:: DESTINATION "${config_dir}")

configure_package_config_file(cmake/dashConfig.cmake.in "${PROJECT_BINARY_DIR}/dashConfig.cmake"
                              INSTALL_DESTINATION "${config_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/dashConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/dashConfig.cmake"
              "${PROJECT_BINARY_DIR}/dashConfigVersion.cmake" DESTINATION "${config_dir}")

# A static libdash passes its dependencies on to consumers; a shared one has none that a consumer must name.
set(DASH_PC_REQUIRES "hwloc tbb fmt spdlog mpich")
if(BUILD_SHARED_LIBS)
  set(DASH_PC_REQUIRES_KEY Requires.private)
  set(DASH_PC_LIBS_STATIC "")
else()
  set(DASH_PC_REQUIRES_KEY Requires)
  set(DASH_PC_LIBS_STATIC " -lboost_context")
endif()
# The file derives the prefix from its own location, so that an installed copy can be moved.
file(RELATIVE_PATH DASH_PC_TO_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /prefix)
configure_file(cmake/dash.pc.in "${PROJECT_BINARY_DIR}/dash.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/dash.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
