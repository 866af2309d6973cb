#pragma once

/// \file
/// Non-blocking collectives: they go on while their caller computes, and end as futures.
///
/// All units of a team start the same ones, with the same sizes, in the same order; at most one
/// thread of a unit at a time. Any number may be pending_operations. Those of a team complete in the order
/// in which they were started, so that one of them may wait for all units to have started those
/// before it; those of different teams have nothing to do with each other. Blocking collectives and
/// other operations may be called in between: only their own order counts.
///
/// A unit that has started one owes the others nothing more on its node; between nodes the first
/// unit of each has to make progress, which its progress thread does (in mode `poll`: its calls).
///
/// If the units of a team on one node start different ones, or with different sizes, the futures fail
/// with exception::InvalidArgument where that can be seen, and so do all that follow there: not at a
/// unit that was done before the others came, as the root of a broadcast may be. If units of one node
/// of several do, the job ends with an error.

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Future.h"
#include "dash/Team.h"
#include "dash/algorithm/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/Collective.h"
#include "dash/internal/Unit.h"

namespace dash {

namespace internal {

/// \throws exception::InvalidArgument if the team has no units
DASH_API dart_team_t collective_team(const Team& team, const char* called);

/// The future of what `start(done, data)` starts.
template <class T, class Start, class... Args>
Future<T> collective_future(const Start& start, Args&&... args) {
  using State = dart::CollectiveState<T>;
  auto state = exec::StatePtr<State>::adopt(new State(std::forward<Args>(args)...));
  start(dart::Done(state), state->data());
  return Future<T>(exec::StatePtr<exec::ValueState<T>>(std::move(state)));
}

template <class T>
constexpr void require_collective_value() {
  static_assert(std::is_trivially_copyable_v<T>,
                "dash: values that units exchange have to be trivially copyable");
}

/// The runtime's operation that combines values of T, DART_OP_UNDEFINED for functions of the user's.
template <class T, class Operation>
constexpr dart_operation_t collective_operation() {
  if constexpr (dart_reduce_operation<Operation>::value != DART_OP_UNDEFINED) {
    if (std::is_same_v<typename Operation::value_type, T>)
      return dart_reduce_operation<Operation>::value;
  }
  return DART_OP_UNDEFINED;
}

/// Combines `n` values of each unit in the order of the units.
template <class T, class Operation>
void fold(const std::vector<T>& all, T* out, std::size_t n, Operation& op) {
  for (std::size_t i = 0; i < n; ++i) {
    T total = all[i];
    for (std::size_t place = i + n; place < all.size(); place += n)
      total = op(total, all[place]);
    out[i] = total;
  }
}

}  // namespace internal

/// The future that is ready when all units of the team have called it and the transfers that they
/// had started before are complete. Ready at once for Team::Null() and when not initialised.
/// \completion remote, for all transfers that the caller has started before
/// \collective over the team   \blocks never   \threads one at a time per team
inline Future<void> barrier_async(const Team& team = Team::All()) {
  return team.barrier_async();
}

/// The root's `n` elements go to `data` of all units.
/// \param  data the library's until completion
/// \returns ready: they are there, and at the root may be changed
/// \collective over the team   \blocks never   \threads one at a time per team
/// \throws exception::InvalidArgument if the root is not in the team
template <class T>
Future<void> bcast_async(T* data, std::size_t n, team_unit_t root, const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "bcast_async");
  return internal::collective_future<void>([&](dart::Done done, auto&) {
    dart::start_bcast(std::move(done), data, n * sizeof(T), root.id, id);
  });
}

/// The same for one value. \returns the future of the root's
template <class T>
requires(!std::is_pointer_v<T>) Future<T> bcast_async(const T& value, team_unit_t root,
                                                      const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "bcast_async");
  return internal::collective_future<T>(
      [&](dart::Done done, T& data) {
        dart::start_bcast(std::move(done), &data, sizeof(T), root.id, id);
      },
      value);
}

/// The `n` elements of each unit go to all, in the order of the units.
/// \param  send null or the caller's part of `recv`'s begin: in place
/// \param  recv room for the elements of all units; both the library's until completion
/// \collective over the team   \blocks never   \threads one at a time per team
template <class T>
Future<void> allgather_async(const T* send, T* recv, std::size_t n,
                             const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "allgather_async");
  return internal::collective_future<void>([&](dart::Done done, auto&) {
    dart::start_allgather(std::move(done), send, recv, n * sizeof(T), id);
  });
}

/// The same for one value. \returns the future of the values of all units
template <class T>
Future<std::vector<T>> allgather_async(const T& value, const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  static_assert(!std::is_same_v<T, bool>,
                "dash::allgather_async: a vector<bool> has no data; use char");
  const dart_team_t id = internal::collective_team(team, "allgather_async");
  return internal::collective_future<std::vector<T>>(
      [&](dart::Done done, std::vector<T>& all) {
        all[static_cast<std::size_t>(team.myid().id)] = value;
        dart::start_allgather(std::move(done), nullptr, all.data(), sizeof(T), id);
      },
      team.size());
}

/// Element i of `recv` becomes the combination of the units' elements i.
/// \param  send, recv `n` elements, the library's until completion; may be the same
/// \param  op dash::plus<T>, dash::min<T> and their kin for arithmetic T, which are combined as they
///         come by; or any function of two T, which is called in the order of the units, by whoever
///         runs continuations, after all have come to all
/// \collective over the team   \blocks never   \threads one at a time per team
template <class T, class Operation>
Future<void> allreduce_async(const T* send, T* recv, std::size_t n, [[maybe_unused]] Operation op,
                             const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  constexpr dart_operation_t operation = internal::collective_operation<T, Operation>();
  const dart_team_t id = internal::collective_team(team, "allreduce_async");
  if constexpr (operation != DART_OP_UNDEFINED) {
    return internal::collective_future<void>([&](dart::Done done, auto&) {
      dart::start_allreduce(std::move(done), send, recv, n, dart_datatype<T>::value, operation, id);
    });
  } else {
    auto gathered = internal::collective_future<std::vector<T>>(
        [&](dart::Done done, std::vector<T>& all) {
          dart::start_allgather(std::move(done), send, all.data(), n * sizeof(T), id);
        },
        n * team.size());
    return gathered.then([recv, n, op = std::move(op)](std::vector<T> all) mutable {
      internal::fold(all, recv, n, op);
    });
  }
}

/// The same for one value. \returns the future of the combination
template <class T, class Operation>
requires(!std::is_pointer_v<T>) Future<T> allreduce_async(const T& value,
                                                          [[maybe_unused]] Operation op,
                                                          const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  constexpr dart_operation_t operation = internal::collective_operation<T, Operation>();
  if constexpr (operation != DART_OP_UNDEFINED) {
    const dart_team_t id = internal::collective_team(team, "allreduce_async");
    return internal::collective_future<T>(
        [&](dart::Done done, T& data) {
          dart::start_allreduce(std::move(done), &data, &data, 1, dart_datatype<T>::value,
                                operation, id);
        },
        value);
  } else {
    return allgather_async(value, team).then([op = std::move(op)](std::vector<T> all) mutable {
      T total = all.front();
      internal::fold(all, &total, 1, op);
      return total;
    });
  }
}

/// As allreduce_async, with the result at the root only. \param  recv not used elsewhere
/// \throws exception::InvalidArgument if the root is not in the team
template <class T, class Operation>
Future<void> reduce_async(const T* send, T* recv, std::size_t n, Operation, team_unit_t root,
                          const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  constexpr dart_operation_t operation = internal::collective_operation<T, Operation>();
  static_assert(operation != DART_OP_UNDEFINED,
                "dash::reduce_async: expected dash::plus<T> or one of its kin, on an arithmetic T; "
                "other functions are for allreduce_async");
  const dart_team_t id = internal::collective_team(team, "reduce_async");
  return internal::collective_future<void>([&](dart::Done done, auto&) {
    dart::start_reduce(std::move(done), send, recv, n, dart_datatype<T>::value, operation, root.id,
                       id);
  });
}

/// The same for one value. \returns the future of the combination, elsewhere of the caller's value
template <class T, class Operation>
requires(!std::is_pointer_v<T>) Future<T> reduce_async(const T& value, Operation, team_unit_t root,
                                                       const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  constexpr dart_operation_t operation = internal::collective_operation<T, Operation>();
  static_assert(operation != DART_OP_UNDEFINED,
                "dash::reduce_async: expected dash::plus<T> or one of its kin, on an arithmetic T; "
                "other functions are for allreduce_async");
  const dart_team_t id = internal::collective_team(team, "reduce_async");
  return internal::collective_future<T>(
      [&](dart::Done done, T& data) {
        dart::start_reduce(std::move(done), &data, &data, 1, dart_datatype<T>::value, operation,
                           root.id, id);
      },
      value);
}

}  // namespace dash
