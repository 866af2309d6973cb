#pragma once

#include "dash/Types.h"
#include "dash/atomic/TypeTraits.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

/// An element of a container that permits only atomic access: `dash::Array<dash::Atomic<int>>`.
///
/// The references to it, `GlobRef<Atomic<T>>` and `GlobAsyncRef<Atomic<T>>`, provide the
/// operations. In native memory, such as array.local[i], there are none.
/// \tparam T  arithmetic; `Atomic<T>` has its size and layout
/// \ingroup atomics
template <class T>
class Atomic {
  static_assert(is_atomic_compatible<T>::value,
                "dash::Atomic: expected an arithmetic type that is not const");

 public:
  using value_type = T;

  /// The value is T{}.
  constexpr Atomic() noexcept = default;
  /// The initial value.
  constexpr Atomic(T value) noexcept : _value(value) {}  // NOLINT: implicit, as in DASH
  /// The value that a reference refers to.
  constexpr Atomic(const GlobRef<Atomic<T>>& ref) : _value(ref.load()) {}  // NOLINT: as above
  /// \overload
  constexpr Atomic(const GlobRef<const Atomic<T>>& ref) : _value(ref.load()) {}  // NOLINT

  // Deleted because a plain assignment would not be atomic; for the same reason there is no
  // conversion to T.
  Atomic& operator=(const T& value) = delete;

  friend constexpr bool operator==(const Atomic&, const Atomic&) = default;

 private:
  T _value{};
};

}  // namespace dash
