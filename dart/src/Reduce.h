#pragma once

#include <mpi.h>

#include <cstddef>

#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// inout[i] = in[i] op inout[i] for `nelem` elements of a basic type.
using Reduction = void (*)(const void* in, void* inout, std::size_t nelem);

/// The reduction of a predefined operation on a basic type.
/// \throws Error if there is none (bitwise operations on floating point numbers, ...)
Reduction find_reduction(dart_operation_t op, dart_datatype_t type);

/// MPI's name of a basic type.
MPI_Datatype mpi_type(dart_datatype_t type);

/// MPI's name of the operation; where MPI lacks it, one of ours on the type given.
MPI_Op mpi_op(dart_operation_t op, dart_datatype_t type);

}  // namespace dash::dart
