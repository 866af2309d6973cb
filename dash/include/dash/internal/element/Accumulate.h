#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/GlobAsyncRef.h"
#include "dash/GlobPtr.h"
#include "dash/Types.h"
#include "dash/async/Operation.h"
#include "dash/atomic/AtomicAccess.h"
#include "dash/atomic/TypeTraits.h"
#include "dash/dart/Atomic.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/transfer/RangeTransfer.h"

namespace dash::internal {

/// What is accumulated in elements: their type, and of an Atomic the type in it.
template <CopyIterator GlobIt>
using accumulated_t = std::remove_cv_t<remove_atomic_t<typename GlobIt::value_type>>;

/// Applies a function that the runtime does not know to consecutive elements of one unit.
template <class T, class Operation>
void apply_to_run(const dart_gptr_t& gptr, const T* values, std::size_t nelem,
                  const Operation& op) {
  const auto combine = [&op](const T& element, const T& value) { return op(value, element); };
  GptrWords words(gptr);
  for (std::size_t i = 0; i < nelem; ++i, words.offset += sizeof(T))
    atomic_fetch_op(ElementPlace(words, nullptr), combine, values[i]);
}

/// Combines native values with the elements of global ranges, each element atomically: an element
/// becomes what the runtime's operation makes of it and the value, or else op(value, element).
template <class T, class Operation>
class Accumulation {
  static_assert(std::is_arithmetic_v<T>,
                "dash::transform: elements are accumulated atomically; expected numbers");

 public:
  static constexpr dart_operation_t known = atomic_operation<T, Operation>();

  explicit Accumulation(const Operation& op) : _op(op) {}

  /// \param values  may be reused on return
  template <CopyIterator GlobIt>
  void add(const T* values, std::ptrdiff_t nelem, const GlobIt& out) {
    for_each_run(out, out + static_cast<typename GlobIt::difference_type>(nelem),
                 [&](const dart_gptr_t& gptr, std::size_t length, std::size_t position) {
                   add_run(gptr, values + position, length);
                 });
  }

  /// \completion the returned operation: remote
  exec::Operation finish() { return exec::when_all(_pending); }

 private:
  void add_run(const dart_gptr_t& gptr, const T* values, std::size_t nelem) {
    if constexpr (known != DART_OP_UNDEFINED) {
      auto operation = dart::accumulate_async(gptr, values, nelem, atomic_dtype<T>, known);
      if (operation.state()) _pending.push_back(std::move(operation));
    } else {
      apply_to_run(gptr, values, nelem, _op);
    }
  }

  Operation _op;
  std::vector<exec::Operation> _pending;
};

/// Combines native values with consecutive elements of one unit, as above, without waiting.
/// \param values  may be reused on return
/// \completion a flush of the unit or of the allocation
template <class T, class Operation>
void start_accumulate_run(const dart_gptr_t& gptr, const T* values, std::size_t nelem,
                          const Operation& op) {
  constexpr dart_operation_t known = atomic_operation<T, Operation>();
  if constexpr (known != DART_OP_UNDEFINED) {
    check(dart_accumulate(gptr, values, nelem, atomic_dtype<T>, known), "accumulating elements");
  } else {
    apply_to_run(gptr, values, nelem, op);
  }
}

/// Combines values with the elements from that of `out` on, without waiting: each value, or op(value,
/// element) of those from `b` on, if that is another one.
/// \param values  are changed
/// \returns a reference behind the last element
/// \completion a flush of the units or of the allocation
template <class T, class Value, class Operation>
GlobAsyncRef<T> accumulate_behind(Value* values, std::size_t nelem, const GlobAsyncRef<T>& b,
                                  const GlobAsyncRef<T>& out, const Operation& op) {
  const GlobPtr<T> first(out.dart_gptr());
  const GlobPtr<T> last = first + static_cast<gptrdiff_t>(nelem);
  const GlobPtr<T> of_b(b.dart_gptr());
  if (!(of_b == first)) {
    const auto fetched = std::make_unique<Value[]>(nelem);
    // An Atomic<T> has the bytes of a T.
    get_range(of_b, of_b + static_cast<gptrdiff_t>(nelem), reinterpret_cast<T*>(fetched.get()));
    std::transform(values, values + nelem, fetched.get(), values, op);
  }
  for_each_run(first, last, [&](const dart_gptr_t& gptr, std::size_t length, std::size_t position) {
    start_accumulate_run(gptr, values + position, length, op);
  });
  return GlobAsyncRef<T>(last.dart_gptr());
}

}  // namespace dash::internal
