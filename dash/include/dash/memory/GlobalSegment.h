#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"
#include "dash/internal/element/GptrWords.h"

namespace dash::internal {

/// The number of bytes of each unit of a team in a segment.
class DASH_API LocalSizes {
 public:
  LocalSizes() = default;
  /// An equal number for each of `nunits` units.
  LocalSizes(std::size_t nbytes, std::size_t nunits) : _common(nbytes), _nunits(nunits) {}
  /// An individual number for each unit. \cost no memory per unit if all numbers are equal
  explicit LocalSizes(const std::vector<std::size_t>& nbytes);

  std::size_t nunits() const noexcept { return _nunits; }
  bool is_common() const noexcept { return _each == nullptr; }
  std::size_t of(std::size_t unit) const noexcept { return is_common() ? _common : _each[unit]; }
  /// Whether the unit exists and has a byte at the offset.
  bool has(std::int64_t unit, std::uint64_t offset) const noexcept {
    return static_cast<std::uint64_t>(unit) < _nunits &&
           offset < of(static_cast<std::size_t>(unit));
  }
  /// Whether the unit exists and has the bytes [offset, offset + nbytes).
  bool has(std::int64_t unit, std::uint64_t offset, std::uint64_t nbytes) const noexcept {
    if (static_cast<std::uint64_t>(unit) >= _nunits) return false;
    const std::uint64_t size = of(static_cast<std::size_t>(unit));
    return offset <= size && nbytes <= size - offset;
  }
  std::size_t maximum() const noexcept;
  std::size_t sum() const noexcept;

 private:
  std::size_t _common = 0;
  std::size_t _nunits = 0;
  std::unique_ptr<std::size_t[]> _each;
};

/// A collective allocation of global memory with a part for each unit of a team.
///
/// It is registered while allocated. A global pointer contains only the ids of team and segment;
/// its arithmetic looks up the segment to determine where the part of a unit ends.
/// \threads queries: thread-safe
class DASH_API GlobalSegment {
 public:
  explicit GlobalSegment(Team& team) noexcept : _team(&team) {}
  GlobalSegment(const GlobalSegment&) = delete;
  GlobalSegment& operator=(const GlobalSegment&) = delete;
  GlobalSegment(GlobalSegment&& other) noexcept;
  GlobalSegment& operator=(GlobalSegment&& other) noexcept;
  /// Does not free the memory, since that is a collective operation.
  ~GlobalSegment();

  /// Allocates zeroed memory with the given sizes, which must be known on all units.
  /// \collective over the team  \blocks until all units have called it
  /// \throws exception::RuntimeError if there is not enough memory, exception::InvalidArgument if
  ///         allocated
  void allocate(LocalSizes sizes);

  /// Allocates `nbytes` zeroed bytes for the caller; units may pass different numbers.
  /// \collective over the team  \blocks until all units have called it
  void allocate_local(std::size_t nbytes);

  /// Without effect if not allocated.
  /// \collective over the team
  void deallocate();

  bool is_allocated() const noexcept { return _begin.teamid != DART_TEAM_NULL; }
  Team& team() const noexcept { return *_team; }
  const LocalSizes& sizes() const noexcept { return _sizes; }

  /// Pointer to the first byte of the first unit; the parts of all units have the same offset.
  const dart_gptr_t& begin_gptr() const noexcept { return _begin; }
  /// Pointer to byte `offset` of a unit's part; no range check.
  dart_gptr_t gptr_at(team_unit_t unit, std::uint64_t offset) const noexcept {
    return words_at(unit, offset).gptr();
  }
  /// \overload
  GptrWords words_at(team_unit_t unit, std::uint64_t offset) const noexcept {
    GptrWords words(_begin);
    words.set_unit(unit.id);
    words.offset += offset;
    return words;
  }
  /// Address in this process of bytes of a unit's part, if they can be accessed without the
  /// runtime, otherwise nullptr. Without assertions the unit is assumed to have the bytes.
  void* address_at(team_unit_t unit, std::uint64_t offset, std::size_t nbytes) const noexcept {
#ifdef DASH_ENABLE_ASSERTIONS
    if (!dart::has_bytes(*_entry, unit.id, offset, nbytes)) return nullptr;
#else
    static_cast<void>(nbytes);
#endif
    if (const auto number = static_cast<std::uint32_t>(unit.id); number < _num_parts) [[likely]] {
      char* const part = _parts[number];
      return part != nullptr ? part + offset : nullptr;
    }
    return dart::uncounted_address(*_entry, _begin.teamid, unit.id, offset);
  }

  /// Address of a unit's part in this process; nullptr if it is on another node or not allocated.
  /// \cost a function call
  void* mapped_part(team_unit_t unit) const noexcept;

  /// \throws exception::OutOfRange if the team has no such unit
  void check_unit(team_unit_t unit) const;

  /// Address of the caller's part; nullptr if not allocated.
  void* local_begin() const noexcept {
    return _local_begin;
  }

  /// \name Complete the caller's operations on this segment, at one unit or at all
  /// \completion remote (flush), local (flush_local)
  /// @{
  void flush() const;
  void flush(team_unit_t unit) const;
  void flush_local() const;
  void flush_local(team_unit_t unit) const;
  /// @}

  /// The segment of this class that a pointer belongs to; nullptr if there is none.
  static const GlobalSegment* find(GptrWords gptr) noexcept {
    const GlobalSegment* segment = entry(gptr.segment()).load(std::memory_order_acquire);
    return segment != nullptr && segment->_begin.teamid == gptr.team() ? segment : nullptr;
  }

 private:
  /// The allocated segments by id, which is unique in a process. Read without a lock: collectives
  /// order the writes before and after all uses of a segment.
  static std::atomic<const GlobalSegment*> registry[65536];
  static std::atomic<const GlobalSegment*>& entry(std::int16_t segment) noexcept {
    return registry[static_cast<std::uint16_t>(segment)];
  }

  void publish(GlobalSegment* segment) const noexcept;
  void find_parts();

  /// The runtime's description of a segment while none is allocated.
  static constexpr dart::Segment no_segment{};

  Team* _team;
  /// Addresses of the units' parts in this process, or nullptr. Cached for small teams, which saves
  /// the lookup in the runtime's segment description.
  static constexpr std::size_t max_cached_parts = 64;
  std::unique_ptr<char*[]> _parts;
  std::uint32_t _num_parts = 0;
  const dart::Segment* _entry = &no_segment;
  dart_gptr_t _begin = DART_GPTR_NULL;
  void* _local_begin = nullptr;
  LocalSizes _sizes;
};

/// The slow path of advance(), past the end of a unit's part.
DASH_API GptrWords advance_to_unit(const GlobalSegment& segment, GptrWords gptr,
                                   std::int64_t nbytes) noexcept;

/// Advances a pointer by `nbytes` in the order of units, then offsets: the part of a unit is
/// followed by the part of the next unit. In memory that is not a GlobalSegment, the pointer stays
/// at its unit.
inline GptrWords advance(GptrWords gptr, std::int64_t nbytes) noexcept {
  const GptrWords result(gptr.ids, gptr.offset + static_cast<std::uint64_t>(nbytes));
  const GlobalSegment* segment = GlobalSegment::find(gptr);
  if (segment == nullptr || segment->sizes().has(gptr.unit(), result.offset)) [[likely]]
    return result;
  return advance_to_unit(*segment, gptr, nbytes);
}

/// distance() for pointers to different units.
DASH_API std::int64_t distance_of_units(GptrWords a, GptrWords b) noexcept;

/// Number of bytes from a to b in that order.
/// \cost proportional to the number of units between them if their parts differ in size
inline std::int64_t distance(GptrWords a, GptrWords b) noexcept {
  if (a.unit() != b.unit()) [[unlikely]]
    return distance_of_units(a, b);
  return static_cast<std::int64_t>(b.offset - a.offset);
}

/// Native address of global memory local to the caller; nullptr for other memory.
DASH_API void* local_address(const dart_gptr_t& gptr) noexcept;

/// Native address of n elements in the memory of one unit of the caller's node; nullptr if they are
/// elsewhere or exceed the unit's part.
inline void* on_node_elements(GptrWords gptr, std::size_t n, std::size_t element_size) noexcept {
  if (n > static_cast<std::size_t>(PTRDIFF_MAX) / element_size) return nullptr;
  const std::size_t nbytes = n * element_size;
  // The runtime knows only the size of the largest part.
  const GlobalSegment* const segment = GlobalSegment::find(gptr);
  if (segment != nullptr && !segment->sizes().has(gptr.unit(), gptr.offset, nbytes)) return nullptr;
  return dart::on_node_address(gptr.gptr(), nbytes);
}

}  // namespace dash::internal
