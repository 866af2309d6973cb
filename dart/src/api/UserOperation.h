#pragma once

#include "teams/collectives/Reduction.h"

namespace dash::dart {

/// The reduction of an operation that dart_op_create has created.
/// \throws exception::RuntimeError if it is not such an operation, or was created for another type
Reduction user_reduction(dart_operation_t op, dart_datatype_t type);

}  // namespace dash::dart
