#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/Error.h"
#include "base/IdPool.h"
#include "base/RangeAllocator.h"
#include "launch/Session.h"
#include "memory/SlabPolicy.h"

namespace dash::dart {

class RmaDriver;
class Team;

/// Allocates memory at the same offset in the heaps of all members of a team, with an id that is
/// the same on all of them.
///
/// Free memory of a heap reads as zero: released memory is zeroed, and its pages are returned to the
/// system unless they are pinned. Blocks begin at a cache line; blocks with consecutive ids begin at
/// distant lines of their first pages.
///
/// A block lies in one slab, and each slab in one window of MPI. Creating a window is collective over
/// all units, so only allocations of the team of all units create slabs. A block of another team for
/// which the slabs have no space lies outside of them, in no window
/// (docs/decisions/019-registered-memory.md).
/// \threads thread-safe, as far as the teams' collectives are
class SymmetricHeap {
 public:
  SymmetricHeap(Session& session, RmaDriver& driver);
  /// Zeroes all blocks. The session keeps the windows.
  ~SymmetricHeap();
  SymmetricHeap(const SymmetricHeap&) = delete;
  SymmetricHeap& operator=(const SymmetricHeap&) = delete;

  /// The request of one unit. The sizes may differ between the units; the block has the largest
  /// one.
  struct AllocationRequest {
    std::uint64_t nbytes = 0;
    std::string
        error;  // describes invalid arguments of this unit; the allocation then fails on all units
  };
  /// A request for the number of bytes that compute_size() returns, or with the error it throws.
  template <class ComputeSize>
  static AllocationRequest request_of(ComputeSize compute_size) {
    try {
      return {compute_size(), {}};
    } catch (const exception::RuntimeError& error) {
      return {0, error.what()};
    }
  }

  struct Reservation {
    std::uint64_t offset = 0;
    std::uint64_t nbytes = 0;  // the largest size that a member requested
    std::int16_t id = 0;
    std::uint8_t generation = 0;         // of the id, the same on all members
    const HeapWindow* window = nullptr;  // null: the memory lies in no window
  };

  /// Reserves zeroed memory and an id. When it returns, all members have reserved theirs.
  /// \collective over the team
  /// \throws exception::InvalidArgument on all units if the arguments of a unit are invalid; Error
  ///         (DART_ERR_NOMEM) on all units if memory, space in the heap, or ids are exhausted
  /// \cost two reductions, if the members' heaps are in the same state and a slab has space
  Reservation reserve(Team& team, const AllocationRequest& request, IdPool& ids);

  /// Reserves an id without memory; only the request's error is used. \collective over the team
  Reservation reserve_id(Team& team, const AllocationRequest& request, IdPool& ids);

  /// Releases this unit's reservation. \pre no other unit uses the memory  \collective no
  /// \blocks until MPI has sent the data that other units have read
  /// \param recycles  whether the id may be used next
  void release(std::uint64_t offset, std::int16_t id, IdPool& ids, bool recycles = false);
  /// Releases the blocks of Team::freed(). \pre all members have freed them
  void release_freed(Team& team);
  void release_id(std::int16_t id, IdPool& ids) noexcept;

  /// Whether the host has enough memory if each of its units requests this size.
  /// \param block  offset of the free block that is to be used, the start of a page. Its resident pages, which earlier
  ///               blocks have left in a slab, need no further memory.
  /// \cost usually none: the system is queried again after a quarter of the available memory has
  ///       been reserved
  bool has_memory_for(std::uint64_t nbytes, std::optional<std::uint64_t> block = std::nullopt);

 private:
  struct TeamRequest {
    bool with_memory;
    std::uint64_t nbytes;  // the largest of all members, after they have agreed
    const std::string& error;
    bool has_freed = false;      // in: this unit has freed blocks to release; out: a member has
    bool finds_surplus = false;  // all members have empty slabs to remove
  };
  /// A block and an id that are free on this unit. The units agree when all propose the same.
  struct Proposal {
    std::uint64_t offset;
    std::uint64_t serial;
    std::uint8_t generation = 0;  // the highest of all units, after they have agreed
  };
  enum class Outcome : std::uint64_t { no_memory, no_longer_free, taken };
  /// The parts of the heap: the slabs, and the memory outside of them.
  enum class Area { slabs, rest };
  /// What empty slabs are removed for.
  enum class RemoveBefore { block, slab };
  /// A range of the heap in which blocks are allocated. All units have the same slabs.
  struct Slab {
    RangeAllocator ranges;
    std::uint64_t begin;
    std::uint64_t end;
    const HeapWindow* window;
    bool is_open = true;  // for new blocks
  };

  std::optional<Proposal> agree(Team& team, TeamRequest& request, IdPool& ids, Area area);
  Proposal propose(const Proposal& at_least, bool first, std::uint64_t pages, IdPool& ids,
                   Area area);
  std::uint64_t find_block(std::uint64_t at_least, bool first, std::uint64_t pages, Area area);
  Outcome take(const Proposal& agreed, const TeamRequest& request, std::uint64_t own_nbytes,
               IdPool& ids);
  std::uint64_t pages_of(const TeamRequest& request) const noexcept;
  Outcome worst(Team& team, Outcome own);
  [[noreturn]] void throw_no_memory(const Team& team, std::uint64_t nbytes) const;

  void add(std::uint64_t begin, std::uint64_t end, const HeapWindow* window);
  Slab* slab_of(std::uint64_t offset) noexcept;
  RangeAllocator& ranges_of(std::uint64_t offset) noexcept;
  bool may_add_slab(const Team& team) const noexcept;
  bool add_slab(Team& team, const TeamRequest& request, IdPool& ids);
  std::optional<std::uint64_t> take_slab(Team& team, std::uint64_t nbytes, IdPool& ids);
  std::uint64_t remove_empty_slabs(Team& team, std::uint64_t pages, RemoveBefore purpose);
  void remove_slab(Team& team, std::size_t index);
  SlabPolicy policy() const noexcept;
  bool has_surplus(const Team& team, std::uint64_t pages);

  Session& _session;
  RmaDriver& _driver;
  std::mutex _mutex;  // guards the slabs, the ranges, the sizes below and the id pools
  std::vector<Slab> _slabs;
  RangeAllocator _rest;             // from which slabs, and blocks outside of them, are taken
  bool _has_window_failed = false;  // changed and read in collectives of all units
  std::uint64_t _in_slabs = 0;      // bytes reserved in slabs
  std::uint64_t _peak_in_slabs = 0;
  std::uint64_t _reserved = 0;  // bytes reserved, with or without pages
  std::uint64_t _margin = 0;    // bytes that may be reserved before the system is queried again
};

}  // namespace dash::dart
