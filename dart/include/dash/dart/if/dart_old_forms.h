#pragma once

/// \file
/// Forms of functions in versions of DASH before 0.4, for C++. Included by dart.h.

#ifdef __cplusplus

#include <cstddef>
#include <type_traits>

#include "dash/dart/if/dart_communication.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_team_group.h"
#include "dash/dart/if/dart_types.h"

/// \addtogroup c_runtime
/// @{

/// \overload
/// With the same type of elements at both ends.
[[deprecated("pass the type of the elements twice")]] inline dart_ret_t dart_put(
    dart_gptr_t gptr, const void* src, std::size_t nelem, dart_datatype_t dtype) noexcept {
  return dart_put(gptr, src, nelem, dtype, dtype);
}
/// \overload
/// With the same type of elements at both ends.
[[deprecated("pass the type of the elements twice")]] inline dart_ret_t dart_get(
    void* dest, dart_gptr_t gptr, std::size_t nelem, dart_datatype_t dtype) noexcept {
  return dart_get(dest, gptr, nelem, dtype, dtype);
}
/// Former name of dart_team_memalloc_aligned.
[[deprecated("use dart_team_memalloc_aligned")]] inline dart_ret_t dart_team_memalloc_aligned_full(
    dart_team_t team, std::size_t nelem, dart_datatype_t dtype, dart_gptr_t* gptr) noexcept {
  return dart_team_memalloc_aligned(team, nelem, dtype, gptr);
}
/// \overload
/// With the id as an integer. A template, so that a null pointer constant is not ambiguous.
template <class Id>
requires std::is_same_v<Id, dart_unit_t>
[[deprecated("pass a dart_global_unit_t")]] dart_ret_t dart_myid(Id* myid) noexcept {
  dart_global_unit_t unit;
  const dart_ret_t result = dart_myid(myid == nullptr ? nullptr : &unit);
  if (result == DART_OK) *myid = unit.id;
  return result;
}
/// \overload
/// With the id as an integer.
template <class Id>
requires std::is_same_v<Id, dart_unit_t>
[[deprecated("pass a dart_team_unit_t")]] dart_ret_t dart_team_myid(dart_team_t team,
                                                                    Id* myid) noexcept {
  dart_team_unit_t unit;
  const dart_ret_t result = dart_team_myid(team, myid == nullptr ? nullptr : &unit);
  if (result == DART_OK) *myid = unit.id;
  return result;
}

/// @}

#endif
