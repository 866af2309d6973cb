# Compile options of the project's own code. None of them affects consumers.

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Use ccache if it is installed. Caching precompiled headers requires the two sloppiness entries. In depend mode,
# ccache takes the includes of a source from the compiler's dependency file; preprocessing each source first
# would take a tenth of the time of a build with an empty cache.
find_program(CCACHE_EXECUTABLE ccache)
mark_as_advanced(CCACHE_EXECUTABLE)
if(CCACHE_EXECUTABLE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_EXECUTABLE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
                                  CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=true
                                  "${CCACHE_EXECUTABLE}")
endif()

# Options of every target of the project; linked privately.
add_library(dash_options INTERFACE)
target_compile_features(dash_options INTERFACE cxx_std_20)
target_compile_options(
  dash_options
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow $<$<BOOL:${DASH_WERROR}>:-Werror>
            # Tests call macros without their variadic arguments, which C++20 allows.
            $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-gnu-zero-variadic-macro-arguments>
            # g++ 12 reports overlapping copies in "literal" + std::string (GCC bug 105651).
            $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
# DASH_LEAN: libdash.h includes only what the project's own programs need from it.
target_compile_definitions(dash_options INTERFACE DASH_LEAN $<$<CONFIG:Debug>:DASH_ENABLE_ASSERTIONS>)

if(DASH_SANITIZE)
  string(REPLACE ";" "," _sanitizers "${DASH_SANITIZE}")
  if(NOT _sanitizers MATCHES "^(address,undefined|undefined,address|address|undefined|thread)$")
    message(FATAL_ERROR "DASH_SANITIZE is '${DASH_SANITIZE}'; valid values are: empty, 'address', "
                        "'undefined', 'address;undefined', 'thread'.")
  endif()
  add_compile_options(-fsanitize=${_sanitizers} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${_sanitizers})
  # g++ reports false uninitialized reads in instrumented code of the standard library.
  target_compile_options(dash_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(_sanitizers MATCHES undefined)
    add_compile_options(-fno-sanitize-recover=all)
  endif()
  set(CMAKE_UNITY_BUILD ON)
endif()

# In a unity build, several sources of a target form one translation unit, and frequently included headers are
# precompiled: reading the headers takes most of the time. Tests are united by dash_unite_sources(). The dev preset
# compiles each source separately, and so does check.separate_sources, because only this detects missing includes.
set(DASH_UNITY_BUILD ${CMAKE_UNITY_BUILD}) # the user's option, even where CMAKE_UNITY_BUILD is off, as in tests
if(DASH_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
  target_compile_options(
    dash_options
    INTERFACE -Wno-shadow $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>
              # With precompiled headers, g++ 12 reports GCC bug 105651 as other errors, too.
              "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-stringop-overflow;-Wno-array-bounds>"
  )
endif()

# Reduces the compile time of targets that only serve tests, in this folder and below. Compiling them takes longer
# than running them, and sanitizers slow down the optimizer. Checks as function calls instead of inlined code, and
# a larger g++ heap with less garbage collection, save another eighth, and omitting line numbers a fifteenth. Omitting
# the checks of each pointer for null, alignment and type saves half of the time; AddressSanitizer detects reads through
# null pointers too. The libraries are always compiled with line numbers and all checks; with DASH_SANITIZE_THOROUGH,
# all targets are.
macro(dash_compile_fast_if_sanitized)
  if(DASH_SANITIZE)
    add_compile_options(
      -O0
      "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param asan-instrumentation-with-call-threshold=0>"
      "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=1000000>")
    if(DASH_SANITIZE MATCHES undefined AND NOT DASH_SANITIZE_THOROUGH)
      add_compile_options(-g0 -fno-sanitize=null,alignment,vptr)
    endif()
    include(CheckLinkerFlag)
    check_linker_flag(CXX -fuse-ld=gold DASH_HAS_LINKER_GOLD) # it takes half of the time
    if(DASH_HAS_LINKER_GOLD)
      add_link_options(-fuse-ld=gold)
    endif()
  endif()
endmacro()

# dash_precompile_if_unity(<target> FROM <target with the same options> | <headers>...)
# Precompiles frequently included headers in unity builds.
function(dash_precompile_if_unity target)
  if(NOT DASH_UNITY_BUILD)
    return()
  endif()
  if(ARGV1 STREQUAL FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# dash_compile_fast(<source>...)
# Compiles sources without optimization in every build. For sources that parse the command line: optimizing
# the templates of CLI11 takes longer than everything else in them.
function(dash_compile_fast)
  # A precompiled header serves only one level of optimization.
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O0 SKIP_PRECOMPILE_HEADERS ON)
endfunction()
