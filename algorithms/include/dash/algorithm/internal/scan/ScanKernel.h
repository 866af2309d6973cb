#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "dash/Types.h"

namespace dash::internal {

/// Whether the result at a position includes the element at the position.
enum class ScanKind : unsigned char { inclusive, exclusive };

/// Scans n native elements: assigns carry <op> in[0] <op> ... <op> in[i] to out[i], without in[i]
/// if the scan is exclusive. `out` may be `in`. Floating-point numbers are combined four at a time,
/// which shortens the chain of operations that depend on the carry to one per four elements.
/// \returns carry <op> all elements
template <ScanKind Kind, class T, class In, class Out, class BinaryOperation>
T scan_native(const In* in, Out* out, default_index_t n, T carry, BinaryOperation& op) {
  constexpr bool is_inclusive = Kind == ScanKind::inclusive;
  const auto combined = [&op](const T& a, const T& b) { return static_cast<T>(op(a, b)); };
  const In* const end = in + n;
  if constexpr (std::is_floating_point_v<T>) {
    for (; end - in >= 4; in += 4, out += 4) {
      const T a = static_cast<T>(in[0]);
      const T b = static_cast<T>(in[1]);
      const T c = static_cast<T>(in[2]);
      const T d = static_cast<T>(in[3]);
      const T ab = combined(a, b);
      const T after_a = combined(carry, a);
      const T after_b = combined(carry, ab);
      const T after_c = combined(carry, combined(ab, c));
      const T after_d = combined(carry, combined(ab, combined(c, d)));
      out[0] = static_cast<Out>(is_inclusive ? after_a : carry);
      out[1] = static_cast<Out>(is_inclusive ? after_b : after_a);
      out[2] = static_cast<Out>(is_inclusive ? after_c : after_b);
      out[3] = static_cast<Out>(is_inclusive ? after_d : after_c);
      carry = after_d;
    }
  }
  for (; in != end; ++in, ++out) {
    T next = combined(carry, static_cast<T>(*in));
    *out = static_cast<Out>(is_inclusive ? next : carry);
    carry = next;
  }
  return carry;
}

/// Scans n elements, n > 0. `out` may be `in`.
/// \param prefix  the reduction of all preceding elements; null if there are none, in which case the
///                first element is the first result
template <class T, class In, class Out, class BinaryOperation>
void scan_with_prefix(ScanKind kind, const T* prefix, const In* in, Out* out, default_index_t n,
                      BinaryOperation& op) {
  T carry = prefix != nullptr ? *prefix : static_cast<T>(*in);
  if (prefix == nullptr) {
    *out++ = static_cast<Out>(carry);
    ++in;
    --n;
  }
  if (kind == ScanKind::inclusive) {
    scan_native<ScanKind::inclusive>(in, out, n, std::move(carry), op);
  } else {
    scan_native<ScanKind::exclusive>(in, out, n, std::move(carry), op);
  }
}

}  // namespace dash::internal
