#include "memory/TeamRegistry.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

#include "base/Error.h"

namespace dash::dart {

namespace {

/// Teams by id. Constant-initialized and mostly untouched, so that only the pages of used ids exist.
/// Stored with release and loaded with acquire: a thread that finds a team sees the constructed object.
/// Relaxed in the destructor, which runs when no other thread uses the teams.
constinit std::array<std::atomic<Team*>, IdPool::num_ids + 1> teams{};

std::atomic<Team*>& entry(dart_team_t id) noexcept {
  return teams[static_cast<std::size_t>(id)];
}

std::vector<std::int32_t> all_units(int nunits) {
  std::vector<std::int32_t> units(static_cast<std::size_t>(nunits));
  std::iota(units.begin(), units.end(), 0);
  return units;
}

/// A hash of a unit in a group.
std::uint64_t hash(std::uint64_t group, std::int32_t unit) noexcept {
  std::uint64_t x = group + 0x9E3779B97F4A7C15U * (static_cast<std::uint64_t>(unit) + 1);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// If all members of each group pass the same group, the terms of all units sum to 0, because each
/// member's hash is added and subtracted once per member. Otherwise a sum of 0 is very unlikely.
std::uint64_t consistency_term(const std::vector<std::int32_t>& group, std::int32_t me) noexcept {
  std::uint64_t name = group.size();
  for (const std::int32_t unit : group)
    name = hash(name, unit);
  std::uint64_t sum = 0;
  for (const std::int32_t unit : group)
    sum += hash(name, unit);
  return sum - group.size() * hash(name, me);
}

}  // namespace

TeamRegistry::TeamRegistry(Session& session, RmaDriver& driver, SymmetricHeap& heap)
    : _session(session), _driver(driver), _heap(heap) {
  const Layout& layout = session.layout();
  _all = std::make_unique<Team>(
      session, driver, DART_TEAM_ALL, TeamLayout(layout, all_units(layout.nunits)),
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

/// The layout depends on the number of units only, so that all members compute the same one.
TeamBlock TeamRegistry::block_for(std::size_t nunits) const noexcept {
  const int size = static_cast<int>(nunits);
  return TeamBlock::of_team(size, std::min(size, _session.layout().largest_node));
}

Team* TeamRegistry::create(Team& parent, std::vector<std::int32_t> globals) {
  const TeamBlock block = block_for(globals.size());
  const std::int32_t me = _session.layout().unit;
  const bool joins = std::find(globals.begin(), globals.end(), me) != globals.end();
  std::uint64_t differences = joins ? consistency_term(globals, me) : 0;
  parent.allreduce(&differences, &differences, 1, DART_TYPE_ULONGLONG, DART_OP_SUM);
  const SymmetricHeap::AllocationRequest request = SymmetricHeap::request_of([&] {
    for (const std::int32_t global : globals) {
      if (parent.local_id(global) >= 0) continue;
      throw_error(DART_ERR_INVAL, "unit {} of the group is not in the parent team {}", global,
                  parent.id());
    }
    if (differences != 0) {
      throw_error(DART_ERR_INVAL,
                  "the units of a new team in team {} do not all pass the same group", parent.id());
    }
    return block.total_bytes();
  });
  const SymmetricHeap::Reservation reserved = _heap.reserve(parent, request, _ids);
  if (!joins) {
    _heap.release(reserved.offset, reserved.id, _ids);
    return nullptr;
  }
  Team* const team =
      new Team(_session, _driver, reserved.id, TeamLayout(_session.layout(), std::move(globals)),
               block, reserved.offset);
  entry(reserved.id).store(team, std::memory_order_release);
  return team;
}

void TeamRegistry::destroy(Team& team) {
  team.collectives().leave();
  const dart_team_t id = team.id();
  const std::uint64_t block = team.block();
  entry(id).store(nullptr, std::memory_order_release);
  delete &team;
  _heap.release(block, id, _ids);
}

}  // namespace dash::dart
