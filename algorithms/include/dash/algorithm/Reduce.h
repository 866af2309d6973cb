#pragma once

#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/Team.h"
#include "dash/algorithm/Operation.h"
#include "dash/algorithm/internal/Call.h"
#include "dash/algorithm/internal/Chunks.h"
#include "dash/algorithm/internal/Lanes.h"
#include "dash/algorithm/internal/NodeChunks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

/// a <op> b in place, where there may be no a yet.
template <class T, class BinaryOperation>
void fold(std::optional<T>& a, const T& b, BinaryOperation& op) {
  if (a) {
    a.emplace(op(*a, b));
  } else {
    a.emplace(b);
  }
}

/// Adds the elements of a part to those of its chunk.
template <class T, class Run, class BinaryOperation>
void fold_run(std::optional<T>& a, const Run& run, const BinaryOperation& op) {
  // A copy of the function object: it may have a state.
  BinaryOperation own_op = op;
  fold<T>(a, reduce_run<T>(run.data, static_cast<std::size_t>(run.length), own_op), own_op);
}

/// The elements that the caller has of a range, reduced: within a chunk, and then the chunks in order.
template <class T, ExecutionPolicy Policy, GlobalIterator GlobIt, class BinaryOperation>
std::optional<T> reduce_local(Call& call, const Policy& policy, const GlobIt& first,
                              const GlobIt& last, BinaryOperation& op) {
  std::optional<T> result;
  for_each_chunk_result<T>(
      call, policy, first, last, least_chunk<BinaryOperation, T>,
      [&op](std::optional<T>& so_far, const auto& run) { fold_run(so_far, run, op); },
      [&](const T& value) { fold<T>(result, value, op); });
  return result;
}

/// The units' values, reduced in the order of units, and init before all of them.
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

}  // namespace internal

/// init <op> all elements of a global range; the same on all units.
///
/// The order of operations depends on the distribution, not on timing: the same range gives the
/// same result, to the last bit. The operation has to be associative and commutative.
/// \collective over the range's team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if the operation throws on one
/// \cost an all-gather of one value a unit; another one if the operation might throw, as those of
///       Operation.h and of the standard library on numbers do not
template <internal::GlobalIterator GlobIt, class Init,
          internal::Reduction<typename GlobIt::value_type> BinaryOperation =
              plus<typename GlobIt::value_type>>
typename GlobIt::value_type reduce(GlobIt first, GlobIt last, Init init,
                                   BinaryOperation op = BinaryOperation()) {
  return internal::call(internal::Reduce{}, first, last, std::move(init), std::move(op));
}
/// \overload with a policy, or a range instead of two iterators: reduce([policy,] range, init, op)
template <class... Args>
requires internal::OtherForm<Args...>
auto reduce(Args&&... args) {
  return internal::call(internal::Reduce{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of the result
template <class... Args>
requires internal::GlobalForm<Args...>
auto reduce_async(Args&&... args) {
  return internal::start(internal::Reduce{}, std::forward<Args>(args)...);
}

/// init <op> all elements of all units' native ranges; the same on all units.
/// \param non_empty  whether each unit promises at least one element
/// \collective over the team  \blocks until all units have contributed
/// \throws exception::RuntimeError on all units if the operation throws on one, or if a unit that
///         has promised elements has none
template <std::forward_iterator LocalIt, class Init,
          internal::Reduction<std::iter_value_t<LocalIt>> BinaryOperation =
              plus<std::iter_value_t<LocalIt>>>
requires(!internal::GlobalIterator<LocalIt>) std::iter_value_t<LocalIt> reduce(
    LocalIt first, LocalIt last, Init init, BinaryOperation op = BinaryOperation(),
    bool non_empty = true, Team& team = Team::All()) {
  using T = std::iter_value_t<LocalIt>;
  const auto values = internal::contribute<T>(team, "dash::reduce", [&] {
    if (non_empty && first == last) {
      DASH_THROW(dash::exception::InvalidArgument,
                 "the range is empty; expected at least one element, or non_empty = false");
    }
    std::optional<T> local;
    if constexpr (std::is_pointer_v<LocalIt>) {
      using Element = std::remove_pointer_t<LocalIt>;
      const internal::ResultChunks chunks(internal::Chunks<Element>({{first, last - first, 0, 0}}),
                                          internal::least_chunk<BinaryOperation, T>);
      internal::for_each_chunk_result<T>(
          par, chunks,
          [&op](std::optional<T>& so_far, const auto& run) { internal::fold_run(so_far, run, op); },
          [&](const T& value) { internal::fold<T>(local, value, op); });
    } else {
      for (; first != last; ++first)
        internal::fold<T>(local, *first, op);
    }
    return local;
  });
  return internal::conclude<internal::may_throw<BinaryOperation, T>>(
      team, "dash::reduce", [&] { return internal::reduce_units<T>(values, std::move(init), op); });
}

/// \overload with the sum
template <std::forward_iterator LocalIt, class Init>
requires(!internal::GlobalIterator<LocalIt>) std::iter_value_t<LocalIt> reduce(
    LocalIt first, LocalIt last, Init init, bool non_empty, Team& team = Team::All()) {
  return dash::reduce(first, last, std::move(init), plus<std::iter_value_t<LocalIt>>(), non_empty,
                      team);
}

/// The name of dash::reduce in old programs.
template <internal::GlobalIterator GlobIt, class Init,
          internal::Reduction<typename GlobIt::value_type> BinaryOperation =
              plus<typename GlobIt::value_type>>
[[deprecated("use dash::reduce")]] typename GlobIt::value_type accumulate(
    GlobIt first, GlobIt last, Init init, BinaryOperation op = BinaryOperation()) {
  return dash::reduce(first, last, std::move(init), std::move(op));
}

}  // namespace dash
