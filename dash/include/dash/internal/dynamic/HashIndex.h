#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "dash/async/Engine.h"
#include "dash/core/Export.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Spin.h"
#include "dash/internal/dynamic/PoolPlace.h"
#include "dash/internal/dynamic/SlotStore.h"

namespace dash::internal {

/// Finds slots of a SlotStore by hashes of what they hold: for each unit a table of words, with open
/// addressing, each of which names a slot and keeps 31 bits of its hash.
///
/// A find only reads, and never waits. Whoever inserts claims the first empty word on the way of its
/// hash by a compare-and-swap, so that of two who insert the same key one sees the other's. Whoever
/// erases leaves a tombstone. A word never becomes empty again.
///
/// Growth. A table that fills up gets a successor of twice the size, into which those who insert
/// move a stretch of words each, in this order:
///
///     empty -> closed                          who inserts goes on in the successor
///     live -> frozen -> (copied) -> moved      it counts here until copied, and there from then on
///
/// A frozen word is not erased until it has been moved; nothing else ever waits. Who finds nothing
/// up to an empty or closed word goes on in the successor, if there is one. Who inserts and comes to
/// an empty word of a table that has a successor closes it and goes on there: so all who insert one
/// key end in one table. A table that has been moved is forgotten; its memory is freed at the next
/// barrier (reclaim()), when nobody looks at it any more.
///
/// \threads any, but for construction, reclaim() and free()
class DASH_API HashIndex {
 public:
  /// In each unit's part.
  struct Shared {
    alignas(core::cache_line_size) std::atomic<std::uint64_t> current;  // a PoolPlace
    alignas(core::cache_line_size) exec::SharedWord moved;  // rung when a stretch has been
  };
  struct Found {
    std::uint32_t slot = SlotStore::none;
    std::atomic<std::uint64_t>* word = nullptr;
    std::uint64_t seen = 0;
    explicit operator bool() const noexcept { return slot != SlotStore::none; }
  };
  struct Inserted {
    std::uint32_t slot;
    bool inserted;
  };
  enum class Erased : std::uint8_t { no, yes, busy };

  /// The bits of a hash that count here; they are the upper ones.
  static constexpr std::uint64_t bits_of(std::uint64_t hash) noexcept { return hash >> 33; }

  /// \param slots  its extra memory begins with a Shared
  explicit HashIndex(SlotStore& slots) noexcept : _slots(slots) {}
  HashIndex(const HashIndex&) = delete;
  HashIndex& operator=(const HashIndex&) = delete;

  /// Makes the caller's first table, which does not grow for so many elements. A barrier has to follow.
  /// \throws exception::RuntimeError if memory is short
  void allocate(std::size_t first_elements);

  /// A slot of the hash for which `equal(slot)` holds, which may read what is overwritten meanwhile.
  /// \pre the unit is on the caller's node  \blocks never
  template <class Equal>
  Found find(team_unit_t unit, std::uint64_t hash, const Equal& equal) const {
    for (Table table = current(unit); table; table = table.next()) {
      if (const Found found = find_in(table, bits_of(hash), equal)) return found;
    }
    return {};
  }

  /// Finds the same and calls `read(slot, count)`, perhaps several times: the last time what it read
  /// was of that element, the `count`-th of its slot.
  template <class Equal, class Read>
  bool find_and_read(team_unit_t unit, std::uint64_t hash, const Equal& equal,
                     const Read& read) const {
    while (const Found found = find(unit, hash, equal)) {
      const SlotHeader& header = _slots.header(unit, found.slot);
      const std::uint32_t count = SlotHeader::count_of(header.load());
      if (found.word->load(std::memory_order_acquire) != found.seen) continue;
      read(found.slot, count);
      if (SlotHeader::count_of(header.load()) == count) return true;
    }
    return false;
  }

  /// The slot that `equal` holds for, or a new one, to which `fill(slot)` writes what it holds.
  /// \throws exception::RuntimeError if memory is short; then nothing was inserted
  /// \blocks never
  template <class Equal, class Fill>
  Inserted insert(team_unit_t unit, std::uint64_t hash, const Equal& equal, const Fill& fill);

  /// Takes the slot that `equal` holds for out of the table and gives it back.
  /// \param wait  else it says busy where it would wait: on the progress thread
  template <class Equal>
  Erased erase(team_unit_t unit, std::uint64_t hash, const Equal& equal, bool wait);

  /// A look at one unit's table for many finds, with what they need at hand.
  class Reader;

  /// Words on the way of a hash, for a prefetch.
  void prefetch(team_unit_t unit, std::uint64_t hash) const noexcept {
    const Table table = current(unit);
    __builtin_prefetch(&table.words()[table.begin(bits_of(hash))]);
  }

  /// Frees tables that this unit has made and that are in use no more. \pre nobody uses the map
  void reclaim();
  void free();

 private:
  static constexpr std::uint64_t empty = 0;
  static constexpr std::uint64_t tombstone = 4;
  static constexpr std::uint64_t closed = 8;
  static constexpr std::uint64_t flags = 3;  // of a word that names a slot: not 0
  static constexpr std::uint64_t live = 1;
  static constexpr std::uint64_t moved = 2;
  static constexpr std::uint64_t frozen = 3;
  /// In place of a successor: it is wanted, but there was no memory.
  static constexpr std::uint64_t no_memory = 1;
  /// Words that are moved at a time.
  static constexpr std::uint64_t stretch = 512;
  /// A table has a power of two of them, from here on.
  static constexpr unsigned log2_smallest = 10;
  /// Inserted words that one unit counts together.
  static constexpr std::uint32_t claims_together = 32;

  static std::uint64_t word_of(std::uint64_t bits, std::uint32_t slot) noexcept {
    return bits << 33 | static_cast<std::uint64_t>(slot) << 2 | live;
  }
  static bool is_live(std::uint64_t word) noexcept { return (word & live) != 0; }  // or frozen
  static std::uint32_t slot_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word >> 2 & 0x7fffffff);
  }

  struct TableHeader {
    alignas(core::cache_line_size) std::atomic<std::uint64_t> next;
    alignas(core::cache_line_size) std::atomic<std::uint64_t> claimed;
    std::atomic<std::uint64_t> taken_up;  // words whose move has begun
    std::atomic<std::uint64_t> done;
  };
  class Table {
   public:
    Table() noexcept = default;
    explicit Table(PoolPlace place) noexcept : _place(place) {
      if (place) _header = reinterpret_cast<TableHeader*>(place.address());
    }
    explicit operator bool() const noexcept { return _header != nullptr; }
    PoolPlace place() const noexcept { return _place; }
    TableHeader& header() const noexcept { return *_header; }
    std::atomic<std::uint64_t>* words() const noexcept {
      return reinterpret_cast<std::atomic<std::uint64_t>*>(_header + 1);
    }
    std::uint64_t size() const noexcept { return std::uint64_t{1} << _place.number(); }
    std::uint64_t begin(std::uint64_t bits) const noexcept {
      return bits >> (31 - _place.number());
    }
    std::uint64_t after(std::uint64_t position) const noexcept {
      return (position + 1) & (size() - 1);
    }
    bool has_next() const noexcept {
      return _header->next.load(std::memory_order_acquire) > no_memory;
    }
    Table next() const noexcept {
      const std::uint64_t word = _header->next.load(std::memory_order_acquire);
      return word > no_memory ? Table(PoolPlace(word)) : Table();
    }
    bool wants_next() const noexcept {
      return _header->next.load(std::memory_order_relaxed) == no_memory;
    }

   private:
    PoolPlace _place;
    TableHeader* _header = nullptr;
  };

  Shared& shared(team_unit_t unit) const noexcept {
    return *static_cast<Shared*>(_slots.extra(unit));
  }
  Table current(team_unit_t unit) const noexcept {
    const PoolPlace place(shared(unit).current.load(std::memory_order_acquire));
    core::after_other_processes();  // another unit may have moved what this one has made
    return Table(place);
  }

  /// Whether the live word is of the slot that is looked for; else `word` is what stands there.
  template <class Equal>
  static bool matches(const std::atomic<std::uint64_t>& place, std::uint64_t& word,
                      std::uint64_t bits, const Equal& equal) {
    while (is_live(word) && word >> 33 == bits) {
      const bool is_equal = equal(slot_of(word));
      // What was compared counts if the slot was not taken away meanwhile (copy_racing).
      const std::uint64_t again = place.load(std::memory_order_acquire);
      if (again == word) return is_equal;
      word = again;
    }
    return false;
  }

  template <class Equal>
  static Found find_in(const Table& table, std::uint64_t bits, const Equal& equal) {
    std::atomic<std::uint64_t>* const words = table.words();
    std::uint64_t position = table.begin(bits);
    for (std::uint64_t n = table.size(); n != 0; --n, position = table.after(position)) {
      std::uint64_t word = words[position].load(std::memory_order_acquire);
      if (word == empty || word == closed) return {};
      if (matches(words[position], word, bits, equal)) {
        return {slot_of(word), &words[position], word};
      }
    }
    return {};
  }

  template <class Equal, class Fill>
  Inserted insert_in(Table table, team_unit_t unit, std::uint64_t bits, std::uint32_t& slot,
                     const Equal& equal, const Fill& fill);

  Table make_table(team_unit_t unit, unsigned log2_size);
  /// The successor, which is made if there is none. \throws exception::RuntimeError
  Table grow(team_unit_t unit, const Table& table);
  void count_claims(team_unit_t unit, const Table& table, std::uint64_t n) noexcept;
  /// Moves a stretch.
  void help(team_unit_t unit, const Table& table);
  bool move(team_unit_t unit, const Table& table, std::atomic<std::uint64_t>& place);
  void insert_moved(team_unit_t unit, Table table, std::uint64_t word);
  void forget_moved(team_unit_t unit) noexcept;
  void wait_until_moved(team_unit_t unit, const std::atomic<std::uint64_t>& place);

  SlotStore& _slots;
  struct Made {
    team_unit_t unit;
    PoolPlace place;
  };
  std::mutex _mutex;  // guards what follows
  std::vector<Made> _made;
};

class HashIndex::Reader {
 public:
  /// \pre the unit is on the caller's node
  Reader(const HashIndex& index, team_unit_t unit) noexcept
      : _table(index.current(unit)),
        _words(_table.words()),
        _mask(_table.size() - 1),
        _shift(31 - _table.place().number()),
        _slots(index._slots.reader(unit)) {}

  void prefetch(std::uint64_t hash) const noexcept {
    __builtin_prefetch(&_words[bits_of(hash) >> _shift]);
  }
  /// What the first words on the way name. \param last_byte  of what is looked at there
  void prefetch_slot(std::uint64_t hash, std::size_t last_byte) const noexcept {
    std::uint64_t position = bits_of(hash) >> _shift;
    for (int i = 0; i < 2; ++i, position = (position + 1) & _mask) {
      const std::uint64_t word = _words[position].load(std::memory_order_acquire);
      if (word >> 33 == bits_of(hash) && is_live(word)) {
        const char* const content = _slots.content(slot_of(word));
        __builtin_prefetch(content);
        // It may lie in two cache lines.
        __builtin_prefetch(content + last_byte);
        return;
      }
    }
  }

  enum class Result : std::uint8_t { no, yes, unknown };
  /// Calls `read(content)`, which says whether it is what is looked for.
  /// \returns yes: what it read last was that, as a whole; unknown: the table is being moved
  template <class Read>
  Result find(std::uint64_t hash, const Read& read) const {
    std::uint64_t position = bits_of(hash) >> _shift;
    for (std::uint64_t n = 0; n <= _mask; ++n, position = (position + 1) & _mask) {
      const std::uint64_t word = _words[position].load(std::memory_order_acquire);
      if (word == empty && !_table.has_next()) return Result::no;
      if (word == empty || word == closed) return Result::unknown;
      if (word >> 33 != bits_of(hash) || !is_live(word)) continue;
      const bool is_equal = read(_slots.content(slot_of(word)));
      // As in matches().
      if (_words[position].load(std::memory_order_acquire) != word) return Result::unknown;
      if (is_equal) return Result::yes;
    }
    return Result::unknown;
  }

 private:
  Table _table;
  std::atomic<std::uint64_t>* _words;
  std::uint64_t _mask;
  unsigned _shift;
  SlotStore::Reader _slots;
};

/// \returns the slot, or none: to go on in the next table. `slot` is the new one, once it is taken
template <class Equal, class Fill>
HashIndex::Inserted HashIndex::insert_in(Table table, team_unit_t unit, std::uint64_t bits,
                                         std::uint32_t& slot, const Equal& equal,
                                         const Fill& fill) {
  constexpr Inserted go_on{SlotStore::none, false};
  std::atomic<std::uint64_t>* const words = table.words();
  std::uint64_t position = table.begin(bits);
  for (std::uint64_t n = table.size(); n != 0; --n, position = table.after(position)) {
    std::uint64_t word = words[position].load(std::memory_order_acquire);
    while (word == empty) {
      if (table.has_next()) {
        if (words[position].compare_exchange_strong(word, closed)) return go_on;
        continue;
      }
      if (slot == SlotStore::none) {
        slot = _slots.take(unit);
        fill(slot);
      }
      const std::uint64_t begun = _slots.header(unit, slot).load();
      if (words[position].compare_exchange_strong(word, word_of(bits, slot))) {
        _slots.header(unit, slot).publish(begun);
        return {slot, true};
      }
    }
    if (word == closed) return go_on;
    if (matches(words[position], word, bits, equal)) return {slot_of(word), false};
  }
  return go_on;
}

template <class Equal, class Fill>
HashIndex::Inserted HashIndex::insert(team_unit_t unit, std::uint64_t hash, const Equal& equal,
                                      const Fill& fill) {
  std::uint32_t slot = SlotStore::none;
  try {
    Table table = current(unit);
    if (table.wants_next()) grow(unit, table);
    if (table.has_next()) help(unit, table);
    while (true) {
      const Inserted result = insert_in(table, unit, bits_of(hash), slot, equal, fill);
      if (result.inserted) {
        if (_slots.count_inserted(unit) % claims_together == 0) {
          count_claims(unit, table, claims_together);
        }
        return result;
      }
      if (result.slot != SlotStore::none) {
        if (slot != SlotStore::none) _slots.give_back(unit, slot);
        return result;
      }
      table = grow(unit, table);
    }
  } catch (...) {
    if (slot != SlotStore::none) _slots.give_back(unit, slot);
    throw;
  }
}

template <class Equal>
HashIndex::Erased HashIndex::erase(team_unit_t unit, std::uint64_t hash, const Equal& equal,
                                   bool wait) {
  while (true) {
    Found found = find(unit, hash, equal);
    if (!found) return Erased::no;
    if ((found.seen & flags) == frozen) {
      if (!wait) return Erased::busy;
      wait_until_moved(unit, *found.word);
      continue;
    }
    if (found.word->compare_exchange_strong(found.seen, tombstone)) {
      _slots.count_erased(unit);
      _slots.give_back(unit, found.slot);
      return Erased::yes;
    }
  }
}

}  // namespace dash::internal
