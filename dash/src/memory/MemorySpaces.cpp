#include <memory_resource>

#include "dash/memory/HBWSpace.h"
#include "dash/memory/HostSpace.h"
#include "dash/memory/MemorySpaceRegistry.h"

namespace dash {

HostSpace::~HostSpace() = default;

void* HostSpace::do_allocate(std::size_t nbytes, std::size_t alignment) {
  return std::pmr::new_delete_resource()->allocate(nbytes, alignment);
}

void HostSpace::do_deallocate(void* p, std::size_t nbytes, std::size_t alignment) {
  std::pmr::new_delete_resource()->deallocate(p, nbytes, alignment);
}

bool HostSpace::do_is_equal(const std::pmr::memory_resource& other) const noexcept {
  return dynamic_cast<const HostSpace*>(&other) != nullptr;
}

HBWSpace::~HBWSpace() = default;

void* HBWSpace::do_allocate(std::size_t nbytes, std::size_t alignment) {
  return std::pmr::new_delete_resource()->allocate(nbytes, alignment);
}

void HBWSpace::do_deallocate(void* p, std::size_t nbytes, std::size_t alignment) {
  std::pmr::new_delete_resource()->deallocate(p, nbytes, alignment);
}

bool HBWSpace::do_is_equal(const std::pmr::memory_resource& other) const noexcept {
  return dynamic_cast<const HBWSpace*>(&other) != nullptr;
}

namespace internal {

// Never destroyed, because objects with static storage duration may use them until the process
// ends.

HostSpace* DefaultMemorySpace<memory_domain_local, memory_space_host_tag>::get() noexcept {
  static HostSpace& space = *new HostSpace;
  return &space;
}

HBWSpace* DefaultMemorySpace<memory_domain_local, memory_space_hbw_tag>::get() noexcept {
  static HBWSpace& space = *new HBWSpace;
  return &space;
}

MemorySpaceRegistry& MemorySpaceRegistry::GetInstance() {
  static MemorySpaceRegistry& registry = *new MemorySpaceRegistry;
  return registry;
}

bool MemorySpaceRegistry::add(const dart_gptr_t& gptr, void* space) {
  const std::lock_guard lock(_mutex);
  return _spaces.emplace(Key(gptr.teamid, gptr.segid), space).second;
}

void MemorySpaceRegistry::erase(const dart_gptr_t& gptr) {
  const std::lock_guard lock(_mutex);
  _spaces.erase(Key(gptr.teamid, gptr.segid));
}

void* MemorySpaceRegistry::lookup(const dart_gptr_t& gptr) const {
  const std::lock_guard lock(_mutex);
  const auto found = _spaces.find(Key(gptr.teamid, gptr.segid));
  return found == _spaces.end() ? nullptr : found->second;
}

}  // namespace internal
}  // namespace dash
