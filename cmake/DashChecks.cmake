# Checks of the source tree that run as tests, label `check`: who includes whom, each public header
# alone and twice, format, the files themselves, the page of settings, and an installed copy used from
# outside.

find_program(BASH_EXECUTABLE bash REQUIRED)
mark_as_advanced(BASH_EXECUTABLE)

foreach(check layering files format c_api)
  add_test(NAME check.${check}
           COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/cmake/checks/${check}.sh"
                   "${PROJECT_SOURCE_DIR}")
  set_tests_properties(check.${check} PROPERTIES LABELS "check;quick;full" SKIP_RETURN_CODE 77)
endforeach()

add_test(NAME check.settings
         COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/cmake/checks/settings.sh"
                 "${PROJECT_SOURCE_DIR}" $<TARGET_FILE:dash-info>)
add_test(NAME check.info
         COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tests/tools/dash_info.sh"
                 $<TARGET_FILE:dash-info> "${MPIEXEC_EXECUTABLE}")
add_test(NAME check.tune
         COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tests/tools/dash_tune.sh"
                 $<TARGET_FILE:dash-tune> $<TARGET_FILE:dash-info> "${MPIEXEC_EXECUTABLE}")
dash_run_environment(environment)
set_tests_properties(check.settings check.info check.tune
                     PROPERTIES LABELS "check;quick;full" TIMEOUT 120 ENVIRONMENT "${environment}")

# --- What compilers say -------------------------------------------------------------------------

add_test(NAME check.compile_fail
         COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/cmake/checks/compile_fail.sh"
                 "${PROJECT_SOURCE_DIR}" "${CMAKE_CXX_COMPILER}")
set_tests_properties(check.compile_fail PROPERTIES LABELS "check;quick;full" PROCESSORS 2 TIMEOUT 300)

# --- Public headers -----------------------------------------------------------------------------

# Writes a file only if its text is new, so that nothing is compiled again without need.
function(_dash_generate path text)
  file(GENERATE OUTPUT "${path}" CONTENT "${text}")
endfunction()

# Sets <out> to the headers that the first directive of one of a layer's sources includes: they have
# compiled alone, with no roots but those of the layer, when the library is there.
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

# A header must compile alone with the include roots of its own layer and those below; headers of the C
# runtime also as C. Then two translation units that include all of them, each twice, must link: a
# function or variable in a header that is not inline would clash.
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
    string(REPLACE "/" "_" name "${header}")
    set(text "#include \"${header}\"\n#include \"${header}\"\n")
    if(NOT header IN_LIST alone)
      _dash_generate("${generated}/${layer}/${name}.cpp" "${text}")
      list(APPEND sources "${generated}/${layer}/${name}.cpp")
    endif()
    if(header MATCHES "^dash/dart/if/")
      # ISO C wants a declaration, which a header of macros has not.
      _dash_generate("${generated}/${layer}/${name}.c" "${text}int declaration(void);\n")
      list(APPEND sources "${generated}/${layer}/${name}.c")
    endif()
    string(APPEND all_headers "${text}")
  endforeach()
  if(sources)
    add_library(dash_headers_${layer} OBJECT EXCLUDE_FROM_ALL ${sources})
    # MPI for the one header that is about it, dash/dart/Mpi.h; of the others the layering is checked.
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

# Built here and not before: a header that does not compile alone is a failing test.
set(keep_going -k)
if(CMAKE_GENERATOR MATCHES Ninja)
  set(keep_going -k 0)
endif()
add_test(NAME check.headers COMMAND ${CMAKE_COMMAND} --build "${PROJECT_BINARY_DIR}" --parallel 2
                                    --target dash_header_check -- ${keep_going})
# Two minutes of two processors: not in the quick set.
set_tests_properties(check.headers PROPERTIES LABELS "check;full" PROCESSORS 2 TIMEOUT 1500 COST 1000)

# --- Installation -------------------------------------------------------------------------------

# A sanitized library cannot be linked into an ordinary program.
if(NOT DASH_SANITIZE AND BUILD_SHARED_LIBS)
  foreach(installed dash dash-info dash-tune dash-trace dash-map)
    if(TARGET ${installed})
      add_dependencies(dash_smoke ${installed})
    endif()
  endforeach()
  add_test(NAME check.install
           COMMAND ${BASH_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tests/install/run.sh"
                   "${PROJECT_BINARY_DIR}" "${CMAKE_CXX_COMPILER}" "${MPIEXEC_EXECUTABLE}"
                   "${CMAKE_INSTALL_LIBDIR}")
  set_tests_properties(check.install PROPERTIES LABELS "check;smoke;full" PROCESSORS 2 TIMEOUT 300)
endif()
