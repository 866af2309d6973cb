#include "dash/internal/dynamic/HashIndex.h"

#include <algorithm>
#include <bit>

#include "dash/Exception.h"
#include "dash/core/OtherProcesses.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

namespace {

/// So full a table may become, in eighths; what is erased counts until it grows.
constexpr std::uint64_t full_eighths = 5;

}  // namespace

void HashIndex::allocate(std::size_t first_elements) {
  // Room also for what the units of the node count late.
  const std::size_t late = claims_together * _slots.node_units().size();
  const std::size_t words = 8 * (first_elements + late) / full_eighths + 1;
  const unsigned log2_size =
      std::clamp(static_cast<unsigned>(std::bit_width(words)), log2_smallest, 31U);
  const team_unit_t mine = _slots.team().myid();
  const Table table = make_table(mine, log2_size);
  shared(mine).current.store(table.place().word(), std::memory_order_release);
}

HashIndex::Table HashIndex::make_table(team_unit_t unit, unsigned log2_size) {
  const std::size_t nbytes = sizeof(TableHeader) + (sizeof(std::uint64_t) << log2_size);
  dart_gptr_t gptr = DART_GPTR_NULL;
  check(dart_memalloc(nbytes, DART_TYPE_BYTE, &gptr), "growth of an index");
  const PoolPlace place(gptr, log2_size);
  const std::lock_guard lock(_mutex);
  _made.push_back({unit, place});
  return Table(place);
}

HashIndex::Table HashIndex::grow(team_unit_t unit, const Table& table) {
  if (const Table next = table.next()) return next;
  // What was erased takes no room in the successor: it may be that it need not be larger.
  const bool mostly_erased = 4 * _slots.live(unit) < full_eighths * table.size() / 4;
  const unsigned log2_size = std::min(table.place().number() + (mostly_erased ? 0U : 1U), 31U);
  Table made;
  try {
    made = make_table(unit, log2_size);
  } catch (...) {
    std::uint64_t none = 0;
    table.header().next.compare_exchange_strong(none, no_memory);
    if (const Table next = table.next()) return next;
    throw;
  }
  core::before_other_processes();
  std::uint64_t seen = table.header().next.load(std::memory_order_acquire);
  while (seen <= no_memory) {
    if (table.header().next.compare_exchange_strong(seen, made.place().word())) return made;
  }
  {
    const std::lock_guard lock(_mutex);
    std::erase_if(_made, [&](const Made& each) { return each.place == made.place(); });
  }
  dart_memfree(made.place().gptr());
  return Table(PoolPlace(seen));
}

void HashIndex::count_claims(team_unit_t unit, const Table& table, std::uint64_t n) noexcept {
  const std::uint64_t claimed = table.header().claimed.fetch_add(n, std::memory_order_relaxed) + n;
  if (8 * claimed < full_eighths * table.size() || table.has_next()) return;
  try {
    grow(unit, table);
  } catch (...) {  // NOLINT(bugprone-empty-catch): who inserts next tries again, and is told
  }
}

void HashIndex::help(team_unit_t unit, const Table& table) {
  TableHeader& header = table.header();
  if (header.taken_up.load(std::memory_order_relaxed) >= table.size()) return;
  const std::uint64_t begin = header.taken_up.fetch_add(stretch, std::memory_order_relaxed);
  if (begin >= table.size()) return;
  std::uint64_t copied = 0;
  for (std::uint64_t i = begin; i < begin + stretch; ++i) {
    if (move(unit, table, table.words()[i])) ++copied;
  }
  table.next().header().claimed.fetch_add(copied, std::memory_order_relaxed);
  shared(unit).moved.add(1);
  // Sequentially consistent, as what follows: of two tables that are done at once the one who
  // forgets the first sees that the second is done, too.
  if (header.done.fetch_add(stretch) + stretch == table.size()) forget_moved(unit);
}

/// \returns whether the word names an element, which is in the next table now
bool HashIndex::move(team_unit_t unit, const Table& table, std::atomic<std::uint64_t>& place) {
  std::uint64_t word = place.load(std::memory_order_acquire);
  while (word == empty) {
    if (place.compare_exchange_strong(word, closed)) return false;
  }
  while ((word & flags) == live) {
    if (!place.compare_exchange_strong(word, word | frozen)) continue;
    try {
      insert_moved(unit, table.next(), word);
    } catch (...) {
      // It stays where it is, and the table is never quite moved.
      place.store(word, std::memory_order_release);
      shared(unit).moved.add(1);
      throw;
    }
    place.store((word & ~flags) | moved, std::memory_order_release);
    return true;
  }
  return false;
}

/// Nobody else has the element there, as long as it is frozen here.
void HashIndex::insert_moved(team_unit_t unit, Table table, std::uint64_t word) {
  for (;; table = grow(unit, table)) {
    std::uint64_t position = table.begin(word >> 33);
    for (std::uint64_t n = table.size(); n != 0; --n, position = table.after(position)) {
      std::atomic<std::uint64_t>& place = table.words()[position];
      std::uint64_t seen = place.load(std::memory_order_acquire);
      while (seen == empty) {
        const std::uint64_t desired = table.has_next() ? closed : word;
        if (!place.compare_exchange_strong(seen, desired)) continue;
        if (desired == word) return;
        seen = closed;
      }
      if (seen == closed) break;
    }
  }
}

void HashIndex::forget_moved(team_unit_t unit) noexcept {
  Table table = current(unit);
  while (table.has_next() && table.header().done.load() == table.size()) {
    std::uint64_t place = table.place().word();
    if (!shared(unit).current.compare_exchange_strong(place, table.next().place().word())) return;
    table = current(unit);
  }
}

void HashIndex::wait_until_moved(team_unit_t unit, const std::atomic<std::uint64_t>& place) {
  exec::Engine::instance().wait_shared(shared(unit).moved, [&place](std::uint32_t) {
    return (place.load(std::memory_order_acquire) & flags) != frozen;
  });
}

void HashIndex::reclaim() {
  const std::lock_guard lock(_mutex);
  std::erase_if(_made, [this](const Made& made) {
    for (Table table = current(made.unit); table; table = table.next()) {
      if (table.place() == made.place) return false;
    }
    dart_memfree(made.place.gptr());
    return true;
  });
}

void HashIndex::free() {
  for (const Made& made : _made)
    dart_memfree(made.place.gptr());
  _made.clear();
}

}  // namespace dash::internal
