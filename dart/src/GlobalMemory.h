#pragma once

#include <cstdint>
#include <mutex>

#include "RangeAllocator.h"
#include "Session.h"
#include "Team.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// Allocation in the heaps, and the translation table.
///
/// A collective allocation lies at the same offset on all members of the team and has the same
/// segment id; both are agreed upon by the team, so that they need not have allocated the same
/// things before.
class GlobalMemory {
 public:
  explicit GlobalMemory(Session& session, const Team& all);
  /// Forgets all segments and gives their pages back.
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// Collective over the team. \throws Error, on all units alike
  dart_gptr_t allocate(Team& team, std::uint64_t nbytes);
  /// \pre gptr is of a live segment
  void free(const dart_gptr_t& gptr);

  dart_gptr_t allocate_local(std::uint64_t nbytes);
  void free_local(const dart_gptr_t& gptr);

  /// The segment, if `nbytes` bytes at gptr are valid.
  /// \throws Error naming what is wrong
  static const Segment& check(const dart_gptr_t& gptr, std::uint64_t nbytes);

 private:
  struct Place {
    std::uint64_t offset;
    std::uint64_t serial;  // of the segment; its id follows from it
  };

  Place agree(Team& team, std::uint64_t nbytes);
  bool has_memory_for(std::uint64_t nbytes) const;
  bool make_zero(std::uint64_t offset, std::uint64_t nbytes, std::uint64_t high_water) noexcept;
  std::uint64_t next_free_serial(std::uint64_t at_least) const noexcept;
  static std::int16_t id_of(std::uint64_t serial) noexcept;

  Session& _session;
  std::mutex _mutex;  // guards the allocators
  RangeAllocator _symmetric;
  RangeAllocator _pool;
  std::uint64_t _next_serial = 0;
};

}  // namespace dash::dart
