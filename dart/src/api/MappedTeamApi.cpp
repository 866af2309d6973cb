// Teams whose units are ordered for a grid. All units of the parent pass the same grid. The first unit computes the
// order and broadcasts it, so that the other units do not need the file that describes the network.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "api/Runtime.h"
#include "base/Error.h"
#include "dash/core/Settings.h"
#include "dash/core/mapping/GridMapping.h"
#include "dash/dart/Mapping.h"
#include "dash/dart/if/dart_team_group.h"
#include "locality/TeamMapping.h"
#include "teams/Agreement.h"

namespace dart = dash::dart;
namespace mapping = dash::core::mapping;

namespace {

using Team = dart::Team;

std::string text_of(const std::vector<std::uint32_t>& extents) {
  return fmt::format("{}", fmt::join(extents, " x "));
}

/// \throws dart::Error, exception::InvalidArgument if the arguments are not a grid of the team
mapping::Grid checked_grid(const Team& team, const dart::GridOfUnits& requested) {
  if (requested.extents.empty() || requested.extents.size() > DART_GRID_MAX_NDIM) {
    dart::throw_error(DART_ERR_INVAL, "a grid of {} dimensions; expected 1 to {}",
                      requested.extents.size(), DART_GRID_MAX_NDIM);
  }
  mapping::Grid grid;
  grid.periodic = requested.periodic;
  grid.weights = requested.weights;
  for (std::size_t d = 0; d < requested.extents.size(); ++d) {
    if (requested.extents[d] < 1 ||
        requested.extents[d] > std::numeric_limits<std::uint32_t>::max()) {
      dart::throw_error(DART_ERR_INVAL,
                        "{} units in dimension {} of a grid; expected 1 to {}, which team {} has",
                        requested.extents[d], d, team.size(), team.id());
    }
    grid.extents.push_back(static_cast<std::uint32_t>(requested.extents[d]));
  }
  const std::size_t size = grid.size();
  if (size != static_cast<std::size_t>(team.size())) {
    const bool fits = size != std::numeric_limits<std::size_t>::max();
    dart::throw_error(DART_ERR_INVAL,
                      "a grid of {} has {} positions, but team {} has {} unit{}; expected as many",
                      text_of(grid.extents), fits ? std::to_string(size) : "too many", team.id(),
                      team.size(), team.size() == 1 ? "" : "s");
  }
  grid.check(size);
  return grid;
}

/// A hash of a grid.
std::uint64_t hash_of(const mapping::Grid& grid) {
  std::uint64_t result = 0xcbf29ce484222325U;
  const auto add = [&](std::uint64_t value) {
    result = (result ^ value) * 0x9e3779b97f4a7c15U;
    result ^= result >> 29;
  };
  for (std::size_t d = 0; d < grid.extents.size(); ++d) {
    add(grid.extents[d]);
    add(grid.is_periodic(d) ? 2 : 1);
    add(std::bit_cast<std::uint64_t>(grid.weight(d)));
  }
  return result;
}

/// Rethrows an exception as an invalid argument; rethrows std::bad_alloc unchanged.
[[noreturn]] void rethrow_as_invalid_argument(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& wrong) {
    throw dash::exception::InvalidArgument(wrong.what());
  }
}

/// Returns the grid that all units pass. \collective over the team, even if read() throws
template <class Read>
mapping::Grid agree_on_grid(Team& team, Read read) {
  mapping::Grid grid;
  std::exception_ptr failure;
  try {
    grid = read();
  } catch (...) {
    failure = std::current_exception();
  }
  const std::uint64_t name = hash_of(grid);
  std::array<std::uint64_t, 3> largest{failure == nullptr ? 0U : 1U, name, ~name};
  team.allreduce(largest.data(), largest.data(), largest.size(), DART_TYPE_ULONGLONG, DART_OP_MAX);
  if (failure != nullptr) rethrow_as_invalid_argument(failure);
  if (largest[0] != 0) {
    dart::throw_error(DART_ERR_INVAL, "another unit of team {} has passed an invalid grid",
                      team.id());
  }
  if (largest[1] != ~largest[2]) {
    dart::throw_error(DART_ERR_INVAL,
                      "the units of team {} pass different grids; this one passes {}", team.id(),
                      text_of(grid.extents));
  }
  return grid;
}

/// Global ids by position on the grid. Called on the first unit of the team only.
std::vector<std::int32_t> find_order(dart::Runtime& runtime, const Team& team,
                                     const mapping::Grid& grid) {
  const std::vector<std::int32_t>& units = team.layout().units;
  const dart::UnitsOnMachine where = dart::units_on_machine(runtime.session().hardware(), units,
                                                            dash::core::settings().topology_file);
  std::vector<std::int32_t> order;
  order.reserve(units.size());
  for (const std::uint32_t unit : mapping::map_grid(where.machine, where.locations, grid).unit_at)
    order.push_back(units[unit]);
  return order;
}

/// Computes the order on the first unit and broadcasts it, or its error. \collective
std::vector<std::int32_t> agree_on_order(dart::Runtime& runtime, Team& team,
                                         const mapping::Grid& grid) {
  std::vector<std::int32_t> order;
  // On the stack: nothing may fail between the collective steps, so nothing is allocated.
  std::array<char, 1024> error{};
  dart::run_on_all_or_throw(team, "dart_team_create_mapped", [&] {
    order.resize(static_cast<std::size_t>(team.size()));
    if (team.my_id() != 0) return;
    try {
      order = find_order(runtime, team, grid);
    } catch (const std::exception& wrong) {
      std::snprintf(error.data(), error.size(), "%s", wrong.what());
    }
  });
  team.bcast(error.data(), error.size(), 0);
  if (error[0] != '\0') throw dash::exception::InvalidArgument(error.data());
  team.bcast(order.data(), order.size() * sizeof order[0], 0);
  return order;
}

/// \param requested  returns the grid that this unit passes; may throw
template <class ReadGrid>
dart_team_t create(dart_team_t teamid, ReadGrid requested) {
  dart::Runtime& runtime = dart::Runtime::get();
  Team& parent = runtime.team(teamid);
  const mapping::Grid grid =
      agree_on_grid(parent, [&] { return checked_grid(parent, requested()); });
  Team* const team = runtime.teams().create(parent, agree_on_order(runtime, parent, grid));
  team->set_grid(grid);
  return team->id();
}

}  // namespace

dart_team_t dart::create_mapped_team(dart_team_t parent, const GridOfUnits& grid) {
  return create(parent, [&] { return grid; });
}

extern "C" {

dart_ret_t dart_team_create_mapped(dart_team_t teamid, size_t ndim, const size_t* extents,
                                   const int32_t* periodic, const double* weights,
                                   dart_team_t* newteam) noexcept {
  return dart::guarded("dart_team_create_mapped", [&] {
    if (newteam != nullptr) *newteam = DART_TEAM_NULL;
    const dart_team_t id = create(teamid, [&] {
      if (newteam == nullptr) dart::throw_error(DART_ERR_INVAL, "newteam is NULL");
      if (extents == nullptr) dart::throw_error(DART_ERR_INVAL, "extents is NULL");
      // checked_grid() rejects more dimensions, so their extents are not read.
      const std::size_t n = std::min<std::size_t>(ndim, DART_GRID_MAX_NDIM);
      dart::GridOfUnits grid;
      grid.extents.assign(extents, extents + n);
      grid.extents.resize(std::min<std::size_t>(ndim, DART_GRID_MAX_NDIM + 1), 1);
      if (periodic != nullptr) grid.periodic.assign(periodic, periodic + n);
      if (weights != nullptr) grid.weights.assign(weights, weights + n);
      return grid;
    });
    *newteam = id;
  });
}

dart_ret_t dart_team_grid(dart_team_t teamid, size_t* ndim, size_t* extents,
                          int32_t* periodic) noexcept {
  return dart::guarded("dart_team_grid", [&] {
    if (ndim == nullptr) dart::throw_error(DART_ERR_INVAL, "ndim is NULL");
    *ndim = 0;
    const mapping::Grid& grid = dart::Runtime::get().team(teamid).grid();
    *ndim = grid.extents.size();
    for (std::size_t d = 0; d < *ndim; ++d) {
      if (extents != nullptr) extents[d] = grid.extents[d];
      if (periodic != nullptr) periodic[d] = grid.is_periodic(d) ? 1 : 0;
    }
  });
}

}  // extern "C"
