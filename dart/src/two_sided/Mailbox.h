#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "dash/async/Engine.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// Memory in its sender's heap through which a message goes: a header, then a ring of pieces.
///
/// The sender writes pieces and counts them in `written`, the receiver reads them and counts them
/// in `read`; each counter is stored with release after its piece has been copied and loaded with
/// acquire before. A buffered message is one piece, and its receiver gives the block back; any
/// other is watched by its sender, who takes the block back when all has been read.
struct alignas(core::cache_line_size) MessageBlock {
  /// Where the next block of a list is (a place in the heaps of the node), 0 at its end.
  std::atomic<std::uint64_t> next{0};
  std::int32_t source = -1;  // global id
  std::int32_t tag = 0;
  std::uint64_t nbytes = 0;  // of the message
  std::uint64_t piece = 0;   // bytes of a piece, but for the last one
  std::uint64_t npieces = 0;
  std::uint32_t capacity = 0;  // bytes behind the header
  bool buffered = false;

  alignas(core::cache_line_size) std::atomic<std::uint64_t> written{0};
  alignas(core::cache_line_size) std::atomic<std::uint64_t> read{0};

  char* data() noexcept { return reinterpret_cast<char*>(this + 1); }
};

/// A list of blocks that any unit of the node pushes to, and one process takes as a whole: newest
/// first. Taking everything at once is what spares it the ABA problem.
class BlockList {
 public:
  /// \param base  of the heaps, in the calling process
  void push(char* base, MessageBlock& block) noexcept {
    const auto place = static_cast<std::uint64_t>(reinterpret_cast<char*>(&block) - base);
    std::uint64_t head = _head.load(std::memory_order_relaxed);
    do {
      block.next.store(head, std::memory_order_relaxed);
      // Release: the block's contents, for who takes it.
    } while (!_head.compare_exchange_weak(head, place, std::memory_order_release,
                                          std::memory_order_relaxed));
  }

  /// Empties the list and calls f(block) for each of its blocks, newest first; f may reuse `next`.
  template <class F>
  void take_all(char* base, F f) noexcept {
    if (_head.load(std::memory_order_relaxed) == 0) return;
    std::uint64_t place = _head.exchange(0, std::memory_order_acquire);
    while (place != 0) {
      auto& block = *reinterpret_cast<MessageBlock*>(base + place);
      place = block.next.load(std::memory_order_relaxed);
      f(block);
    }
  }

  void clear() noexcept { _head.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> _head{0};
};

/// What the other units of the node see of a unit that receives; in its heap.
struct Mailbox {
  /// Counts everything that may let one of the unit's calls go on: a message, a piece of one, a
  /// piece that was read. All of the unit's threads that wait for messages sleep on it.
  alignas(core::cache_line_size) exec::SharedWord bell;
  alignas(core::cache_line_size) BlockList arrived;
  /// Buffered blocks of this unit that their receivers have done with.
  alignas(core::cache_line_size) BlockList returned;

  void ring() noexcept { bell.add(1); }
};

}  // namespace dash::dart
