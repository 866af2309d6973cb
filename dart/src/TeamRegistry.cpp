#include "TeamRegistry.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

#include "Error.h"

namespace dash::dart {

namespace {

/// By id. Constant initialised and mostly untouched: only the pages of ids in use are there.
constinit std::array<std::atomic<Team*>, IdPool::num_ids + 1> teams{};

std::atomic<Team*>& entry(dart_team_t id) noexcept {
  return teams[static_cast<std::size_t>(id)];
}

std::vector<std::int32_t> everybody(int nunits) {
  std::vector<std::int32_t> units(static_cast<std::size_t>(nunits));
  std::iota(units.begin(), units.end(), 0);
  return units;
}

}  // namespace

TeamRegistry::TeamRegistry(Session& session, RmaDriver& driver, SymmetricHeap& heap)
    : _session(session), _driver(driver), _heap(heap) {
  const Layout& layout = session.layout();
  _all = std::make_unique<Team>(
      session, driver, DART_TEAM_ALL, TeamLayout(layout, everybody(layout.nunits)),
      TeamBlock::of_all(layout.nunits, layout.largest_node), HeapPlan::team_block);
  entry(DART_TEAM_ALL).store(_all.get(), std::memory_order_release);
}

TeamRegistry::~TeamRegistry() {
  entry(DART_TEAM_ALL).store(nullptr, std::memory_order_relaxed);
  for (std::size_t id = 1; id < teams.size(); ++id) {
    if (!_ids.is_used(static_cast<std::int16_t>(id))) continue;
    delete teams[id].exchange(nullptr, std::memory_order_relaxed);
  }
}

Team* TeamRegistry::find(dart_team_t id) const noexcept {
  return id < 0 ? nullptr : entry(id).load(std::memory_order_acquire);
}

void TeamRegistry::for_each(exec::FunctionRef<void(Team&)> f) {
  for (std::size_t id = 0; id < teams.size(); ++id) {
    if (id != 0 && !_ids.is_used(static_cast<std::int16_t>(id))) continue;
    f(*teams[id].load(std::memory_order_acquire));
  }
}

/// The same for all who name as many units.
TeamBlock TeamRegistry::block_for(std::size_t nunits) const noexcept {
  const int size = static_cast<int>(nunits);
  return TeamBlock::of_team(size, std::min(size, _session.layout().largest_node));
}

Team* TeamRegistry::create(Team& parent, std::vector<std::int32_t> globals) {
  for (const std::int32_t global : globals) {
    if (parent.local_id(global) < 0) {
      throw_error(DART_ERR_INVAL, "unit {} of the group is not in the parent team {}", global,
                  parent.id());
    }
  }
  const TeamBlock block = block_for(globals.size());
  const SymmetricHeap::Place place = _heap.reserve(parent, block.total_bytes(), _ids);
  const std::int32_t me = _session.layout().unit;
  if (std::find(globals.begin(), globals.end(), me) == globals.end()) {
    _heap.release(place.offset, place.id, _ids);
    return nullptr;
  }
  Team* const team =
      new Team(_session, _driver, place.id, TeamLayout(_session.layout(), std::move(globals)),
               block, place.offset);
  entry(place.id).store(team, std::memory_order_release);
  return team;
}

void TeamRegistry::destroy(Team& team) {
  team.leave();
  const dart_team_t id = team.id();
  const std::uint64_t block = team.block();
  entry(id).store(nullptr, std::memory_order_release);
  delete &team;
  _heap.release(block, id, _ids);
}

}  // namespace dash::dart
