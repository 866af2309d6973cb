#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/IdPool.h"
#include "base/RangeAllocator.h"
#include "memory/RegisteredWindow.h"
#include "launch/Session.h"
#include "memory/SymmetricHeap.h"
#include "teams/Team.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// Segments and the translation table, and the pool of dart_memalloc.
class GlobalMemory {
 public:
  GlobalMemory(Session& session, SymmetricHeap& heap, const Team& all);
  /// Forgets all segments and gives their pages back.
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// Zeroed memory, at the same offset on all members.
  /// \param wish  may differ between the units: the segment has the largest on all, and pages of
  ///              each unit's own
  /// \collective over the team  \throws Error, on all units alike
  dart_gptr_t allocate(Team& team, const SymmetricHeap::Wish& wish);
  /// \pre the id is of a live segment of dart_team_memalloc_aligned \collective no
  void free(Team& team, std::int16_t segid);

  /// Makes memory of the user's a segment, of different sizes perhaps.
  /// \collective over the team  \throws Error
  dart_gptr_t attach(Team& team, RmaDriver& driver, void* begin, const SymmetricHeap::Wish& wish);
  /// \pre the id is of a live segment of attach()  \collective over the team
  void detach(Team& team, std::int16_t segid);
  /// Detaches or frees all segments of a team.
  /// \pre all units are at hand  \collective over the team
  void clear(Team& team);

  /// Whether memory that this unit has registered contains an address. \threads any
  bool is_registered(const void* address) noexcept;

  dart_gptr_t allocate_local(std::uint64_t nbytes);
  void free_local(const dart_gptr_t& gptr);

  /// The segment, if `nbytes` bytes at gptr are valid.
  /// \throws Error naming what is wrong
  static const Segment& check(const dart_gptr_t& gptr, std::uint64_t nbytes);
  /// The live segment of a pointer, wherever in it the pointer is.
  /// \throws Error if there is none
  static Segment& find(const dart_gptr_t& gptr);

 private:
  /// A registration; on its node only the owner has an address of the memory.
  struct Registered {
    RegisteredWindow window;
    std::vector<std::int32_t> slots;
  };

  static std::unique_ptr<Registered> make_window(Team& team, RmaDriver& driver, void* begin,
                                                 std::uint64_t nbytes);
  Segment& enter(const Team& team, std::int16_t segid);
  bool make_zero(std::uint64_t offset, std::uint64_t nbytes, std::uint64_t high_water) noexcept;

  Session& _session;
  SymmetricHeap& _heap;
  IdPool _segment_ids;           // guarded by the heap, which gives them
  IdPool _registered_ids;        // the same; negative in pointers
  std::mutex _registered_mutex;  // guards the map
  std::unordered_map<std::int16_t, std::unique_ptr<Registered>> _registered;
  std::atomic<std::size_t> _num_registered{0};
  std::mutex _mutex;  // guards the pool
  RangeAllocator _pool;
};

}  // namespace dash::dart
