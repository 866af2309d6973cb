#pragma once

#include <concepts>
#include <cstddef>

#include "dash/GlobPtr.h"
#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/allocator/AllocatorTraits.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/team/Collective.h"
#include "dash/memory/GlobStaticMem.h"
#include "dash/memory/HostSpace.h"

namespace dash {

namespace internal {

/// Whether get_default_memory_space() returns an object of this type of native memory.
template <class LMemSpace>
concept HasDefaultObject = requires {
  {
    get_default_memory_space<memory_domain_local, typename LMemSpace::memory_space_type_category>()
    } -> std::convertible_to<LMemSpace*>;
};

}  // namespace internal

/// Allocates elements locally, and makes them global memory when all units attach their elements.
/// \threads externally synchronized per object
/// \tparam LMemSpace  memory space of the elements
/// \ingroup memory
template <class T, class LMemSpace = HostSpace,
          global_allocation_policy allocation_policy = global_allocation_policy::epoch_synchronized,
          template <class> class LocalAlloc = allocator::DefaultAllocator>
class EpochSynchronizedAllocator {
 public:
  using value_type = T;
  /// The same allocator for elements of type U.
  template <class U>
  using rebind = EpochSynchronizedAllocator<U, LMemSpace, allocation_policy, LocalAlloc>;
  /// Global memory of elements that are attached.
  using memory_space_type = GlobStaticMem<LMemSpace>;
  using size_type = default_size_t;
  using difference_type = gptrdiff_t;
  using pointer = GlobPtr<T, memory_space_type>;
  using const_pointer = GlobPtr<const T, memory_space_type>;
  using local_pointer = T*;
  using const_local_pointer = const T*;

  /// Allocates from the default memory space of the type LMemSpace.
  explicit EpochSynchronizedAllocator(Team& team = Team::All()) noexcept
      : EpochSynchronizedAllocator(default_space(), team) {}
  /// \param space  memory space of the elements; must outlive the allocator
  explicit EpochSynchronizedAllocator(LMemSpace* space, Team& team = Team::All()) noexcept
      : _space(space), _team(&team) {}

  /// \overload
  /// With the arguments in the other order. A null pointer selects the default memory space.
  EpochSynchronizedAllocator(Team& team, LMemSpace* space) noexcept
      : EpochSynchronizedAllocator(space != nullptr ? space : default_space(), team) {}

  /// Allocates native memory that other units cannot access yet. \collective no
  local_pointer allocate_local(size_type nelem) {
    return nelem == 0 ? nullptr : LocalAlloc<T>(_space).allocate(nelem);
  }
  /// \pre detached \collective no
  void deallocate_local(local_pointer first, size_type nelem) {
    if (first != nullptr) LocalAlloc<T>(_space).deallocate(first, nelem);
  }

  /// Makes the native memory of all units one segment; each unit may attach a different number of
  /// elements.
  /// \returns a pointer to the first element of the first unit
  /// \collective over the team  \blocks until all units have called it
  pointer attach(local_pointer first, size_type nelem) {
    dart_gptr_t gptr = DART_GPTR_NULL;
    internal::check(
        dart_team_memregister(_team->dart_id(), nelem * sizeof(T), DART_TYPE_BYTE, first, &gptr),
        "dash::EpochSynchronizedAllocator");
    return pointer(gptr);
  }
  /// Destroys the segment; the native memory remains.
  /// \collective over the team  \blocks until all units have called it
  void detach(pointer segment, size_type /*nelem*/) {
    internal::check(dart_team_memderegister(segment.dart_gptr()),
                    "dash::EpochSynchronizedAllocator");
  }

  /// Allocates and attaches. \param nelem  number of elements of the caller
  /// \collective over the team  \blocks until all units have called it
  /// \throws exception::RuntimeError on all units if one does not have enough memory
  pointer allocate(size_type nelem) {
    local_pointer first = nullptr;
    try {
      internal::Call(*_team, "dash::EpochSynchronizedAllocator").run([&] {
        first = allocate_local(nelem);
      });
      return attach(first, nelem);
    } catch (...) {
      deallocate_local(first, nelem);
      throw;
    }
  }
  /// \collective over the team  \blocks until all units have called it
  void deallocate(pointer segment, size_type nelem) {
    if (!segment) return;
    const local_pointer first = nelem == 0 ? nullptr : local_begin(segment, _team->myid());
    detach(segment, nelem);
    deallocate_local(first, nelem);
  }

  /// The team whose units attach elements.
  Team& team() const noexcept { return *_team; }
  /// The memory space of the elements, which the allocator does not own.
  LMemSpace* resource() const noexcept { return _space; }

  friend bool operator==(const EpochSynchronizedAllocator& a,
                         const EpochSynchronizedAllocator& b) noexcept {
    return *a._team == *b._team && a._space->is_equal(*b._space);
  }

 private:
  /// The default memory space of this type; for other resources, such as a pool, one for all allocators.
  static LMemSpace* default_space() noexcept {
    if constexpr (internal::HasDefaultObject<LMemSpace>) {
      return get_default_memory_space<memory_domain_local,
                                      typename LMemSpace::memory_space_type_category>();
    } else {
      static LMemSpace space;
      return &space;
    }
  }

  LMemSpace* _space;
  Team* _team;
};

}  // namespace dash
