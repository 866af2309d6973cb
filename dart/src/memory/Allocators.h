#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/RangeAllocator.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// A unit's part of the pool of a dart_allocator_t.
class Allocator {
 public:
  /// As in DASH 0.4, a pool is used up completely by allocations of this size.
  static constexpr std::uint64_t alignment = 32;

  /// \param begin  the caller's part of the segment that is the pool
  Allocator(const dart_gptr_t& begin, std::uint64_t nbytes) : _begin(begin), _free(0, nbytes) {}

  const dart_gptr_t& begin() const noexcept { return _begin; }

  /// \throws Error (DART_ERR_NOMEM) if the pool has no free range of this size
  dart_gptr_t allocate(std::uint64_t nbytes);
  /// \throws exception::InvalidArgument unless the pointer is the start of an allocation from this pool
  void free(const dart_gptr_t& gptr);

 private:
  dart_gptr_t _begin;
  std::mutex _mutex;  // guards _free
  RangeAllocator _free;
};

/// The live allocators, by their handles. \threads thread-safe
class Allocators {
 public:
  dart_allocator_t add(std::unique_ptr<Allocator> allocator);
  /// \throws exception::RuntimeError unless it is the handle of a live allocator
  Allocator& find(dart_allocator_t handle);
  void remove(dart_allocator_t handle) noexcept;
  /// Removes the allocators of a team, whose segments are freed.
  void forget(dart_team_t team) noexcept;

 private:
  std::mutex _mutex;  // guards the map
  std::unordered_map<dart_allocator_t, std::unique_ptr<Allocator>> _allocators;
};

}  // namespace dash::dart
