#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>

#include "dash/GlobAsyncRef.h"
#include "dash/internal/element/Accumulate.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Input iterators that are not global, for example over native memory.
template <class It>
concept NativeIterator = std::input_iterator<It> && !CopyIterator<It>;

/// Whether two ranges begin with the same element.
/// \pre neither range is empty
template <CopyIterator ItA, CopyIterator ItB>
bool begin_at_same_element(const ItA& a, const ItB& b) {
  return global_block_at(a, 1).gptr == global_block_at(b, 1).gptr;
}

/// Buffer for values that are accumulated, in batches that fit into a cache.
template <class T, class Operation>
class AccumulateBuffer {
 public:
  static constexpr std::ptrdiff_t length = 4096;

  explicit AccumulateBuffer(Accumulation<T, Operation>& to) : _to(&to) {}

  /// Calls make(n, values) for consecutive batches of at most `length` values, which writes n
  /// values, and accumulates them.
  template <CopyIterator GlobIt, class Make>
  void add(std::ptrdiff_t nelem, const GlobIt& out, Make make) {
    using Difference = typename GlobIt::difference_type;
    if (!_values) _values = std::make_unique<T[]>(static_cast<std::size_t>(length));
    for (std::ptrdiff_t done = 0; done < nelem; done += length) {
      const std::ptrdiff_t n = std::min(length, nelem - done);
      make(n, _values.get());
      _to->add(_values.get(), n, out + static_cast<Difference>(done));
    }
  }

 private:
  Accumulation<T, Operation>* _to;
  std::unique_ptr<T[]> _values;
};

/// Accumulates native elements.
template <NativeIterator InputIt, CopyIterator GlobIt, class Operation>
void accumulate_native(Accumulation<accumulated_t<GlobIt>, Operation>& to, InputIt first,
                       std::ptrdiff_t nelem, const GlobIt& out) {
  using T = accumulated_t<GlobIt>;
  if constexpr (std::contiguous_iterator<InputIt> &&
                std::is_same_v<std::iter_value_t<InputIt>, T>) {
    if (nelem > 0) to.add(std::to_address(first), nelem, out);
  } else {
    AccumulateBuffer<T, Operation> buffer(to);
    buffer.add(nelem, out, [&first](std::ptrdiff_t n, T* values) {
      for (; n > 0; --n, ++first)
        *values++ = static_cast<T>(*first);
    });
  }
}

/// Starts a one-sided, atomic accumulation of native elements: out[i] = op(a[i], out[i]). If b is
/// not out, op(a[i], b[i]) replaces a[i].
template <NativeIterator InputIt, CopyIterator GlobInputIt, CopyIterator GlobOutputIt,
          class Operation>
exec::Operation start_accumulate(InputIt a_first, InputIt a_last, const GlobInputIt& b_first,
                                 const GlobOutputIt& out_first, const Operation& op) {
  using T = accumulated_t<GlobOutputIt>;
  static_assert(
      std::forward_iterator<InputIt>,
      "dash::transform: expected forward iterators as input, since the input is traversed twice");
  Accumulation<T, Operation> accumulation(op);
  const auto nelem = static_cast<std::ptrdiff_t>(std::distance(a_first, a_last));
  if (nelem <= 0) return {};
  if (begin_at_same_element(b_first, out_first)) {
    accumulate_native(accumulation, a_first, nelem, out_first);
  } else {
    using B = accumulated_t<GlobInputIt>;
    constexpr std::ptrdiff_t length = AccumulateBuffer<T, Operation>::length;
    const auto of_b = std::make_unique<B[]>(static_cast<std::size_t>(length));
    GlobInputIt b = b_first;
    AccumulateBuffer<T, Operation> buffer(accumulation);
    buffer.add(nelem, out_first, [&](std::ptrdiff_t n, T* values) {
      const auto b_last = b + static_cast<typename GlobInputIt::difference_type>(n);
      // Atomic<T> has the object representation of T.
      using Element = std::remove_cv_t<typename GlobInputIt::value_type>;
      get_range(b, b_last, reinterpret_cast<Element*>(of_b.get()));
      for (std::ptrdiff_t i = 0; i < n; ++i, ++a_first)
        values[i] = static_cast<T>(op(static_cast<T>(*a_first), static_cast<T>(of_b[i])));
      b = b_last;
    });
  }
  return accumulation.finish();
}

/// Starts a one-sided, atomic accumulation, out[i] = op(a[i], out[i]), of the elements of a that
/// the caller owns.
template <GlobalIterator InputIt, GlobalIterator GlobOutputIt, class Operation>
exec::Operation start_accumulate_local(const InputIt& a_first, const InputIt& a_last,
                                       const GlobOutputIt& out_first, const Operation& op) {
  using T = accumulated_t<GlobOutputIt>;
  Accumulation<T, Operation> accumulation(op);
  for (const auto& block : local_blocks_of(a_first, a_last)) {
    for_each_position_block(a_first, block, [&](const auto* begin, auto length, auto position) {
      accumulate_native(accumulation, reinterpret_cast<const accumulated_t<InputIt>*>(begin),
                        static_cast<std::ptrdiff_t>(length),
                        out_first + static_cast<typename GlobOutputIt::difference_type>(position));
    });
  }
  return accumulation.finish();
}

/// Accumulates native elements to consecutive elements that begin at a reference, without waiting.
template <NativeIterator InputIt, class T, class Operation>
GlobAsyncRef<T> accumulate_from(InputIt a_first, InputIt a_last, const GlobAsyncRef<T>& b,
                                const GlobAsyncRef<T>& out, const Operation& op) {
  using Value = std::remove_cv_t<remove_atomic_t<T>>;
  const auto nelem = static_cast<std::size_t>(std::distance(a_first, a_last));
  const auto values = std::make_unique<Value[]>(nelem);
  std::transform(a_first, a_last, values.get(),
                 [](const auto& a) { return static_cast<Value>(a); });
  return accumulate_from_reference(values.get(), nelem, b, out, op);
}

}  // namespace dash::internal
