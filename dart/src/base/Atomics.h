#pragma once

#include <cstddef>

#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// Atomic operations of the processor on basic types, by operation and type.
///
/// Every unit of a node applies them to memory of the node, and the owner applies them for units of
/// other nodes, so all of them are atomic with respect to each other. They are sequentially
/// consistent. Operands and results need no alignment; the target must be aligned to the size of
/// its type.
using FetchAndOp = void (*)(void* target, const void* operand, void* old) noexcept;
using Accumulate = void (*)(void* target, const void* operands, std::size_t nelem) noexcept;

/// \returns nullptr if the operation or the type is not predefined, or the operation not defined on
///          the type
FetchAndOp find_fetch_and_op(dart_operation_t op, dart_datatype_t type) noexcept;
Accumulate find_accumulate(dart_operation_t op, dart_datatype_t type) noexcept;

/// Stores `value` if the target equals `compare` bitwise: -0.0 differs from 0.0, and a NaN equals
/// itself. Padding bytes (of long double) are ignored.
using CompareAndSwap = void (*)(void* target, const void* value, const void* compare,
                                void* old) noexcept;
/// \returns nullptr if the type is not basic
CompareAndSwap find_compare_and_swap(dart_datatype_t type) noexcept;

}  // namespace dash::dart
