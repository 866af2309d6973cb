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
#include "dash/internal/dynamic/PoolPointer.h"
#include "dash/internal/dynamic/SlotStore.h"

namespace dash::internal {

/// Finds slots of a SlotStore by hashes of their contents: for each unit an open-addressing table
/// of words. Each word contains a slot number and 31 bits of the hash.
///
/// A find only reads and never waits. An insertion claims the first empty word of the probe
/// sequence with a compare-and-swap; so if two units insert the same key, one of them sees the
/// other's word. An erasure leaves a tombstone. A word never becomes empty again.
///
/// Growth. A table that fills up gets a successor of twice the size, or of the same size if most
/// elements were erased. Inserting threads migrate its words in chunks. During the migration, words
/// change as follows:
///
///     empty -> closed                          insertions continue in the successor
///     live -> frozen -> (copied) -> moved      valid here until copied, then in the successor
///
/// A frozen word cannot be erased until it has been moved; this is the only wait. A find that
/// reaches an empty or closed word continues in the successor, if there is one. An insertion that
/// reaches an empty word of a table with a successor closes it and continues there, so all
/// insertions of one key end in the same table. A table whose words have all been moved is retired;
/// its memory is freed at the next barrier (reclaim()), when no thread reads it any more.
///
/// \threads thread-safe, except construction, reclaim() and free()
class DASH_API HashIndex {
 public:
  /// In each unit's part.
  struct Shared {
    alignas(core::cache_line_size) std::atomic<std::uint64_t> current;  // a PoolPointer
    alignas(core::cache_line_size) exec::SharedWord moved;  // notified when a chunk has been moved
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

  /// The bits of a hash that the index uses: the upper ones.
  static constexpr std::uint64_t bits_of(std::uint64_t hash) noexcept { return hash >> 33; }

  /// \param slots  its additional memory must begin with a Shared
  explicit HashIndex(SlotStore& slots) noexcept : _slots(slots) {}
  HashIndex(const HashIndex&) = delete;
  HashIndex& operator=(const HashIndex&) = delete;

  /// Creates the caller's first table, large enough for `first_elements` without growth. Must be
  /// followed by a barrier.
  /// \throws exception::RuntimeError if there is not enough memory
  void allocate(std::size_t first_elements);

  /// A slot with this hash for which `equal(slot)` holds. `equal` may read contents that are
  /// concurrently overwritten.
  /// \pre the unit is on the caller's node  \blocks never
  template <class Equal>
  Found find(team_unit_t unit, std::uint64_t hash, const Equal& equal) const {
    for (Table table = current(unit); table; table = table.next()) {
      if (const Found found = find_in(table, bits_of(hash), equal)) return found;
    }
    return {};
  }

  /// Finds a slot and calls `read(slot, count)`, possibly several times: the data read by the last
  /// call belongs to one element, the `count`-th of its slot.
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

  /// Finds the slot for which `equal` holds, or inserts a new one, whose content `fill(slot)`
  /// writes.
  /// \throws exception::RuntimeError if there is not enough memory; then nothing was inserted
  /// \blocks never
  template <class Equal, class Fill>
  Inserted insert(team_unit_t unit, std::uint64_t hash, const Equal& equal, const Fill& fill);

  /// Removes the slot for which `equal` holds from the table and releases it.
  /// \param wait  whether to wait for a frozen word; if false, returns busy instead: for the
  ///         progress thread
  template <class Equal>
  Erased erase(team_unit_t unit, std::uint64_t hash, const Equal& equal, bool wait);

  /// A snapshot of one unit's table for many lookups.
  class Reader;

  /// Prefetches the words of the probe sequence of a hash.
  void prefetch(team_unit_t unit, std::uint64_t hash) const noexcept {
    const Table table = current(unit);
    __builtin_prefetch(&table.words()[table.begin(bits_of(hash))]);
  }

  /// Frees tables created by this unit that are no longer in use. \pre no thread uses the map
  void reclaim();
  void free();

 private:
  static constexpr std::uint64_t empty = 0;
  static constexpr std::uint64_t tombstone = 4;
  static constexpr std::uint64_t closed = 8;
  static constexpr std::uint64_t flags = 3;  // state of a word with a slot number; not 0
  static constexpr std::uint64_t live = 1;
  static constexpr std::uint64_t moved = 2;
  static constexpr std::uint64_t frozen = 3;
  /// Stored instead of a successor if its allocation failed.
  static constexpr std::uint64_t no_memory = 1;
  /// Number of words migrated at once.
  static constexpr std::uint64_t migration_chunk = 512;
  /// Minimum table size: 2^10 words. Sizes are powers of two.
  static constexpr unsigned log2_min_size = 10;
  /// Number of insertions that a unit counts before it updates the table's counter.
  static constexpr std::uint32_t claim_batch = 32;

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
    std::atomic<std::uint64_t> started;  // words whose migration has started
    std::atomic<std::uint64_t> done;     // words that have been migrated
  };
  class Table {
   public:
    Table() noexcept = default;
    explicit Table(PoolPointer pointer) noexcept : _pointer(pointer) {
      if (pointer) _header = reinterpret_cast<TableHeader*>(pointer.address());
    }
    explicit operator bool() const noexcept { return _header != nullptr; }
    PoolPointer pointer() const noexcept { return _pointer; }
    TableHeader& header() const noexcept { return *_header; }
    /// A word is stored with release after the content of its slot, or its copy in the next table, and loaded with
    /// acquire. Tables are published in the same way.
    std::atomic<std::uint64_t>* words() const noexcept {
      return reinterpret_cast<std::atomic<std::uint64_t>*>(_header + 1);
    }
    std::uint64_t size() const noexcept { return std::uint64_t{1} << _pointer.tag(); }
    std::uint64_t begin(std::uint64_t bits) const noexcept { return bits >> (31 - _pointer.tag()); }
    std::uint64_t after(std::uint64_t position) const noexcept {
      return (position + 1) & (size() - 1);
    }
    bool has_next() const noexcept {
      return _header->next.load(std::memory_order_acquire) > no_memory;
    }
    Table next() const noexcept {
      const std::uint64_t word = _header->next.load(std::memory_order_acquire);
      return word > no_memory ? Table(PoolPointer(word)) : Table();
    }
    bool wants_next() const noexcept {
      return _header->next.load(std::memory_order_relaxed) == no_memory;
    }

   private:
    PoolPointer _pointer;
    TableHeader* _header = nullptr;
  };

  Shared& shared(team_unit_t unit) const noexcept {
    return *static_cast<Shared*>(_slots.extra(unit));
  }
  Table current(team_unit_t unit) const noexcept {
    const PoolPointer pointer(shared(unit).current.load(std::memory_order_acquire));
    core::after_other_processes();  // another unit may have replaced a table created by this one
    return Table(pointer);
  }

  /// Whether a word is live and its slot is the one searched for. If not, `word` is updated to the
  /// current value.
  template <class Equal>
  static bool matches(const std::atomic<std::uint64_t>& entry, std::uint64_t& word,
                      std::uint64_t bits, const Equal& equal) {
    while (is_live(word) && word >> 33 == bits) {
      const bool is_equal = equal(slot_of(word));
      // The comparison is valid if the word has not changed in the meantime (see load_racing_words).
      const std::uint64_t current_word = entry.load(std::memory_order_acquire);
      if (current_word == word) return is_equal;
      word = current_word;
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
  /// The successor, which is created if it does not exist. \throws exception::RuntimeError
  Table grow(team_unit_t unit, const Table& table);
  void count_claims(team_unit_t unit, const Table& table, std::uint64_t n) noexcept;
  /// Migrates a chunk of words.
  void move_chunk(team_unit_t unit, const Table& table);
  bool move_word(team_unit_t unit, const Table& table, std::atomic<std::uint64_t>& entry);
  void insert_moved(team_unit_t unit, Table table, std::uint64_t word);
  void retire_moved(team_unit_t unit) noexcept;
  void wait_until_moved(team_unit_t unit, const std::atomic<std::uint64_t>& entry);

  SlotStore& _slots;
  struct OwnedTable {
    team_unit_t unit;
    PoolPointer pointer;
  };
  std::mutex _mutex;  // guards the members below
  std::vector<OwnedTable> _owned_tables;
};

class HashIndex::Reader {
 public:
  /// \pre the unit is on the caller's node
  Reader(const HashIndex& index, team_unit_t unit) noexcept
      : _table(index.current(unit)),
        _words(_table.words()),
        _mask(_table.size() - 1),
        _shift(31 - _table.pointer().tag()),
        _slots(index._slots.reader(unit)) {}

  void prefetch(std::uint64_t hash) const noexcept {
    __builtin_prefetch(&_words[bits_of(hash) >> _shift]);
  }
  /// Prefetches the slots of the first words of the probe sequence. \param last_byte  last byte of
  /// the content that will be read
  void prefetch_slot(std::uint64_t hash, std::size_t last_byte) const noexcept {
    std::uint64_t position = bits_of(hash) >> _shift;
    for (int i = 0; i < 2; ++i, position = (position + 1) & _mask) {
      const std::uint64_t word = _words[position].load(std::memory_order_acquire);
      if (word >> 33 == bits_of(hash) && is_live(word)) {
        const char* const content = _slots.content(slot_of(word));
        __builtin_prefetch(content);
        // The content may span two cache lines.
        __builtin_prefetch(content + last_byte);
        return;
      }
    }
  }

  enum class Result : std::uint8_t { no, yes, unknown };
  /// Calls `read(content)`, which returns whether it is the element searched for.
  /// \returns yes: the data of the last call belongs to that element; unknown: the table is being
  ///         migrated
  template <class Read>
  Result find(std::uint64_t hash, const Read& read) const {
    std::uint64_t position = bits_of(hash) >> _shift;
    for (std::uint64_t n = 0; n <= _mask; ++n, position = (position + 1) & _mask) {
      const std::uint64_t word = _words[position].load(std::memory_order_acquire);
      if (word == empty && !_table.has_next()) return Result::no;
      if (word == empty || word == closed) return Result::unknown;
      if (word >> 33 != bits_of(hash) || !is_live(word)) continue;
      const bool is_equal = read(_slots.content(slot_of(word)));
      // See matches().
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

/// \returns the slot, or none to continue in the next table. `slot` is the new slot, once acquired
template <class Equal, class Fill>
HashIndex::Inserted HashIndex::insert_in(Table table, team_unit_t unit, std::uint64_t bits,
                                         std::uint32_t& slot, const Equal& equal,
                                         const Fill& fill) {
  constexpr Inserted try_next{SlotStore::none, false};
  std::atomic<std::uint64_t>* const words = table.words();
  std::uint64_t position = table.begin(bits);
  for (std::uint64_t n = table.size(); n != 0; --n, position = table.after(position)) {
    std::uint64_t word = words[position].load(std::memory_order_acquire);
    while (word == empty) {
      if (table.has_next()) {
        if (words[position].compare_exchange_strong(word, closed)) return try_next;
        continue;
      }
      if (slot == SlotStore::none) {
        slot = _slots.acquire(unit);
        fill(slot);
      }
      const std::uint64_t pending_word = _slots.header(unit, slot).load();
      if (words[position].compare_exchange_strong(word, word_of(bits, slot))) {
        _slots.header(unit, slot).publish(pending_word);
        return {slot, true};
      }
    }
    if (word == closed) return try_next;
    if (matches(words[position], word, bits, equal)) return {slot_of(word), false};
  }
  return try_next;
}

template <class Equal, class Fill>
HashIndex::Inserted HashIndex::insert(team_unit_t unit, std::uint64_t hash, const Equal& equal,
                                      const Fill& fill) {
  std::uint32_t slot = SlotStore::none;
  try {
    Table table = current(unit);
    if (table.wants_next()) grow(unit, table);
    if (table.has_next()) move_chunk(unit, table);
    while (true) {
      const Inserted result = insert_in(table, unit, bits_of(hash), slot, equal, fill);
      if (result.inserted) {
        if (_slots.count_inserted(unit) % claim_batch == 0) {
          count_claims(unit, table, claim_batch);
        }
        return result;
      }
      if (result.slot != SlotStore::none) {
        if (slot != SlotStore::none) _slots.release(unit, slot);
        return result;
      }
      table = grow(unit, table);
    }
  } catch (...) {
    if (slot != SlotStore::none) _slots.release(unit, slot);
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
      _slots.release(unit, found.slot);
      return Erased::yes;
    }
  }
}

}  // namespace dash::internal
