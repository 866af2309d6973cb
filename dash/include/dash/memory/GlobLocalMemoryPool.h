#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "dash/GlobPtr.h"
#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/memory/HostSpace.h"
#include "dash/memory/MemorySpaceBase.h"

namespace dash {

namespace internal {

/// Global memory that units allocate independently, from a pool of a team or from the runtime's
/// pool. Must not move, since the team refers to it.
/// \threads thread-safe, except for construction and destruction
class DASH_API LocalPool {
 public:
  /// The runtime's pool, which exists as long as the runtime.
  LocalPool();
  /// \collective over the team
  LocalPool(std::size_t local_capacity, Team& team);
  LocalPool(const LocalPool&) = delete;
  LocalPool& operator=(const LocalPool&) = delete;
  /// \collective over the team, unless the team has been destroyed
  ~LocalPool();

  /// \throws std::bad_alloc
  dart_gptr_t allocate(std::size_t nbytes, std::size_t alignment);
  /// \throws exception::InvalidArgument if the pointer is not the start of an allocation of the
  ///         caller
  void deallocate(const dart_gptr_t& gptr);
  void release();

  std::size_t capacity() const noexcept;
  std::size_t size() const noexcept;
  Team& team() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> _impl;
};

}  // namespace internal

/// Global memory from which each unit allocates independently. Other units can access an allocation
/// when they know the pointer.
/// \threads thread-safe, except for construction and destruction
/// \tparam LMemSpace  memory space of the parts; HostSpace
/// \ingroup memory
template <class LMemSpace = HostSpace>
class GlobLocalMemoryPool : public MemorySpace<memory_domain_global, memory_space_host_tag> {
 public:
  /// Tag: memory is allocated at any time.
  using memory_space_allocation_policy = allocation_dynamic;
  /// Tag: units allocate independently.
  using memory_space_synchronization_policy = synchronization_independent;
  /// Memory space of a unit's part.
  using local_memory_space_type = LMemSpace;
  /// Global pointer to memory without a type.
  using void_pointer = GlobPtr<void, GlobLocalMemoryPool>;
  /// Global pointer to memory without a type, for reading.
  using const_void_pointer = GlobPtr<const void, GlobLocalMemoryPool>;
  using size_type = std::size_t;
  using index_type = std::ptrdiff_t;

  /// \param local_capacity  number of bytes of the caller; may differ between units
  /// \throws exception::RuntimeError on all units if one of them lacks memory
  /// \collective over the team
  explicit GlobLocalMemoryPool(size_type local_capacity = 0, const Team& team = Team::All())
      : _pool(std::make_unique<internal::LocalPool>(local_capacity, Team::Get(team.dart_id()))) {}
  /// Pointers remain valid. The moved-from object may only be assigned or destroyed.
  GlobLocalMemoryPool(GlobLocalMemoryPool&&) noexcept = default;
  /// Frees the allocations of this pool.
  /// \collective over the team of this pool, unless the team has been destroyed
  GlobLocalMemoryPool& operator=(GlobLocalMemoryPool&&) noexcept = default;
  /// Frees all allocations.
  /// \collective over the team, unless the team has been destroyed  \blocks until all units have
  ///         called it
  ~GlobLocalMemoryPool() = default;

  /// Allocates memory at the caller. It is zeroed, unless an earlier allocation has used it.
  /// \throws std::bad_alloc if the caller's part is exhausted
  /// \collective no  \blocks never
  void_pointer allocate(size_type nbytes, size_type alignment = alignof(std::max_align_t)) {
    return void_pointer(_pool->allocate(nbytes, alignment));
  }
  /// \throws exception::InvalidArgument if the pointer is not the start of an allocation of the
  ///         caller
  void deallocate(const_void_pointer pointer, size_type /*nbytes*/,
                  size_type /*alignment*/ = alignof(std::max_align_t)) {
    _pool->deallocate(pointer.dart_gptr());
  }
  /// Frees all allocations of the caller. \collective no
  void release() { _pool->release(); }

  /// Number of bytes that the caller has allocated.
  size_type size() const noexcept { return _pool->size(); }
  /// Number of bytes that the caller can allocate, without alignment losses.
  size_type capacity() const noexcept { return _pool->capacity(); }
  /// The team whose units can access the memory; Team::All() for the runtime's pool.
  Team& team() const noexcept { return _pool->team(); }
  /// Waits until all units of the team have called it.
  /// \collective over the team
  void barrier() const { team().barrier(); }

  /// \name Complete the caller's operations on the memory that a pointer belongs to
  /// \completion remote (flush), local (flush_local)
  /// @{

  /// Completes the operations at all units.
  void flush(const_void_pointer p) const {
    internal::check(dart_flush_all(p.dart_gptr()), "flush");
  }
  /// Completes the operations at one unit.
  void flush(const_void_pointer p, team_unit_t unit) const {
    p.set_unit(unit);
    internal::check(dart_flush(p.dart_gptr()), "flush");
  }
  /// Completes the operations at all units.
  void flush_local(const_void_pointer p) const {
    internal::check(dart_flush_local_all(p.dart_gptr()), "flush_local");
  }
  /// Completes the operations at one unit.
  void flush_local(const_void_pointer p, team_unit_t unit) const {
    p.set_unit(unit);
    internal::check(dart_flush_local(p.dart_gptr()), "flush_local");
  }
  /// @}

 private:
  friend struct internal::DefaultMemorySpace<memory_domain_global, memory_space_host_tag>;
  explicit GlobLocalMemoryPool(std::unique_ptr<internal::LocalPool> pool) noexcept
      : _pool(std::move(pool)) {}

  std::unique_ptr<internal::LocalPool> _pool;
};

template <>
struct internal::DefaultMemorySpace<memory_domain_global, memory_space_host_tag> {
  static GlobLocalMemoryPool<HostSpace>* get() {
    static GlobLocalMemoryPool<HostSpace> pool(std::make_unique<LocalPool>());
    return &pool;
  }
};

/// Pointer to elements allocated by memalloc().
/// \ingroup memory
template <class T>
using GlobMemAllocPtr = GlobPtr<T, GlobLocalMemoryPool<HostSpace>>;

/// Allocates zeroed elements in the caller's memory. Units of Team::All() that receive the pointer
/// can access them.
/// \returns the null pointer if the runtime has no free memory
/// \collective no  \blocks never  \threads thread-safe
/// \ingroup memory
template <class T>
GlobMemAllocPtr<T> memalloc(std::size_t nelem) {
  dart_gptr_t gptr = DART_GPTR_NULL;
  const dart_storage<T> storage(nelem);
  if (dart_memalloc(storage.nelem, storage.dtype, &gptr) != DART_OK) gptr = DART_GPTR_NULL;
  return GlobMemAllocPtr<T>(gptr);
}

/// Frees memory allocated by memalloc(). Only the owner may call it.
/// \throws exception::InvalidArgument if the memory was not allocated by memalloc() of the caller
/// \ingroup memory
template <class T>
void memfree(const GlobMemAllocPtr<T>& pointer, std::size_t /*nelem*/) {
  internal::check(dart_memfree(pointer.dart_gptr()), "dash::memfree");
}

}  // namespace dash
