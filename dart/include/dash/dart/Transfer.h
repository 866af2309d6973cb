#pragma once

/// \file
/// Transfers of contiguous blocks: the interface on which the containers, halo exchange and copies
/// are built. It is internal to the library and no part of its stable interface.

#include <cstddef>
#include <cstdint>
#include <span>

#include "dash/async/Engine.h"
#include "dash/async/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/Signal.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// Starts a transfer of `nbytes` bytes from global memory.
/// \param dest  must not be accessed before completion
/// \completion the returned operation: the data is in `dest`
/// \blocks never, except while too many operations are in flight  \threads thread-safe
/// \throws exception::InvalidArgument if the source is not within a live segment
/// \cost on the node a copy: in the call if it is small, otherwise by the copy queue
DASH_API exec::Operation get_async(void* dest, dart_gptr_t src, std::size_t nbytes);

/// Starts a transfer of `nbytes` bytes to global memory.
/// \param src  must not change before completion
/// \completion the returned operation: remote
/// \blocks never, except while too many operations are in flight  \threads thread-safe
/// \throws exception::InvalidArgument if the destination is not within a live segment
DASH_API exec::Operation put_async(dart_gptr_t dest, const void* src, std::size_t nbytes);

/// A block that is contiguous in native memory and in the memory of a unit.
struct TransferBlock {
  std::uint64_t offset;  ///< bytes, in the unit's part of the segment
  void* memory;          ///< native memory; a put only reads it
  std::size_t nbytes;
};

/// Starts a transfer of blocks from the memory of one unit. Between nodes it takes as few MPI
/// operations and messages as possible: a long block is one MPI operation, short blocks share
/// messages.
/// \param src     names unit and segment; its offset is ignored
/// \param blocks  must not overlap in native memory
/// \completion the returned operation: the data is in native memory
/// \blocks never, except while too many operations are in flight  \threads thread-safe
/// \throws exception::InvalidArgument if a block is not within a live segment
/// \cost on the node one copy, in the call if it is small, otherwise by the copy queue
DASH_API exec::Operation get_blocks_async(const dart_gptr_t& src,
                                          std::span<const TransferBlock> blocks);

/// Starts a transfer of blocks to the memory of one unit, as get_blocks_async().
/// \param blocks  their native memory must not change before completion
/// \completion the returned operation: remote
DASH_API exec::Operation put_blocks_async(const dart_gptr_t& dest,
                                          std::span<const TransferBlock> blocks);

/// Starts a put that notifies the target: when the data is visible there, `value` is stored in, or
/// added to, the Signal at `signal` (of the same unit), and its waiters wake up. If the put fails,
/// the signal is not raised. A put that starts after the returned operation of an earlier one is
/// complete sets the signal after that one does.
/// \completion the returned operation: source
/// \blocks never, except while too many operations are in flight  \threads thread-safe
/// \throws exception::InvalidArgument if the data or the signal is not within a live segment
/// \cost between nodes one message if the data is small, otherwise a message and the data
DASH_API exec::Operation put_signal(dart_gptr_t dest, const void* src, std::size_t nbytes,
                                    dart_gptr_t signal, std::uint32_t value,
                                    SignalOp op = SignalOp::set,
                                    SignalFlush flush = SignalFlush::ignores);

/// As put_signal(), for `nblocks` blocks of `block_nbytes` bytes that lie `src_stride` bytes apart.
/// They are contiguous at the target. The source is read during the call; a later error is logged.
DASH_API exec::Operation put_strided_signal(dart_gptr_t dest, const void* src,
                                            std::size_t block_nbytes, std::size_t src_stride,
                                            std::size_t nblocks, dart_gptr_t signal,
                                            std::uint32_t value);

/// Waits until the signal's serial number is at least `value` (modulo 2^32), and the data put
/// before it is visible.
DASH_API void wait_signal(Signal& signal, std::uint32_t value);

/// Whether the signal has reached `value`. Makes progress if it has not.
DASH_API bool test_signal(Signal& signal, std::uint32_t value);

/// Waits until all transfers that this unit has started are complete, remotely.
DASH_API void complete_all();

}  // namespace dash::dart
