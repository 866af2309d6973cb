#include "dash/core/Statistics.h"

#include <bit>
#include <memory>
#include <mutex>
#include <vector>

#include "dash/core/Spin.h"

namespace dash::core {

constinit std::atomic<bool> counting_on{false};

namespace {

/// Counters of one thread, and of earlier threads that used the block. Only the owning thread writes, so an
/// addition is a load and a store. Relaxed: the numbers are independent; a mutex orders successive owners of the block.
struct alignas(cache_line_size) Block {
  std::array<std::atomic<std::uint64_t>, Statistics::num_words> words{};

  void add(std::size_t word, std::uint64_t n) noexcept {
    words[word].store(words[word].load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
};

using Words = std::array<std::uint64_t, Statistics::num_words>;

struct Blocks {
  std::mutex mutex;  // guards the members below
  std::vector<std::unique_ptr<Block>> all;
  std::vector<Block*> unused;
  Words at_start{};

  Words sum() const {
    Words total{};
    for (const std::unique_ptr<Block>& block : all) {
      for (std::size_t i = 0; i < total.size(); ++i)
        total[i] += block->words[i].load(std::memory_order_relaxed);
    }
    return total;
  }
};

Blocks& blocks() {
  static Blocks* const instance = new Blocks();  // threads may count at exit
  return *instance;
}

/// The block of a thread. A later thread reuses it.
class OwnBlock {
 public:
  OwnBlock() = default;
  OwnBlock(const OwnBlock&) = delete;
  OwnBlock& operator=(const OwnBlock&) = delete;
  ~OwnBlock() {
    if (_block == nullptr) return;
    const std::lock_guard lock(blocks().mutex);
    blocks().unused.push_back(_block);
    _block = nullptr;
  }

  Block& get() {
    if (_block == nullptr) take();
    return *_block;
  }

 private:
  void take() {
    const std::lock_guard lock(blocks().mutex);
    if (blocks().unused.empty()) {
      blocks().unused.reserve(blocks().all.size() + 1);  // so that the destructor cannot fail
      _block = blocks().all.emplace_back(std::make_unique<Block>()).get();
    } else {
      _block = blocks().unused.back();
      blocks().unused.pop_back();
    }
  }

  Block* _block = nullptr;
};

/// \returns null if there is no memory: the thread does not count then
Block* block_of_this_thread() noexcept {
  static thread_local OwnBlock own;
  try {
    return &own.get();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

constexpr std::size_t first_counter = 2 * num_operation_kinds * num_operation_paths;

}  // namespace

void start_statistics() {
  {
    const std::lock_guard lock(blocks().mutex);
    blocks().at_start = blocks().sum();
  }
  counting_on.store(true, std::memory_order_relaxed);
}

void stop_statistics() noexcept {
  counting_on.store(false, std::memory_order_relaxed);
}

Statistics statistics() {
  const std::lock_guard lock(blocks().mutex);
  Words words = blocks().sum();
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] -= blocks().at_start[i];
  return std::bit_cast<Statistics>(words);
}

void add_to_counter(Counter counter, std::uint64_t n) noexcept {
  Block* const block = block_of_this_thread();
  if (block != nullptr) block->add(first_counter + static_cast<std::size_t>(counter), n);
}

void add_operation(OperationKind kind, OperationPath path, std::size_t nbytes) noexcept {
  Block* const block = block_of_this_thread();
  if (block == nullptr) return;
  const std::size_t word =
      2 * (static_cast<std::size_t>(kind) * num_operation_paths + static_cast<std::size_t>(path));
  block->add(word, 1);
  block->add(word + 1, nbytes);
}

}  // namespace dash::core
