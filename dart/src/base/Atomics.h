#pragma once

#include <cstddef>

#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// Atomic operations of the processor on basic types, looked up by number.
///
/// They are what every unit of a node applies to memory of the node, and what the owner applies for
/// units of other nodes; so all of them are atomic to each other. They order as sequentially
/// consistent ones do. Operands and results need no alignment, the target needs its type's size.
using FetchAndOp = void (*)(void* target, const void* operand, void* old) noexcept;
using Accumulate = void (*)(void* target, const void* operands, std::size_t nelem) noexcept;

/// \returns nullptr if the operation or type is not predefined, or is not defined for the other
FetchAndOp find_fetch_and_op(dart_operation_t op, dart_datatype_t type) noexcept;
Accumulate find_accumulate(dart_operation_t op, dart_datatype_t type) noexcept;

/// Stores `value` if the target holds `compare`, bit for bit: -0.0 is not 0.0, and a NaN equals
/// itself. Bytes that are no part of a value (the padding of long double) do not count.
using CompareAndSwap = void (*)(void* target, const void* value, const void* compare,
                                void* old) noexcept;
/// \returns nullptr if the type is not basic
CompareAndSwap find_compare_and_swap(dart_datatype_t type) noexcept;

}  // namespace dash::dart
