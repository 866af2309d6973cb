#include "Pooled.h"

#include <array>
#include <mutex>
#include <new>

#include "dash/core/Spin.h"

namespace dash::dart {

namespace {

constexpr std::size_t step = core::cache_line_size;
constexpr std::size_t num_sizes = 96;
constexpr std::align_val_t alignment{step};

/// Memory of one size, handed out again and again.
class FreeList {
 public:
  void* take() noexcept {
    std::lock_guard lock(_lock);
    Node* const node = _first;
    if (node != nullptr) _first = node->next;
    return node;
  }
  void give(void* memory) noexcept {
    Node* const node = ::new (memory) Node{nullptr};
    std::lock_guard lock(_lock);
    node->next = _first;
    _first = node;
  }

 private:
  struct Node {
    Node* next;
  };
  core::SpinLock _lock;
  Node* _first = nullptr;
};

#ifdef __SANITIZE_ADDRESS__
constexpr bool reuse = false;
#else
constexpr bool reuse = true;
#endif

FreeList* list_of(std::size_t nbytes) noexcept {
  // By sizes in cache lines; constant initialised and trivially destroyed.
  static std::array<FreeList, num_sizes> lists;
  const std::size_t index = (nbytes - 1) / step;
  return reuse && index < num_sizes ? &lists[index] : nullptr;
}

}  // namespace

void* Pooled::operator new(std::size_t nbytes) {
  FreeList* const list = list_of(nbytes);
  if (list != nullptr) {
    if (void* const memory = list->take()) return memory;
  }
  return ::operator new((nbytes + step - 1) / step * step, alignment);
}

void Pooled::operator delete(void* memory, std::size_t nbytes) noexcept {
  FreeList* const list = list_of(nbytes);
  if (list != nullptr) {
    list->give(memory);
  } else {
    ::operator delete(memory, alignment);
  }
}

}  // namespace dash::dart
