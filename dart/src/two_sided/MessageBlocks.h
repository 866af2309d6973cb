#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "memory/GlobalMemory.h"
#include "two_sided/Mailbox.h"

namespace dash::dart {

/// Allocates the message blocks of this unit from its local pool (dart_memalloc) and caches them.
///
/// The memory is bounded by `buffer_bytes` of buffered messages in flight, the same amount of cached blocks,
/// and one block for each send that waits for its receiver.
/// \threads thread-safe
class MessageBlocks {
 public:
  static constexpr std::size_t fragment_bytes = std::size_t{64} * 1024;
  /// Longest message that is buffered.
  static constexpr std::size_t buffered_message_bytes = fragment_bytes;
  static constexpr std::size_t buffer_bytes = std::size_t{1024} * 1024;

  /// \param returned  the list to which receivers return buffered blocks
  MessageBlocks(Session& session, GlobalMemory& memory, BlockList& returned) noexcept;

  /// Takes a block for a buffered message, whose sender does not wait for the receiver.
  /// \param is_pool_full  set to whether the pool is exhausted, and no buffered message exists whose block will be returned
  /// \returns nullptr if the message is too long, too much is buffered already, or the pool is exhausted
  MessageBlock* take_buffered(std::size_t nbytes, bool* is_pool_full = nullptr);
  /// Takes a block for a message whose sender waits until it has been received.
  /// \throws Error (DART_ERR_NOMEM)
  MessageBlock& take(std::size_t nbytes);
  void return_block(MessageBlock& block);

 private:
  static constexpr std::array<std::size_t, 4> capacities{
      256, 4096, fragment_bytes, MessageBlock::ring_fragments* fragment_bytes};

  MessageBlock* find_or_create(std::size_t nbytes);
  MessageBlock* create(std::size_t capacity);
  void reclaim_returned();
  void cache(MessageBlock& block);
  void release_cached();
  void release(MessageBlock& block);

  Session& _session;
  GlobalMemory& _memory;
  BlockList& _returned;
  std::mutex _mutex;  // guards the members below
  std::array<std::vector<MessageBlock*>, capacities.size()> _cached;
  std::size_t _cached_bytes = 0;
  std::size_t _buffered_bytes = 0;
};

}  // namespace dash::dart
