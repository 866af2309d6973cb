#pragma once

#include <cstddef>

#include "dash/GlobPtr.h"
#include "dash/Team.h"
#include "dash/internal/Unit.h"
#include "dash/memory/GlobalSegment.h"
#include "dash/memory/HBWSpace.h"
#include "dash/memory/HostSpace.h"
#include "dash/memory/MemorySpaceBase.h"

namespace dash {

/// Global memory that is allocated once, collectively, with a part for each unit of a team.
/// \tparam LMemSpace  memory space of the parts; HostSpace
/// \ingroup memory
template <class LMemSpace>
class GlobStaticMem : public internal::GlobalSegment {
 public:
  /// Memory space of the parts.
  using memory_space_type = LMemSpace;
  /// Tag: host memory.
  using memory_space_type_category = memory_space_host_tag;
  /// Tag: global memory.
  using memory_space_domain_category = memory_domain_global;
  /// Tag: the part of a unit is contiguous.
  using memory_space_layout_tag = memory_space_contiguous;
  /// Tag: memory is allocated once.
  using memory_space_allocation_policy = allocation_static;
  /// Tag: all units allocate together.
  using memory_space_synchronization_policy = synchronization_collective;
  /// Global pointer to memory without a type.
  using void_pointer = GlobPtr<void, GlobStaticMem>;
  /// Native pointer to the caller's memory.
  using local_void_pointer = void*;
  /// The same, for reading.
  using const_local_void_pointer = const void*;
  /// Global pointer to memory without a type, for reading.
  using const_void_pointer = GlobPtr<const void, GlobStaticMem>;
  using size_type = std::size_t;
  using index_type = std::ptrdiff_t;

  /// Memory for the units of a team; not allocated yet.
  explicit GlobStaticMem(Team& team = Team::All()) noexcept : internal::GlobalSegment(team) {}
  /// \param space  source of native memory; the runtime allocates global memory itself
  explicit GlobStaticMem(LMemSpace* space, Team& team = Team::All()) noexcept
      : internal::GlobalSegment(team), _space(space) {}

  /// Allocates `nbytes` zeroed bytes for the caller; units may pass different numbers.
  /// \param alignment  at most the page size
  /// \returns a pointer to the first byte of unit 0
  /// \collective over the team  \blocks until all units have called it
  void_pointer allocate(size_type nbytes, size_type alignment = alignof(std::max_align_t)) {
    static_cast<void>(alignment);  // the parts are page aligned
    this->allocate_local(nbytes);
    return begin();
  }
  using internal::GlobalSegment::allocate;

  /// \collective over the team
  void deallocate(const_void_pointer, size_type /*nbytes*/,
                  size_type /*alignment*/ = alignof(std::max_align_t)) {
    internal::GlobalSegment::deallocate();
  }
  using internal::GlobalSegment::deallocate;

  /// Number of bytes of all units.
  size_type capacity() const noexcept { return this->sizes().sum(); }
  /// Number of bytes of one unit.
  size_type capacity(team_unit_t unit) const noexcept {
    return this->sizes().of(static_cast<std::size_t>(unit.id));
  }

  /// The first byte of unit 0.
  void_pointer begin() const noexcept { return void_pointer(this->begin_gptr()); }
  /// The end of the last unit's bytes.
  void_pointer end() const noexcept { return begin() + static_cast<gptrdiff_t>(capacity()); }

  /// Waits until all units of the team have called it.
  /// \collective over the team
  void barrier() const { this->team().barrier(); }
  /// The memory space given at construction, or the default one.
  LMemSpace* get_allocator() const noexcept {
    return _space != nullptr
               ? _space
               : get_default_memory_space<
                     memory_domain_local,
                     typename memory_space_traits<LMemSpace>::memory_space_type_category>();
  }

  /// Completes the caller's operations on the memory at all units. The pointer has no effect.
  /// \completion remote
  void flush(const_void_pointer) const { internal::GlobalSegment::flush(); }
  /// Completes the caller's operations on the memory at one unit. The pointer has no effect.
  /// \completion remote
  void flush(const_void_pointer, team_unit_t unit) const { internal::GlobalSegment::flush(unit); }
  using internal::GlobalSegment::flush;
  /// As flush(), at all units.
  /// \completion local
  void flush_local(const_void_pointer) const { internal::GlobalSegment::flush_local(); }
  /// As flush(), at one unit.
  /// \completion local
  void flush_local(const_void_pointer, team_unit_t unit) const {
    internal::GlobalSegment::flush_local(unit);
  }
  using internal::GlobalSegment::flush_local;

 private:
  LMemSpace* _space = nullptr;
};

}  // namespace dash
