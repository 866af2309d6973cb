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
#include "dash/internal/dynamic/PoolPlace.h"
#include "dash/memory/GlobalSegment.h"

namespace dash::internal {

/// What was done needs an allocated container.
[[noreturn]] DASH_API void throw_not_allocated(const char* container);

/// What stands before the content of a slot: whether it holds an element, and a count of the
/// elements that it has held. Changed by whoever inserts or erases, on the node of its owner.
class SlotHeader {
 public:
  enum State : std::uint64_t { unused = 0, pending = 1, live = 2 };

  static bool is_live(std::uint64_t word) noexcept { return (word & 3) == live; }
  static std::uint32_t count_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word >> 2);
  }

  std::uint64_t load() const noexcept { return _word.load(std::memory_order_acquire); }
  /// Of a slot that nobody else knows: something is written to it.
  void begin() noexcept {
    _word.store((_word.load(std::memory_order_relaxed) & ~std::uint64_t{3}) | pending,
                std::memory_order_relaxed);
  }
  /// The element counts from here on, unless it has been erased already.
  /// \param begun  what load() returned after begin()
  void publish(std::uint64_t begun) noexcept {
    _word.compare_exchange_strong(begun, begun ^ pending ^ live, std::memory_order_release,
                                  std::memory_order_relaxed);
  }
  /// The element is none any more.
  void end() noexcept {
    const std::uint64_t word = _word.load(std::memory_order_relaxed);
    _word.store((word & ~std::uint64_t{3}) + 4, std::memory_order_release);
  }

 private:
  std::atomic<std::uint64_t> _word{0};
};

/// An element: its slot, and how many the slot had held before.
struct SlotName {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t slot = none;
  std::uint32_t count = 0;
  explicit operator bool() const noexcept { return slot != none; }
  friend bool operator==(const SlotName&, const SlotName&) = default;
};

/// Copies words that others may be writing; whether the copy is good is seen afterwards: who reads one
/// word of what is written to a slot anew sees, from there on, that what it held was erased.
inline void copy_racing(void* dest, const void* src, std::size_t nwords) noexcept {
  auto* to = static_cast<std::uint64_t*>(dest);
  auto* from = static_cast<std::uint64_t*>(const_cast<void*>(src));
  for (std::size_t i = 0; i < nwords; ++i) {
    to[i] = std::atomic_ref<std::uint64_t>(from[i]).load(std::memory_order_acquire);
  }
}
/// Writes words that others may be reading.
inline void write_racing(void* dest, const void* src, std::size_t nwords) noexcept {
  auto* to = static_cast<std::uint64_t*>(dest);
  const auto* from = static_cast<const std::uint64_t*>(src);
  for (std::size_t i = 0; i < nwords; ++i) {
    std::atomic_ref<std::uint64_t>(to[i]).store(from[i], std::memory_order_release);
  }
}

/// Slots of equal size, numbered for each unit of a team, that never move: what dynamic containers
/// keep their elements in.
///
/// A unit's slots lie in segments that double in size, in memory of whichever unit of its node needed
/// the next one first. Units of the node take and give back slots of each other by atomic operations
/// on the owner's part of a collective allocation; units of other nodes ask the owner to.
///
/// \threads any, but for construction, and free()
class DASH_API SlotStore {
 public:
  static constexpr std::uint32_t none = SlotName::none;
  /// Slots of a unit, at most.
  static constexpr std::uint64_t max_slots = std::uint64_t{1} << 30;
  /// Slots that a unit takes at a time, for itself.
  static constexpr std::uint32_t chunk = 32;

  struct Layout {
    std::size_t content_bytes = 0;
    std::size_t content_alignment = 1;
    /// Slots of each unit for which there is memory from the beginning: the largest number of a unit.
    std::size_t first_slots = 0;
    /// Of each unit, zero at first: what the container needs besides.
    std::size_t extra_bytes = 0;
  };

  /// \collective over the team
  /// \throws exception::InvalidArgument for more than max_slots to begin with
  SlotStore(const Layout& layout, Team& team);
  SlotStore(const SlotStore&) = delete;
  SlotStore& operator=(const SlotStore&) = delete;
  ~SlotStore();

  /// Takes the memory for the caller's first slots.
  /// \throws exception::RuntimeError if memory is short
  void allocate_first() { ensure_segment(team().myid(), 0); }
  /// \collective over the team
  void free();
  bool is_allocated() const noexcept { return _segment.is_allocated(); }

  Team& team() const noexcept { return _segment.team(); }
  const GlobalSegment& segment() const noexcept { return _segment; }
  /// Units of the team that are on the caller's node.
  const std::vector<team_unit_t>& node_units() const noexcept { return _node_units; }
  bool on_node(team_unit_t unit) const noexcept { return shared_of(unit) != nullptr; }

  /// The unit's place in node_units(), or none.
  std::uint32_t place_on_node(team_unit_t unit) const noexcept {
    return _places_on_node[static_cast<std::size_t>(unit.id)];
  }

  /// The container's own memory. \returns nullptr if the unit is on another node
  void* extra(team_unit_t unit) const noexcept {
    char* const shared = reinterpret_cast<char*>(shared_of(unit));
    return shared == nullptr ? nullptr : shared + _extra_offset;
  }

  /// Multiple of 8, as is the content's place in a slot.
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
  /// Finds the contents of many slots of one unit.
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

  /// The same of any slot before end(); nullptr if its taker has found no memory for it.
  char* slot_if_any(team_unit_t unit, std::uint32_t index) const noexcept {
    const unsigned segment = split(index).segment;
    if (shared_of(unit)->segments[segment].load(std::memory_order_acquire) == 0) return nullptr;
    return slot(unit, index);
  }

  /// Global pointer to the content of a slot, of any unit.
  /// \cost asks the unit for the place of a segment, once for each, if it is on another node
  dart_gptr_t content_gptr(team_unit_t unit, std::uint32_t index) const;

  /// All slots of a unit have smaller numbers. \cost a get, if it is on another node
  std::uint32_t end(team_unit_t unit) const;
  /// The first slot of a slot's segment, at any unit.
  std::uint32_t first_of_segment(std::uint32_t index) const noexcept {
    return index - split(index).offset;
  }
  /// Copies slots `first` to `first + count`, of one segment. \returns slots copied, at least 1
  std::uint32_t copy_slots(team_unit_t unit, std::uint32_t first, std::uint32_t count,
                           char* dest) const;

  /// Slots of a unit for which there is memory; of all. \cost a get for each unit of another node
  std::size_t capacity(team_unit_t unit) const;
  std::size_t capacity() const;

  /// A slot for a new element, which is begun. \pre the unit is on the caller's node
  /// \throws exception::RuntimeError if memory is short
  std::uint32_t take(team_unit_t unit);
  /// Ends it; it may be taken again at once. \pre nobody else does so
  void give_back(team_unit_t unit, std::uint32_t index) noexcept {
    header(unit, index).end();
    recycle(unit, index);
  }
  /// Lets an ended slot be taken again.
  void recycle(team_unit_t unit, std::uint32_t index) noexcept;

  /// Counts elements that this process has inserted at a unit (or erased: negative), and how many it
  /// has inserted.
  std::uint32_t count_inserted(team_unit_t unit) noexcept {
    return static_cast<std::uint32_t>(
        account(unit).counts.fetch_add((std::uint64_t{1} << 32) + 1, std::memory_order_relaxed) >>
        32);
  }
  void count_erased(team_unit_t unit) noexcept {
    account(unit).counts.fetch_sub(1, std::memory_order_relaxed);
  }
  /// Elements of a unit. \pre it is on the caller's node
  std::size_t live(team_unit_t unit) const noexcept;

 private:
  static constexpr std::size_t max_segments = 28;

  /// In each unit's part; what is changed together shares a cache line.
  struct Shared {
    std::array<std::atomic<std::uint64_t>, max_segments> segments;  // PoolPlaces
    alignas(core::cache_line_size) std::atomic<std::uint64_t> reserved;
    alignas(core::cache_line_size) std::atomic<std::uint64_t> free;  // count of changes, slot + 1
  };
  /// Of one unit's dealings with another one's slots; in the first one's part.
  struct Account {
    std::atomic<std::uint64_t> cursor;  // slots that are left of its chunk: next, end
    std::atomic<std::uint64_t> counts;  // inserted; inserted less erased, modulo 2^32
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
  Account& account(team_unit_t unit) const noexcept {
    return _accounts[static_cast<std::size_t>(unit.id)];
  }
  char* find_segment(team_unit_t unit, unsigned segment) const noexcept;
  PoolPlace place_of(team_unit_t unit, unsigned segment) const;
  void ensure_segment(team_unit_t unit, unsigned segment);
  std::uint32_t next_of_chunk(std::atomic<std::uint64_t>& cursor) noexcept;
  std::uint32_t pop_free(team_unit_t unit) noexcept;
  std::uint32_t take_chunk(team_unit_t unit);
  /// Of free slots. Behind the content: an iterator may be reading what has just been erased.
  std::atomic_ref<std::uint32_t> link(team_unit_t unit, std::uint32_t index) const noexcept {
    return std::atomic_ref<std::uint32_t>(
        *reinterpret_cast<std::uint32_t*>(slot(unit, index) + _link_offset));
  }

  GlobalSegment _segment;
  std::size_t _content_offset = 0;
  std::size_t _link_offset = 0;
  std::size_t _slot_bytes = 0;
  unsigned _log2_first = 0;
  std::size_t _extra_offset = 0;
  Account* _accounts = nullptr;
  std::vector<Shared*> _shared;               // by unit; nullptr: on another node
  std::vector<std::unique_ptr<View>> _views;  // the same
  std::vector<team_unit_t> _node_units;
  std::vector<std::uint32_t> _places_on_node;  // by unit
  mutable std::mutex _mutex;                   // guards what follows
  std::vector<dart_gptr_t> _allocated;
  mutable std::vector<std::unique_ptr<std::array<std::uint64_t, max_segments>>> _remote_places;
};

}  // namespace dash::internal
