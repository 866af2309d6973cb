#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/IdPool.h"
#include "base/RangeAllocator.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"
#include "launch/Session.h"
#include "memory/RegisteredWindow.h"
#include "memory/SymmetricHeap.h"
#include "teams/Team.h"

namespace dash::dart {

/// The segments of global memory, their translation table, and the pool of dart_memalloc.
class GlobalMemory {
 public:
  GlobalMemory(Session& session, RmaDriver& driver, SymmetricHeap& heap, const Team& all);
  /// Removes all segments and returns their pages to the system.
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// Allocates a segment of zeroed memory, at the same offset in the heaps of all members.
  /// \param request  may differ between the units: the segment has the largest size on all of them,
  ///                 and each unit commits pages for its own size
  /// \collective over the team
  /// \throws exception::RuntimeError on all units
  dart_gptr_t allocate(Team& team, const SymmetricHeap::AllocationRequest& request);
  /// Frees this unit's part of a segment. Other members may access its memory until they make the same call; the next
  /// allocation or barrier of the team releases it. \pre the id is that of a live segment of allocate()  \collective no
  void free(Team& team, std::int16_t segid);

  /// Makes a segment of the application's memory. The sizes of the units may differ.
  /// \collective over the team  \throws exception::RuntimeError
  dart_gptr_t attach(Team& team, void* begin, const SymmetricHeap::AllocationRequest& request);
  /// \pre the id is that of a live segment of attach()  \collective over the team
  void detach(Team& team, std::int16_t segid);
  /// Detaches or frees all segments of a team, and releases their memory. \pre no member accesses the segments any more
  /// \collective over the team
  void clear(Team& team);

  /// Whether an address lies in memory that this unit has registered. \threads thread-safe
  bool is_registered(const void* address) noexcept;

  dart_gptr_t allocate_local(std::uint64_t nbytes);
  /// Whether transfers may still read memory that is freed.
  enum class Sends { none, wait };
  /// Frees memory of allocate_local(), after a wait for transfers that read it.
  /// \param sends  none: no such transfer exists, and the function does not wait
  void free_local(const dart_gptr_t& gptr, Sends sends = Sends::wait);

  /// The segment of a pointer.
  /// \throws exception::InvalidArgument unless `nbytes` bytes at the pointer lie in a live segment
  static const Segment& check(const dart_gptr_t& gptr, std::uint64_t nbytes);
  /// The live segment of a pointer, whose unit and offset are not checked.
  /// \throws exception::InvalidArgument if there is none
  static Segment& find(const dart_gptr_t& gptr);
  /// Messages will refer to the segment by its id.
  static void use_for_streams(std::int16_t segid) noexcept;

  /// The address of global memory for transfers between nodes. Its window is null if only messages can
  /// access the memory. \pre check(gptr, 0)
  RemoteAddress remote_address(const Segment& segment, const dart_gptr_t& gptr) const noexcept;

 private:
  /// A registration. Only the owner maps the memory; other units of its node do not.
  struct Registered {
    RegisteredWindow window;
    std::vector<std::int32_t> slots;
  };

  std::unique_ptr<Registered> make_window(Team& team, void* begin, std::uint64_t nbytes);
  const HeapWindow* window_of(const Segment& segment, const dart_gptr_t& gptr) const noexcept;
  RangeAllocator& pool_of(std::uint64_t offset) noexcept;
  Segment& add_segment(const Team& team, std::int16_t segid);
  bool make_zero(std::uint64_t offset, std::uint64_t nbytes, std::uint64_t high_water) noexcept;

  Session& _session;
  RmaDriver& _driver;
  SymmetricHeap& _heap;
  IdPool _segment_ids;           // guarded by the symmetric heap
  IdPool _registered_ids;        // guarded by the symmetric heap; pointers have the negated ids
  std::mutex _registered_mutex;  // guards the map
  std::unordered_map<std::int16_t, std::unique_ptr<Registered>> _registered;
  // Read without the mutex to skip an empty map. A caller may pass registered memory only after the registration, so
  // it reads at least that value.
  std::atomic<std::size_t> _num_registered{0};
  std::mutex _mutex;  // guards the pools
  RangeAllocator _registered_pool;
  RangeAllocator _pool;  // in no window
};

}  // namespace dash::dart
