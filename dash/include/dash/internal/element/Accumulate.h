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
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"

namespace dash::internal {

/// The type of accumulated elements; for an Atomic the type of its value.
template <CopyIterator GlobIt>
using accumulated_t = std::remove_cv_t<remove_atomic_t<typename GlobIt::value_type>>;

/// Applies a function that the runtime does not support to consecutive elements of one unit.
template <class T, class Operation>
void apply_to_block(const dart_gptr_t& gptr, const T* values, std::size_t nelem,
                    const Operation& op) {
  const auto combine = [&op](const T& element, const T& value) { return op(value, element); };
  GptrWords words(gptr);
  for (std::size_t i = 0; i < nelem; ++i, words.offset += sizeof(T))
    atomic_fetch_op(ElementLocation(words, nullptr), combine, values[i]);
}

/// Combines native values with the elements of global ranges, each element atomically: the new
/// value of an element is the result of the runtime's operation, or otherwise op(value, element).
template <class T, class Operation>
class Accumulation {
  static_assert(std::is_arithmetic_v<T>,
                "dash::transform: elements are accumulated atomically; expected numbers");

 public:
  static constexpr dart_operation_t operation_kind = atomic_operation<T, Operation>();

  explicit Accumulation(const Operation& op) : _op(op) {}

  /// \param values  may be reused on return
  template <CopyIterator GlobIt>
  void add(const T* values, std::ptrdiff_t nelem, const GlobIt& out) {
    for_each_contiguous_block(
        out, out + static_cast<typename GlobIt::difference_type>(nelem),
        [&](const dart_gptr_t& gptr, std::size_t length, std::size_t position) {
          add_block(gptr, values + position, length);
        });
  }

  /// \completion remote, with the returned operation
  exec::Operation finish() { return exec::when_all(_pending); }

 private:
  void add_block(const dart_gptr_t& gptr, const T* values, std::size_t nelem) {
    if constexpr (operation_kind != DART_OP_UNDEFINED) {
      auto operation = dart::accumulate_async(gptr, values, nelem, atomic_dtype<T>, operation_kind);
      if (operation.state()) _pending.push_back(std::move(operation));
    } else {
      apply_to_block(gptr, values, nelem, _op);
    }
  }

  Operation _op;
  std::vector<exec::Operation> _pending;
};

/// Combines native values with consecutive elements of one unit, as above, asynchronously.
/// \param values  may be reused on return
/// \completion a flush of the unit or of the allocation
template <class T, class Operation>
void start_accumulate_block(const dart_gptr_t& gptr, const T* values, std::size_t nelem,
                            const Operation& op) {
  constexpr dart_operation_t operation_kind = atomic_operation<T, Operation>();
  if constexpr (operation_kind != DART_OP_UNDEFINED) {
    check(dart_accumulate(gptr, values, nelem, atomic_dtype<T>, operation_kind),
          "accumulating elements");
  } else {
    apply_to_block(gptr, values, nelem, op);
  }
}

/// Combines values with the elements that start at `out`, asynchronously. If `b` differs from
/// `out`, each value is first replaced by op(value, element of `b`).
/// \param values  are modified
/// \returns a reference past the last element
/// \completion a flush of the units or of the allocation
template <class T, class Value, class Operation>
GlobAsyncRef<T> accumulate_from_reference(Value* values, std::size_t nelem,
                                          const GlobAsyncRef<T>& b, const GlobAsyncRef<T>& out,
                                          const Operation& op) {
  const GlobPtr<T> first(out.dart_gptr());
  const GlobPtr<T> last = first + static_cast<gptrdiff_t>(nelem);
  const GlobPtr<T> of_b(b.dart_gptr());
  if (!(of_b == first)) {
    const auto fetched = std::make_unique<Value[]>(nelem);
    // An Atomic<T> has the same representation as a T.
    get_range(of_b, of_b + static_cast<gptrdiff_t>(nelem), reinterpret_cast<T*>(fetched.get()));
    std::transform(values, values + nelem, fetched.get(), values, op);
  }
  for_each_contiguous_block(first, last,
                            [&](const dart_gptr_t& gptr, std::size_t length, std::size_t position) {
                              start_accumulate_block(gptr, values + position, length, op);
                            });
  return GlobAsyncRef<T>(last.dart_gptr());
}

}  // namespace dash::internal
