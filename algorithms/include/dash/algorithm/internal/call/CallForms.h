#pragma once

#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/Async.h"
#include "dash/ExecutionPolicy.h"
#include "dash/Future.h"
#include "dash/Range.h"
#include "dash/Team.h"
#include "dash/internal/team/CallQueue.h"
#include "dash/internal/team/Collective.h"
#include "dash/iterator/IteratorTraits.h"

/// \file
/// An algorithm is a type with a `name` and operator()(Call&, policy, first, last, ...). If it is
/// not collective, the operator has no parameter of type Call&. There are these forms of a call:
///
///   x(first, last, ...)   x(range, ...)   x(policy, first, last, ...)   x(policy, range, ...)
///
/// synchronously, or as a task by x_async(...).

namespace dash::internal {

template <class Policy>
inline constexpr bool is_node_policy_v =
    std::is_same_v<std::remove_cvref_t<Policy>, execution::node_policy>;

/// A range with global iterators: containers, boxes of containers, and views of both.
template <class R>
concept GlobalRange =
    !GlobalIterator<R> && !std::is_pointer_v<std::remove_cvref_t<R>> && requires(R & range) {
  { range.begin() } -> GlobalIterator;
  { range.end() } -> GlobalIterator;
};

/// Whether R is the result of dash::zip(); see Zip.h.
template <class R>
inline constexpr bool is_zipped = false;
template <class R>
concept Zipped = is_zipped<std::remove_cvref_t<R>>;

/// Arguments that begin with a policy, or with one or more ranges instead of two iterators.
template <class... Args>
inline constexpr bool is_other_form = false;
template <class First, class... Args>
inline constexpr bool is_other_form<First, Args...> =
    ExecutionPolicy<First> || GlobalRange<First> || Zipped<First>;
template <class... Args>
concept OtherForm = is_other_form<Args...>;

/// Arguments of any overload of an algorithm whose first range is global.
template <class... Args>
inline constexpr bool is_global_form = false;
template <class First, class... Args>
inline constexpr bool is_global_form<First, Args...> =
    GlobalIterator<First> || GlobalRange<First> || Zipped<First>;
template <ExecutionPolicy First, class Second, class... Args>
inline constexpr bool is_global_form<First, Second, Args...> =
    GlobalIterator<Second> || GlobalRange<Second> || Zipped<Second>;
template <class... Args>
concept GlobalForm = is_global_form<Args...>;

/// The policy of calls without a policy argument: par, unless the algorithm defines another one.
template <class Algorithm>
constexpr auto default_policy() {
  if constexpr (requires { Algorithm::default_policy; }) {
    return Algorithm::default_policy;
  } else {
    return par;
  }
}

/// Normalizes the arguments of any overload: calls f(policy, first, last, args...).
template <class Algorithm, class F, class First, class... Args>
decltype(auto) with_policy(F&& f, First&& first, Args&&... args) {
  if constexpr (GlobalRange<First>) {
    return f(default_policy<Algorithm>(), first.begin(), first.end(), std::forward<Args>(args)...);
  } else if constexpr (!ExecutionPolicy<First>) {
    return f(default_policy<Algorithm>(), std::forward<First>(first), std::forward<Args>(args)...);
  } else {
    return [&]<class Second, class... Rest>(Second&& second, Rest&&... rest) -> decltype(auto) {
      if constexpr (GlobalRange<Second>) {
        return f(first, second.begin(), second.end(), std::forward<Rest>(rest)...);
      } else {
        return f(first, std::forward<Second>(second), std::forward<Rest>(rest)...);
      }
    }(std::forward<Args>(args)...);
  }
}

/// The team of a collective call: the team of the range, unless the algorithm defines team_of().
template <class Algorithm, class First, class... Args>
Team& team_of_call(const Algorithm&, const First& first, const Args&... args) {
  if constexpr (requires { Algorithm::team_of(first, args...); }) {
    return Algorithm::team_of(first, args...);
  } else {
    return first.team();
  }
}

/// Runs an algorithm synchronously, with the arguments of any overload.
template <class Algorithm, class... Args>
decltype(auto) call(const Algorithm& algorithm, Args&&... args) {
  return internal::with_policy<Algorithm>(
      [&algorithm](const auto& policy, auto&&... normal) -> decltype(auto) {
        Team& team = team_of_call(algorithm, normal...);
        Call call(team, Algorithm::name);
        if constexpr (is_node_policy_v<decltype(policy)>) {
          if (team.size() > 0) call.share_work(team.node_work_table(Algorithm::name, false));
        }
        return algorithm(call, policy, std::forward<decltype(normal)>(normal)...);
      },
      std::forward<Args>(args)...);
}

/// Runs f(Call&) as a task. The tasks of a team run one after the other, in the order in which the
/// units have called this function.
/// \collective over the team  \blocks at the first use on a team, until all units have called it
template <class F>
auto start_collectively(const Team& team, const char* name, F f) {
  CallQueue& queue = team.call_queue(name);
  auto run = [name, f = std::move(f)](Team& units) mutable {
    Call call(units, name);
    return f(call);
  };
  using R = std::invoke_result_t<decltype(run)&, Team&>;
  auto state = exec::StatePtr<CallState<R, decltype(run)>>::adopt(
      new CallState<R, decltype(run)>(name, std::move(run)));
  queue.add(*state, state);
  return Future<R>(std::move(state));
}

/// Runs an algorithm as a task, with the arguments of any overload. The task keeps copies of the
/// arguments.
template <class Algorithm, class... Args>
auto start(const Algorithm& algorithm, Args&&... args) {
  return internal::with_policy<Algorithm>(
      [&algorithm](const auto& policy, const auto&... normal) {
        Team& team = team_of_call(algorithm, normal...);
        NodeWorkTable* work_table = nullptr;
        if constexpr (is_node_policy_v<decltype(policy)>)
          work_table = &team.node_work_table(Algorithm::name, true);
        return start_collectively(
            team, Algorithm::name,
            [algorithm, policy, work_table,
             given = std::tuple<std::decay_t<decltype(normal)>...>(normal...)](Call& call) mutable {
              if (work_table != nullptr) call.share_work(*work_table);
              return std::apply(
                  [&](auto&... each) { return algorithm(call, policy, std::move(each)...); },
                  given);
            });
      },
      std::forward<Args>(args)...);
}

/// Counterparts of call() and start() for algorithms that are not collective: operator()(policy,
/// first, last, ...). With par_node they are collective and operator()(Call&, policy, first, last,
/// ...) is called.
template <class Algorithm, class... Args>
decltype(auto) call_locally(const Algorithm& algorithm, Args&&... args) {
  if constexpr ((is_node_policy_v<Args> || ...)) {
    return internal::call(algorithm, std::forward<Args>(args)...);
  } else {
    return internal::with_policy<Algorithm>(algorithm, std::forward<Args>(args)...);
  }
}
template <class Algorithm, class... Args>
auto start_locally(const Algorithm& algorithm, Args&&... args) {
  if constexpr ((is_node_policy_v<Args> || ...)) {
    return internal::start(algorithm, std::forward<Args>(args)...);
  } else {
    return internal::with_policy<Algorithm>(
        [&algorithm](const auto&... normal) {
          return dash::async([algorithm, given = std::tuple<std::decay_t<decltype(normal)>...>(
                                             normal...)]() mutable {
            return std::apply([&](auto&... each) { return algorithm(std::move(each)...); }, given);
          });
        },
        std::forward<Args>(args)...);
  }
}

}  // namespace dash::internal
