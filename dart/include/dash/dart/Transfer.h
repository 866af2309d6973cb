#pragma once

/// \file
/// Transfers of contiguous memory as operations: what the containers, halo exchange and copies of
/// the layer above stand on.

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
/// \completion the returned operation: the data is in `dest`; until then `dest` is the library's
/// \blocks never, except while too many operations are in flight  \threads any
/// \throws exception::InvalidArgument if the source is not within a live segment
/// \cost on a node a copy: in the call if small, else by the copy queue
DASH_API exec::Operation get_async(void* dest, dart_gptr_t src, std::size_t nbytes);

/// Starts a transfer of `nbytes` bytes to global memory.
/// \completion the returned operation: remote; until then `src` must not change
DASH_API exec::Operation put_async(dart_gptr_t dest, const void* src, std::size_t nbytes);

/// What is contiguous at both ends of a transfer between native memory and one unit's.
struct TransferRun {
  std::uint64_t offset;  ///< in the unit's part of the segment
  void* memory;          ///< native; a put only reads it
  std::size_t nbytes;
};

/// Starts a transfer of runs from the memory of one unit, as few operations between nodes: what is
/// contiguous there is got as a whole and unpacked, what is scattered in short runs goes in messages
/// that have many of them.
/// \param src  names unit and segment; its offset does not matter
/// \param runs  native memory of one does not overlap that of another
/// \completion the returned operation: the data is where it belongs
/// \blocks never, except while too many operations are in flight  \threads any
/// \throws exception::InvalidArgument if a run is not within a live segment
/// \cost on a node one copy, in the call if it is small, else by the copy queue
DASH_API exec::Operation get_runs_async(const dart_gptr_t& src, std::span<const TransferRun> runs);

/// The same to the memory of one unit.
/// \completion the returned operation: remote; until then what is read must not change
DASH_API exec::Operation put_runs_async(const dart_gptr_t& dest, std::span<const TransferRun> runs);

/// A put whose arrival the target learns of: once the data is visible there, `value` is stored or
/// added to the Signal at `signal` (of the same unit), and who waits for it wakes. If the put fails,
/// the signal is not raised.
/// \completion the returned operation: source (`src` may be reused)
/// \cost between nodes one message, if the data is small, else one and the data
DASH_API exec::Operation put_signal(dart_gptr_t dest, const void* src, std::size_t nbytes,
                                    dart_gptr_t signal, std::uint32_t value,
                                    SignalOp op = SignalOp::set,
                                    SignalFlush flush = SignalFlush::ignores);

/// The same for `nblocks` blocks of `blocklen` bytes that lie `src_stride` bytes apart; they arrive
/// one behind the other. A dimension of the source may be outermost: it is read once, in order.
/// What fails after the source has been read is told by the log.
DASH_API exec::Operation put_strided_signal(dart_gptr_t dest, const void* src, std::size_t blocklen,
                                            std::size_t src_stride, std::size_t nblocks,
                                            dart_gptr_t signal, std::uint32_t value);

/// Returns when the signal's serial number is at least `value` (modulo 2^32), and what was put
/// before it is visible.
DASH_API void wait_signal(Signal& signal, std::uint32_t value);

/// Whether it is; makes progress.
DASH_API bool test_signal(Signal& signal, std::uint32_t value);

/// Returns when all transfers that this unit has started are complete, remotely.
DASH_API void complete_all();

}  // namespace dash::dart
