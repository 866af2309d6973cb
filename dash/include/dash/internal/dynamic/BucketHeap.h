#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"

namespace dash::internal {

/// Memory of each unit that grows and shrinks in buckets. The unit sees a change immediately; other
/// units see it after the next commit. Committed memory can be read and written by all units and
/// does not move.
/// \threads externally synchronized, except the queries
class DASH_API BucketHeap {
 public:
  /// A bucket of elements. The buckets of a unit are in the order of its elements.
  struct Bucket {
    dart_gptr_t gptr = DART_GPTR_NULL;
    void* address = nullptr;  // nullptr if on another node
    std::size_t size = 0;     // number of elements
    std::size_t begin = 0;    // number of elements in previous buckets
    bool committed = false;
  };
  struct Location {
    dart_gptr_t gptr;
    void* address;
    team_unit_t unit;
  };
  struct LocalIndex {
    team_unit_t unit;
    std::ptrdiff_t index;
  };

  BucketHeap(std::size_t element_bytes, Team& team);
  BucketHeap(const BucketHeap&) = delete;
  BucketHeap& operator=(const BucketHeap&) = delete;
  ~BucketHeap() = default;

  Team& team() const noexcept { return *_team; }

  /// \returns the first of the new, zeroed elements; nullptr if there are none
  /// \throws exception::RuntimeError if there is not enough memory, exception::InvalidArgument if
  ///         the number exceeds the address space
  void* grow(std::size_t nelem);
  /// Removes the last elements; the next commit frees their memory.
  /// \throws exception::OutOfRange if the unit has fewer elements
  void shrink(std::size_t nelem);
  void resize(std::size_t nelem);
  /// Makes the current sizes of all units visible to all. \collective over the team
  void commit();
  /// Without effect if already deallocated. \collective over the team, unless finalized
  void deallocate();

  /// Number of elements of all units; committed numbers for other units.
  std::size_t size() const noexcept { return _offsets.back() - committed_own() + own_size(); }
  std::size_t size(team_unit_t unit) const;
  std::size_t own_size() const noexcept {
    return _own.empty() ? 0 : _own.back().begin + _own.back().size;
  }
  const std::vector<Bucket>& own_buckets() const noexcept { return _own; }

  /// \throws exception::OutOfRange if there is no such element
  /// @{
  LocalIndex local_of(std::ptrdiff_t position) const;
  Location location_of(std::ptrdiff_t position) const;
  Location location_of(team_unit_t unit, std::ptrdiff_t index) const;
  /// @}
  /// Number of elements before the unit's first one. \throws exception::OutOfRange if there is no
  /// such unit
  std::size_t begin_of(team_unit_t unit) const;
  /// \returns nullptr at the end
  void* local_address(std::ptrdiff_t index) const noexcept;

 private:
  using Buckets = std::vector<Bucket>;

  std::size_t committed_own() const noexcept;
  bool is_own(team_unit_t unit) const noexcept { return unit == _team->myid(); }
  void check_unit(team_unit_t unit) const;
  static const Bucket* find(const Buckets& buckets, std::ptrdiff_t index) noexcept;
  void free_own() noexcept;
  void exchange();

  Team* _team;
  std::size_t _element_bytes;
  bool _registered = false;
  Buckets _own;
  Buckets _released;             // committed elements that the next commit frees
  std::vector<Buckets> _others;  // by unit
  std::vector<std::size_t>
      _offsets;  // number of committed elements before each unit's, and in total
};

}  // namespace dash::internal
