#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Future.h"
#include "dash/Onesided.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/RangeArguments.h"
#include "dash/async/Operation.h"
#include "dash/dart/if/dart_types.h"
#include "dash/internal/team/StepRunner.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/matrix/internal/LocalIterBase.h"

namespace dash {

namespace internal {

/// Contiguous iterators that are not pointers.
template <class It>
concept ContiguousIterator = std::contiguous_iterator<It> && !std::is_pointer_v<It>;

/// A future of the same operation with a different value.
template <class T, class Value>
Future<Value> with_value(Future<T> future, Value value) {
  return {exec::Operation(exec::FutureAccess::take_state(future)), std::move(value)};
}

/// Starts a transfer for each contiguous range of a box of the caller's elements, and waits for all of them, even if one
/// fails, since they access memory of the caller.
/// \param start  start(position, address, length) returns a Transfer, a future
template <class Transfer, LocalBoxIterator It, class Start>
void transfer_ranges(const It& first, const It& last, const Start& start) {
  StepRunner steps;
  std::vector<Transfer> transfers;
  steps.run([&] {
    for_each_contiguous_range(first, last, [&](auto position, auto* address, auto length) {
      transfers.emplace_back();  // before the start, because it may throw
      transfers.back() = start(position, address, length);
    });
  });
  for (Transfer& transfer : transfers) {
    steps.run([&] {
      if (transfer.valid()) transfer.get();
    });
  }
  steps.finish();
}

}  // namespace internal

/// \addtogroup transfers
/// @{

/// Copies a global range to native memory.
/// \param out  memory for all elements of the range
/// \returns the end of the written range
/// \collective no  \blocks until the data is in `out`
/// \throws exception::InvalidArgument if the range is not within a live allocation
/// \cost memory copies for elements on the caller's node; one transfer per unit of other nodes, all
///       in flight at the same time, beginning with the unit after the caller
template <typename ValueType, internal::CopyIterator GlobInputIt, bool UseHandles = false>
[[gnu::always_inline]] inline ValueType* copy(GlobInputIt in_first, GlobInputIt in_last,
                                              ValueType* out) {
  return internal::get_range(in_first, in_last, out);
}

/// Copies native memory to a global range.
/// \param out  begin of a range with as many elements
/// \returns the end of the written range
/// \completion remote  \collective no  \blocks until the data is visible at its owners
template <typename ValueType, internal::CopyIterator GlobOutputIt, bool UseHandles = false>
[[gnu::always_inline]] inline GlobOutputIt copy(const ValueType* in_first, const ValueType* in_last,
                                                GlobOutputIt out) {
  return internal::put_range(in_first, in_last, out);
}

/// Copies a global range to another one that does not overlap it.
/// \returns the end of the written range
/// \completion remote  \collective no  \blocks until the data is visible at its owners
/// \cost see copy_async
template <internal::CopyIterator GlobInputIt, internal::CopyIterator GlobOutputIt>
GlobOutputIt copy(GlobInputIt in_first, GlobInputIt in_last, GlobOutputIt out) {
  return internal::copy_range_async(in_first, in_last, out).get();
}

/// \overload
/// With an explicit element type, as copy<T>(first, last, out).
template <typename ValueType, internal::CopyIterator GlobInputIt,
          internal::CopyIterator GlobOutputIt>
requires std::is_same_v<ValueType, std::remove_const_t<typename GlobInputIt::value_type>>
    GlobOutputIt copy(GlobInputIt in_first, GlobInputIt in_last, GlobOutputIt out) {
  return dash::copy(in_first, in_last, out);
}

/// Starts to copy a global range to native memory.
/// \param out  memory for all elements of the range; must not be accessed until completion
/// \returns a future of the end of the written range; it is ready when the data is in `out`
///          (operation completion). Destroying the future detaches the operation; a flush of the
///          container then completes it.
/// \collective no  \blocks never, except while too many operations are in flight
/// \cost elements of the caller are copied before the call returns
template <typename ValueType, internal::CopyIterator GlobInputIt>
[[gnu::always_inline]] inline Future<ValueType*> copy_async(GlobInputIt in_first,
                                                            GlobInputIt in_last, ValueType* out) {
  return internal::get_range_async(in_first, in_last, out);
}

/// Starts to copy native memory to a global range. The source must not change until completion.
/// \returns a future of the end of the written range; it is ready when the data is visible to its
///          owners (remote completion). Destroying the future detaches the operation; a flush of
///          the container then completes it.
/// \collective no  \blocks never, except while too many operations are in flight
/// \cost elements of the caller are copied before the call returns
template <typename ValueType, internal::CopyIterator GlobOutputIt>
Future<GlobOutputIt> copy_async(const ValueType* in_first, const ValueType* in_last,
                                GlobOutputIt out) {
  return internal::put_range_async(in_first, in_last, out);
}

/// Starts to copy a global range to another one, which must not overlap it. The source must not
/// change until completion.
/// \returns a future of the end of the written range; it is ready when the data is visible to its
///          owners (remote completion). It holds an error if the ranges are not within live
///          allocations. Destroying the future detaches the operation; a flush of either container
///          then completes it. Both containers must live until then.
/// \collective no  \blocks never, except while too many operations are in flight
/// \cost elements of which the source or the target is on the caller's node are transferred
///       directly; other elements pass through buffers of the caller, of at most four times
///       DART_COPY_BUFFER bytes
template <internal::CopyIterator GlobInputIt, internal::CopyIterator GlobOutputIt>
Future<GlobOutputIt> copy_async(GlobInputIt in_first, GlobInputIt in_last, GlobOutputIt out) {
  return internal::copy_range_async(in_first, in_last, out);
}

/// Starts to copy native memory to native memory, which must not overlap it.
/// \returns a future of the end of the written range; it is ready when the data is in `out` and the
///          source may be modified
/// \collective no  \blocks never
/// \cost a small copy is performed in the call, a large one by the copy queue
template <typename ValueType>
Future<ValueType*> copy_async(const ValueType* in_first, const ValueType* in_last, ValueType* out) {
  return internal::copy_native_async(in_first, in_last, out);
}

/// \overload
/// To native memory that is given by a contiguous iterator, for example of std::vector, std::array
/// or std::span.
template <internal::CopyIterator GlobInputIt, internal::ContiguousIterator OutputIt>
OutputIt copy(GlobInputIt in_first, GlobInputIt in_last, OutputIt out) {
  auto* const begin = std::to_address(out);
  return out + (internal::get_range(in_first, in_last, begin) - begin);
}
/// \overload
/// From native memory that is given by contiguous iterators.
template <internal::ContiguousIterator InputIt, internal::CopyIterator GlobOutputIt>
GlobOutputIt copy(InputIt in_first, InputIt in_last, GlobOutputIt out) {
  const auto* const begin = std::to_address(in_first);
  return internal::put_range(begin, begin + (in_last - in_first), out);
}
/// \overload
/// From a box of the caller's elements of a matrix, such as `matrix.local.block(0)`.
template <internal::LocalBoxIterator InputIt, internal::CopyIterator GlobOutputIt>
GlobOutputIt copy(InputIt in_first, InputIt in_last, GlobOutputIt out) {
  internal::transfer_ranges<Future<GlobOutputIt>>(
      in_first, in_last, [&](auto position, const auto* address, auto length) {
        return internal::put_range_async(address, address + length, out + position);
      });
  return out + (in_last - in_first);
}
/// \overload
/// To a box of the caller's elements of a matrix.
template <internal::CopyIterator GlobInputIt, internal::LocalBoxIterator OutputIt>
OutputIt copy(GlobInputIt in_first, GlobInputIt in_last, OutputIt out) {
  const auto out_last = out + static_cast<typename OutputIt::index_type>(in_last - in_first);
  internal::transfer_ranges<Future<typename OutputIt::pointer>>(
      out, out_last, [&](auto position, auto* address, auto length) {
        const auto begin = in_first + position;
        return internal::get_range_async(begin, begin + length, address);
      });
  return out_last;
}
/// \overload
/// Between a box of the caller's elements of a matrix and native memory, or another such box.
template <class InputIt, class OutputIt>
requires(internal::LocalBoxIterator<InputIt> &&
         (internal::LocalBoxIterator<OutputIt> || std::contiguous_iterator<OutputIt>)) ||
    (std::contiguous_iterator<InputIt> && internal::LocalBoxIterator<OutputIt>)  //
    OutputIt copy(InputIt in_first, InputIt in_last, OutputIt out) {
  if constexpr (internal::LocalBoxIterator<InputIt>) {
    internal::for_each_contiguous_range(
        in_first, in_last,
        [&](auto, const auto* address, auto length) { out = std::copy_n(address, length, out); });
    return out;
  } else {
    const auto out_last = out + (in_last - in_first);
    internal::for_each_contiguous_range(out, out_last, [&](auto, auto* address, auto length) {
      std::copy_n(in_first, length, address);
      in_first += length;
    });
    return out_last;
  }
}
/// \overload
/// To native memory that is given by a contiguous iterator.
template <internal::CopyIterator GlobInputIt, internal::ContiguousIterator OutputIt>
Future<OutputIt> copy_async(GlobInputIt in_first, GlobInputIt in_last, OutputIt out) {
  auto copied = internal::get_range_async(in_first, in_last, std::to_address(out));
  const auto size = static_cast<std::iter_difference_t<OutputIt>>(in_last - in_first);
  return internal::with_value(std::move(copied), size > 0 ? out + size : out);
}
/// \overload
/// From native memory that is given by contiguous iterators.
template <internal::ContiguousIterator InputIt, internal::CopyIterator GlobOutputIt>
Future<GlobOutputIt> copy_async(InputIt in_first, InputIt in_last, GlobOutputIt out) {
  const auto* const begin = std::to_address(in_first);
  return internal::put_range_async(begin, begin + (in_last - in_first), out);
}
/// \overload
/// Between native memory that is given by contiguous iterators.
template <internal::ContiguousIterator InputIt, std::contiguous_iterator OutputIt>
Future<OutputIt> copy_async(InputIt in_first, InputIt in_last, OutputIt out) {
  const auto* const begin = std::to_address(in_first);
  const auto size = in_last - in_first;
  auto copied = internal::copy_native_async(begin, begin + size, std::to_address(out));
  return internal::with_value(std::move(copied), size > 0 ? out + size : out);
}
/// \overload
/// To native memory that is given by a contiguous iterator.
template <class T, internal::ContiguousIterator OutputIt>
Future<OutputIt> copy_async(const T* in_first, const T* in_last, OutputIt out) {
  const auto size = in_last - in_first;
  auto copied = internal::copy_native_async(in_first, in_last, std::to_address(out));
  return internal::with_value(std::move(copied), size > 0 ? out + size : out);
}

/// @}

namespace internal {

/// The library chooses the processors that copy, so all policies are equivalent.
struct Copy {
  template <ExecutionPolicy Policy, class It, class Out>
  auto operator()(const Policy&, const It& first, const It& last, const Out& out) const {
    return dash::copy(first, last, out);
  }
};
struct CopyAsync {
  template <ExecutionPolicy Policy, class It, class Out>
  auto operator()(const Policy&, const It& first, const It& last, const Out& out) const {
    return dash::copy_async(first, last, out);
  }
};

/// Reads a global range without waiting; called by programs written for DASH.
/// \param handles  the handles of the transfers are appended; the caller must wait for them
/// \returns the end of the range that will be written
template <typename ValueType, CopyIterator GlobInputIt>
[[deprecated("use dash::copy_async")]] ValueType* copy_impl(GlobInputIt in_first,
                                                            GlobInputIt in_last, ValueType* out,
                                                            std::vector<dart_handle_t>& handles) {
  for_each_contiguous_block(in_first, in_last,
                            [&](const auto& gptr, std::size_t nelem, std::size_t position) {
                              dart_handle_t handle = DART_HANDLE_NULL;
                              get_handle(gptr, out + position, nelem, &handle);
                              handles.push_back(handle);
                            });
  return out + (in_last - in_first);
}
/// \overload
template <typename ValueType, CopyIterator GlobInputIt>
[[deprecated("use dash::copy_async")]] ValueType* copy_impl(GlobInputIt in_first,
                                                            GlobInputIt in_last, ValueType* out,
                                                            std::vector<dart_handle_t>* handles) {
  return copy_impl(in_first, in_last, out, *handles);
}
/// Writes a global range without waiting.
template <typename ValueType, CopyIterator GlobOutputIt>
[[deprecated("use dash::copy_async")]] GlobOutputIt copy_impl(const ValueType* in_first,
                                                              const ValueType* in_last,
                                                              GlobOutputIt out_first,
                                                              std::vector<dart_handle_t>* handles) {
  const auto out_last = out_first + (in_last - in_first);
  for_each_contiguous_block(out_first, out_last,
                            [&](const auto& gptr, std::size_t nelem, std::size_t position) {
                              dart_handle_t handle = DART_HANDLE_NULL;
                              put_handle(gptr, in_first + position, nelem, &handle);
                              handles->push_back(handle);
                            });
  return out_last;
}

}  // namespace internal

/// \addtogroup transfers
/// @{

/// \overload
/// With a policy, or a range instead of two iterators: copy([policy,] range, out), where the output
/// may also be a global range, whose begin is used.
template <class... Args>
requires internal::OtherForm<Args...>
auto copy(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::with_policy<internal::Copy>(internal::Copy{},
                                                     std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}
/// \overload
/// With a policy, or a range instead of two iterators: copy_async([policy,] range, out), see
/// copy(). The operation is started before the call returns, not as a task.
template <class... Args>
requires internal::OtherForm<Args...>
auto copy_async(Args&&... args) {
  return internal::apply_with_begins(
      [](auto&&... given) {
        return internal::with_policy<internal::CopyAsync>(internal::CopyAsync{},
                                                          std::forward<decltype(given)>(given)...);
      },
      std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
