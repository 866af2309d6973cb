#include "dash/core/Pooled.h"

#include <array>
#include <limits>
#include <mutex>
#include <new>
#include <utility>

#include "dash/core/Spin.h"

namespace dash::core {

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool reuse = false;
#else
constexpr bool reuse = true;
#endif

// Sizes are rounded up to cache lines. There is a pool for each small size, and one for the largest size.
constexpr std::size_t step = cache_line_size;
constexpr std::align_val_t alignment{step};
constexpr std::size_t num_small = 12;
constexpr std::size_t num_pools = num_small + 1;
constexpr std::size_t no_pool = num_pools;
/// Maximum number of free objects of a size in the cache of a thread. Half as many move to or from the shared
/// list at a time.
constexpr std::size_t max_cached = 32;

constexpr std::size_t lines_of(std::size_t nbytes) {
  return (nbytes + step - 1) / step;
}
constexpr std::size_t bytes_in(std::size_t pool) {
  return pool < num_small ? (pool + 1) * step : Pooled::large_bytes;
}
constexpr std::size_t pool_of(std::size_t nbytes) {
  const std::size_t lines = lines_of(nbytes);
  if (!reuse) return no_pool;
  if (lines <= num_small) return lines - 1;
  return lines == lines_of(Pooled::large_bytes) ? num_small : no_pool;
}

/// Number of small objects in one heap allocation, which is never freed. Large objects are allocated one by
/// one, and the shared list of large objects is limited, so that a burst does not keep its memory.
constexpr std::size_t objects_per_allocation = max_cached / 2;
constexpr std::size_t max_shared_large = (std::size_t{1} << 20) / bytes_in(num_small);

constexpr bool is_large(std::size_t pool) {
  return pool == num_small;
}

struct Node {
  Node* next;
};

/// The free objects of a size that all threads share.
class SharedList {
 public:
  /// Adds a list of nodes. \returns false, without adding, if there are `limit` or more nodes
  bool add(Node* first, Node* last, std::size_t count, std::size_t limit) noexcept {
    std::lock_guard lock(_lock);
    if (_count >= limit) return false;
    last->next = _first;
    _first = first;
    _count += count;
    return true;
  }
  /// Removes up to max_cached / 2 nodes and links them in front of `first`. \returns their number
  std::size_t take(Node*& first) noexcept {
    std::lock_guard lock(_lock);
    std::size_t count = 0;
    for (; _first != nullptr && count < max_cached / 2; ++count) {
      Node* const node = _first;
      _first = node->next;
      node->next = first;
      first = node;
    }
    _count -= count;
    return count;
  }

 private:
  SpinLock _lock;
  Node* _first = nullptr;
  std::size_t _count = 0;
};

// Constant-initialized and trivially destructible: usable until the process ends.
constinit std::array<SharedList, num_pools> shared;

struct ThreadCache {
  Node* first = nullptr;
  std::size_t count = 0;
};
constinit thread_local std::array<ThreadCache, num_pools> own{};

/// Moves nodes from the cache of the thread to the shared list, or frees large ones if it is full.
void release_cached(std::size_t pool, std::size_t count) noexcept {
  ThreadCache& mine = own[pool];
  if (count == 0) return;
  Node* const first = mine.first;
  Node* last = first;
  for (std::size_t i = 1; i < count; ++i)
    last = last->next;
  mine.first = last->next;
  mine.count -= count;
  last->next = nullptr;
  const std::size_t limit =
      is_large(pool) ? max_shared_large : std::numeric_limits<std::size_t>::max();
  if (shared[pool].add(first, last, count, limit)) return;
  for (Node* node = first; node != nullptr;)
    ::operator delete(std::exchange(node, node->next), alignment);
}

/// Allocates new objects for the cache of the thread.
void grow(std::size_t pool) {
  const std::size_t nbytes = bytes_in(pool);
  const std::size_t count = is_large(pool) ? 1 : objects_per_allocation;
  auto* const memory = static_cast<char*>(::operator new(count* nbytes, alignment));
  ThreadCache& mine = own[pool];
  for (std::size_t i = count; i-- > 0;)
    mine.first = ::new (memory + i * nbytes) Node{mine.first};
  mine.count += count;
}

/// Moves the cache of a thread to the shared lists at its end.
struct CacheReleaser {
  ~CacheReleaser() {
    for (std::size_t pool = 0; pool < num_pools; ++pool)
      release_cached(pool, own[pool].count);
  }
  /// Constructs the thread-local object on first use.
  void touch() noexcept {}
};
thread_local CacheReleaser cache_releaser;

}  // namespace

void* Pooled::operator new(std::size_t nbytes) {
  const std::size_t pool = pool_of(nbytes);
  if (pool == no_pool) return ::operator new(lines_of(nbytes) * step, alignment);
  ThreadCache& mine = own[pool];
  if (mine.first == nullptr) {
    cache_releaser.touch();
    mine.count = shared[pool].take(mine.first);
    if (mine.first == nullptr) grow(pool);
  }
  Node* const node = mine.first;
  mine.first = node->next;
  --mine.count;
  return node;
}

void Pooled::operator delete(void* memory, std::size_t nbytes) noexcept {
  const std::size_t pool = pool_of(nbytes);
  if (pool == no_pool) {
    ::operator delete(memory, alignment);
    return;
  }
  ThreadCache& mine = own[pool];
  if (mine.count == 0) cache_releaser.touch();
  mine.first = ::new (memory) Node{mine.first};
  if (++mine.count > max_cached) release_cached(pool, max_cached / 2);
}

}  // namespace dash::core
