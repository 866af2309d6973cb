#pragma once

/// \file
/// Collectives on native memory. reduce() and allreduce() block. The non-blocking ones, with the suffix `_async`,
/// progress while the caller computes and complete futures.
///
/// All units of a team start the same collectives, with the same sizes, in the same order, and one
/// thread of a unit at a time. Any number of non-blocking ones may be pending. The collectives of a team complete in the
/// order in which they were started, so each may wait until all units have started its
/// predecessors; collectives of different teams are independent. Blocking collectives and other
/// operations may be called in between.
///
/// A unit that has started a collective need not make progress for the other units of its node.
/// Between nodes, the first unit of each node has to make progress; its progress thread does, or in
/// mode `poll` its calls of the library.
///
/// If the units of a team on one node start different collectives, or pass different sizes, the
/// futures fail with exception::InvalidArgument, and so do those of all later collectives of the
/// team. A unit whose collective was complete before the others started theirs, such as the root of
/// a broadcast, does not notice. If the team spans several nodes and units of one node do so, the
/// job ends with an error.

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Future.h"
#include "dash/Team.h"
#include "dash/algorithm/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart_communication.h"
#include "dash/internal/Unit.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash {

namespace internal {

/// \throws exception::InvalidArgument if the team has no units
DASH_API dart_team_t collective_team(const Team& team, const char* called);

/// The future of the collective that `start(done, data)` starts.
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

/// For values that a collective stores in a std::vector.
template <class T>
constexpr void require_vector_element() {
  require_collective_value<T>();
  static_assert(!std::is_same_v<T, bool>,
                "dash: a std::vector<bool> has no array of elements that a collective can use; "
                "use char");
}

/// The predefined operation that combines values of T; DART_OP_UNDEFINED for other functions.
template <class T, class Operation>
constexpr dart_operation_t collective_operation() {
  if constexpr (dart_reduce_operation<Operation>::value != DART_OP_UNDEFINED) {
    if (std::is_same_v<typename Operation::value_type, T>)
      return dart_reduce_operation<Operation>::value;
  }
  return DART_OP_UNDEFINED;
}

/// The predefined operation of a reduction to a root, which accepts no other functions.
template <class T, class Operation>
constexpr dart_operation_t predefined_operation() {
  require_collective_value<T>();
  constexpr dart_operation_t operation = collective_operation<T, Operation>();
  static_assert(operation != DART_OP_UNDEFINED,
                "dash::reduce and reduce_async to a root: expected a predefined operation such as "
                "dash::plus<T> on an arithmetic T; allreduce and allreduce_async accept other "
                "functions");
  return operation;
}

/// Starts an all-gather of `n` values of each unit.
template <class T>
Future<std::vector<T>> gather_values(const T* send, std::size_t n, const Team& team,
                                     const char* called) {
  const dart_team_t id = collective_team(team, called);
  return collective_future<std::vector<T>>(
      [&](dart::Done done, std::vector<T>& all) {
        dart::start_allgather(std::move(done), send, all.data(), n * sizeof(T), id);
      },
      n * team.size());
}

/// Combines `n` values of each unit in the order of the units.
template <class T, class Operation>
void fold(const std::vector<T>& all, T* out, std::size_t n, Operation& op) {
  for (std::size_t i = 0; i < n; ++i) {
    T total = all[i];
    for (std::size_t k = i + n; k < all.size(); k += n)
      total = op(total, all[k]);
    out[i] = total;
  }
}

}  // namespace internal

/// Starts a barrier. The future is ready when all units of the team have called it and the
/// transfers that they had started before are complete. For Team::Null(), and when DASH is not
/// initialized, it is ready immediately.
/// \completion remote, for all transfers that the caller has started before
/// \collective over the team   \blocks never   \threads externally synchronized per team
/// \ingroup collectives
inline Future<void> barrier_async(const Team& team = Team::All()) {
  return team.barrier_async();
}

/// Copies `n` elements of the root to `data` of all units.
/// \param  data  must not be accessed before completion
/// \returns a future; ready when the elements are in `data` or, at the root, when
///          `data` may be changed
/// \collective over the team   \blocks never   \threads externally synchronized per team
/// \throws exception::InvalidArgument if the root is not in the team
/// \ingroup collectives
template <class T>
Future<void> bcast_async(T* data, std::size_t n, team_unit_t root, const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "bcast_async");
  return internal::collective_future<void>([&](dart::Done done, auto&) {
    dart::start_bcast(std::move(done), data, n * sizeof(T), root.id, id);
  });
}

/// The same for one value. \returns a future of the root's value
/// \contract{bcast_async}
/// \ingroup collectives
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

/// Copies `n` elements of each unit to all units, in the order of the units.
/// \param  send  null or `recv`: in place; the elements of the caller are at their position in
///         `recv`
/// \param  recv  memory for the elements of all units; neither may be accessed before completion
/// \collective over the team   \blocks never   \threads externally synchronized per team
/// \ingroup collectives
template <class T>
Future<void> allgather_async(const T* send, T* recv, std::size_t n,
                             const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "allgather_async");
  return internal::collective_future<void>([&](dart::Done done, auto&) {
    dart::start_allgather(std::move(done), send, recv, n * sizeof(T), id);
  });
}

/// The same for one value. \returns a future of the values of all units
/// \contract{allgather_async}
/// \ingroup collectives
template <class T>
Future<std::vector<T>> allgather_async(const T& value, const Team& team = Team::All()) {
  internal::require_vector_element<T>();
  const dart_team_t id = internal::collective_team(team, "allgather_async");
  return internal::collective_future<std::vector<T>>(
      [&](dart::Done done, std::vector<T>& all) {
        all[static_cast<std::size_t>(team.myid().id)] = value;
        dart::start_allgather(std::move(done), nullptr, all.data(), sizeof(T), id);
      },
      team.size());
}

/// Combines element i of all units into element i of `recv`.
/// \param  send, recv  `n` elements; may be the same; must not be accessed before completion
/// \param  op  a predefined operation (dash::plus<T>, dash::min<T>, ...) for arithmetic T, which
///         the collective applies while the data is exchanged; or any function of two T, which a
///         thread that runs continuations calls in the order of the units, after an allgather of
///         all values
/// \collective over the team   \blocks never   \threads externally synchronized per team
/// \ingroup collectives
template <class T, class Operation>
Future<void> allreduce_async(const T* send, T* recv, std::size_t n, [[maybe_unused]] Operation op,
                             const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  constexpr dart_operation_t operation = internal::collective_operation<T, Operation>();
  if constexpr (operation != DART_OP_UNDEFINED) {
    const dart_team_t id = internal::collective_team(team, "allreduce_async");
    return internal::collective_future<void>([&](dart::Done done, auto&) {
      dart::start_allreduce(std::move(done), send, recv, n, dart_datatype<T>::value, operation, id);
    });
  } else {
    return internal::gather_values(send, n, team, "allreduce_async")
        .then([recv, n, op = std::move(op)](std::vector<T> all) mutable {
          internal::fold(all, recv, n, op);
        });
  }
}

/// The same for one value. \returns a future of the combined value
/// \contract{allreduce_async}
/// \ingroup collectives
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

/// Like allreduce_async, with the result at the root only.
/// \param  recv  written at the root only
/// \contract{allreduce_async}
/// \throws exception::InvalidArgument if the root is not in the team
/// \ingroup collectives
template <class T, class Operation>
Future<void> reduce_async(const T* send, T* recv, std::size_t n, Operation, team_unit_t root,
                          const Team& team = Team::All()) {
  constexpr dart_operation_t operation = internal::predefined_operation<T, Operation>();
  const dart_team_t id = internal::collective_team(team, "reduce_async");
  return internal::collective_future<void>([&](dart::Done done, auto&) {
    dart::start_reduce(std::move(done), send, recv, n, dart_datatype<T>::value, operation, root.id,
                       id);
  });
}

/// The same for one value. \returns a future of the combined value at the root, and of the caller's
///          value on other units
/// \contract{reduce_async}
/// \ingroup collectives
template <class T, class Operation>
requires(!std::is_pointer_v<T>) Future<T> reduce_async(const T& value, Operation, team_unit_t root,
                                                       const Team& team = Team::All()) {
  constexpr dart_operation_t operation = internal::predefined_operation<T, Operation>();
  const dart_team_t id = internal::collective_team(team, "reduce_async");
  return internal::collective_future<T>(
      [&](dart::Done done, T& data) {
        dart::start_reduce(std::move(done), &data, &data, 1, dart_datatype<T>::value, operation,
                           root.id, id);
      },
      value);
}

/// Combines element i of all units into element i of `recv` at the root.
///
/// The overload of reduce for native ranges has no root, and returns one value.
/// \param  send  `n` elements of each unit   \param  recv  used at the root only; may be `send`
/// \tparam  Operation  predefined (dash::plus<T>, dash::min<T>, ...), for arithmetic T
/// \param  team  of type Team or const Team
/// \completion the result is in `recv` of the root; other units may return before
/// \collective over the team   \blocks until the caller's elements have been combined
/// \threads externally synchronized per team
/// \throws exception::InvalidArgument if the root is not in the team
/// \ingroup collectives
template <class Send, class T, std::integral Size, class Operation,
          std::derived_from<Team> AnyTeam = Team>
requires std::same_as<std::remove_const_t<Send>, T>
void reduce(Send* send, T* recv, Size n, Operation, team_unit_t root, AnyTeam& team = Team::All()) {
  constexpr dart_operation_t operation = internal::predefined_operation<T, Operation>();
  const dart_team_t id = internal::collective_team(team, "reduce");
  internal::check(dart_reduce(send, recv, static_cast<std::size_t>(n), dart_datatype<T>::value,
                              operation, root, id),
                  "reduce");
}

/// Combines element i of all units into element i of `recv`, on all units.
/// \param  send, recv  `n` elements; may be the same
/// \param  op  as of allreduce_async()
/// \completion the result is in `recv`
/// \collective over the team   \blocks until all units have called it
/// \threads externally synchronized per team
/// \ingroup collectives
template <class Send, class T, std::integral Size, class Operation>
requires std::same_as<std::remove_const_t<Send>, T>
void allreduce(Send* send, T* recv, Size n, Operation op, const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  constexpr dart_operation_t operation = internal::collective_operation<T, Operation>();
  if constexpr (operation != DART_OP_UNDEFINED) {
    const dart_team_t id = internal::collective_team(team, "allreduce");
    internal::check(dart_allreduce(send, recv, static_cast<std::size_t>(n), dart_datatype<T>::value,
                                   operation, id),
                    "allreduce");
  } else {
    allreduce_async(static_cast<const T*>(send), recv, static_cast<std::size_t>(n), std::move(op),
                    team)
        .get();
  }
}

/// The same for one value. \returns the combined value
/// \contract{allreduce}
/// \ingroup collectives
template <class T, class Operation>
requires(!std::is_pointer_v<T>) T
    allreduce(const T& value, Operation op, const Team& team = Team::All()) {
  T result = value;
  dash::allreduce(&value, &result, 1, std::move(op), team);
  return result;
}

}  // namespace dash
