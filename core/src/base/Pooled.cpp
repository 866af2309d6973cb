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

// Sizes are counted in cache lines. Small ones have a pool each, and the largest has one.
constexpr std::size_t step = cache_line_size;
constexpr std::align_val_t alignment{step};
constexpr std::size_t num_small = 12;
constexpr std::size_t num_pools = num_small + 1;
constexpr std::size_t no_pool = num_pools;
/// A thread keeps at most so many free objects of a size, and passes on or takes half as many.
constexpr std::size_t kept = 32;

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

/// New small objects are made so many at a time, in memory that is never given back. Large ones are
/// made one by one: threads share so many at the most, so that a burst does not keep its memory.
constexpr std::size_t made = kept / 2;
constexpr std::size_t most_shared_large = (std::size_t{1} << 20) / bytes_in(num_small);

constexpr bool is_large(std::size_t pool) {
  return pool == num_small;
}

struct Node {
  Node* next;
};

/// What the threads share of a size.
class Shared {
 public:
  /// \returns false, taking nothing, if there are `most` already
  bool give(Node* first, Node* last, std::size_t count, std::size_t most) noexcept {
    std::lock_guard lock(_lock);
    if (_count >= most) return false;
    last->next = _first;
    _first = first;
    _count += count;
    return true;
  }
  /// Up to half of what a thread keeps. \returns how many, linked from `first`
  std::size_t take(Node*& first) noexcept {
    std::lock_guard lock(_lock);
    std::size_t count = 0;
    for (; _first != nullptr && count < kept / 2; ++count) {
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

// Constant initialised and trivially destroyed: usable for as long as the process lives.
constinit std::array<Shared, num_pools> shared;

struct Own {
  Node* first = nullptr;
  std::size_t count = 0;
};
// In the static block of thread-local memory, where it is reached without a call.
[[gnu::tls_model("initial-exec")]] constinit thread_local std::array<Own, num_pools> own{};

/// Gives the first nodes of the thread's own to the others, or large ones back to the system.
void pass_on(std::size_t pool, std::size_t count) noexcept {
  Own& mine = own[pool];
  if (count == 0) return;
  Node* const first = mine.first;
  Node* last = first;
  for (std::size_t i = 1; i < count; ++i)
    last = last->next;
  mine.first = last->next;
  mine.count -= count;
  last->next = nullptr;
  const std::size_t most =
      is_large(pool) ? most_shared_large : std::numeric_limits<std::size_t>::max();
  if (shared[pool].give(first, last, count, most)) return;
  for (Node* node = first; node != nullptr;)
    ::operator delete(std::exchange(node, node->next), alignment);
}

/// Makes new objects, which are the thread's own.
void grow(std::size_t pool) {
  const std::size_t nbytes = bytes_in(pool);
  const std::size_t count = is_large(pool) ? 1 : made;
  auto* const memory = static_cast<char*>(::operator new(count* nbytes, alignment));
  Own& mine = own[pool];
  for (std::size_t i = count; i-- > 0;)
    mine.first = ::new (memory + i * nbytes) Node{mine.first};
  mine.count += count;
}

/// At the end of a thread its memory goes to the others.
struct Returner {
  ~Returner() {
    for (std::size_t pool = 0; pool < num_pools; ++pool)
      pass_on(pool, own[pool].count);
  }
  void arm() noexcept {}
};
thread_local Returner returner;

}  // namespace

void* Pooled::operator new(std::size_t nbytes) {
  const std::size_t pool = pool_of(nbytes);
  if (pool == no_pool) return ::operator new(lines_of(nbytes) * step, alignment);
  Own& mine = own[pool];
  if (mine.first == nullptr) {
    returner.arm();
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
  Own& mine = own[pool];
  if (mine.count == 0) returner.arm();
  mine.first = ::new (memory) Node{mine.first};
  if (++mine.count > kept) pass_on(pool, kept / 2);
}

}  // namespace dash::core
