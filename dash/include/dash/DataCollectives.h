#pragma once

/// \file
/// Collectives that move the elements of native memory between all units, and prefix reductions. They follow the rules of
/// dash/Collectives.h. Elements are trivially copyable.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Collectives.h"
#include "dash/Future.h"
#include "dash/Team.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart_communication.h"

namespace dash {

namespace internal {

/// \throws exception::InvalidArgument unless the number of arguments is that of the units
DASH_API void check_one_per_unit(const Team& team, std::size_t number, const char* what);

/// Sends a block to each unit of the team, and receives one from each.
/// \param outgoing, incoming  return the block for a unit, and the memory for that of a unit
/// \throws exception::InvalidArgument if a block is longer than the memory for it, after the exchange with all units
DASH_API void exchange_blocks(
    const Team& team, exec::FunctionRef<std::span<const std::byte>(std::size_t unit)> outgoing,
    exec::FunctionRef<std::span<std::byte>(std::size_t unit)> incoming);

/// Starts an all-to-all of `n` values for each unit. The values are copied. \returns a future of those of all units
template <class T>
Future<std::vector<T>> exchange_values(const T* send, std::size_t n, const Team& team,
                                       const char* called) {
  const dart_team_t id = collective_team(team, called);
  return collective_future<std::vector<T>>(
      [&](dart::Done done, std::vector<T>& all) {
        std::copy_n(send, all.size(), all.begin());
        dart::start_alltoall(std::move(done), nullptr, all.data(), n * sizeof(T), id);
      },
      n * team.size());
}

}  // namespace internal

/// \addtogroup collectives
/// @{

/// Copies `n` elements of the root to `data` of all units.
/// \completion the elements are in `data`; the root may return before the others have them
/// \collective over the team   \blocks until the root has called it   \threads externally synchronized per team
/// \throws exception::InvalidArgument if the root is not in the team
template <class T>
void bcast(T* data, std::size_t n, team_unit_t root, const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "bcast");
  internal::check(dart_bcast(data, n * sizeof(T), DART_TYPE_BYTE, root, id), "bcast");
}

/// The same for one value. \returns the root's value
/// \contract{bcast}
template <class T>
requires(!std::is_pointer_v<T>) T
    bcast(const T& value, team_unit_t root, const Team& team = Team::All()) {
  T result = value;
  dash::bcast(&result, 1, root, team);
  return result;
}

/// Copies `n` elements of each unit to all units, in the order of the units.
/// \param send  null or `recv`: in place; the elements of the caller are at their position in `recv`
/// \param recv  memory for the elements of all units
/// \completion the elements are in `recv`
/// \collective over the team   \blocks until all units have called it   \threads externally synchronized per team
template <class T>
void allgather(const T* send, T* recv, std::size_t n, const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "allgather");
  internal::check(dart_allgather(send, recv, n * sizeof(T), DART_TYPE_BYTE, id), "allgather");
}

/// The same for one value. \returns the values of all units
/// \contract{allgather}
template <class T>
std::vector<T> allgather(const T& value, const Team& team = Team::All()) {
  internal::require_vector_element<T>();
  internal::collective_team(team, "allgather");
  std::vector<T> all(team.size());
  dash::allgather(&value, all.data(), 1, team);
  return all;
}

/// Copies `n` elements of each unit to the root, in the order of the units.
/// \param recv  memory for the elements of all units; used at the root only
/// \completion the elements are in `recv` of the root; other units may return before
/// \collective over the team   \blocks until the caller's elements have been copied; at the root until all units have
///             called it   \threads externally synchronized per team
/// \throws exception::InvalidArgument if the root is not in the team
template <class T>
void gather(const T* send, T* recv, std::size_t n, team_unit_t root,
            const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "gather");
  internal::check(dart_gather(send, recv, n * sizeof(T), DART_TYPE_BYTE, root, id), "gather");
}

/// The same for one value. \returns the values of all units at the root, an empty vector at other units
/// \contract{gather}
template <class T>
std::vector<T> gather(const T& value, team_unit_t root, const Team& team = Team::All()) {
  internal::require_vector_element<T>();
  internal::collective_team(team, "gather");
  std::vector<T> all(team.myid() == root ? team.size() : 0);
  dash::gather(&value, all.data(), 1, root, team);
  return all;
}

/// Starts gather(). The buffers must not be accessed before completion.
/// \returns a future; ready when the elements are in `recv` of the root, and the caller may change `send`
/// \completion the future
/// \collective over the team   \blocks never   \threads externally synchronized per team
/// \throws exception::InvalidArgument if the root is not in the team
template <class T>
Future<void> gather_async(const T* send, T* recv, std::size_t n, team_unit_t root,
                          const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "gather_async");
  return internal::collective_future<void>([&](dart::Done done, auto&) {
    dart::start_gather(std::move(done), send, recv, n * sizeof(T), root.id, id);
  });
}

/// Copies `n` elements of the root to each unit: the i-th block of `n` to the i-th unit.
/// \param send  the elements for all units; used at the root only
/// \completion the elements are in `recv`; the root may return before the others have them
/// \collective over the team   \blocks until the root has called it   \threads externally synchronized per team
/// \throws exception::InvalidArgument if the root is not in the team
template <class T>
void scatter(const T* send, T* recv, std::size_t n, team_unit_t root,
             const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "scatter");
  internal::check(dart_scatter(send, recv, n * sizeof(T), DART_TYPE_BYTE, root, id), "scatter");
}

/// Starts scatter(). The buffers must not be accessed before completion.
/// \returns a future; ready when the elements are in `recv`, and at the root when `send` may be changed
/// \completion the future
/// \collective over the team   \blocks never   \threads externally synchronized per team
/// \throws exception::InvalidArgument if the root is not in the team
template <class T>
Future<void> scatter_async(const T* send, T* recv, std::size_t n, team_unit_t root,
                           const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "scatter_async");
  return internal::collective_future<void>([&](dart::Done done, auto&) {
    dart::start_scatter(std::move(done), send, recv, n * sizeof(T), root.id, id);
  });
}

/// Copies the i-th block of `n` elements of each unit to the i-th unit, in the order of the units.
/// \param send  `n` elements for each unit; null or `recv`: in place
/// \param recv  `n` elements of each unit
/// \completion the elements are in `recv`
/// \collective over the team   \blocks until all units have called it   \threads externally synchronized per team
template <class T>
void alltoall(const T* send, T* recv, std::size_t n, const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "alltoall");
  internal::check(dart_alltoall(send, recv, n * sizeof(T), DART_TYPE_BYTE, id), "alltoall");
}

/// The same for one value for each unit. \returns the values that the units have for the caller
/// \contract{alltoall}
/// \throws exception::InvalidArgument unless there is one value for each unit
template <class T>
std::vector<T> alltoall(const std::vector<T>& values, const Team& team = Team::All()) {
  internal::require_vector_element<T>();
  internal::collective_team(team, "alltoall");
  internal::check_one_per_unit(team, values.size(), "alltoall: values");
  std::vector<T> received(values.size());
  dash::alltoall(values.data(), received.data(), 1, team);
  return received;
}

/// Starts alltoall(). The buffers must not be accessed before completion.
/// \returns a future; ready when the elements are in `recv`, and the caller may change `send`
/// \completion the future
/// \collective over the team   \blocks never   \threads externally synchronized per team
template <class T>
Future<void> alltoall_async(const T* send, T* recv, std::size_t n, const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  const dart_team_t id = internal::collective_team(team, "alltoall_async");
  return internal::collective_future<void>([&](dart::Done done, auto&) {
    dart::start_alltoall(std::move(done), send, recv, n * sizeof(T), id);
  });
}

/// The same for one value for each unit. \returns a future of the values that the units have for the caller
/// \contract{alltoall_async}
/// \throws exception::InvalidArgument unless there is one value for each unit
template <class T>
Future<std::vector<T>> alltoall_async(const std::vector<T>& values,
                                      const Team& team = Team::All()) {
  internal::require_vector_element<T>();
  internal::collective_team(team, "alltoall_async");
  internal::check_one_per_unit(team, values.size(), "alltoall_async: values");
  return internal::exchange_values(values.data(), 1, team, "alltoall_async");
}

/// The part of a buffer that belongs to each unit: as many elements as `counts` says, from `offsets` on.
struct UnitBlocks {
  std::span<const std::size_t> counts;   ///< for each unit of the team, in their order
  std::span<const std::size_t> offsets;  ///< of the first element
};

/// Copies blocks of different sizes from all units to all units.
/// \param to    the blocks of `send` for each unit
/// \param from  the blocks of `recv` from each unit, of the sizes that these units send
/// \completion the elements are in `recv`
/// \collective over the team, by one thread of a unit at a time
/// \blocks until all units have sent the caller's blocks   \threads externally synchronized
/// \throws exception::InvalidArgument unless there is a block for each unit; and if a unit sends more elements than `from`
///         states, after the exchange with all units
/// \cost one message for each pair of units, one pair after the other; on a node two copies through shared memory
template <class T>
void alltoallv(const T* send, const UnitBlocks& to, T* recv, const UnitBlocks& from,
               const Team& team = Team::All()) {
  internal::require_collective_value<T>();
  internal::collective_team(team, "alltoallv");
  for (const UnitBlocks* const blocks : {&to, &from}) {
    internal::check_one_per_unit(team, blocks->counts.size(), "alltoallv: counts");
    internal::check_one_per_unit(team, blocks->offsets.size(), "alltoallv: offsets");
  }
  internal::exchange_blocks(
      team,
      [&](std::size_t unit) {
        return std::as_bytes(std::span(send + to.offsets[unit], to.counts[unit]));
      },
      [&](std::size_t unit) {
        return std::as_writable_bytes(std::span(recv + from.offsets[unit], from.counts[unit]));
      });
}

/// The same for vectors. \param values  of each unit those that it receives   \returns those that each unit has sent
/// \contract{alltoallv}
/// \throws exception::InvalidArgument unless there is one vector for each unit
template <class T>
std::vector<std::vector<T>> alltoallv(const std::vector<std::vector<T>>& values,
                                      const Team& team = Team::All()) {
  internal::require_vector_element<T>();
  internal::collective_team(team, "alltoallv");
  internal::check_one_per_unit(team, values.size(), "alltoallv: vectors");
  std::vector<std::size_t> counts;
  for (const std::vector<T>& each : values)
    counts.push_back(each.size());
  const std::vector<std::size_t> arriving = dash::alltoall(counts, team);
  std::vector<std::vector<T>> received;
  for (const std::size_t count : arriving)
    received.emplace_back(count);
  internal::exchange_blocks(
      team, [&](std::size_t unit) { return std::as_bytes(std::span(values[unit])); },
      [&](std::size_t unit) { return std::as_writable_bytes(std::span(received[unit])); });
  return received;
}

/// Starts an inclusive prefix reduction: element i of `recv` combines element i of the units up to the caller, in the
/// order of the units.
/// \param send, recv  `n` elements; may be the same; must not be accessed before completion
/// \param op  any function of two T
/// \completion the future   \collective over the team   \blocks never   \threads externally synchronized per team
/// \cost an allgather of the elements of all units
template <class T, class Operation>
Future<void> scan_async(const T* send, T* recv, std::size_t n, Operation op,
                        const Team& team = Team::All()) {
  internal::require_vector_element<T>();
  const auto units = static_cast<std::size_t>(team.myid().id) + 1;
  return internal::gather_values(send, n, team, "scan_async")
      .then([recv, n, units, op = std::move(op)](std::vector<T> all) mutable {
        all.resize(units * n);
        internal::fold(all, recv, n, op);
      });
}

/// The same for one value. \returns a future of the combination of the values of the units up to the caller
/// \contract{scan_async}
template <class T, class Operation>
requires(!std::is_pointer_v<T>) Future<T> scan_async(const T& value, Operation op,
                                                     const Team& team = Team::All()) {
  return allgather_async(value, team)
      .then([op = std::move(op),
             me = static_cast<std::ptrdiff_t>(team.myid().id)](std::vector<T> all) mutable {
        return std::accumulate(all.begin() + 1, all.begin() + me + 1, all.front(), op);
      });
}

/// As scan_async(). \completion the result is in `recv`
/// \collective over the team   \blocks until all units have called it   \threads externally synchronized per team
/// \cost an allgather of the elements of all units
template <class T, class Operation>
void scan(const T* send, T* recv, std::size_t n, Operation op, const Team& team = Team::All()) {
  dash::scan_async(send, recv, n, std::move(op), team).get();
}

/// The same for one value. \returns the combination of the values of the units up to the caller
/// \contract{scan}
template <class T, class Operation>
requires(!std::is_pointer_v<T>) T
    scan(const T& value, Operation op, const Team& team = Team::All()) {
  return dash::scan_async(value, std::move(op), team).get();
}

/// Starts an exclusive prefix reduction. \returns a future of `init`, combined with the values of the units before the
///          caller, in their order
/// \param op  any function of two T
/// \completion the future   \collective over the team   \blocks never   \threads externally synchronized per team
/// \cost an allgather of the values of all units
template <class T, class Operation>
Future<T> exscan_async(const T& value, T init, Operation op, const Team& team = Team::All()) {
  return allgather_async(value, team)
      .then([op = std::move(op), init = std::move(init),
             me = static_cast<std::ptrdiff_t>(team.myid().id)](std::vector<T> all) mutable {
        return std::accumulate(all.begin(), all.begin() + me, std::move(init), op);
      });
}

/// As exscan_async(). \returns `init`, combined with the values of the units before the caller, in their order
/// \completion the result is returned
/// \collective over the team   \blocks until all units have called it   \threads externally synchronized per team
/// \cost an allgather of the values of all units
template <class T, class Operation>
T exscan(const T& value, T init, Operation op, const Team& team = Team::All()) {
  return dash::exscan_async(value, std::move(init), std::move(op), team).get();
}

/// Combines element i of all units, and gives each unit a block of the result: the i-th block of `n` to the i-th unit.
/// \param send  `n` elements for each unit   \param recv  `n` elements
/// \param op    any function of two T, called in the order of the units
/// \completion the result is in `recv`
/// \collective over the team   \blocks until all units have called it   \threads externally synchronized per team
/// \cost an alltoall()
template <class T, class Operation>
void reduce_scatter(const T* send, T* recv, std::size_t n, Operation op,
                    const Team& team = Team::All()) {
  internal::require_vector_element<T>();
  internal::collective_team(team, "reduce_scatter");
  std::vector<T> blocks(n * team.size());
  dash::alltoall(send, blocks.data(), n, team);
  internal::fold(blocks, recv, n, op);
}

/// Starts reduce_scatter(). `recv` must not be accessed before completion; `send` may change after the call.
/// \returns a future; ready when the result is in `recv`
/// \completion the future
/// \collective over the team   \blocks never   \threads externally synchronized per team
/// \cost an alltoall_async(). A thread that runs continuations calls `op`
template <class T, class Operation>
Future<void> reduce_scatter_async(const T* send, T* recv, std::size_t n, Operation op,
                                  const Team& team = Team::All()) {
  internal::require_vector_element<T>();
  return internal::exchange_values(send, n, team, "reduce_scatter_async")
      .then([recv, n, op = std::move(op)](std::vector<T> blocks) mutable {
        internal::fold(blocks, recv, n, op);
      });
}

/// @}

}  // namespace dash
