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

/// Global memory that units allocate by themselves: from a pool of a team, or from the runtime's own.
/// Lives at one address: the team refers to it.
/// \threads any, but for making and destroying
class DASH_API LocalPool {
 public:
  /// The runtime's own, which is there as long as the runtime is.
  LocalPool();
  /// \collective over the team
  LocalPool(std::size_t local_capacity, Team& team);
  LocalPool(const LocalPool&) = delete;
  LocalPool& operator=(const LocalPool&) = delete;
  /// \collective over the team, unless it has ended
  ~LocalPool();

  /// \throws std::bad_alloc
  dart_gptr_t allocate(std::size_t nbytes, std::size_t alignment);
  /// \throws exception::InvalidArgument unless it is the begin of a living allocation of the caller's
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

/// Global memory from which each unit allocates by itself, what others reach once they know the
/// pointer.
/// \threads any, but for making and destroying
template <class LMemSpace = HostSpace>
class GlobLocalMemoryPool : public MemorySpace<memory_domain_global, memory_space_host_tag> {
 public:
  using memory_space_allocation_policy = allocation_dynamic;
  using memory_space_synchronization_policy = synchronization_independent;
  using local_memory_space_type = LMemSpace;
  using void_pointer = GlobPtr<void, GlobLocalMemoryPool>;
  using const_void_pointer = GlobPtr<const void, GlobLocalMemoryPool>;
  using size_type = std::size_t;
  using index_type = std::ptrdiff_t;

  /// \param local_capacity  bytes of the caller; units may pass different numbers
  /// \throws exception::RuntimeError on all units if one of them lacks the memory
  /// \collective over the team
  explicit GlobLocalMemoryPool(size_type local_capacity = 0, const Team& team = Team::All())
      : _pool(std::make_unique<internal::LocalPool>(local_capacity, Team::Get(team.dart_id()))) {}
  GlobLocalMemoryPool(GlobLocalMemoryPool&&) noexcept = default;
  GlobLocalMemoryPool& operator=(GlobLocalMemoryPool&&) noexcept = default;
  /// Frees all that is allocated from it.
  /// \collective over the team, unless it has ended  \blocks until all units have called it
  ~GlobLocalMemoryPool() = default;

  /// Allocates zeroed memory of the caller's; memory that is used again is not zeroed.
  /// \throws std::bad_alloc if the caller's part is used up
  /// \collective no  \blocks never
  void_pointer allocate(size_type nbytes, size_type alignment = alignof(std::max_align_t)) {
    return void_pointer(_pool->allocate(nbytes, alignment));
  }
  /// \throws exception::InvalidArgument unless it is the begin of a living allocation of the caller's
  void deallocate(const_void_pointer pointer, size_type /*nbytes*/,
                  size_type /*alignment*/ = alignof(std::max_align_t)) {
    _pool->deallocate(pointer.dart_gptr());
  }
  /// Frees all that the caller has allocated. \collective no
  void release() { _pool->release(); }

  /// Bytes that the caller has allocated.
  size_type size() const noexcept { return _pool->size(); }
  /// Bytes that the caller may allocate, alignment aside.
  size_type capacity() const noexcept { return _pool->capacity(); }
  Team& team() const noexcept { return _pool->team(); }
  void barrier() const { team().barrier(); }

  /// \name Completes the caller's operations on the memory that a pointer is of
  /// \completion remote (flush), source (flush_local)
  /// @{
  void flush(const_void_pointer p) const {
    internal::check(dart_flush_all(p.dart_gptr()), "flush");
  }
  void flush(const_void_pointer p, team_unit_t unit) const {
    p.set_unit(unit);
    internal::check(dart_flush(p.dart_gptr()), "flush");
  }
  void flush_local(const_void_pointer p) const {
    internal::check(dart_flush_local_all(p.dart_gptr()), "flush_local");
  }
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

/// Points to elements of memalloc().
template <class T>
using GlobMemAllocPtr = GlobPtr<T, GlobLocalMemoryPool<HostSpace>>;

/// Allocates zeroed elements of the caller's own, for units of Team::All() to which it tells the
/// pointer.
/// \returns the null pointer if the runtime has no memory left
/// \collective no  \blocks never  \threads any
template <class T>
GlobMemAllocPtr<T> memalloc(std::size_t nelem) {
  dart_gptr_t gptr = DART_GPTR_NULL;
  const dart_storage<T> storage(nelem);
  if (dart_memalloc(storage.nelem, storage.dtype, &gptr) != DART_OK) gptr = DART_GPTR_NULL;
  return GlobMemAllocPtr<T>(gptr);
}

/// Frees memory of memalloc(), by its owner.
/// \throws exception::InvalidArgument if it is not
template <class T>
void memfree(const GlobMemAllocPtr<T>& pointer, std::size_t /*nelem*/) {
  internal::check(dart_memfree(pointer.dart_gptr()), "dash::memfree");
}

}  // namespace dash
