#pragma once

#include <cstddef>

#include "base/RemoteAddress.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"
#include "network/messages/Message.h"
#include "network/rma/TransferBatches.h"

namespace dash::dart {

/// Sizes, in bytes, that select the protocol of a transfer between nodes. See
/// docs/decisions/006-small-puts.md and 022-two-sided-transfers.md.
///
/// The protocols are: an active message that the target acknowledges (puts only); RMA of MPI, where
/// a completion get follows each put; RMA and a flush (blocking puts only); and two-sided messages,
/// which the target receives in place. Small nonblocking transfers are batched if many start
/// between two polls. A `_max` of zero and a `_min` of `never` disable a protocol.
struct TransferProtocols {
  static constexpr std::size_t never = ~std::size_t{0};

  // Blocking transfers.
  std::size_t blocking_put_message_max = Message::max_payload;
  std::size_t blocking_put_flush_max = 0;  // of puts not sent as messages
  std::size_t blocking_put_two_sided_min = never;
  std::size_t blocking_get_two_sided_min = never;
  std::size_t blocking_two_sided_max = never;

  // Nonblocking transfers.
  std::size_t put_message_max = 0;
  std::size_t put_two_sided_min = never;
  std::size_t get_two_sided_min = never;
  /// From this size on, the next poll starts a put that is not two-sided: MPI copies the data in the call.
  std::size_t put_deferred_min = never;
  std::size_t put_batched_max = 0;
  std::size_t get_batched_max = TransferBatches::max_nbytes;

  // Memory that lies in no window is accessed by messages only.
  /// The largest put to an address by active messages. \param max  the threshold for memory in windows
  static std::size_t message_max(const RemoteAddress& remote, std::size_t max) noexcept {
    return remote.has_window() ? max : Message::max_payload;
  }
  /// Whether a transfer uses two-sided messages, if it does not use active ones.
  /// \param min, max  the thresholds for memory in windows
  static bool is_two_sided(const RemoteAddress& remote, std::size_t nbytes, std::size_t min,
                           std::size_t max = never) noexcept {
    return !remote.has_window() || (nbytes >= min && nbytes <= max);
  }
  bool is_blocking_put_two_sided(const RemoteAddress& remote, std::size_t nbytes) const noexcept {
    return is_two_sided(remote, nbytes, blocking_put_two_sided_min, blocking_two_sided_max);
  }
  bool is_blocking_get_two_sided(const RemoteAddress& remote, std::size_t nbytes) const noexcept {
    return is_two_sided(remote, nbytes, blocking_get_two_sided_min, blocking_two_sided_max);
  }

  /// The path of a transfer, for the statistics.
  static core::OperationPath path_of(bool is_two_sided, bool by_message = false) noexcept {
    if (by_message) return core::OperationPath::message;
    return is_two_sided ? core::OperationPath::two_sided : core::OperationPath::rma;
  }
};

/// Larger transfers are divided into chunks of this many bytes, which fit MPI's int counts: the
/// setting is bounded.
inline std::size_t chunk_bytes() noexcept {
  return core::settings().rma_fragment;
}

}  // namespace dash::dart
