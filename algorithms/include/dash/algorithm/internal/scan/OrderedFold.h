#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>

#include "dash/Types.h"

namespace dash::internal {

/// value(0) <op> ... <op> value(n - 1), in this order. The grouping of the operations depends only
/// on n. Floating-point numbers are combined in trees of eight, which shortens the chain of
/// dependent operations to one per eight elements.
/// \pre n > 0
template <class T, class BinaryOperation, class Value>
T fold_ordered(default_index_t n, BinaryOperation& op, const Value& value) {
  default_index_t i = 1;
  T total = static_cast<T>(value(0));
  if constexpr (std::is_floating_point_v<T>) {
    const auto pair = [&](default_index_t at) {
      return static_cast<T>(op(static_cast<T>(value(at)), static_cast<T>(value(at + 1))));
    };
    const auto four = [&](default_index_t at) {
      return static_cast<T>(op(pair(at), pair(at + 2)));
    };
    for (; i + 8 <= n; i += 8)
      total = static_cast<T>(op(total, static_cast<T>(op(four(i), four(i + 4)))));
  }
  for (; i < n; ++i)
    total = static_cast<T>(op(total, value(i)));
  return total;
}

/// Assigns a <op> b to a, or b if a has no value.
template <class T, class BinaryOperation>
void fold_into(std::optional<T>& a, const T& b, BinaryOperation& op) {
  if (a) {
    a.emplace(static_cast<T>(op(*a, b)));
  } else {
    a.emplace(b);
  }
}

}  // namespace dash::internal
