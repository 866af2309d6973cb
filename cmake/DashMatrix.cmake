# Runs of test programs with mpiexec: a matrix of unit counts, node layouts and progress modes.
#
# Comment lines at the top of a test define its matrix:
#
#   // dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll
#
# serial | parallel      without or with mpiexec
# units=N,...            numbers of units                            (parallel; 1,2,3,4,7)
# full-units=N,...       additional numbers of units, in the full set only
# layouts=L,...          node: all units on one node; cliques: two nodes; nolocal: each unit a node; pairs, singles:
#                        nodes of two units and of one, by DART_NODE_UNITS, so that MPI sees one node. Open MPI cannot
#                        divide a host, so that cliques and nolocal are the same as pairs and singles
# modes=M,...            auto, thread, poll                          (DART_PROGRESS)
# link=library|objects   link libdash as users do, or the layers' objects, with their src/ folders as
#                        include paths
# main=catch|own         own: the file has its own main()
# env=NAME:VALUE,...     additional environment variables
# labels=NAME,...        additional CTest labels
# uses=NAME,...          libraries that the file calls directly: tbb, openmp, lapack, mpi, png
# process=own            its cases do not share a process with those of other files
# threads=N              number of processors that a serial test uses     (1)
# quick=never            no run is in the quick set, because the test runs or compiles for a long time and
#                        sanitizers find little in it. Sanitized builds compile it with DASH_SANITIZE_THOROUGH only
# full=all               the full set contains each mode with each number of units in each layout, if the build is not
#                        sanitized
# smoke=yes|never        some runs, or none, are in the smoke set    (yes for async and apps; never
#                        for others, because compiling them with optimization takes too long)
# ranks=quick|full|never one run with progress processes is in the quick set; or all are in the full set only; or there are
#                        none (full in dart, dash and algorithms for files with several layouts and no main(); else never)
# timeout=SECONDS        of one run, without sanitizers
#
# CTest names are <layer>.<thing>.np<N>[.<layout>][.<mode>], without the defaults `node` and `auto`.
# Labels: the layer, and the sets of the run: `quick` contains the runs for everyday work, `smoke` a small selection, and
# `full` the quick set and each number of units in each layout, with one of the modes. In sanitized builds, it contains
# each number of units in one layout. With full=all, it contains all runs. All other runs are in no set.
#
# Runs with progress processes (DART_PROGRESS=ranks) have the mode `ranks` in their names: 2 and 4 units on one node, and
# on two nodes. The full set contains two of them, in sanitized builds one; with ranks=quick, one is in the quick set.

# Builds the programs of the smoke set, and those of the tests of layers.
add_custom_target(dash_smoke)
add_custom_target(dash_layer_tests)

set(DASH_UNITS_DEFAULT 1 2 3 4 7)
set(DASH_KNOWN_LAYOUTS node cliques nolocal pairs singles)
set(DASH_KNOWN_MODES auto thread poll)

# Sets <out> to the environment of every run: no measured settings, and the sanitizer options with their
# suppression files.
function(dash_run_environment out)
  set(folder "${PROJECT_SOURCE_DIR}/cmake/sanitizers")
  # Some test programs start other programs with this mpiexec.
  set(environment DART_TUNING=none "DASH_TEST_MPIEXEC=${MPIEXEC_EXECUTABLE}")
  if(DASH_HAS_OPEN_MPI)
    # More units than processors, which are not bound: Open MPI 4 and 5.
    list(APPEND environment OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
         PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none)
  endif()
  if(DASH_SANITIZE)
    # UCX patches memory functions that sanitizers intercept, and installs handlers for their signals. Plugins of
    # hwloc leak memory and are unloaded before a suppression could match their names.
    list(APPEND environment UCX_MEM_EVENTS=no UCX_HANDLE_ERRORS=none HWLOC_PLUGINS_PATH=/dev/null)
  endif()
  if(DASH_SANITIZE MATCHES address)
    # By default, each process keeps 256 MB of freed memory from reuse. To provide pages for it takes a third of the
    # system time.
    list(APPEND environment "ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:quarantine_size_mb=32"
         "LSAN_OPTIONS=suppressions=${folder}/lsan.supp:print_suppressions=0")
  endif()
  if(DASH_SANITIZE MATCHES undefined)
    list(APPEND environment "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1")
  endif()
  if(DASH_SANITIZE MATCHES thread)
    list(APPEND environment
         "TSAN_OPTIONS=suppressions=${folder}/tsan.supp:halt_on_error=1:second_deadlock_stack=1:history_size=7")
  endif()
  set(${out} "${environment}" PARENT_SCOPE)
endfunction()

# Sets <out> to the environment that creates the nodes of <layout> on one machine.
function(dash_layout_environment out layout)
  if(DASH_HAS_OPEN_MPI)
    string(REPLACE cliques pairs layout "${layout}")
    string(REPLACE nolocal singles layout "${layout}")
  endif()
  if(layout STREQUAL cliques)
    set(${out} MPIR_CVAR_ODD_EVEN_CLIQUES=1 PARENT_SCOPE)
  elseif(layout STREQUAL nolocal)
    set(${out} MPIR_CVAR_NOLOCAL=1 PARENT_SCOPE)
  elseif(layout STREQUAL pairs)
    set(${out} DART_NODE_UNITS=2 PARENT_SCOPE)
  elseif(layout STREQUAL singles)
    set(${out} DART_NODE_UNITS=1 PARENT_SCOPE)
  elseif(layout STREQUAL node)
    set(${out} "" PARENT_SCOPE)
  else()
    message(FATAL_ERROR "unknown layout '${layout}'; known are: ${DASH_KNOWN_LAYOUTS}")
  endif()
endfunction()

# Sets <out> to the sets other than `full` that contain this point of a matrix. The quick set contains
# - each layout other than the first, once, with the most suitable number of units;
# - each mode other than the first, once, with 2 units;
# - the first layout and mode with every number of units, except 4 if 7 exists, and 2 if another mode has it.
# If <group> is not empty, only a part of this is quick, to save time: 3 units on one node and on three nodes, and in
# group 0 the largest number of units; in group 1 two nodes, and one unit; in group 2 the other modes, and one unit.
function(_dash_point_sets out group units quick_units layouts layout modes mode)
  list(GET layouts 0 first_layout)
  list(GET modes 0 first_mode)
  list(GET quick_units -1 most)
  set(odd ${most})
  set(even ${most})
  set(pair ${most})
  if(3 IN_LIST quick_units)
    set(odd 3)
  endif()
  if(4 IN_LIST quick_units)
    set(even 4)
  endif()
  if(2 IN_LIST quick_units)
    set(pair 2)
  endif()

  set(sets "")
  if(layout STREQUAL first_layout AND mode STREQUAL first_mode)
    list(LENGTH modes num_modes)
    set(omitted 0)
    if(7 IN_LIST quick_units)
      set(omitted 4)
    endif()
    if(num_modes GREATER 1 AND most GREATER 2)
      list(APPEND omitted 2)
    endif()
    if(units IN_LIST quick_units AND NOT units IN_LIST omitted)
      list(APPEND sets quick)
    endif()
    if(units EQUAL even)
      list(APPEND sets smoke)
    endif()
  elseif(mode STREQUAL first_mode)
    if((layout STREQUAL cliques AND units EQUAL even) OR (layout MATCHES "^(nolocal|pairs|singles)$" AND units EQUAL odd))
      list(APPEND sets quick)
    endif()
    if(layout STREQUAL nolocal AND units EQUAL odd)
      list(APPEND sets smoke)
    endif()
  elseif(layout STREQUAL first_layout AND units EQUAL pair)
    list(APPEND sets quick)
  endif()

  set(groups 0 1 2)
  if(NOT mode STREQUAL first_mode)
    set(groups 2)
  elseif(layout MATCHES "^(cliques|pairs|singles)$")
    set(groups 1)
  elseif(units EQUAL most AND NOT units EQUAL odd)
    set(groups 0)
  elseif(units EQUAL 1)
    set(groups 1 2)
  endif()
  if(NOT group STREQUAL "" AND NOT group IN_LIST groups)
    list(REMOVE_ITEM sets quick)
  endif()
  set(${out} "${sets}" PARENT_SCOPE)
endfunction()

# Sets <out> to whether the full set runs <units> and <layout> with this mode. It uses one mode for each combination: the
# modes alternate from one number of units to the next, and from one layout to the next. So each two of number of
# units, layout and mode occur together. Sanitized programs are slow, so they run with each number of units in one
# layout, with one mode. <start> is the same for all runs of a test, and differs from test to test.
function(_dash_is_in_full_set out start layouts layout all_units units modes mode)
  list(FIND layouts ${layout} at_layout)
  list(FIND all_units ${units} at_units)
  list(FIND modes ${mode} at_mode)
  list(LENGTH layouts num_layouts)
  list(LENGTH modes num_modes)
  math(EXPR from_mode "(${start} + ${at_layout} + ${at_units} - ${at_mode}) % ${num_modes}")
  # Another digit of <start>: otherwise all tests would have the same mode in a layout.
  math(EXPR from_layout "(${start} / 6 + ${at_units} - ${at_layout}) % ${num_layouts}")
  set(${out} FALSE PARENT_SCOPE)
  if(from_mode EQUAL 0 AND (from_layout EQUAL 0 OR NOT DASH_SANITIZE))
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Adds the runs with progress processes: one for each node. <start> selects those of the full set.
function(_dash_add_ranks_runs name start ranks labels timeout layouts units variables command)
  set(points "2,node,3" "2,singles,4" "4,node,5" "4,pairs,6") # units, layout, processes
  math(EXPR on_node "${start} / 2 % 2 * 2")
  math(EXPR on_nodes "3 - ${on_node}")
  foreach(at RANGE 3)
    list(GET points ${at} point)
    string(REPLACE "," ";" point "${point}")
    list(GET point 0 n)
    list(GET point 1 layout)
    list(GET point 2 processes)
    if(NOT n IN_LIST units OR (layout STREQUAL node AND NOT node IN_LIST layouts))
      continue()
    endif()
    set(test ${name}.np${n})
    if(NOT layout STREQUAL node)
      string(APPEND test .${layout})
    endif()
    set(sets "")
    if(at EQUAL on_nodes OR (at EQUAL on_node AND NOT DASH_SANITIZE))
      set(sets full)
    endif()
    if(ranks STREQUAL quick AND at EQUAL 1)
      set(sets quick full)
    endif()
    dash_layout_environment(layout_environment ${layout})
    add_test(NAME ${test}.ranks COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${processes} ${MPIEXEC_PREFLAGS}
                                        ${command})
    set_tests_properties(
      ${test}.ranks PROPERTIES LABELS "${labels};${sets}" TIMEOUT ${timeout} PROCESSORS ${processes}
                               ENVIRONMENT "${variables};${layout_environment};DART_PROGRESS=ranks"
                               SKIP_RETURN_CODE 77)
  endforeach()
endfunction()

# dash_add_run(<name> COMMAND <program> [args...] [SERIAL] [UNITS n...] [FULL_UNITS n...] [ONLY_FULL]
#              [LAYOUTS l...] [MODES m...] [ENVIRONMENT k=v...] [LABELS l...] [TIMEOUT s] [THREADS n]
#              [QUICK never] [FULL all] [SMOKE yes|never] [RANKS quick|full|never] [EXPECTED <file>.<N>.out...])
# Adds one CTest test for each point of the matrix. With ONLY_FULL, none is in the quick or smoke set. On one node with
# the first mode, the output of N units is compared with an expected file.
function(dash_add_run name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL;ONLY_FULL" "TIMEOUT;THREADS;QUICK;FULL;SMOKE;RANKS"
                        "COMMAND;UNITS;FULL_UNITS;LAYOUTS;MODES;ENVIRONMENT;LABELS;EXPECTED")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${name}: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    # A cross-built program runs in an emulator.
    list(PREPEND arg_COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${program}>)
  else()
    list(PREPEND arg_COMMAND ${program})
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  if(CMAKE_CROSSCOMPILING_EMULATOR)
    math(EXPR arg_TIMEOUT "10 * ${arg_TIMEOUT}")
  elseif(DASH_SANITIZE)
    math(EXPR arg_TIMEOUT "3 * ${arg_TIMEOUT}")
  endif()
  dash_run_environment(environment)
  # The runner reports the test case of each unit shortly before CTest kills the run without a report.
  math(EXPR report_timeout "${arg_TIMEOUT} - 5")
  list(APPEND environment "DASH_TEST_TIMEOUT_S=${report_timeout}" ${arg_ENVIRONMENT})

  if(arg_SERIAL)
    if(NOT arg_THREADS)
      set(arg_THREADS 1)
    endif()
    set(sets quick smoke)
    if(arg_QUICK STREQUAL never)
      list(REMOVE_ITEM sets quick)
    endif()
    if(arg_SMOKE STREQUAL never)
      list(REMOVE_ITEM sets smoke)
    elseif(TARGET ${program})
      add_dependencies(dash_smoke ${program})
    endif()
    add_test(NAME ${name} COMMAND ${arg_COMMAND})
    set_tests_properties(
      ${name} PROPERTIES LABELS "${arg_LABELS};${sets};full" TIMEOUT ${arg_TIMEOUT}
                         PROCESSORS ${arg_THREADS} ENVIRONMENT "${environment}" SKIP_RETURN_CODE 77)
    return()
  endif()

  if(NOT arg_LAYOUTS)
    set(arg_LAYOUTS node)
  endif()
  if(NOT arg_MODES)
    set(arg_MODES auto)
  endif()
  if(NOT arg_UNITS)
    set(arg_UNITS ${DASH_UNITS_DEFAULT})
  endif()
  foreach(mode IN LISTS arg_MODES)
    if(NOT mode IN_LIST DASH_KNOWN_MODES)
      message(FATAL_ERROR "${name}: unknown mode '${mode}'; known are: ${DASH_KNOWN_MODES}")
    endif()
  endforeach()

  string(SHA1 hash "${name}")
  string(SUBSTRING "${hash}" 0 4 hash)
  math(EXPR start "0x${hash}")
  set(group "")
  if(name MATCHES "^(dart|dash|algorithms|kernels|apps|thread_level)[.]")
    math(EXPR group "${start} % 3")
  endif()
  set(all_units ${arg_UNITS} ${arg_FULL_UNITS})
  list(GET arg_LAYOUTS 0 first_layout)
  list(GET arg_MODES 0 first_mode)
  foreach(file IN LISTS arg_EXPECTED)
    if(NOT file MATCHES "\\.([0-9]+)\\.out$" OR NOT CMAKE_MATCH_1 IN_LIST all_units)
      message(FATAL_ERROR "${name}: no run has the number of units in the name of ${file}; the runs have ${all_units}")
    endif()
  endforeach()

  foreach(layout IN LISTS arg_LAYOUTS)
    dash_layout_environment(layout_environment ${layout})
    foreach(mode IN LISTS arg_MODES)
      foreach(units IN LISTS all_units)
        set(test ${name}.np${units})
        set(variables ${environment} ${layout_environment})
        if(NOT layout STREQUAL node)
          string(APPEND test .${layout})
        endif()
        if(NOT mode STREQUAL auto)
          string(APPEND test .${mode})
        endif()
        # The default is set explicitly too, because some programs choose another mode if it is not set.
        list(APPEND variables DART_PROGRESS=${mode})
        set(sets "")
        if(NOT arg_ONLY_FULL)
          _dash_point_sets(sets "${group}" ${units} "${arg_UNITS}" "${arg_LAYOUTS}" ${layout} "${arg_MODES}"
                           ${mode})
        endif()
        if(arg_QUICK STREQUAL never)
          list(REMOVE_ITEM sets quick)
        endif()
        if(arg_SMOKE STREQUAL never)
          list(REMOVE_ITEM sets smoke)
        endif()
        set(expected "")
        if(layout STREQUAL first_layout AND mode STREQUAL first_mode)
          set(expected ${arg_EXPECTED})
          list(FILTER expected INCLUDE REGEX "\\.${units}\\.out$")
        endif()
        if(expected AND NOT quick IN_LIST sets)
          list(APPEND sets quick)
        endif()
        if(smoke IN_LIST sets AND TARGET ${program})
          add_dependencies(dash_smoke ${program})
        endif()
        _dash_is_in_full_set(is_in_full_set ${start} "${arg_LAYOUTS}" ${layout} "${all_units}" ${units} "${arg_MODES}"
                             ${mode})
        if(is_in_full_set OR quick IN_LIST sets OR (arg_FULL STREQUAL all AND NOT DASH_SANITIZE))
          list(APPEND sets full)
        endif()
        set(command ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${units} ${MPIEXEC_PREFLAGS} ${arg_COMMAND})
        if(expected)
          list(PREPEND command Python3::Interpreter "${PROJECT_SOURCE_DIR}/docs/examples/compare_output.py" ${expected})
        endif()
        add_test(NAME ${test} COMMAND ${command})
        set_tests_properties(
          ${test} PROPERTIES LABELS "${arg_LABELS};${sets}" TIMEOUT ${arg_TIMEOUT}
                             PROCESSORS ${units} ENVIRONMENT "${variables}" SKIP_RETURN_CODE 77)
      endforeach()
    endforeach()
  endforeach()
  list(LENGTH arg_LAYOUTS num_layouts)
  if(NOT arg_RANKS AND name MATCHES "^(dart|dash|algorithms)[.]" AND num_layouts GREATER 1)
    set(arg_RANKS full)
  endif()
  if(arg_RANKS AND NOT arg_RANKS STREQUAL never)
    _dash_add_ranks_runs(${name} ${start} "${arg_RANKS}" "${arg_LABELS}" ${arg_TIMEOUT} "${arg_LAYOUTS}" "${all_units}"
                         "${environment}" "${arg_COMMAND}")
  endif()
endfunction()

# _dash_add_test_program(<target> <layer> SOURCES <files>... [SERIAL] [LINK library|objects] [MAIN catch|own] [USES ...])
function(_dash_add_test_program target layer)
  cmake_parse_arguments(PARSE_ARGV 2 arg "SERIAL" "LINK;MAIN" "SOURCES;USES")
  dash_unite_sources(sources ${target} ${arg_SOURCES})
  add_executable(${target} ${sources})
  if(layer MATCHES "^(core|async|dart|dash|algorithms)$")
    add_dependencies(dash_layer_tests ${target})
  endif()
  dash_use_libraries(${target} ${arg_USES})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${target} PRIVATE dash_options Catch2::Catch2)
  set(precompiled dash_serial_main)
  if(arg_LINK STREQUAL objects)
    target_link_libraries(${target} PRIVATE dash_internal)
    get_property(layers GLOBAL PROPERTY DASH_LAYERS)
    foreach(each IN LISTS layers)
      get_property(folder GLOBAL PROPERTY DASH_LAYER_${each}_DIR)
      target_include_directories(${target} PRIVATE "${folder}/src")
    endforeach()
  else()
    target_link_libraries(${target} PRIVATE dash::dash)
    if(layer MATCHES "^(dash|algorithms)$")
      set(precompiled dash_parallel_main)
    endif()
  endif()
  if(NOT arg_SERIAL)
    target_link_libraries(${target} PRIVATE MPI::MPI_C)
  endif()
  if(NOT arg_MAIN STREQUAL own)
    if(arg_SERIAL)
      target_link_libraries(${target} PRIVATE dash_serial_main)
    elseif(layer STREQUAL dart OR layer STREQUAL async OR layer STREQUAL core)
      target_link_libraries(${target} PRIVATE dash_dart_main)
    else()
      target_link_libraries(${target} PRIVATE dash_parallel_main)
    endif()
    if(NOT openmp IN_LIST arg_USES) # OpenMP needs another compiler option than the precompiled header has
      dash_precompile_if_unity(${target} FROM ${precompiled})
    endif()
  endif()
endfunction()

# dash_add_test(<layer> <name> SOURCES <files>... [PROGRAM <target>] [FILTER <cases>] [SERIAL] [LINK library|objects]
#               [MAIN catch|own] [further arguments of dash_add_run])
# Builds the program, which is test_<layer>_<name> if it is not named, and adds its runs. Without SOURCES the program
# exists already. FILTER selects test cases.
function(dash_add_test layer name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "SERIAL" "PROGRAM;FILTER;LINK;MAIN;TIMEOUT;THREADS;QUICK;FULL;SMOKE;RANKS"
                        "SOURCES;UNITS;FULL_UNITS;LAYOUTS;MODES;ENVIRONMENT;LABELS;USES")
  set(target test_${layer}_${name})
  if(arg_PROGRAM)
    set(target ${arg_PROGRAM})
  endif()
  set(serial "")
  if(arg_SERIAL)
    set(serial SERIAL)
  endif()
  if(arg_SOURCES)
    set(options "")
    foreach(key LINK MAIN USES)
      if(arg_${key})
        list(APPEND options ${key} ${arg_${key}})
      endif()
    endforeach()
    _dash_add_test_program(${target} ${layer} SOURCES ${arg_SOURCES} ${serial} ${options})
  endif()
  set(filter "")
  if(arg_FILTER)
    set(filter --filenames-as-tags "${arg_FILTER}")
  endif()

  if(arg_MAIN STREQUAL own AND NOT arg_RANKS)
    set(arg_RANKS never)
  endif()
  if(layer MATCHES "^(core|dart|dash|algorithms|tools)$" AND NOT arg_SMOKE)
    set(arg_SMOKE never)
  endif()
  set(matrix "")
  foreach(key UNITS FULL_UNITS LAYOUTS MODES ENVIRONMENT TIMEOUT THREADS QUICK FULL SMOKE RANKS)
    if(arg_${key})
      list(APPEND matrix ${key} ${arg_${key}})
    endif()
  endforeach()
  dash_add_run(${layer}.${name} ${serial} COMMAND ${target} ${filter} LABELS ${layer} ${arg_LABELS} ${matrix})
endfunction()

# Sets <out> to the arguments for dash_add_run in the lines `// <tag>: ...` of <file>, or in <default> if there is no
# such line. CMake runs again when the file changes.
function(dash_read_matrix out file tag default)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(STRINGS "${file}" lines REGEX "^// ${tag}:" LIMIT_COUNT 8)
  list(TRANSFORM lines REPLACE "^// ${tag}:" "")
  list(JOIN lines " " words)
  if(NOT words)
    set(words "${default}")
  endif()
  separate_arguments(words UNIX_COMMAND "${words}")

  set(arguments "")
  foreach(word IN LISTS words)
    if(NOT word MATCHES "^([a-z-]+)(=(.*))?$")
      message(FATAL_ERROR "${file}: '${word}' is not 'key' or 'key=value'")
    endif()
    set(key "${CMAKE_MATCH_1}")
    string(REPLACE "," ";" value "${CMAKE_MATCH_3}")
    if(word STREQUAL "serial")
      list(APPEND arguments SERIAL)
    elseif(word STREQUAL "parallel")
      # This is the default of dash_add_run.
    elseif(key MATCHES "^(units|full-units|layouts|modes|labels|uses|process|timeout|threads|quick|full|smoke|ranks|starts|study|set)$" AND value)
      string(TOUPPER "${key}" key)
      string(REPLACE "-" "_" key "${key}")
      list(APPEND arguments ${key} ${value})
    elseif(key STREQUAL "env" AND value)
      list(TRANSFORM value REPLACE ":" "=")
      list(APPEND arguments ENVIRONMENT ${value})
    elseif(word MATCHES "^(link=(library|objects)|main=(catch|own))$")
      string(TOUPPER "${key}" key)
      list(APPEND arguments ${key} ${value})
    else()
      message(FATAL_ERROR "${file}: unknown key '${word}' in a line '// ${tag}:'; known are: serial "
                          "parallel units= full-units= layouts= modes= link=library|objects "
                          "main=catch|own env= labels= uses= process=own timeout= threads= quick= full= smoke= ranks= starts= study= set=study")
    endif()
  endforeach()
  set(${out} "${arguments}" PARENT_SCOPE)
endfunction()

# Sets <out> to <name> in snake case: CopyAsync becomes copy_async.
function(dash_snake_case out name)
  string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" name "${name}")
  string(REGEX REPLACE "([A-Z])([A-Z][a-z])" "\\1_\\2" name "${name}")
  string(TOLOWER "${name}" name)
  set(${out} "${name}" PARENT_SCOPE)
endfunction()
