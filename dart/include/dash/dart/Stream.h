#pragma once

/// \file
/// Streams of data between units of different nodes: what halo exchange of the layer above stands on.

#include <cstddef>
#include <cstdint>

#include "dash/async/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/Signal.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// A stream goes from one unit to another on another node, and both know sizes and order of its
/// pieces: the receiver says where each belongs, before or after it has come. So it needs neither
/// announcement nor answer, and nobody has to know that the other one is ready.
///
/// Streams are told apart by number, below max_streams, within a segment, whose memory need not be
/// concerned.
inline constexpr std::uint32_t max_streams = 256;

/// How many streams of a segment there are: max_streams, or fewer where MPI has few tags.
/// \throws exception::InvalidArgument if the segment is not alive
DASH_API std::uint32_t num_streams(const dart_gptr_t& segment);

/// Sends the next piece of a stream.
/// \param peer  names the segment and the receiver
/// \completion the returned operation: source   \blocks never, except while too many operations are
///             in flight   \threads any, one at a time per stream
/// \throws exception::InvalidArgument if the segment is not alive, or the stream has no number
/// \cost one message of MPI, without a copy of our own
DASH_API exec::Operation send_in_stream(const dart_gptr_t& peer, std::uint32_t stream,
                                        const void* src, std::size_t nbytes);

/// Receives the next piece of a stream, and then raises a signal of the caller's own.
/// \param peer  names the segment and the sender
/// \param dest  the library's until the signal has been raised
/// \blocks never, except while too many operations are in flight
/// \threads any, one at a time per stream
/// \throws as send_in_stream
DASH_API void receive_in_stream(const dart_gptr_t& peer, std::uint32_t stream, void* dest,
                                std::size_t nbytes, Signal& signal, std::uint32_t value);

/// wait_signal() for one that receive_in_stream() raises: looks for that first.
DASH_API void wait_received(Signal& signal, std::uint32_t value);

}  // namespace dash::dart
