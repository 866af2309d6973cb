#pragma once

#include "dash/Types.h"
#include "dash/atomic/TypeTraits.h"
#include "dash/memory/MemorySpace.h"

namespace dash {

/// An element of a container that is accessed atomically only: dash::Array<dash::Atomic<int>>.
///
/// The operations are those of the references to it, GlobRef<Atomic<T>> and GlobAsyncRef<Atomic<T>>;
/// in native memory, as array.local[i], there are none.
/// \tparam T  arithmetic; Atomic<T> has its size and layout
template <class T>
class Atomic {
  static_assert(is_atomic_compatible<T>::value,
                "dash::Atomic: expected an arithmetic type that is not const");

 public:
  using value_type = T;

  constexpr Atomic() noexcept = default;
  constexpr Atomic(T value) noexcept : _value(value) {}  // NOLINT: as DASH's
  /// The value that a reference refers to.
  constexpr Atomic(const GlobRef<Atomic<T>>& ref) : _value(ref.load()) {}        // NOLINT: as above
  constexpr Atomic(const GlobRef<const Atomic<T>>& ref) : _value(ref.load()) {}  // NOLINT

  // It would not be atomic, which its looks would not tell; nor is there a conversion to T.
  Atomic& operator=(const T& value) = delete;

  friend constexpr bool operator==(const Atomic&, const Atomic&) = default;

 private:
  T _value{};
};

}  // namespace dash
