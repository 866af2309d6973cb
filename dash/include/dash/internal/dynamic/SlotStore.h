#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/core/Spin.h"
#include "dash/internal/dynamic/PoolPointer.h"
#include "dash/memory/GlobalSegment.h"

namespace dash::internal {

/// Reports that an operation requires an allocated container.
[[noreturn]] DASH_API void throw_not_allocated(const char* container);

/// The header of a slot: whether it holds an element, and how many elements it has held before.
/// Modified by the units that insert or erase, which are on the node of the owner.
class SlotHeader {
 public:
  enum State : std::uint64_t { unused = 0, pending = 1, live = 2 };

  static bool is_live(std::uint64_t word) noexcept { return (word & 3) == live; }
  static std::uint32_t count_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word >> 2);
  }

  /// Acquire: a reader that sees `live` sees the content; one that sees a larger count sees that the previous element
  /// was erased.
  std::uint64_t load() const noexcept { return _word.load(std::memory_order_acquire); }
  /// Starts writing an element to a slot that no other thread refers to. Release: a reader that sees the new state also
  /// sees the erasure of the previous element, which the caller has acquired with the slot.
  void begin() noexcept {
    _word.store((_word.load(std::memory_order_relaxed) & ~std::uint64_t{3}) | pending,
                std::memory_order_release);
  }
  /// Marks the element as live, unless it has been erased already. Release: see load().
  /// \param pending_word  the result of load() after begin()
  void publish(std::uint64_t pending_word) noexcept {
    _word.compare_exchange_strong(pending_word, pending_word ^ pending ^ live,
                                  std::memory_order_release, std::memory_order_relaxed);
  }
  /// Ends the lifetime of the element. Release: a reader that sees the new count also sees what the caller changed before.
  void end() noexcept {
    const std::uint64_t word = _word.load(std::memory_order_relaxed);
    _word.store((word & ~std::uint64_t{3}) + 4, std::memory_order_release);
  }

 private:
  std::atomic<std::uint64_t> _word{0};
};

/// Identifies an element: its slot, and the number of elements that the slot had held before.
struct SlotName {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t slot = none;
  std::uint32_t count = 0;
  explicit operator bool() const noexcept { return slot != none; }
  friend bool operator==(const SlotName&, const SlotName&) = default;
};

/// Copies words that other units may be writing concurrently. The caller checks afterwards whether
/// the copy is valid: acquire loads guarantee that a reader that sees a newly written word also
/// sees that the previous element was erased.
inline void load_racing_words(void* dest, const void* src, std::size_t nwords) noexcept {
  auto* to = static_cast<std::uint64_t*>(dest);
  auto* from = static_cast<std::uint64_t*>(const_cast<void*>(src));
  for (std::size_t i = 0; i < nwords; ++i) {
    to[i] = std::atomic_ref<std::uint64_t>(from[i]).load(std::memory_order_acquire);
  }
}
/// Writes words that other units may be reading concurrently.
inline void store_racing_words(void* dest, const void* src, std::size_t nwords) noexcept {
  auto* to = static_cast<std::uint64_t*>(dest);
  const auto* from = static_cast<const std::uint64_t*>(src);
  for (std::size_t i = 0; i < nwords; ++i) {
    std::atomic_ref<std::uint64_t>(to[i]).store(from[i], std::memory_order_release);
  }
}

/// Storage for the elements of dynamic containers: slots of equal size, numbered for each unit of a
/// team, which never move.
///
/// A unit's slots are in segments whose sizes double. Each segment is in the memory of the unit of
/// its node that needed it first. Units of the same node acquire and release each other's slots
/// with atomic operations on the owner's part of a collective allocation; units of other nodes send
/// requests to the owner.
///
/// \threads thread-safe, except construction and free()
class DASH_API SlotStore {
 public:
  static constexpr std::uint32_t none = SlotName::none;
  /// Maximum number of slots of a unit.
  static constexpr std::uint64_t max_slots = std::uint64_t{1} << 30;
  /// Number of slots that a unit reserves at once for its own insertions.
  static constexpr std::uint32_t chunk = 32;

  struct Layout {
    std::size_t content_bytes = 0;
    std::size_t content_alignment = 1;
    /// Number of slots of each unit that are allocated initially: the maximum of the units'
    /// requests.
    std::size_t first_slots = 0;
    /// Additional zeroed memory of each unit, for use by the container.
    std::size_t extra_bytes = 0;
  };

  /// \collective over the team
  /// \throws exception::InvalidArgument for more than max_slots initially
  SlotStore(const Layout& layout, Team& team);
  SlotStore(const SlotStore&) = delete;
  SlotStore& operator=(const SlotStore&) = delete;
  ~SlotStore();

  /// Allocates memory for the caller's first slots.
  /// \throws exception::RuntimeError if there is not enough memory
  void allocate_first() { ensure_segment(team().myid(), 0); }
  /// \collective over the team
  void free();
  bool is_allocated() const noexcept { return _segment.is_allocated(); }

  Team& team() const noexcept { return _segment.team(); }
  const GlobalSegment& segment() const noexcept { return _segment; }
  /// Units of the team that are on the caller's node.
  const std::vector<team_unit_t>& node_units() const noexcept { return _node_units; }
  bool on_node(team_unit_t unit) const noexcept { return shared_of(unit) != nullptr; }

  /// The unit's index in node_units(), or none.
  std::uint32_t index_on_node(team_unit_t unit) const noexcept {
    return _indices_on_node[static_cast<std::size_t>(unit.id)];
  }

  /// The additional memory of the container. \returns nullptr if the unit is on another node
  void* extra(team_unit_t unit) const noexcept {
    char* const shared = reinterpret_cast<char*>(shared_of(unit));
    return shared == nullptr ? nullptr : shared + _extra_offset;
  }

  /// A multiple of 8, like the offset of the content in a slot.
  std::size_t slot_bytes() const noexcept { return _slot_bytes; }
  std::size_t content_offset() const noexcept { return _content_offset; }

  /// \pre the unit is on the caller's node, and has such a slot
  char* slot(team_unit_t unit, std::uint32_t index) const noexcept {
    const auto [segment, offset] = split(index);
    const char* base = view(unit).bases[segment].load(std::memory_order_acquire);
    if (base == nullptr) [[unlikely]]
      base = find_segment(unit, segment);
    return const_cast<char*>(base) + offset * _slot_bytes;
  }
  SlotHeader& header(team_unit_t unit, std::uint32_t index) const noexcept {
    return *reinterpret_cast<SlotHeader*>(slot(unit, index));
  }
  char* content(team_unit_t unit, std::uint32_t index) const noexcept {
    return slot(unit, index) + _content_offset;
  }
  /// Looks up the contents of many slots of one unit.
  class Reader {
   public:
    const char* content(std::uint32_t index) const noexcept {
      const std::uint64_t n = std::uint64_t{index} + (std::uint64_t{1} << _log2_first);
      const auto bit = static_cast<unsigned>(std::bit_width(n)) - 1;
      const char* const base = _bases[bit - _log2_first].load(std::memory_order_acquire);
      if (base == nullptr) [[unlikely]]
        return _store->content(_unit, index);
      return base + _content_offset + (n - (std::uint64_t{1} << bit)) * _slot_bytes;
    }

   private:
    friend class SlotStore;
    Reader(const SlotStore& store, team_unit_t unit) noexcept
        : _store(&store),
          _unit(unit),
          _bases(store.view(unit).bases.data()),
          _log2_first(store._log2_first),
          _content_offset(store._content_offset),
          _slot_bytes(store._slot_bytes) {}

    const SlotStore* _store;
    team_unit_t _unit;
    const std::atomic<char*>* _bases;
    unsigned _log2_first;
    std::size_t _content_offset;
    std::size_t _slot_bytes;
  };
  /// \pre the unit is on the caller's node
  Reader reader(team_unit_t unit) const noexcept { return Reader(*this, unit); }

  /// Like slot(), for any slot before end(); nullptr if the unit that reserved it could not
  /// allocate the segment.
  char* slot_if_any(team_unit_t unit, std::uint32_t index) const noexcept {
    const unsigned segment = split(index).segment;
    if (shared_of(unit)->segments[segment].load(std::memory_order_acquire) == 0) return nullptr;
    return slot(unit, index);
  }

  /// Global pointer to the content of a slot, of any unit.
  /// \cost for a unit of another node, one request for each segment to determine its address
  dart_gptr_t content_gptr(team_unit_t unit, std::uint32_t index) const;

  /// Past-the-end slot number of a unit. \cost a get if the unit is on another node
  std::uint32_t end(team_unit_t unit) const;
  /// First slot of the segment that contains a slot; the same for all units.
  std::uint32_t first_of_segment(std::uint32_t index) const noexcept {
    return index - split(index).offset;
  }
  /// Copies the slots `first` to `first + count` of one segment. \returns number of copied slots,
  /// at least 1
  std::uint32_t copy_slots(team_unit_t unit, std::uint32_t first, std::uint32_t count,
                           char* dest) const;

  /// Number of slots of each unit that were requested at the construction.
  std::size_t requested() const noexcept { return _requested_slots; }
  /// Number of allocated slots of a unit. \cost a get if it is on another node
  std::size_t capacity(team_unit_t unit) const;

  /// A slot for a new element, marked as pending. \pre the unit is on the caller's node
  /// \throws exception::RuntimeError if there is not enough memory
  std::uint32_t acquire(team_unit_t unit);
  /// Ends the lifetime of the element and makes the slot available.
  /// \pre no other thread releases the slot
  void release(team_unit_t unit, std::uint32_t index) noexcept {
    header(unit, index).end();
    recycle(unit, index);
  }
  /// Makes a slot whose element has ended available.
  void recycle(team_unit_t unit, std::uint32_t index) noexcept;

  /// Counts an element that this process has inserted at a unit. \returns number of elements that
  /// it had inserted before
  std::uint32_t count_inserted(team_unit_t unit) noexcept {
    return static_cast<std::uint32_t>(
        counters(unit).counts.fetch_add((std::uint64_t{1} << 32) + 1, std::memory_order_relaxed) >>
        32);
  }
  void count_erased(team_unit_t unit) noexcept {
    counters(unit).counts.fetch_sub(1, std::memory_order_relaxed);
  }
  /// Number of elements of a unit. \pre the unit is on the caller's node
  std::size_t live(team_unit_t unit) const noexcept;

 private:
  static constexpr std::size_t max_segments = 28;

  /// In each unit's part. Members that are modified together share a cache line.
  struct Shared {
    // PoolPointers. The exchange that sets one releases the zeroed memory of the segment; a load that an
    // access follows acquires it.
    std::array<std::atomic<std::uint64_t>, max_segments> segments;
    // Publishes no data: slots before the end may have no segment yet, see slot_if_any().
    alignas(core::cache_line_size) std::atomic<std::uint64_t> reserved;
    alignas(core::cache_line_size)
        std::atomic<std::uint64_t> free;  // head of the free list: modification count, slot + 1
  };
  /// Counters of one unit for the slots of another; stored in the first unit's part.
  struct Counters {
    std::atomic<std::uint64_t> cursor;  // of a chunk: remaining slots (high half), next (low half)
    // High half: inserted; low half: inserted minus erased. Relaxed: the counts publish no data.
    std::atomic<std::uint64_t> counts;
  };
  struct View {
    std::array<std::atomic<char*>, max_segments> bases{};
  };
  struct Split {
    unsigned segment;
    std::uint32_t offset;
  };

  Split split(std::uint32_t index) const noexcept {
    const std::uint64_t n = std::uint64_t{index} + (std::uint64_t{1} << _log2_first);
    const auto bit = static_cast<unsigned>(std::bit_width(n)) - 1;
    return {bit - _log2_first, static_cast<std::uint32_t>(n - (std::uint64_t{1} << bit))};
  }
  Shared* shared_of(team_unit_t unit) const noexcept {
    return _shared[static_cast<std::size_t>(unit.id)];
  }
  View& view(team_unit_t unit) const noexcept { return *_views[static_cast<std::size_t>(unit.id)]; }
  Counters& counters(team_unit_t unit) const noexcept {
    return _counters[static_cast<std::size_t>(unit.id)];
  }
  char* find_segment(team_unit_t unit, unsigned segment) const noexcept;
  PoolPointer find_remote_segment(team_unit_t unit, unsigned segment) const;
  void ensure_segment(team_unit_t unit, unsigned segment);
  std::uint32_t next_in_chunk(std::atomic<std::uint64_t>& cursor) noexcept;
  std::uint32_t pop_free(team_unit_t unit) noexcept;
  std::uint32_t reserve_chunk(team_unit_t unit);
  /// Link of the free list. Located after the content, because an iterator may still read an erased
  /// element.
  std::atomic_ref<std::uint32_t> link(team_unit_t unit, std::uint32_t index) const noexcept {
    return std::atomic_ref<std::uint32_t>(
        *reinterpret_cast<std::uint32_t*>(slot(unit, index) + _link_offset));
  }

  GlobalSegment _segment;
  std::size_t _content_offset = 0;
  std::size_t _link_offset = 0;
  std::size_t _slot_bytes = 0;
  std::size_t _requested_slots = 0;  // per unit
  unsigned _log2_first = 0;
  std::size_t _extra_offset = 0;
  Counters* _counters = nullptr;
  std::vector<Shared*> _shared;               // by unit; nullptr: on another node
  std::vector<std::unique_ptr<View>> _views;  // by unit; nullptr: on another node
  std::vector<team_unit_t> _node_units;
  std::vector<std::uint32_t> _indices_on_node;  // by unit
  mutable std::mutex _mutex;                    // guards the members below
  std::vector<dart_gptr_t> _allocated;
  mutable std::vector<std::unique_ptr<std::array<std::uint64_t, max_segments>>> _remote_segments;
};

/// The number of elements for which a container has been asked to allocate memory on a unit; if the unit has more elements,
/// the number for which it has memory.
template <class Storage>
std::size_t capacity_of(const Storage& storage, team_unit_t unit) {
  const SlotStore& slots = storage.slots();
  return storage.size(unit) <= slots.requested() ? slots.requested() : slots.capacity(unit);
}
/// \overload of all units
template <class Storage>
std::size_t capacity_of(const Storage& storage) {
  std::size_t sum = 0;
  for (const int unit : storage.team())
    sum += capacity_of(storage, team_unit_t(unit));
  return sum;
}

}  // namespace dash::internal
