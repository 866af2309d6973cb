#pragma once

#include "teams/collectives/Reduce.h"

namespace dash::dart {

/// The reduction of an operation of dart_op_create.
/// \throws Error if it is none, or was made for another type
Reduction user_reduction(dart_operation_t op, dart_datatype_t type);

}  // namespace dash::dart
