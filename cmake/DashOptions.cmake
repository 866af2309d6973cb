# Everything about how our own code is compiled. Nothing of it reaches a consumer.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
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

# ccache, when there. Precompiled headers need its leave (the two sloppiness entries) to be cached. What a
# source includes it learns from the compiler's list of dependencies: preprocessing each source first
# would cost a tenth of a build that finds nothing in the cache.
find_program(CCACHE_EXECUTABLE ccache)
mark_as_advanced(CCACHE_EXECUTABLE)
if(CCACHE_EXECUTABLE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_EXECUTABLE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
                                  CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=true
                                  "${CCACHE_EXECUTABLE}")
endif()

# What every target of ours is compiled with; linked privately.
add_library(dash_options INTERFACE)
target_compile_features(dash_options INTERFACE cxx_std_20)
target_compile_options(
  dash_options
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow $<$<BOOL:${DASH_WERROR}>:-Werror>
            # Tests' macros are called without their variadic arguments, which C++20 allows.
            $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-gnu-zero-variadic-macro-arguments>
            # g++ 12 sees overlapping copies in "literal" + std::string (its bug 105651).
            $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
target_compile_definitions(dash_options INTERFACE $<$<CONFIG:Debug>:DASH_ENABLE_ASSERTIONS>)

if(DASH_SANITIZE)
  string(REPLACE ";" "," _sanitizers "${DASH_SANITIZE}")
  if(NOT _sanitizers MATCHES "^(address,undefined|undefined,address|address|undefined|thread)$")
    message(FATAL_ERROR "DASH_SANITIZE is '${DASH_SANITIZE}'; it may be empty, 'address', "
                        "'undefined', 'address;undefined' or 'thread'.")
  endif()
  add_compile_options(-fsanitize=${_sanitizers} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${_sanitizers})
  # Instrumented code of the standard library looks to g++ as if it read what was not written.
  target_compile_options(dash_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(_sanitizers MATCHES undefined)
    add_compile_options(-fno-sanitize-recover=all)
  endif()
endif()

# For what is built to be tested only, in this folder and below: compiling is most of what it costs, and
# sanitizers make an optimiser slow. Calls in place of inlined checks, and memory in place of garbage
# collection, make g++ faster by another eighth; without checks of each pointer for null, alignment and type
# it takes half of the time. AddressSanitizer finds what is read through null, too, and the libraries
# themselves are compiled with all checks; with DASH_SANITIZE_THOROUGH so is the rest.
macro(dash_compile_fast_if_sanitized)
  if(DASH_SANITIZE)
    add_compile_options(
      -O0
      "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param asan-instrumentation-with-call-threshold=0>"
      "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=1000000>")
    if(DASH_SANITIZE MATCHES undefined AND NOT DASH_SANITIZE_THOROUGH)
      add_compile_options(-fno-sanitize=null,alignment,vptr)
    endif()
  endif()
endmacro()

# dash_precompile_if_sanitized(<target> FROM <target of the same options> | <headers>...): what is included
# most comes from a precompiled header. Other builds have none, so that a missing include is found.
function(dash_precompile_if_sanitized target)
  if(NOT DASH_SANITIZE)
    return()
  endif()
  if(ARGV1 STREQUAL FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# dash_compile_fast(<source>...): not optimised in any build. For sources that parse a command line, once:
# to optimise what CLI11 has in its headers takes longer than all else about them.
function(dash_compile_fast)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O0)
endfunction()
