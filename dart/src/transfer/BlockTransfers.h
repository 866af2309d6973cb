#pragma once

#include <span>
#include <vector>

#include "dash/async/Operation.h"
#include "dash/dart/Transfer.h"
#include "transfer/TypedTransfers.h"

namespace dash::dart {

/// Starts an operation and appends it to others. An operation in flight is never lost to an
/// exception.
template <class Start>
void start_and_append(std::vector<exec::Operation>& operations, Start start) {
  operations.emplace_back();  // before the operation is in flight
  operations.back() = start();
  if (!operations.back().state()) operations.pop_back();
}

/// Transfers of many blocks between native memory and the memory of one unit.
/// \threads thread-safe
class BlockTransfers {
 public:
  explicit BlockTransfers(TypedTransfers& typed) noexcept : _typed(typed) {}

  /// See get_blocks_async() and put_blocks_async().
  /// @{
  exec::Operation get(const dart_gptr_t& src, std::span<const TransferBlock> blocks);
  exec::Operation put(const dart_gptr_t& dest, std::span<const TransferBlock> blocks);
  /// @}

  /// Start a transfer as several operations.
  /// \param operations  the operations are appended, even if the call throws
  /// @{
  void start_get(const dart_gptr_t& src, std::span<const TransferBlock> blocks,
                 std::vector<exec::Operation>& operations);
  void start_put(const dart_gptr_t& dest, std::span<const TransferBlock> blocks,
                 std::vector<exec::Operation>& operations);
  /// @}

 private:
  TypedTransfers& _typed;
};

}  // namespace dash::dart
