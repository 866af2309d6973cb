#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <new>
#include <vector>

#include "dash/memory/HostSpace.h"
#include "dash/memory/MemorySpaceBase.h"

namespace dash {

/// Serves small requests from a pool of blocks of one size, and other requests from an upstream
/// resource. Frees all memory on destruction.
/// \threads externally synchronized
/// \ingroup memory
template <class LMemSpace = HostSpace>
class SimpleMemoryPoolResource
    : public MemorySpace<memory_domain_local,
                         typename memory_space_traits<LMemSpace>::memory_space_type_category> {
 public:
  /// Size and alignment of a block in bytes.
  static constexpr std::size_t block_size = 64;

  /// \param upstream  must outlive the pool
  explicit SimpleMemoryPoolResource(
      LMemSpace* upstream = get_default_memory_space<
          memory_domain_local,
          typename memory_space_traits<LMemSpace>::memory_space_type_category>())
      : _upstream(upstream) {}
  SimpleMemoryPoolResource(const SimpleMemoryPoolResource&) = delete;
  SimpleMemoryPoolResource& operator=(const SimpleMemoryPoolResource&) = delete;
  ~SimpleMemoryPoolResource() override { release(); }

  /// The resource that provides the memory; the pool does not own it.
  LMemSpace* upstream_resource() const noexcept { return _upstream; }

  /// Ensures that `nblocks` free blocks are available, with a single allocation for the missing
  /// ones.
  void reserve(std::size_t nblocks) {
    if (nblocks <= _unused.size()) return;
    const std::size_t missing = nblocks - _unused.size();
    _unused.reserve(nblocks);
    auto* const chunk = static_cast<std::byte*>(take(missing * block_size, block_size));
    for (std::size_t i = missing; i-- > 0;)
      _unused.push_back(chunk + i * block_size);
  }

  /// Returns all memory to the upstream resource, including memory that was not deallocated.
  void release() {
    for (const auto& [memory, chunk] : _taken)
      _upstream->deallocate(memory, chunk.nbytes, chunk.alignment);
    _taken.clear();
    _unused.clear();
  }

 private:
  struct Chunk {
    std::size_t nbytes;
    std::size_t alignment;
  };

  static bool is_small(std::size_t nbytes, std::size_t alignment) {
    return nbytes <= block_size && alignment <= block_size;
  }

  void* take(std::size_t nbytes, std::size_t alignment) {
    void* const memory = _upstream->allocate(nbytes, alignment);
    _taken.emplace(memory, Chunk{nbytes, alignment});
    return memory;
  }

  void* do_allocate(std::size_t nbytes, std::size_t alignment) override {
    if (!is_small(nbytes, alignment)) return take(nbytes, alignment);
    if (_unused.empty()) reserve(std::max<std::size_t>(16, 2 * _taken.size()));
    void* const block = _unused.back();
    _unused.pop_back();
    return block;
  }
  void do_deallocate(void* p, std::size_t nbytes, std::size_t alignment) override {
    if (is_small(nbytes, alignment)) {
      _unused.push_back(p);
      return;
    }
    _taken.erase(p);
    _upstream->deallocate(p, nbytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  LMemSpace* _upstream;
  std::vector<void*> _unused;
  std::map<void*, Chunk> _taken;  // allocated upstream: chunks of blocks, and large requests
};

}  // namespace dash
