#pragma once

/// \file
/// Functions in the terminology of Fortran: an image is a unit. Images are numbered from 0, like
/// units.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "dash/Collectives.h"
#include "dash/Team.h"
#include "dash/algorithm/Operation.h"
#include "dash/core/Export.h"
#include "dash/internal/Unit.h"
#include "dash/internal/team/Collective.h"

namespace dash::coarray {

/// The caller's id among all units.
/// \ingroup teams
inline global_unit_t this_image() noexcept {
  return Team::GlobalUnitID();
}

/// The number of all units.
/// \ingroup teams
inline std::size_t num_images() noexcept {
  return Team::All().size();
}

/// dash::barrier().
/// \completion remote, for all operations that the caller has started
/// \collective over all units  \blocks until all have called it
/// \ingroup teams
inline void sync_all() {
  Team::All().barrier();
}

namespace internal {

/// \param images  global ids, in any order
DASH_API void sync_images(std::vector<int> images);

/// \throws exception::InvalidArgument if the team has no such unit
DASH_API void check_master(const Team& team, team_unit_t master);

}  // namespace internal

/// A barrier among some units; each of them passes the same list.
/// \param images  global ids of the units; returns at once if the caller is not among them
/// \completion remote, for all operations that the caller has started
/// \collective over the units named  \blocks until all of them have called it
/// \throws exception::InvalidArgument for an id of no unit; on the caller only, after the barrier:
///         the error of a failed operation of the caller that no wait has reported
/// \cost a logarithmic number of messages
/// \ingroup collectives
template <class Container>
void sync_images(const Container& images) {
  std::vector<int> ids;
  for (const auto& image : images)
    ids.push_back(static_cast<int>(image));
  internal::sync_images(std::move(ids));
}

/// Copies the elements of one unit to all others. No other access is allowed during the call.
/// \param master  the unit, relative to the coarray's team
/// \collective over the team of the coarray  \blocks until the master has called it
/// \throws exception::InvalidArgument if the master is not in the team
/// \ingroup collectives
template <class CoarrayType>
void cobroadcast(CoarrayType& coarray, team_unit_t master) {
  const auto n = static_cast<std::size_t>(coarray.local_size());
  dash::internal::broadcast_bytes(coarray.lbegin(), n * sizeof(typename CoarrayType::value_type),
                                  master, coarray.team());
}

/// Combines corresponding elements of all units. No other access is allowed during the call.
/// \param op      dash::plus<T> or another predefined operation, or any function of two elements,
///         which is called in the order of the units
/// \param master  the unit that obtains the result, relative to the coarray's team; by default all
///         units
/// \collective over the team of the coarray  \blocks until all units have called it
/// \throws exception::InvalidArgument if the master is not in the team
/// \ingroup collectives
template <class CoarrayType, class Operation>
void coreduce(CoarrayType& coarray, Operation op, team_unit_t master = UNDEFINED_TEAM_UNIT_ID) {
  using value_type = typename CoarrayType::value_base_type;
  const Team& team = coarray.team();
  // An Atomic<T> has the same representation as a T.
  auto* const own = reinterpret_cast<value_type*>(coarray.lbegin());
  const auto n = static_cast<std::size_t>(coarray.local_size());
  if (master == UNDEFINED_TEAM_UNIT_ID) {
    allreduce_async(own, own, n, op, team).get();
    return;
  }
  std::vector<value_type> result(n);
  if constexpr (dash::internal::collective_operation<value_type, Operation>() !=
                DART_OP_UNDEFINED) {
    reduce_async(own, result.data(), n, op, master, team).get();
  } else {
    coarray::internal::check_master(team, master);
    allreduce_async(own, result.data(), n, op, team).get();
  }
  if (team.myid() == master) std::copy(result.begin(), result.end(), own);
}

}  // namespace dash::coarray
