# Checks of the source tree that run as tests with the label `check`: includes between layers and subsystems,
# language, format, file lengths, the page of settings, compiler errors, each public header compiled alone and twice,
# and an installed copy that a program outside of the source tree uses.

find_program(BASH_EXECUTABLE bash REQUIRED)
mark_as_advanced(BASH_EXECUTABLE)

foreach(check layering files format c_api packaging)
  add_test(NAME check.${check}
           COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/cmake/checks/${check}.sh"
                   "${PROJECT_SOURCE_DIR}")
  set_tests_properties(check.${check} PROPERTIES LABELS "check;quick;full" SKIP_RETURN_CODE 77)
endforeach()

if(Python3_Interpreter_FOUND)
  foreach(check subsystems language site prose figures api)
    add_test(NAME check.${check} COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/cmake/checks/${check}.py"
                                         "${PROJECT_SOURCE_DIR}")
    set_tests_properties(check.${check} PROPERTIES LABELS "check;quick;full" SKIP_RETURN_CODE 77)
  endforeach()
  add_test(NAME check.detects COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/cmake/checks/detects.sh"
                                      "${PROJECT_SOURCE_DIR}" "${Python3_EXECUTABLE}")
  set_tests_properties(check.detects PROPERTIES LABELS "check;full")
endif()

add_test(NAME check.settings
         COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/cmake/checks/settings.sh"
                 "${PROJECT_SOURCE_DIR}" $<TARGET_FILE:dash-info>)
add_test(NAME check.info
         COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tests/tools/dash_info.sh"
                 $<TARGET_FILE:dash-info> "${MPIEXEC_EXECUTABLE}")
set(tool_checks check.settings check.info)
if(TARGET dash-tune)
  add_test(NAME check.tune
           COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tests/tools/dash_tune.sh"
                   $<TARGET_FILE:dash-tune> $<TARGET_FILE:dash-info> "${MPIEXEC_EXECUTABLE}")
  list(APPEND tool_checks check.tune)
endif()
dash_run_environment(environment)
set_tests_properties(${tool_checks} PROPERTIES LABELS "check;quick;full" TIMEOUT 120
                                               ENVIRONMENT "${environment}")

# The library needs few packages: configures with none of the others.
add_test(NAME check.minimal_configure
         COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/cmake/checks/minimal_configure.sh"
                 "${PROJECT_SOURCE_DIR}" "${CMAKE_COMMAND}" "${CMAKE_CXX_COMPILER}")
set_tests_properties(check.minimal_configure PROPERTIES LABELS "check;quick;full" TIMEOUT 120
                                                        ENVIRONMENT "CMAKE_GENERATOR=${CMAKE_GENERATOR}")

add_test(NAME check.launcher
         COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/cmake/checks/launcher.sh" "${PROJECT_SOURCE_DIR}"
                 "${CMAKE_COMMAND}" "${CMAKE_CXX_COMPILER}" "${MPI_C_COMPILER}" "${MPIEXEC_EXECUTABLE}")
set_tests_properties(check.launcher PROPERTIES LABELS "check;quick;full" TIMEOUT 120
                                               ENVIRONMENT "CMAKE_GENERATOR=${CMAKE_GENERATOR}")

# Unity builds do not detect includes that a source of the library lacks.
if(NOT DASH_SANITIZE)
  add_test(NAME check.separate_sources
           COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test "${PROJECT_SOURCE_DIR}"
                   "${PROJECT_BINARY_DIR}/separate_sources" --build-generator "${CMAKE_GENERATOR}" --build-target dash
                   --build-options "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" -DCMAKE_BUILD_TYPE=Debug
                   -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_UNITY_BUILD=OFF -DDASH_BUILD_TESTS=OFF
                   -DDASH_BUILD_BENCHMARKS=OFF)
  set_tests_properties(check.separate_sources PROPERTIES LABELS "check;full" PROCESSORS 2 TIMEOUT 1200)
endif()

# --- Compiler errors ----------------------------------------------------------------------------

add_test(NAME check.compile_fail
         COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/cmake/checks/compile_fail.sh"
                 "${PROJECT_SOURCE_DIR}" "${CMAKE_CXX_COMPILER}")
set_tests_properties(check.compile_fail PROPERTIES LABELS "check;quick;full" PROCESSORS 2 TIMEOUT 300)

# --- Public headers -----------------------------------------------------------------------------

# Writes a file only if its content has changed, so that it is not compiled again unnecessarily.
function(_dash_generate path text)
  file(GENERATE OUTPUT "${path}" CONTENT "${text}")
endfunction()

# Sets <out> to the headers that are the first include of a source of the layer. Building the library has already
# compiled these headers alone, with the include roots of the layer only.
function(_dash_first_included out folder)
  set(first "")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/src/*.cpp")
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" directive REGEX "^ *#" LIMIT_COUNT 1)
    if(directive MATCHES "^#include \"(.*)\"$")
      list(APPEND first "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(${out} "${first}" PARENT_SCOPE)
endfunction()

# Each header must compile alone with the include roots of its layer and of lower layers, headers of the C
# interface as C, too. Then two translation units that include all headers, each twice, must link: this detects
# functions and variables in headers that are not inline.
set(generated "${PROJECT_BINARY_DIR}/header-check")
add_custom_target(dash_header_check)
set(all_headers "")
get_property(layers GLOBAL PROPERTY DASH_LAYERS)
foreach(layer IN LISTS layers)
  get_property(folder GLOBAL PROPERTY DASH_LAYER_${layer}_DIR)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${folder}/include" "${folder}/include/*.h")
  _dash_first_included(alone "${folder}")
  set(sources "")
  foreach(header IN LISTS headers)
    file(STRINGS "${folder}/include/${header}" rejects REGEX "^#error" LIMIT_COUNT 1)
    if(rejects AND layer STREQUAL compat) # the header only names a missing feature
      continue()
    endif()
    string(REPLACE "/" "_" name "${header}")
    set(text "#include \"${header}\"\n#include \"${header}\"\n")
    if(NOT header IN_LIST alone)
      _dash_generate("${generated}/${layer}/${name}.cpp" "${text}")
      list(APPEND sources "${generated}/${layer}/${name}.cpp")
    endif()
    if(header MATCHES "^dash/dart/if/")
      # ISO C requires a declaration, which a header with only macros does not contain.
      _dash_generate("${generated}/${layer}/${name}.c" "${text}int declaration(void);\n")
      list(APPEND sources "${generated}/${layer}/${name}.c")
    endif()
    string(APPEND all_headers "${text}")
  endforeach()
  if(sources)
    add_library(dash_headers_${layer} OBJECT EXCLUDE_FROM_ALL ${sources})
    set_target_properties(dash_headers_${layer} PROPERTIES UNITY_BUILD OFF)
    # MPI is for one header, dash/dart/Mpi.h; check.layering verifies that no other includes it.
    target_link_libraries(dash_headers_${layer} PRIVATE dash_options dash::${layer} MPI::MPI_C)
    target_compile_options(dash_headers_${layer} PRIVATE -O0 -g0)
    if(DASH_SANITIZE)
      target_compile_options(dash_headers_${layer} PRIVATE -fno-sanitize=all)
    endif()
    add_dependencies(dash_header_check dash_headers_${layer})
  endif()
endforeach()

_dash_generate("${generated}/first.cpp" "${all_headers}int second();\nint main() { return second(); }\n")
_dash_generate("${generated}/second.cpp" "${all_headers}int second();\nint second() { return 0; }\n")
add_executable(dash_headers_link EXCLUDE_FROM_ALL "${generated}/first.cpp" "${generated}/second.cpp")
target_link_libraries(dash_headers_link PRIVATE dash_options dash::dash MPI::MPI_C)
target_compile_options(dash_headers_link PRIVATE -O0 -g0)
add_dependencies(dash_header_check dash_headers_link)

# The test builds the targets, so that a header that does not compile alone is a failing test.
set(keep_going -k)
if(CMAKE_GENERATOR MATCHES Ninja)
  set(keep_going -k 0)
endif()
add_test(NAME check.headers COMMAND ${CMAKE_COMMAND} --build "${PROJECT_BINARY_DIR}" --parallel 2
                                    --target dash_header_check -- ${keep_going})
# Not in the quick set, because it takes two minutes on two processors.
set_tests_properties(check.headers PROPERTIES LABELS "check;full" PROCESSORS 2 TIMEOUT 1500 COST 1000)

# --- Installation -------------------------------------------------------------------------------

# The scripts configure other projects, and start programs.
dash_run_environment(environment)
list(APPEND environment "CMAKE_GENERATOR=${CMAKE_GENERATOR}")

# A sanitized library cannot be linked into an ordinary program.
if(NOT DASH_SANITIZE AND BUILD_SHARED_LIBS)
  foreach(installed dash dash_internal dash-info dash-tune dash-trace dash-map dashrun)
    if(TARGET ${installed})
      add_dependencies(dash_smoke ${installed})
    endif()
  endforeach()
  add_test(NAME check.install
           COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tests/install/run.sh"
                   "${PROJECT_BINARY_DIR}" "${CMAKE_CXX_COMPILER}" "${MPIEXEC_EXECUTABLE}"
                   "${CMAKE_INSTALL_LIBDIR}" $<TARGET_FILE:dash_internal> "${MPI_C_COMPILER}")
  set_tests_properties(check.install PROPERTIES LABELS "check;smoke;full;platforms" PROCESSORS 2 TIMEOUT 300
                                                ENVIRONMENT "${environment}")
endif()

# The library in other projects and with other options: each builds the whole library.
if(NOT DASH_SANITIZE)
  # _dash_add_build_test(<name> <script> <options>...)
  function(_dash_add_build_test name script)
    add_test(NAME check.${name}
             COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tests/install/${script}.sh" "${PROJECT_SOURCE_DIR}"
                     "${CMAKE_CXX_COMPILER}" "${MPIEXEC_EXECUTABLE}" "-DMPI_C_COMPILER=${MPI_C_COMPILER}" ${ARGN})
    set_tests_properties(check.${name} PROPERTIES LABELS "check;full" PROCESSORS 2 TIMEOUT 1800
                                                  ENVIRONMENT "${environment}")
  endfunction()
  _dash_add_build_test(subproject subproject)
  _dash_add_build_test(static_library variant -DBUILD_SHARED_LIBS=OFF)
  _dash_add_build_test(lto variant -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON)
  _dash_add_build_test(glibcxx_assertions variant -DCMAKE_CXX_FLAGS=-D_GLIBCXX_ASSERTIONS)
  _dash_add_build_test(no_plt variant -DCMAKE_CXX_FLAGS=-fno-plt -DCMAKE_C_FLAGS=-fno-plt)
  set_property(TEST check.subproject check.static_library APPEND PROPERTY LABELS platforms)
endif()
