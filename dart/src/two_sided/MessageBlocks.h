#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "memory/GlobalMemory.h"
#include "two_sided/Mailbox.h"

namespace dash::dart {

/// The message blocks of this unit, from its part of the local pool (dart_memalloc) and kept for
/// the next messages. Bounded: `buffer_bytes` in flight as buffered messages, as much kept, and one
/// block for each call that waits for its receiver.
/// \threads any
class MessageBlocks {
 public:
  static constexpr std::size_t piece_bytes = std::size_t{64} * 1024;
  static constexpr std::size_t ring_pieces = 4;
  /// Messages up to here are buffered.
  static constexpr std::size_t buffered_message_bytes = piece_bytes;
  static constexpr std::size_t buffer_bytes = std::size_t{1024} * 1024;

  MessageBlocks(Session& session, GlobalMemory& memory) noexcept;

  /// A block for a message that its sender need not watch.
  /// \returns nullptr if as much as may be is buffered already, or the pool is used up
  MessageBlock* take_buffered(std::size_t nbytes);
  /// A block for a message whose sender stays.
  /// \throws Error (DART_ERR_NOMEM)
  MessageBlock& take(std::size_t nbytes);
  void give_back(MessageBlock& block);

 private:
  static constexpr std::array<std::size_t, 4> capacities{256, 4096, piece_bytes,
                                                         ring_pieces* piece_bytes};

  MessageBlock* find_or_make(std::size_t nbytes);
  MessageBlock* make(std::size_t capacity);
  void collect_returned();
  void keep(MessageBlock& block);
  void release_kept();
  void release(MessageBlock& block);

  Session& _session;
  GlobalMemory& _memory;
  std::mutex _mutex;  // guards what follows
  std::array<std::vector<MessageBlock*>, capacities.size()> _kept;
  std::size_t _kept_bytes = 0;
  std::size_t _buffered_bytes = 0;
};

}  // namespace dash::dart
