# A layer is an object library with its own include root that links only to lower layers, so that an include of
# a higher layer does not compile. dash_compose_library() combines the layers to libdash.

# dash_layer(<name> [DEPENDS <lower layers>...] [LIBRARIES <private external libraries>...])
# Sources are src/**.cpp and src/**.c, public headers include/**.h. New files are found automatically.
function(dash_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LIBRARIES")
  set(target dash_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/*.cpp src/*.c)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS include/*.h)
  list(TRANSFORM arg_DEPENDS PREPEND dash::)

  if(sources)
    set(scope PUBLIC)
    add_library(${target} OBJECT ${sources})
    target_include_directories(${target} PRIVATE src)
    target_link_libraries(${target} PRIVATE dash_options ${arg_LIBRARIES})
    # Accesses to thread_local variables without a function call. They take about 500 bytes of the static TLS block, of
    # which dlopen() leaves more than that for libraries.
    target_compile_options(${target} PRIVATE -ftls-model=initial-exec)
    set_target_properties(
      ${target}
      PROPERTIES POSITION_INDEPENDENT_CODE ON
                 C_VISIBILITY_PRESET hidden
                 CXX_VISIBILITY_PRESET hidden
                 VISIBILITY_INLINES_HIDDEN ON)
    set_property(GLOBAL APPEND PROPERTY DASH_LAYER_OBJECTS $<TARGET_OBJECTS:${target}>)
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(dash::${name} ALIAS ${target})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} "${CMAKE_CURRENT_SOURCE_DIR}/include")
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS include FILES ${headers})
  target_link_libraries(${target} ${scope} ${arg_DEPENDS})

  set_property(GLOBAL APPEND PROPERTY DASH_LAYERS ${name})
  set_property(GLOBAL APPEND PROPERTY DASH_LAYER_LIBRARIES ${arg_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY DASH_INCLUDE_ROOTS "${CMAKE_CURRENT_SOURCE_DIR}/include")
  set_property(GLOBAL APPEND PROPERTY DASH_PUBLIC_HEADERS ${headers})
  set_property(GLOBAL PROPERTY DASH_LAYER_${name}_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
endfunction()

# Defines the target dash::dash: libdash.so (or libdash.a). Consumers of the shared library need none of its
# dependencies.
function(dash_compose_library)
  get_property(objects GLOBAL PROPERTY DASH_LAYER_OBJECTS)
  get_property(libraries GLOBAL PROPERTY DASH_LAYER_LIBRARIES)
  get_property(roots GLOBAL PROPERTY DASH_INCLUDE_ROOTS)
  get_property(headers GLOBAL PROPERTY DASH_PUBLIC_HEADERS)
  list(REMOVE_DUPLICATES libraries)
  if(NOT objects)
    message(FATAL_ERROR "No layer has a source file.")
  endif()

  add_library(dash ${objects})
  add_library(dash::dash ALIAS dash)
  target_sources(dash PUBLIC FILE_SET HEADERS BASE_DIRS ${roots} FILES ${headers})
  target_compile_features(dash PUBLIC cxx_std_20)
  target_link_libraries(dash PRIVATE ${libraries})
  # While the major version is 0, a minor version may change the ABI.
  set_target_properties(
    dash PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(BUILD_SHARED_LIBS AND NOT DASH_SANITIZE)
    target_link_options(dash PRIVATE -Wl,--no-undefined)
  endif()

  # The same objects as an archive, for tests of functions that libdash.so hides.
  add_library(dash_internal STATIC EXCLUDE_FROM_ALL ${objects})
  target_include_directories(dash_internal INTERFACE ${roots})
  target_compile_features(dash_internal INTERFACE cxx_std_20)
  target_link_libraries(dash_internal PUBLIC ${libraries})
  set_target_properties(dash_internal PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
