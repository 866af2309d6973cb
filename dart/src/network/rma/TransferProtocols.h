#pragma once

#include <cstddef>

#include "base/RemoteAddress.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"
#include "network/messages/Message.h"
#include "network/rma/TransferBatches.h"

namespace dash::dart {

/// Sizes, in bytes, that select the protocol of a transfer between nodes. See
/// docs/decisions/006-small-puts.md.
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

  // Nonblocking transfers.
  std::size_t put_message_max = 0;
  std::size_t put_two_sided_min = never;
  std::size_t get_two_sided_min = never;
  /// From this size on, and below put_two_sided_min, the next poll starts the put: MPI copies the
  /// data in the call.
  std::size_t put_deferred_min = never;
  std::size_t put_batched_max = 0;
  std::size_t get_batched_max = TransferBatches::max_nbytes;

  /// The thresholds that apply to an address, of puts by active messages and of two-sided messages.
  /// Memory that lies in no window is accessed by messages only.
  /// @{
  static std::size_t message_max(const RemoteAddress& remote, std::size_t max) noexcept {
    return remote.has_window() ? max : Message::max_payload;
  }
  static std::size_t two_sided_min(const RemoteAddress& remote, std::size_t min) noexcept {
    return remote.has_window() ? min : 0;
  }
  /// @}

  /// The path of a transfer, for the statistics. \param two_sided_min  the threshold that applies
  /// to it
  static core::OperationPath path_of(std::size_t nbytes, std::size_t two_sided_min,
                                     bool by_message) noexcept {
    if (by_message) return core::OperationPath::message;
    return nbytes >= two_sided_min ? core::OperationPath::two_sided : core::OperationPath::rma;
  }
};

/// Larger transfers are divided into chunks of this many bytes, which fit MPI's int counts: the
/// setting is bounded.
inline std::size_t chunk_bytes() noexcept {
  return core::settings().rma_fragment;
}

}  // namespace dash::dart
