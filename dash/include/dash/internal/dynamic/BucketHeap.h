#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"

namespace dash::internal {

/// Memory of each unit that grows and shrinks in buckets: by the unit alone, for all when they commit.
/// What is committed can be read and written by all units, and stays where it is.
/// \threads one at a time, but for the queries
class DASH_API BucketHeap {
 public:
  /// Of elements, in the order of the unit's.
  struct Bucket {
    dart_gptr_t gptr = DART_GPTR_NULL;
    void* address = nullptr;  // nullptr: on another node
    std::size_t size = 0;     // elements
    std::size_t begin = 0;    // elements in the buckets before
    bool committed = false;
  };
  struct Place {
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

  /// \returns the first of the new elements, which are zero; nullptr for none
  /// \throws exception::RuntimeError if memory is short, exception::InvalidArgument if there are more
  ///         than an address space holds
  void* grow(std::size_t nelem);
  /// Takes away the last elements; their memory is freed by the next commit.
  /// \throws exception::OutOfRange if there are not so many
  void shrink(std::size_t nelem);
  void resize(std::size_t nelem);
  /// Makes all units see what each has. \collective over the team
  void commit();
  /// Without effect if that was done. \collective over the team, unless finalized
  void deallocate();

  /// Elements of all units: of the others, as they were committed.
  std::size_t size() const noexcept { return _offsets.back() - committed_own() + own_size(); }
  std::size_t size(team_unit_t unit) const;
  std::size_t own_size() const noexcept {
    return _own.empty() ? 0 : _own.back().begin + _own.back().size;
  }
  const std::vector<Bucket>& own_buckets() const noexcept { return _own; }

  /// \throws exception::OutOfRange if there is no such element
  /// @{
  LocalIndex local_of(std::ptrdiff_t position) const;
  Place place_of(std::ptrdiff_t position) const;
  Place place_of(team_unit_t unit, std::ptrdiff_t index) const;
  /// @}
  /// Of elements that come before the unit's. \throws exception::OutOfRange if there is no such unit
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
  Buckets _given_up;                  // committed, and to be freed
  std::vector<Buckets> _others;       // by unit
  std::vector<std::size_t> _offsets;  // committed elements before each unit's, and of all
};

}  // namespace dash::internal
