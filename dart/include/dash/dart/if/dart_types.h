#pragma once

/// \file
/// Types and constants of the C interface.

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "dash/dart/if/dart_util.h"

#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif

/// \addtogroup c_runtime
/// @{

/// Return code of every function. For codes other than DART_OK, each function documents its outputs.
typedef enum {
  /// Success.
  DART_OK = 0,
  /// Not returned by the library.
  DART_PENDING = 1,
  /// An invalid argument, or an invalid setting in the environment.
  DART_ERR_INVAL = 2,
  /// A locality domain, or the number of a unit's component, does not exist.
  DART_ERR_NOTFOUND = 3,
  /// Called before dart_init or after dart_exit.
  DART_ERR_NOTINIT = 4,
  /// No memory, or no free id.
  DART_ERR_NOMEM = 5,
  /// A failure of MPI or of the operating system, or a second initialization.
  DART_ERR_OTHER = 999
} dart_ret_t;

/// Exit codes for dart_abort.
enum {
  /// Success.
  DART_EXIT_SUCCESS = EXIT_SUCCESS,
  /// A failure. The library uses this code if it aborts the job.
  DART_EXIT_ABORT = EXIT_FAILURE,
  /// A failed assertion. Not used by the library.
  DART_EXIT_ASSERT = -6
};

/// A predefined reduction operation, or a pointer to a user-defined one.
typedef uintptr_t dart_operation_t;

/// The predefined operations. MINMAX is for dart_reduce and dart_allreduce, REPLACE and NO_OP are for
/// atomic operations, the others for both.
enum {
  /// No operation; not accepted by any function.
  DART_OP_UNDEFINED = 0,
  /// The smaller element.
  DART_OP_MIN,
  /// The larger element.
  DART_OP_MAX,
  /// Pairs of scalars: the first of each pair is minimized, the second maximized.
  DART_OP_MINMAX,
  /// The sum.
  DART_OP_SUM,
  /// The product.
  DART_OP_PROD,
  /// Bitwise and, of integers.
  DART_OP_BAND,
  /// Logical and: 0 or 1.
  DART_OP_LAND,
  /// Bitwise or, of integers.
  DART_OP_BOR,
  /// Logical or: 0 or 1.
  DART_OP_LOR,
  /// Bitwise exclusive or, of integers.
  DART_OP_BXOR,
  /// Logical exclusive or: 0 or 1.
  DART_OP_LXOR,
  /// Replaces the target's element.
  DART_OP_REPLACE,
  /// Leaves the target's element unchanged.
  DART_OP_NO_OP,
  /// The number of predefined operations, including DART_OP_UNDEFINED.
  DART_OP_LAST
};

/// Positions of the two scalars in a pair of DART_OP_MINMAX.
enum {
  /// The scalar of which the minimum is computed.
  DART_OP_MINMAX_MIN = 0,
  /// The scalar of which the maximum is computed.
  DART_OP_MINMAX_MAX = 1
};

/// A basic type (below DART_TYPE_LAST), or the handle of a derived type.
typedef intptr_t dart_datatype_t;

/// \name Basic types
/// The types of elements, named after those of C.
/// @{

/// No type; not accepted by any function.
#define DART_TYPE_UNDEFINED ((dart_datatype_t)0)
/// A byte. Operations treat it as `unsigned char`.
#define DART_TYPE_BYTE ((dart_datatype_t)1)
/// The C type `short`.
#define DART_TYPE_SHORT ((dart_datatype_t)2)
/// The C type `int`.
#define DART_TYPE_INT ((dart_datatype_t)3)
/// The C type `unsigned int`.
#define DART_TYPE_UINT ((dart_datatype_t)4)
/// The C type `long`.
#define DART_TYPE_LONG ((dart_datatype_t)5)
/// The C type `unsigned long`.
#define DART_TYPE_ULONG ((dart_datatype_t)6)
/// The C type `long long`.
#define DART_TYPE_LONGLONG ((dart_datatype_t)7)
/// The C type `unsigned long long`.
#define DART_TYPE_ULONGLONG ((dart_datatype_t)8)
/// The C type `float`.
#define DART_TYPE_FLOAT ((dart_datatype_t)9)
/// The C type `double`.
#define DART_TYPE_DOUBLE ((dart_datatype_t)10)
/// The C type `long double`.
#define DART_TYPE_LONG_DOUBLE ((dart_datatype_t)11)
/// One more than the largest basic type.
#define DART_TYPE_LAST ((dart_datatype_t)12)

/// \def DART_TYPE_SIZET
/// The basic type with the size of size_t.
#if SIZE_MAX == UINT64_MAX
#define DART_TYPE_SIZET DART_TYPE_ULONGLONG
#else
#define DART_TYPE_SIZET DART_TYPE_ULONG
#endif
/// @}

/// \name Derived types
/// Handles are local to the unit and never reused: passing the handle of a destroyed type is always
/// DART_ERR_INVAL. Types may be destroyed while transfers that use them are in flight.
///
/// Strided and indexed types can describe either side of a put or get. `nelem` then counts elements of the
/// base type, which must be the same on both sides. It must be a multiple of the block length or of the
/// number of elements of an instance of the indexed type, else DART_ERR_INVAL.
/// \param basetype  contiguous: basic, or custom
/// \param newtype   receives the handle; DART_TYPE_UNDEFINED on error
/// \returns DART_ERR_INVAL for a base type that is not contiguous, lengths above INT_MAX, NULL
/// \threads thread-safe  \blocks never
/// @{

/// Blocks of `blocklen` elements that begin `stride` elements apart; a transfer determines their number.
DART_API dart_ret_t dart_type_create_strided(dart_datatype_t basetype, size_t stride,
                                             size_t blocklen,
                                             dart_datatype_t* newtype) DART_NOTHROW;
/// `count` blocks, block i of `blocklen[i]` elements at element `offset[i]`. The extent
/// from the first to the last element is the distance between consecutive instances.
DART_API dart_ret_t dart_type_create_indexed(dart_datatype_t basetype, size_t count,
                                             const size_t blocklen[], const size_t offset[],
                                             dart_datatype_t* newtype) DART_NOTHROW;
/// Contiguous elements of `num_bytes` bytes without further structure.
DART_API dart_ret_t dart_type_create_custom(size_t num_bytes,
                                            dart_datatype_t* newtype) DART_NOTHROW;
/// Destroys a derived type and sets it to DART_TYPE_UNDEFINED; a basic one is DART_ERR_INVAL.
DART_API dart_ret_t dart_type_destroy(dart_datatype_t* type) DART_NOTHROW;
/// @}

/// Raw id of a unit, global or relative to a team.
typedef int32_t dart_unit_t;

/// Id of a unit in DART_TEAM_ALL.
typedef struct dart_global_unit {
  /// The raw id; -1 by default in C++.
  dart_unit_t id;
#ifdef __cplusplus
  /// No unit: the id is -1.
  constexpr dart_global_unit() : id(-1) {}
  /// The unit with a raw id.
  constexpr dart_global_unit(dart_unit_t unit) : id(unit) {}
#endif
} dart_global_unit_t;

/// Id of a unit relative to a team.
typedef struct dart_local_unit {
  /// The raw id; -1 by default in C++.
  dart_unit_t id;
#ifdef __cplusplus
  /// No unit: the id is -1.
  constexpr dart_local_unit() : id(-1) {}
  /// The unit with a raw id.
  constexpr dart_local_unit(dart_unit_t unit) : id(unit) {}
#endif
} dart_team_unit_t;

/// Id of a team. An id identifies a team of the calling unit; disjoint teams may have the same id.
typedef int16_t dart_team_t;

/// No unit, as a raw id.
#define DART_UNDEFINED_UNIT_ID ((dart_unit_t)(-1))
/// No unit of a team.
#define DART_UNDEFINED_TEAM_UNIT_ID dart_create_team_unit(DART_UNDEFINED_UNIT_ID)
/// No unit of DART_TEAM_ALL.
#define DART_UNDEFINED_GLOBAL_UNIT_ID dart_create_global_unit(DART_UNDEFINED_UNIT_ID)
/// No team: another name of DART_TEAM_NULL.
#define DART_UNDEFINED_TEAM_ID ((dart_team_t)(-1))
/// No team.
#define DART_TEAM_NULL ((dart_team_t)(-1))
/// The team of all units.
#define DART_TEAM_ALL ((dart_team_t)0)

/// The unit of a team with a raw id.
DART_INLINE dart_team_unit_t dart_create_team_unit(dart_unit_t unit) {
#ifdef __cplusplus
  return dart_team_unit_t(unit);
#else
  dart_team_unit_t result = {unit};
  return result;
#endif
}

/// The unit of DART_TEAM_ALL with a raw id.
DART_INLINE dart_global_unit_t dart_create_global_unit(dart_unit_t unit) {
#ifdef __cplusplus
  return dart_global_unit_t(unit);
#else
  dart_global_unit_t result = {unit};
  return result;
#endif
}

/// The unit of a team with a raw id.
#define DART_TEAM_UNIT_ID(u) dart_create_team_unit(u)
/// The unit of DART_TEAM_ALL with a raw id.
#define DART_GLOBAL_UNIT_ID(u) dart_create_global_unit(u)

/// Whether several threads of a unit may communicate concurrently.
typedef enum {
  /// Only one thread at a time.
  DART_THREAD_SINGLE = 0,
  /// Any number of threads.
  DART_THREAD_MULTIPLE = 10
} dart_thread_support_level_t;

/// Handle of a transfer in flight.
typedef struct dart_handle_struct* dart_handle_t;

/// The handle of a completed transfer; valid wherever a handle is expected.
#define DART_HANDLE_NULL ((dart_handle_t)NULL)

/// @}

#ifdef __cplusplus
}
#endif
