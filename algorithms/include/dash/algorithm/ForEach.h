#pragma once

#include <algorithm>
#include <utility>

#include "dash/algorithm/Zip.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/ElementWise.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct ForEach {
  static constexpr auto name = "dash::for_each";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Function>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Function func) const {
    call.run([&] {
      run_parts(call, policy, first, last, [&](const auto& part) {
        auto* const data = part.data;
        for_each_of(policy, part.length, [&](auto i) { func(data[i]); });
      });
    });
  }
  template <ExecutionPolicy Policy, Zipped Ranges, class Function>
  void operator()(Call& call, const Policy& policy, const Ranges& ranges, Function func) const {
    call.run([&] {
      ranges.apply([&](const auto& first, const auto& last, const auto&... others) {
        update_local(
            call, policy, first, last,
            [&func](auto& element, const auto&... inputs) { func(element, inputs...); }, others...);
      });
    });
  }
};

struct ForEachWithIndex {
  static constexpr auto name = "dash::for_each_with_index";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Function>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Function func) const {
    call.run([&] {
      run_parts(call, policy, first, last, [&](const auto& part) {
        for_each_position_block(first, part, [&](auto* begin, auto length, auto position) {
          const auto index = (first + position).gpos();
          for_each_of(policy, length, [&](auto i) { func(begin[i], index + i); });
        });
      });
    });
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Calls func(T&) for each element of a global range, on the element's owner. If the unit has
/// several processors, the function is called concurrently and not in order.
/// \completion ends with a barrier: all units see the changes
/// \collective over the range's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if func throws on one
template <internal::GlobalIterator GlobIt, class UnaryFunction>
void for_each(const GlobIt& first, const GlobIt& last, UnaryFunction func) {
  internal::call(internal::ForEach{}, first, last, std::move(func));
}
/// \overload
/// With a policy, or a range instead of two iterators: for_each([policy,] range, func). With several ranges,
/// for_each([policy,] zip(range, others...), func) calls func(T&, const U&...) on the owner of the element of the first
/// range.
template <class... Args>
requires internal::OtherForm<Args...>
void for_each(Args&&... args) {
  internal::call(internal::ForEach{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future that is ready when
/// all units have finished
/// \asynchronous{for_each}
template <class... Args>
requires internal::GlobalForm<Args...> Future<void> for_each_async(Args&&... args) {
  return internal::start(internal::ForEach{}, std::forward<Args>(args)...);
}

/// Calls func(T&, global index) for each element of a global range, on the element's owner. If the
/// unit has several processors, the function is called concurrently and not in order.
/// \completion ends with a barrier: all units see the changes
/// \collective over the range's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if func throws on one
template <internal::GlobalIterator GlobIt, class BinaryFunction>
void for_each_with_index(const GlobIt& first, const GlobIt& last, BinaryFunction func) {
  internal::call(internal::ForEachWithIndex{}, first, last, std::move(func));
}
/// \overload
/// With a policy, or a range instead of two iterators.
template <class... Args>
requires internal::OtherForm<Args...>
void for_each_with_index(Args&&... args) {
  internal::call(internal::ForEachWithIndex{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future that is ready when
/// all units have finished
/// \asynchronous{for_each_with_index}
template <class... Args>
requires internal::GlobalForm<Args...> Future<void> for_each_with_index_async(Args&&... args) {
  return internal::start(internal::ForEachWithIndex{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
