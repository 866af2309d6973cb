#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "dash/async/Engine.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// Buffer of a message in the heap of its sender: a header, then a ring buffer of fragments.
///
/// The sender copies fragments into the ring and counts them in `written`; the receiver copies them
/// out and counts them in `read`. Each side stores its counter with release after the copy, and
/// loads the other counter with acquire before the next copy. A buffered message is a single
/// fragment, and its receiver returns the block. Any other block still belongs to its sender, which
/// reuses it when the receiver has read all fragments.
struct alignas(core::cache_line_size) MessageBlock {
  /// The next block of a list, as offset from the base of the node's heaps; 0 at the end.
  std::atomic<std::uint64_t> next{0};
  std::int32_t source = -1;  // global id of the sender
  std::int32_t tag = 0;
  std::uint64_t nbytes = 0;          // of the message
  std::uint64_t fragment_bytes = 0;  // the last fragment may be shorter
  std::uint64_t nfragments = 0;
  std::uint32_t capacity = 0;  // bytes after the header
  bool buffered = false;

  alignas(core::cache_line_size) std::atomic<std::uint64_t> written{0};
  alignas(core::cache_line_size) std::atomic<std::uint64_t> read{0};

  static constexpr std::size_t ring_fragments = 4;

  char* data() noexcept { return reinterpret_cast<char*>(this + 1); }
  char* fragment(std::uint64_t number) noexcept {
    return data() + number % ring_fragments * fragment_bytes;
  }
};

/// The sender's side of a block.
class FragmentWriter {
 public:
  FragmentWriter() noexcept = default;
  /// Describes the message in the block. \pre no other unit accesses the block
  FragmentWriter(MessageBlock& block, const void* message, std::size_t nbytes,
                 std::size_t max_fragment_bytes) noexcept
      : _block(&block), _message(static_cast<const char*>(message)) {
    block.nbytes = nbytes;
    block.fragment_bytes = std::max<std::size_t>(std::min(nbytes, max_fragment_bytes), 1);
    _nfragments =
        std::max<std::uint64_t>((nbytes + block.fragment_bytes - 1) / block.fragment_bytes, 1);
    block.nfragments = _nfragments;
    // Relaxed: the push of the block publishes these values with the rest of the header.
    block.written.store(0, std::memory_order_relaxed);
    block.read.store(0, std::memory_order_relaxed);
  }

  /// Writes as many fragments as fit. \returns whether it wrote any
  bool write_some() noexcept {
    const std::uint64_t before = _written;
    // Acquire: the receiver has read a fragment before it is overwritten. After the last fragment,
    // the block is not accessed: it may belong to the receiver.
    while (_written < _nfragments &&
           _written - _block->read.load(std::memory_order_acquire) < MessageBlock::ring_fragments) {
      const std::uint64_t begin = _written * _block->fragment_bytes;
      const std::uint64_t length = std::min(_block->fragment_bytes, _block->nbytes - begin);
      if (length != 0) std::memcpy(_block->fragment(_written), _message + begin, length);
      _block->written.store(++_written, std::memory_order_release);
    }
    return _written != before;
  }

  /// Whether the receiver has read all fragments: the block belongs to the sender again.
  bool all_read() const noexcept {
    return _block->read.load(std::memory_order_acquire) == _nfragments;
  }

 private:
  MessageBlock* _block = nullptr;
  const char* _message = nullptr;
  std::uint64_t _nfragments = 0;
  std::uint64_t _written = 0;
};

/// The receiver's side of a block.
class FragmentReader {
 public:
  FragmentReader() noexcept = default;
  /// \param nbytes  size of the buffer; a longer message is read and dropped
  FragmentReader(MessageBlock& block, void* buffer, std::size_t nbytes) noexcept
      : _block(&block),
        _buffer(block.nbytes <= nbytes ? static_cast<char*>(buffer) : nullptr),
        _nfragments(block.nfragments) {}

  /// Reads the fragments that have been written. \returns whether it read any
  bool read_some() noexcept {
    const std::uint64_t before = _read;
    while (_read < _nfragments && _read < _block->written.load(std::memory_order_acquire)) {
      const std::uint64_t begin = _read * _block->fragment_bytes;
      if (_buffer != nullptr && begin < _block->nbytes) {
        std::memcpy(_buffer + begin, _block->fragment(_read),
                    std::min(_block->fragment_bytes, _block->nbytes - begin));
      }
      core::before_other_processes();
      // Release: the sender may overwrite the fragment, and after the last one reuse the block.
      _block->read.store(++_read, std::memory_order_release);
    }
    return _read != before;
  }
  /// After this is true, the block may belong to its sender again.
  bool all_read() const noexcept { return _read == _nfragments; }

 private:
  MessageBlock* _block = nullptr;
  char* _buffer = nullptr;
  std::uint64_t _nfragments = 0;
  std::uint64_t _read = 0;
};

/// A lock-free list of blocks. Any unit of the node pushes; one process takes the whole list, newest block
/// first. Since blocks are never taken one by one, the list has no ABA problem.
class BlockList {
 public:
  /// \param base  address of the node's heaps in the calling process
  void push(char* base, MessageBlock& block) noexcept {
    const auto offset = static_cast<std::uint64_t>(reinterpret_cast<char*>(&block) - base);
    std::uint64_t head = _head.load(std::memory_order_relaxed);
    do {
      block.next.store(head, std::memory_order_relaxed);
      // Release: publishes the contents of the block; pairs with the acquire of take_all().
    } while (!_head.compare_exchange_weak(head, offset, std::memory_order_release,
                                          std::memory_order_relaxed));
  }

  /// Empties the list and calls f(block) for each of its blocks, newest first; f may reuse `next`.
  template <class F>
  void take_all(char* base, F f) noexcept {
    // The acquire below pairs with every push since the last take: the compare-exchanges of the pushes form
    // one release sequence. The first load may be relaxed: a missed push of a message changes `events`
    // afterwards, and a later call finds a block that was given back.
    if (_head.load(std::memory_order_relaxed) == 0) return;
    std::uint64_t offset = _head.exchange(0, std::memory_order_acquire);
    while (offset != 0) {
      auto& block = *reinterpret_cast<MessageBlock*>(base + offset);
      offset = block.next.load(std::memory_order_relaxed);
      f(block);
    }
  }

  /// Relaxed: a hint.
  bool looks_empty() const noexcept { return _head.load(std::memory_order_relaxed) == 0; }

  /// Relaxed: a barrier separates it from all pushes.
  void clear() noexcept { _head.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> _head{0};
};

/// The part of a receiving unit that the other units of the node access; in the heap of that unit.
struct Mailbox {
  /// Incremented by every event that a call of the unit may wait for: a message, a fragment of a
  /// message, and a fragment that its receiver has read. All threads of the unit that wait for
  /// messages sleep on it.
  alignas(core::cache_line_size) exec::SharedWord events;
  alignas(core::cache_line_size) BlockList arrived;
  /// Buffered blocks of this unit that their receivers have returned.
  alignas(core::cache_line_size) BlockList returned;

  void notify() noexcept { events.add(1); }
};

}  // namespace dash::dart
