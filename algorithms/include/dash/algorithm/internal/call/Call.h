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
#include "dash/internal/transfer/CallQueue.h"
#include "dash/internal/work/Collective.h"
#include "dash/internal/work/NodeWork.h"
#include "dash/iterator/IteratorTraits.h"

/// \file
/// What an algorithm is: a type with a `name` and operator()(Call&, policy, first, last, ...), or
/// without the Call if it is not collective. It is called in one of these forms:
///
///   x(first, last, ...)   x(range, ...)   x(policy, first, last, ...)   x(policy, range, ...)
///
/// now, or as a task: x_async(...).

namespace dash::internal {

/// One call of a collective algorithm, on all units of a team.
class Call {
 public:
  Call(Team& team, const char* name) : _team(&team), _name(name) {}

  /// The units, with the ids that they have in the range's team. Communication of the call goes
  /// by this team and no other.
  Team& team() const { return *_team; }
  team_unit_t myid() const { return _team->myid(); }
  std::size_t size() const { return _team->size(); }
  const char* name() const { return _name; }

  /// f() on each unit, then a barrier, which completes the transfers, too.
  /// \throws exception::RuntimeError on all units if f throws on one, naming it and the text
  template <class F>
  void run(F&& f) {
    run_collectively(*_team, _name, [&] {
      const Sharing sharing(*this);
      f();
    });
  }

  /// What f(), a std::optional<T>, is on the units; by one exchange, which completes no transfers.
  /// \tparam T  trivially copyable
  /// \throws exception::RuntimeError on all units if f throws on one, naming it and the text
  template <class T, class F>
  Gathered<T> contribute(F&& f) {
    return internal::contribute<T>(*_team, _name, [&] {
      const Sharing sharing(*this);
      return f();
    });
  }

  /// What f() makes of what the units have contributed.
  /// \tparam may_throw  whether it calls functions of the user's: then it costs an exchange
  /// \throws exception::RuntimeError on all units if f throws on one, naming it and the text
  template <bool may_throw, class F>
  auto conclude(F&& f) {
    return internal::conclude<may_throw>(*_team, _name, std::forward<F>(f));
  }

  /// What a unit needs for the steps to come, its memory above all, and may fail to get: by one
  /// exchange, which completes no transfers.
  /// \throws exception::RuntimeError on all units if f throws on one, naming it and the text
  template <class F>
  void prepare(F&& f) {
    internal::contribute<char>(*_team, _name, [&] {
      f();
      return std::optional<char>();
    });
  }

  /// Lets the units of a node help each other, once in each f() of the two above.
  void share_work(NodeBoard& board) { _board = &board; }
  /// With what they do, in such an f(); nullptr if they do not, or have done so.
  NodeWork* node_work() { return _work && _work->is_fresh() ? &*_work : nullptr; }

  /// Gathers `nbytes` bytes of each unit, in unit order, on all units. Nothing may throw on one unit
  /// alone between this and the collective steps before and after it.
  void allgather(const void* send, void* receive, std::size_t nbytes) {
    allgather_bytes(send, receive, nbytes, *_team);
  }

  /// \completion remote, for all operations that the caller has started
  void barrier() { _team->barrier(); }

 private:
  /// During an f(). However it ends, nobody waits for work of this unit.
  class Sharing {
   public:
    explicit Sharing(Call& call) noexcept : _work(call._work) {
      if (call._board != nullptr) _work.emplace(*call._board, call.myid());
    }
    Sharing(const Sharing&) = delete;
    Sharing& operator=(const Sharing&) = delete;
    ~Sharing() { _work.reset(); }

   private:
    std::optional<NodeWork>& _work;
  };

  Team* _team;
  const char* _name;
  NodeBoard* _board = nullptr;
  std::optional<NodeWork> _work;
};

template <class Policy>
inline constexpr bool is_node_policy_v =
    std::is_same_v<std::remove_cvref_t<Policy>, execution::node_policy>;

/// A range whose iterators are global: containers, boxes of them, views of both.
template <class R>
concept GlobalRange =
    !GlobalIterator<R> && !std::is_pointer_v<std::remove_cvref_t<R>> && requires(R & range) {
  { range.begin() } -> GlobalIterator;
  { range.end() } -> GlobalIterator;
};

/// The arguments of a form with a policy, or with a range instead of two iterators.
template <class... Args>
inline constexpr bool is_other_form = false;
template <class First, class... Args>
inline constexpr bool is_other_form<First, Args...> = ExecutionPolicy<First> || GlobalRange<First>;
template <class... Args>
concept OtherForm = is_other_form<Args...>;

/// The arguments of any form of an algorithm that begins with a global range.
template <class... Args>
inline constexpr bool is_global_form = false;
template <class First, class... Args>
inline constexpr bool is_global_form<First, Args...> = GlobalIterator<First> || GlobalRange<First>;
template <ExecutionPolicy First, class Second, class... Args>
inline constexpr bool is_global_form<First, Second, Args...> =
    GlobalIterator<Second> || GlobalRange<Second>;
template <class... Args>
concept GlobalForm = is_global_form<Args...>;

/// The policy of calls that name none: par, unless the algorithm says another one.
template <class Algorithm>
constexpr auto default_policy() {
  if constexpr (requires { Algorithm::default_policy; }) {
    return Algorithm::default_policy;
  } else {
    return par;
  }
}

/// Calls f(policy, first, last, args...) for the arguments of any form.
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

/// The team of a collective call: that of the range, unless the algorithm says another one by its
/// function team_of().
template <class Algorithm, class First, class... Args>
Team& team_of_call(const Algorithm&, const First& first, const Args&... args) {
  if constexpr (requires { Algorithm::team_of(first, args...); }) {
    return Algorithm::team_of(first, args...);
  } else {
    return first.team();
  }
}

/// An algorithm in any form, now.
template <class Algorithm, class... Args>
decltype(auto) call(const Algorithm& algorithm, Args&&... args) {
  return internal::with_policy<Algorithm>(
      [&algorithm](const auto& policy, auto&&... normal) -> decltype(auto) {
        Team& team = team_of_call(algorithm, normal...);
        Call call(team, Algorithm::name);
        if constexpr (is_node_policy_v<decltype(policy)>) {
          if (team.size() > 0) call.share_work(team.node_board(Algorithm::name, false));
        }
        return algorithm(call, policy, std::forward<decltype(normal)>(normal)...);
      },
      std::forward<Args>(args)...);
}

/// f(Call&) as a task. Calls on a team begin in the order of the units' calls of this function, each
/// after the end of the one before.
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

/// An algorithm in any form, as a task. It keeps copies of the arguments.
template <class Algorithm, class... Args>
auto start(const Algorithm& algorithm, Args&&... args) {
  return internal::with_policy<Algorithm>(
      [&algorithm](const auto& policy, const auto&... normal) {
        Team& team = team_of_call(algorithm, normal...);
        NodeBoard* board = nullptr;
        if constexpr (is_node_policy_v<decltype(policy)>)
          board = &team.node_board(Algorithm::name, true);
        return start_collectively(
            team, Algorithm::name,
            [algorithm, policy, board,
             given = std::tuple<std::decay_t<decltype(normal)>...>(normal...)](Call& call) mutable {
              if (board != nullptr) call.share_work(*board);
              return std::apply(
                  [&](auto&... each) { return algorithm(call, policy, std::move(each)...); },
                  given);
            });
      },
      std::forward<Args>(args)...);
}

/// The same for algorithms in which no unit waits for another: operator()(policy, first, last, ...).
/// With par_node they do: then it is operator()(Call&, policy, first, last, ...).
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
