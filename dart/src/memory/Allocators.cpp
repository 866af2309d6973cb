#include "memory/Allocators.h"

#include <algorithm>

#include "base/Error.h"

namespace dash::dart {

dart_gptr_t Allocator::allocate(std::uint64_t nbytes) {
  const std::uint64_t at_least = std::max<std::uint64_t>(nbytes, 1);
  const std::uint64_t size = (at_least + alignment - 1) / alignment * alignment;
  const std::lock_guard lock(_mutex);
  const auto offset = size < nbytes ? std::nullopt : _free.find_best(size);
  if (!offset) {
    throw_error(DART_ERR_NOMEM, "the pool in segment {} of team {} has no free range of {} bytes",
                _begin.segid, _begin.teamid, nbytes);
  }
  _free.take(*offset, size);
  dart_gptr_t gptr = _begin;
  gptr.addr_or_offs.offset = *offset;
  return gptr;
}

void Allocator::free(const dart_gptr_t& gptr) {
  const bool is_from_pool =
      gptr.segid == _begin.segid && gptr.teamid == _begin.teamid && gptr.unitid == _begin.unitid;
  const std::lock_guard lock(_mutex);
  if (!is_from_pool || !_free.release(gptr.addr_or_offs.offset)) {
    throw_error(DART_ERR_INVAL,
                "{{unit {}, segment {}, team {}, offset {}}} is not the start of a live allocation "
                "of this unit from the pool in segment {} of team {}",
                static_cast<int>(gptr.unitid), gptr.segid, gptr.teamid, gptr.addr_or_offs.offset,
                _begin.segid, _begin.teamid);
  }
}

dart_allocator_t Allocators::add(std::unique_ptr<Allocator> allocator) {
  const auto handle = reinterpret_cast<dart_allocator_t>(allocator.get());
  const std::lock_guard lock(_mutex);
  _allocators.emplace(handle, std::move(allocator));
  return handle;
}

Allocator& Allocators::find(dart_allocator_t handle) {
  const std::lock_guard lock(_mutex);
  const auto found = _allocators.find(handle);
  if (found == _allocators.end()) {
    throw_error(DART_ERR_INVAL, "{} is not a live allocator", static_cast<void*>(handle));
  }
  return *found->second;
}

void Allocators::remove(dart_allocator_t handle) noexcept {
  const std::lock_guard lock(_mutex);
  _allocators.erase(handle);
}

void Allocators::forget(dart_team_t team) noexcept {
  const std::lock_guard lock(_mutex);
  std::erase_if(_allocators,
                [team](const auto& entry) { return entry.second->begin().teamid == team; });
}

}  // namespace dash::dart
