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

# Projects for DASH 0.4 look for this package, without a version.
configure_package_config_file(
  cmake/DASH-MPIConfig.cmake.in "${PROJECT_BINARY_DIR}/DASH-MPIConfig.cmake"
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/DASH-MPI" PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
install(FILES "${PROJECT_BINARY_DIR}/DASH-MPIConfig.cmake" DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/DASH-MPI")

# Only a program that links a static libdash links its dependencies; headers need none of them. They are in Libs and not
# in Requires, because pkg-config adds the include folders of both kinds of required packages to a compile command.
dash_link_options_of_dependencies(DASH_PC_DEPENDENCIES)
if(BUILD_SHARED_LIBS)
  set(DASH_PC_LIBS "")
else()
  set(DASH_PC_LIBS " ${DASH_PC_DEPENDENCIES}")
endif()
# The file derives the prefix from its own location, so that an installed copy can be moved.
file(RELATIVE_PATH DASH_PC_TO_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /prefix)
configure_file(cmake/dash.pc.in "${PROJECT_BINARY_DIR}/dash.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/dash.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
