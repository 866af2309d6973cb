#include "memory/Allocators.h"

#include <algorithm>
#include <bit>
#include <exception>

#include "base/Error.h"
#include "api/Runtime.h"
#include "base/Types.h"

namespace dash::dart {

dart_gptr_t Allocator::allocate(std::uint64_t nbytes) {
  const std::uint64_t wanted = std::max<std::uint64_t>(nbytes, 1);
  const std::uint64_t size = (wanted + alignment - 1) / alignment * alignment;
  const std::lock_guard lock(_mutex);
  const auto offset = size < nbytes ? std::nullopt : _free.find_best(size);
  if (!offset) {
    throw_error(DART_ERR_NOMEM, "the pool in segment {} of team {} has no {} bytes left",
                _begin.segid, _begin.teamid, nbytes);
  }
  _free.take(*offset, size);
  dart_gptr_t gptr = _begin;
  gptr.addr_or_offs.offset = *offset;
  return gptr;
}

void Allocator::free(const dart_gptr_t& gptr) {
  const bool may_be_mine =
      gptr.segid == _begin.segid && gptr.teamid == _begin.teamid && gptr.unitid == _begin.unitid;
  const std::lock_guard lock(_mutex);
  if (!may_be_mine || !_free.release(gptr.addr_or_offs.offset)) {
    throw_error(DART_ERR_INVAL,
                "{{unit {}, segment {}, team {}, offset {}}} is not the begin of a live allocation "
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
    throw_error(DART_ERR_INVAL, "{} is not a living allocator", static_cast<void*>(handle));
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

namespace dart = dash::dart;

extern "C" {

dart_ret_t dart_allocator_new(size_t pool_size, dart_team_t team,
                              dart_allocator_t* new_allocator) noexcept {
  return dart::guarded("dart_allocator_new", [&] {
    if (new_allocator != nullptr) *new_allocator = nullptr;
    dart::Runtime& runtime = dart::Runtime::get();
    dart::Team& members = runtime.team(team);
    const auto wish = dart::SymmetricHeap::wish([&] {
      if (new_allocator == nullptr) dart::throw_error(DART_ERR_INVAL, "new_allocator is NULL");
      if (pool_size > SIZE_MAX / 2) {
        dart::throw_error(DART_ERR_INVAL, "pool_size {} exceeds the address space", pool_size);
      }
      return std::bit_ceil(pool_size);
    });
    dart_gptr_t begin = runtime.memory().allocate(members, wish);
    begin.unitid = members.my_id();
    *new_allocator =
        runtime.allocators().add(std::make_unique<dart::Allocator>(begin, wish.nbytes));
  });
}

dart_ret_t dart_allocator_alloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t* gptr,
                                dart_allocator_t allocator) noexcept {
  return dart::guarded("dart_allocator_alloc", [&] {
    if (gptr == nullptr) dart::throw_error(DART_ERR_INVAL, "gptr is NULL");
    *gptr = DART_GPTR_NULL;
    const std::size_t nbytes = dart::size_in_bytes(nelem, dtype);
    *gptr = dart::Runtime::get().allocators().find(allocator).allocate(nbytes);
  });
}

dart_ret_t dart_allocator_free(dart_gptr_t* gptr, dart_allocator_t allocator) noexcept {
  return dart::guarded("dart_allocator_free", [&] {
    if (gptr == nullptr) dart::throw_error(DART_ERR_INVAL, "gptr is NULL");
    dart::Runtime::get().allocators().find(allocator).free(*gptr);
    *gptr = DART_GPTR_NULL;
  });
}

dart_ret_t dart_allocator_destroy(dart_allocator_t* allocator) noexcept {
  return dart::guarded("dart_allocator_destroy", [&] {
    if (allocator == nullptr) dart::throw_error(DART_ERR_INVAL, "allocator is NULL");
    dart::Runtime& runtime = dart::Runtime::get();
    const dart_gptr_t begin = runtime.allocators().find(*allocator).begin();
    dart::Team& team = runtime.team(begin.teamid);
    team.barrier();
    const auto failed = runtime.pending_operations().try_flush(begin.segid);
    if (team.segments().count(begin.segid) != 0) runtime.memory().free(team, begin.segid);
    runtime.allocators().remove(*allocator);
    *allocator = nullptr;
    if (failed) std::rethrow_exception(failed);
  });
}

}  // extern "C"
