#pragma once

#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/Team.h"
#include "dash/algorithm/Operation.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/reduce/Lanes.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// Assigns a <op> b to a, or b if a has no value.
template <class T, class BinaryOperation>
void fold(std::optional<T>& a, const T& b, BinaryOperation& op) {
  if (a) {
    a.emplace(op(*a, b));
  } else {
    a.emplace(b);
  }
}

/// Adds the elements of a block to the result of its chunk.
template <class T, class Block, class BinaryOperation>
void fold_block(std::optional<T>& a, const Block& block, const BinaryOperation& op) {
  // A copy of the function object, since it may have state.
  BinaryOperation own_op = op;
  fold<T>(a, reduce_block<T>(block.data, static_cast<std::size_t>(block.length), own_op), own_op);
}

/// Reduces the caller's elements of a range: first within each chunk, then the results of the
/// chunks in order.
template <class T, ExecutionPolicy Policy, GlobalIterator GlobIt, class BinaryOperation>
std::optional<T> reduce_local(Call& call, const Policy& policy, const GlobIt& first,
                              const GlobIt& last, BinaryOperation& op) {
  std::optional<T> result;
  for_each_chunk_result<T>(
      call, policy, first, last, min_chunk_length<BinaryOperation, T>,
      [&op](std::optional<T>& partial, const auto& block) { fold_block(partial, block, op); },
      [&](const T& value) { fold<T>(result, value, op); });
  return result;
}

/// Reduces init and the units' values, in the order of the units.
template <class T, class Init, class BinaryOperation>
T reduce_units(const Gathered<T>& values, Init&& init, BinaryOperation& op) {
  T result = static_cast<T>(std::forward<Init>(init));
  for (std::size_t unit = 0; unit < values.size(); ++unit) {
    if (values.has_value(unit)) result = op(result, values[unit]);
  }
  return result;
}

template <class BinaryOperation, class T>
concept Reduction = std::is_invocable_v<BinaryOperation&, const T&, const T&>;

struct Reduce {
  static constexpr auto name = "dash::reduce";

  template <
      ExecutionPolicy Policy, GlobalIterator GlobIt, class Init,
      Reduction<typename GlobIt::value_type> BinaryOperation = plus<typename GlobIt::value_type>>
  auto operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  Init init, BinaryOperation op = BinaryOperation()) const {
    using T = typename GlobIt::value_type;
    const auto values =
        call.contribute<T>([&] { return reduce_local<T>(call, policy, first, last, op); });
    return call.conclude<may_throw<BinaryOperation, T>>(
        [&] { return reduce_units<T>(values, std::move(init), op); });
  }
};

/// Reduces the elements of a native range, in the same way as the caller's elements of a global
/// range.
template <ExecutionPolicy Policy, class LocalIt, class BinaryOperation>
auto reduce_native(const Policy& policy, LocalIt first, LocalIt last, BinaryOperation& op) {
  using T = std::iter_value_t<LocalIt>;
  std::optional<T> result;
  if constexpr (std::contiguous_iterator<LocalIt>) {
    using Element = std::remove_reference_t<std::iter_reference_t<LocalIt>>;
    const ResultChunks chunks(
        Chunks<Element>(LocalBlocks<Element>({std::to_address(first), last - first, 0, 0})),
        min_chunk_length<BinaryOperation, T>);
    for_each_chunk_result<T>(
        policy, chunks,
        [&op](std::optional<T>& partial, const auto& block) { fold_block(partial, block, op); },
        [&](const T& value) { fold<T>(result, value, op); });
  } else {
    for (; first != last; ++first)
      fold<T>(result, *first, op);
  }
  return result;
}

/// A reduction of the native ranges of all units of a team.
struct NativeReduce {
  template <ExecutionPolicy Policy, class LocalIt, class Init, class BinaryOperation>
  auto operator()(Call& call, const Policy& policy, LocalIt first, LocalIt last, Init init,
                  BinaryOperation& op, bool non_empty) const {
    using T = std::iter_value_t<LocalIt>;
    const auto values = call.contribute<T>([&] {
      if (non_empty && first == last) {
        DASH_THROW(dash::exception::InvalidArgument,
                   "the range is empty; expected at least one element, or non_empty = false");
      }
      return reduce_native(policy, first, last, op);
    });
    return call.conclude<may_throw<BinaryOperation, T>>(
        [&] { return reduce_units<T>(values, std::move(init), op); });
  }
};

template <class Policy, class LocalIt, class Init, class BinaryOperation>
auto call_native_reduce(const Policy& policy, LocalIt first, LocalIt last, Init init,
                        BinaryOperation op, bool non_empty, Team& team) {
  Call call(team, Reduce::name);
  return NativeReduce{}(call, policy, first, last, std::move(init), op, non_empty);
}
template <class Policy, class LocalIt, class Init, class BinaryOperation>
auto start_native_reduce(const Policy& policy, LocalIt first, LocalIt last, Init init,
                         BinaryOperation op, bool non_empty, Team& team) {
  return start_collectively(team, Reduce::name,
                            [policy, first, last, init = std::move(init), op = std::move(op),
                             non_empty](Call& call) mutable {
                              return NativeReduce{}(call, policy, first, last, std::move(init), op,
                                                    non_empty);
                            });
}

/// Calls f(init, op, non_empty, team) with defaults for missing arguments.
template <class LocalIt, class F, class Init,
          Reduction<std::iter_value_t<LocalIt>> BinaryOperation = plus<std::iter_value_t<LocalIt>>>
auto with_native_reduction(const F& f, Init init, BinaryOperation op = BinaryOperation(),
                           bool non_empty = true, Team& team = Team::All()) {
  return f(std::move(init), std::move(op), non_empty, team);
}
template <class LocalIt, class F, class Init>
auto with_native_reduction(const F& f, Init init, bool non_empty, Team& team = Team::All()) {
  return f(std::move(init), plus<std::iter_value_t<LocalIt>>(), non_empty, team);
}

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Returns init combined with all elements of a global range by an operation; the same result on all
/// units.
///
/// The order of operations depends on the distribution, not on timing: the same range gives bitwise
/// the same result. The operation must be associative. It must also be commutative, unless each unit
/// owns one contiguous block of the range and the blocks are in the order of the units.
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost an all-gather of one value per unit; a second one if the operation might throw (operations
///       of Operation.h and of the standard library on numbers do not)
template <internal::GlobalIterator GlobIt, class Init,
          internal::Reduction<typename GlobIt::value_type> BinaryOperation =
              plus<typename GlobIt::value_type>>
typename GlobIt::value_type reduce(GlobIt first, GlobIt last, Init init,
                                   BinaryOperation op = BinaryOperation()) {
  internal::Call call(first.team(), internal::Reduce::name);
  return internal::Reduce{}(call, par, first, last, std::move(init), std::move(op));
}
/// \overload
/// With a policy, or a range instead of two iterators: reduce([policy,] range, init, op).
template <class... Args>
requires(internal::OtherForm<Args...>&& internal::GlobalForm<Args...>) auto reduce(Args&&... args) {
  return internal::call(internal::Reduce{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task. \returns a future of the result
/// \asynchronous{reduce}
template <class... Args>
requires internal::GlobalForm<Args...>
auto reduce_async(Args&&... args) {
  return internal::start(internal::Reduce{}, std::forward<Args>(args)...);
}

/// Returns init combined with all elements of the native ranges of all units by an operation, in the order
/// of the units; the same result on all units. The operation must be associative.
/// \param non_empty  whether each unit guarantees at least one element
/// \collective over the team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if the operation throws on one, or if non_empty is
///         true and a unit has no elements
template <std::forward_iterator LocalIt, class Init,
          internal::Reduction<std::iter_value_t<LocalIt>> BinaryOperation =
              plus<std::iter_value_t<LocalIt>>>
requires(!internal::GlobalIterator<LocalIt>) std::iter_value_t<LocalIt> reduce(
    LocalIt first, LocalIt last, Init init, BinaryOperation op = BinaryOperation(),
    bool non_empty = true, Team& team = Team::All()) {
  return internal::call_native_reduce(par, first, last, std::move(init), std::move(op), non_empty,
                                      team);
}
/// \overload
/// For the sum.
template <std::forward_iterator LocalIt, class Init>
requires(!internal::GlobalIterator<LocalIt>) std::iter_value_t<LocalIt> reduce(
    LocalIt first, LocalIt last, Init init, bool non_empty, Team& team = Team::All()) {
  return internal::call_native_reduce(par, first, last, std::move(init),
                                      plus<std::iter_value_t<LocalIt>>(), non_empty, team);
}
/// \overload
/// With a policy: reduce(policy, first, last, init, [op,] [non_empty, [team]]). Other units cannot
/// access the memory, so dash::par_node is equivalent to dash::par.
template <ExecutionPolicy Policy, std::forward_iterator LocalIt, class... Args>
requires(!internal::GlobalIterator<LocalIt>) auto reduce(const Policy& policy, LocalIt first,
                                                         LocalIt last, Args&&... args) {
  return internal::with_native_reduction<LocalIt>(
      [&](auto&&... normal) {
        return internal::call_native_reduce(policy, first, last,
                                            std::forward<decltype(normal)>(normal)...);
      },
      std::forward<Args>(args)...);
}
/// Asynchronous counterpart, with or without a policy; runs as a task. The elements must stay valid
/// until it has finished.
/// \returns a future of the result
/// \asynchronous{reduce}
template <ExecutionPolicy Policy, std::forward_iterator LocalIt, class... Args>
requires(!internal::GlobalIterator<LocalIt>) auto reduce_async(const Policy& policy, LocalIt first,
                                                               LocalIt last, Args&&... args) {
  return internal::with_native_reduction<LocalIt>(
      [&](auto&&... normal) {
        return internal::start_native_reduce(policy, first, last,
                                             std::forward<decltype(normal)>(normal)...);
      },
      std::forward<Args>(args)...);
}
/// \overload
/// Without a policy. Overloads with a unit among the arguments are the collective operations on
/// arrays (dash/Collectives.h).
template <std::forward_iterator LocalIt, class... Args>
requires(!internal::GlobalIterator<LocalIt> &&
         (!std::is_same_v<std::remove_cvref_t<Args>, team_unit_t> &&
          ...)) auto reduce_async(LocalIt first, LocalIt last, Args&&... args) {
  return dash::reduce_async(par, first, last, std::forward<Args>(args)...);
}

/// Former name of dash::reduce.
/// \contract{reduce}
template <internal::GlobalIterator GlobIt, class Init,
          internal::Reduction<typename GlobIt::value_type> BinaryOperation =
              plus<typename GlobIt::value_type>>
[[deprecated("use dash::reduce")]] typename GlobIt::value_type accumulate(
    GlobIt first, GlobIt last, Init init, BinaryOperation op = BinaryOperation()) {
  return dash::reduce(first, last, std::move(init), std::move(op));
}
/// \overload
/// For native memory, of each unit a part.
template <class T, class Init,
          internal::Reduction<T> BinaryOperation = plus<std::remove_const_t<T>>>
[[deprecated("use dash::reduce")]] auto accumulate(T* first, T* last, Init init,
                                                   BinaryOperation op = BinaryOperation()) {
  return dash::reduce(first, last, static_cast<std::remove_const_t<T>>(init), std::move(op));
}

/// @}

}  // namespace dash
