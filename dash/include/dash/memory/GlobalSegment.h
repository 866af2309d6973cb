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
#include "dash/internal/element/GptrWords.h"
#include "dash/internal/Unit.h"

namespace dash::internal {

/// Bytes that each unit of a team has of a segment.
class DASH_API LocalSizes {
 public:
  LocalSizes() = default;
  /// The same number for each of `nunits` units.
  LocalSizes(std::size_t nbytes, std::size_t nunits) : _common(nbytes), _nunits(nunits) {}
  /// One number for each unit. \cost no memory per unit if all are equal
  explicit LocalSizes(const std::vector<std::size_t>& nbytes);

  std::size_t nunits() const noexcept { return _nunits; }
  bool is_common() const noexcept { return _each == nullptr; }
  std::size_t of(std::size_t unit) const noexcept { return is_common() ? _common : _each[unit]; }
  /// Whether there is such a unit, and such a byte of it.
  bool has(std::int64_t unit, std::uint64_t offset) const noexcept {
    return static_cast<std::uint64_t>(unit) < _nunits &&
           offset < of(static_cast<std::size_t>(unit));
  }
  /// Whether there is such a unit, and [offset, offset + nbytes) of it.
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

/// One collective allocation: a part for each unit of a team, reached by a global pointer.
///
/// Registered while allocated, so that arithmetic on a global pointer, which knows the ids of team
/// and segment only, finds where the part of a unit ends.
/// \threads queries: any
class DASH_API GlobalSegment {
 public:
  explicit GlobalSegment(Team& team) noexcept : _team(&team) {}
  GlobalSegment(const GlobalSegment&) = delete;
  GlobalSegment& operator=(const GlobalSegment&) = delete;
  GlobalSegment(GlobalSegment&& other) noexcept;
  GlobalSegment& operator=(GlobalSegment&& other) noexcept;
  /// Frees nothing: that is collective.
  ~GlobalSegment();

  /// Allocates zeroed memory of the given sizes, which all units know.
  /// \collective over the team  \blocks until all units have called it
  /// \throws exception::RuntimeError if memory is short, exception::InvalidArgument if allocated
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

  /// The first byte of the first unit; the parts of the others have the same offset.
  const dart_gptr_t& begin_gptr() const noexcept { return _begin; }
  /// Byte `offset` of a unit's part; no range check.
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
  /// Address in this process of bytes of a unit's part, for an access that nobody has to hear of;
  /// nullptr if there is none. Without assertions the unit is expected to have the bytes.
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

  /// A unit's part in this process; nullptr if it is on another node, or there is none.
  /// \cost a call
  void* mapped_part(team_unit_t unit) const noexcept;

  /// \throws exception::OutOfRange unless the team has the unit
  void check_unit(team_unit_t unit) const;

  /// The caller's part; nullptr if not allocated.
  void* local_begin() const noexcept {
    return _local_begin;
  }

  /// \name Completes the caller's operations on this segment: to a unit, or to all
  /// \completion remote (flush), source (flush_local)
  /// @{
  void flush() const;
  void flush(team_unit_t unit) const;
  void flush_local() const;
  void flush_local(team_unit_t unit) const;
  /// @}

  /// The segment that a pointer points into, if it was allocated by this class; else nullptr.
  static const GlobalSegment* find(GptrWords gptr) noexcept {
    const GlobalSegment* segment = entry(gptr.segment()).load(std::memory_order_acquire);
    return segment != nullptr && segment->_begin.teamid == gptr.team() ? segment : nullptr;
  }

 private:
  /// The live segments by id, which is unique in a process. Read without a lock; a collective orders
  /// the writes before and after any use of the segment.
  static std::atomic<const GlobalSegment*> registry[65536];
  static std::atomic<const GlobalSegment*>& entry(std::int16_t segment) noexcept {
    return registry[static_cast<std::uint16_t>(segment)];
  }

  void publish(GlobalSegment* segment) const noexcept;
  void find_parts();

  /// What the runtime knows of no segment.
  static constexpr dart::Segment no_segment{};

  Team* _team;
  /// Where the units' parts are in this process, or nullptr, for teams of few units: a load instead
  /// of what the runtime's entry asks for.
  static constexpr std::size_t most_parts = 64;
  std::unique_ptr<char*[]> _parts;
  std::uint32_t _num_parts = 0;
  const dart::Segment* _entry = &no_segment;
  dart_gptr_t _begin = DART_GPTR_NULL;
  void* _local_begin = nullptr;
  LocalSizes _sizes;
};

/// advance() over the end of a unit's part.
DASH_API GptrWords advance_to_unit(const GlobalSegment& segment, GptrWords gptr,
                                   std::int64_t nbytes) noexcept;

/// A pointer `nbytes` further in the order of units, then offsets: behind the part of a unit comes
/// that of the next. In memory that is not a GlobalSegment, further in the same unit's memory.
inline GptrWords advance(GptrWords gptr, std::int64_t nbytes) noexcept {
  const GptrWords result(gptr.place, gptr.offset + static_cast<std::uint64_t>(nbytes));
  const GlobalSegment* segment = GlobalSegment::find(gptr);
  if (segment == nullptr || segment->sizes().has(gptr.unit(), result.offset)) [[likely]]
    return result;
  return advance_to_unit(*segment, gptr, nbytes);
}

/// distance() of pointers to different units.
DASH_API std::int64_t distance_of_units(GptrWords a, GptrWords b) noexcept;

/// Bytes from a to b in that order.
/// \cost proportional to the units between, if their parts differ in size
inline std::int64_t distance(GptrWords a, GptrWords b) noexcept {
  if (a.unit() != b.unit()) [[unlikely]]
    return distance_of_units(a, b);
  return static_cast<std::int64_t>(b.offset - a.offset);
}

/// Native address of global memory of the caller's own; nullptr for all other memory.
DASH_API void* local_address(const dart_gptr_t& gptr) noexcept;

/// Native address of n elements in the memory of one unit of the caller's node; nullptr for all other
/// memory, and if the unit has fewer there.
inline void* on_node_elements(GptrWords gptr, std::size_t n, std::size_t element_size) noexcept {
  if (n > static_cast<std::size_t>(PTRDIFF_MAX) / element_size) return nullptr;
  const std::size_t nbytes = n * element_size;
  // The runtime knows the longest part only.
  const GlobalSegment* const segment = GlobalSegment::find(gptr);
  if (segment != nullptr && !segment->sizes().has(gptr.unit(), gptr.offset, nbytes)) return nullptr;
  return dart::on_node_address(gptr.gptr(), nbytes);
}

}  // namespace dash::internal
