#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "dash/Exception.h"
#include "dash/core/Log.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/memory/GlobLocalMemoryPool.h"

namespace dash::internal {

namespace {

/// An allocation of the runtime: its start, and its requested size in bytes, without padding for
/// alignment.
struct Block {
  dart_gptr_t begin;
  std::size_t nbytes;
};

/// Key of an allocation: its offset, which is unique within a segment.
using Offset = std::uint64_t;

/// The alignment that the pools of the runtime guarantee; dart_memalloc guarantees more.
constexpr std::size_t natural_alignment = 32;

}  // namespace

struct LocalPool::Impl {
  explicit Impl(Team& owner, bool with_runtime_pool)
      : team(&owner), uses_runtime_pool(with_runtime_pool) {}

  Team* team;
  const bool uses_runtime_pool;          // uses the runtime's pool instead of a pool of the team
  dart_allocator_t allocator = nullptr;  // the pool of the team, null after the team is destroyed
  std::size_t capacity = 0;
  mutable std::mutex mutex;  // guards the members below
  std::map<Offset, Block> blocks;
  std::size_t size = 0;

  dart_gptr_t allocate_block(std::size_t nbytes) {
    dart_gptr_t gptr = DART_GPTR_NULL;
    const bool has_space = uses_runtime_pool || (allocator != nullptr && nbytes <= capacity - size);
    if (!has_space) throw std::bad_alloc();
    const dart_ret_t ret = uses_runtime_pool
                               ? dart_memalloc(nbytes, DART_TYPE_BYTE, &gptr)
                               : dart_allocator_alloc(nbytes, DART_TYPE_BYTE, &gptr, allocator);
    if (ret != DART_OK) throw std::bad_alloc();
    return gptr;
  }

  void free_block(const Block& block) {
    dart_gptr_t begin = block.begin;
    size -= block.nbytes;
    check(uses_runtime_pool ? dart_memfree(begin) : dart_allocator_free(&begin, allocator),
          "deallocation from a memory pool");
  }

  void end() {
    const std::lock_guard lock(mutex);
    blocks.clear();
    size = 0;
    capacity = 0;
    check(dart_allocator_destroy(&allocator), "destruction of a memory pool");
  }
};

LocalPool::LocalPool() : _impl(std::make_unique<Impl>(Team::All(), true)) {}

LocalPool::LocalPool(std::size_t local_capacity, Team& team)
    : _impl(std::make_unique<Impl>(team, false)) {
  if (team.size() == 0) return;
  check(dart_allocator_new(local_capacity, team.dart_id(), &_impl->allocator),
        "dash::GlobLocalMemoryPool");
  _impl->capacity = local_capacity;
  team.register_deallocator(this, [this] { _impl->end(); });
}

LocalPool::~LocalPool() {
  if (_impl->allocator == nullptr) return;
  try {
    _impl->team->unregister_deallocator(this);
    _impl->team->barrier();
    _impl->end();
  } catch (const std::exception& error) {
    core::log(core::LogLevel::error, error.what());
  }
}

dart_gptr_t LocalPool::allocate(std::size_t nbytes, std::size_t alignment) {
  const std::lock_guard lock(_impl->mutex);
  const std::size_t spare = alignment > natural_alignment ? alignment - natural_alignment : 0;
  const dart_gptr_t begin = _impl->allocate_block(nbytes + spare);
  dart_gptr_t gptr = begin;
  const auto address =
      reinterpret_cast<std::uintptr_t>(dart::on_node_address(begin, nbytes + spare));
  gptr.addr_or_offs.offset += (address + alignment - 1) / alignment * alignment - address;
  _impl->blocks.emplace(gptr.addr_or_offs.offset, Block{begin, nbytes});
  _impl->size += nbytes;
  return gptr;
}

void LocalPool::deallocate(const dart_gptr_t& gptr) {
  const std::lock_guard lock(_impl->mutex);
  const auto found = _impl->blocks.find(gptr.addr_or_offs.offset);
  if (found == _impl->blocks.end() || found->second.begin.unitid != gptr.unitid ||
      found->second.begin.segid != gptr.segid || found->second.begin.teamid != gptr.teamid) {
    DASH_THROW(dash::exception::InvalidArgument,
               "deallocation from a memory pool: offset "
                   << gptr.addr_or_offs.offset << " of segment " << gptr.segid << " of unit "
                   << gptr.unitid << " is not the start of an allocation of the caller");
  }
  const Block block = found->second;
  _impl->blocks.erase(found);
  _impl->free_block(block);
}

void LocalPool::release() {
  const std::lock_guard lock(_impl->mutex);
  for (const auto& [offset, block] : _impl->blocks)
    _impl->free_block(block);
  _impl->blocks.clear();
}

std::size_t LocalPool::capacity() const noexcept {
  return _impl->capacity;
}

std::size_t LocalPool::size() const noexcept {
  const std::lock_guard lock(_impl->mutex);
  return _impl->size;
}

Team& LocalPool::team() const noexcept {
  return *_impl->team;
}

}  // namespace dash::internal
