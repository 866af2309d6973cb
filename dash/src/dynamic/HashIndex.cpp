#include "dash/internal/dynamic/HashIndex.h"

#include <algorithm>
#include <bit>

#include "dash/Exception.h"
#include "dash/core/OtherProcesses.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

namespace {

/// Maximum load of a table, in eighths. Tombstones count until the table grows.
constexpr std::uint64_t max_load_eighths = 5;

}  // namespace

void HashIndex::allocate(std::size_t first_elements) {
  // Includes the insertions that units of the node have not counted yet.
  const std::size_t uncounted = claim_batch * _slots.node_units().size();
  const std::size_t words = 8 * (first_elements + uncounted) / max_load_eighths + 1;
  const unsigned log2_size =
      std::clamp(static_cast<unsigned>(std::bit_width(words)), log2_min_size, 31U);
  const team_unit_t mine = _slots.team().myid();
  const Table table = make_table(mine, log2_size);
  shared(mine).current.store(table.pointer().word(), std::memory_order_release);
}

HashIndex::Table HashIndex::make_table(team_unit_t unit, unsigned log2_size) {
  const std::size_t nbytes = sizeof(TableHeader) + (sizeof(std::uint64_t) << log2_size);
  dart_gptr_t gptr = DART_GPTR_NULL;
  check(dart_memalloc(nbytes, DART_TYPE_BYTE, &gptr), "growth of an index");
  const PoolPointer pointer(gptr, log2_size);
  const std::lock_guard lock(_mutex);
  _owned_tables.push_back({unit, pointer});
  return Table(pointer);
}

HashIndex::Table HashIndex::grow(team_unit_t unit, const Table& table) {
  if (const Table next = table.next()) return next;
  // Tombstones are not migrated, so the successor may not need to be larger.
  const bool is_mostly_erased = 4 * _slots.live(unit) < max_load_eighths * table.size() / 4;
  const unsigned log2_size = std::min(table.pointer().tag() + (is_mostly_erased ? 0U : 1U), 31U);
  Table new_table;
  try {
    new_table = make_table(unit, log2_size);
  } catch (...) {
    std::uint64_t none = 0;
    table.header().next.compare_exchange_strong(none, no_memory);
    if (const Table next = table.next()) return next;
    throw;
  }
  core::before_other_processes();
  std::uint64_t seen = table.header().next.load(std::memory_order_acquire);
  while (seen <= no_memory) {
    if (table.header().next.compare_exchange_strong(seen, new_table.pointer().word()))
      return new_table;
  }
  {
    const std::lock_guard lock(_mutex);
    std::erase_if(_owned_tables,
                  [&](const OwnedTable& each) { return each.pointer == new_table.pointer(); });
  }
  dart_memfree(new_table.pointer().gptr());
  return Table(PoolPointer(seen));
}

void HashIndex::count_claims(team_unit_t unit, const Table& table, std::uint64_t n) noexcept {
  // Relaxed, like all accesses to `claimed` and `started`: only the number itself is used.
  const std::uint64_t claimed = table.header().claimed.fetch_add(n, std::memory_order_relaxed) + n;
  if (8 * claimed < max_load_eighths * table.size() || table.has_next()) return;
  try {
    grow(unit, table);
  } catch (...) {  // NOLINT(bugprone-empty-catch): the next insertion retries and reports the error
  }
}

void HashIndex::move_chunk(team_unit_t unit, const Table& table) {
  TableHeader& header = table.header();
  if (header.started.load(std::memory_order_relaxed) >= table.size()) return;
  const std::uint64_t begin = header.started.fetch_add(migration_chunk, std::memory_order_relaxed);
  if (begin >= table.size()) return;
  std::uint64_t copied = 0;
  for (std::uint64_t i = begin; i < begin + migration_chunk; ++i) {
    if (move_word(unit, table, table.words()[i])) ++copied;
  }
  table.next().header().claimed.fetch_add(copied, std::memory_order_relaxed);
  shared(unit).moved.add(1);
  // Each addition releases and the last one acquires: the thread that completes the number sees all words as moved.
  // Earlier tables are retired then, because a thread moves words only of a table that it has loaded as the current one.
  if (header.done.fetch_add(migration_chunk) + migration_chunk == table.size()) retire_moved(unit);
}

/// \returns whether the word contains a slot that has been copied to the next table
bool HashIndex::move_word(team_unit_t unit, const Table& table, std::atomic<std::uint64_t>& entry) {
  std::uint64_t word = entry.load(std::memory_order_acquire);
  while (word == empty) {
    if (entry.compare_exchange_strong(word, closed)) return false;
  }
  while ((word & flags) == live) {
    if (!entry.compare_exchange_strong(word, word | frozen)) continue;
    try {
      insert_moved(unit, table.next(), word);
    } catch (...) {
      // The element stays here, and the migration of this table never completes.
      entry.store(word, std::memory_order_release);
      shared(unit).moved.add(1);
      throw;
    }
    entry.store((word & ~flags) | moved, std::memory_order_release);
    return true;
  }
  return false;
}

/// Inserts a frozen word into `table` or one of its successors. No other thread inserts the element
/// there while the word is frozen.
void HashIndex::insert_moved(team_unit_t unit, Table table, std::uint64_t word) {
  for (;; table = grow(unit, table)) {
    std::uint64_t position = table.begin(word >> 33);
    for (std::uint64_t n = table.size(); n != 0; --n, position = table.after(position)) {
      std::atomic<std::uint64_t>& entry = table.words()[position];
      std::uint64_t seen = entry.load(std::memory_order_acquire);
      while (seen == empty) {
        const std::uint64_t desired = table.has_next() ? closed : word;
        if (!entry.compare_exchange_strong(seen, desired)) continue;
        if (desired == word) return;
        seen = closed;
      }
      if (seen == closed) break;
    }
  }
}

void HashIndex::retire_moved(team_unit_t unit) noexcept {
  Table table = current(unit);
  while (table.has_next() && table.header().done.load() == table.size()) {
    std::uint64_t expected = table.pointer().word();
    if (!shared(unit).current.compare_exchange_strong(expected, table.next().pointer().word()))
      return;
    table = current(unit);
  }
}

void HashIndex::wait_until_moved(team_unit_t unit, const std::atomic<std::uint64_t>& entry) {
  exec::Engine::instance().wait_shared(shared(unit).moved, [&entry](std::uint32_t) {
    return (entry.load(std::memory_order_acquire) & flags) != frozen;
  });
}

void HashIndex::reclaim() {
  const std::lock_guard lock(_mutex);
  std::erase_if(_owned_tables, [this](const OwnedTable& owned) {
    for (Table table = current(owned.unit); table; table = table.next()) {
      if (table.pointer() == owned.pointer) return false;
    }
    dart_memfree(owned.pointer.gptr());
    return true;
  });
}

void HashIndex::free() {
  for (const OwnedTable& owned : _owned_tables)
    dart_memfree(owned.pointer.gptr());
  _owned_tables.clear();
}

}  // namespace dash::internal
