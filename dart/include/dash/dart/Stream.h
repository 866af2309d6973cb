#pragma once

/// \file
/// Streams of data between units of different nodes, on which halo exchange is built. Internal to
/// the library.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "dash/core/Export.h"
#include "dash/dart/Signal.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// Maximum number of streams of a segment.
///
/// A stream connects a unit to a unit of another node. Both know the sizes and the order
/// of its messages, and the receiver sets the destination of each message before or after its
/// arrival. So a message needs neither an announcement nor an acknowledgement. A stream is
/// identified by its number and a segment, whose memory need not be involved.
inline constexpr std::uint32_t max_streams = 256;

/// The number of streams of a segment: max_streams, or fewer if MPI has few tags.
/// \throws exception::InvalidArgument if the segment is not live
DASH_API std::uint32_t num_streams(const dart_gptr_t& segment);

/// Blocks of contiguous bytes at equal distances, in one or more dimensions.
struct StridedBytes {
  /// One dimension.
  struct Level {
    std::size_t count;
    std::size_t stride_nbytes;
  };

  const void* first;
  std::size_t block_nbytes;
  std::span<const Level> levels;  ///< the innermost first
};

/// Whether MPI sends that many bytes faster as strided blocks than after packing.
DASH_API bool is_sent_as_blocks(std::size_t nbytes, std::size_t block_nbytes) noexcept;

/// The ends of streams at this unit, for transfers that are repeated with the same memory. Each
/// transfer is a persistent MPI request, so a start costs little more than MPI_Start.
/// \threads thread-safe, except for concurrent calls for the same transfer
class DASH_API StreamEndpoints {
 public:
  StreamEndpoints();
  /// \pre all started transfers have ended
  ~StreamEndpoints();
  StreamEndpoints(const StreamEndpoints&) = delete;
  StreamEndpoints& operator=(const StreamEndpoints&) = delete;

  /// Identifies a transfer. Each start transfers the next message of the stream.
  using Transfer = std::size_t;

  /// Adds a transfer to another unit.
  /// \param peer    names the segment and the receiver
  /// \param src     must stay valid for all starts
  /// \param signal  raised when `src` may be reused; any word of the caller
  /// \throws exception::InvalidArgument if the segment is not live, or has no such stream
  Transfer add_send(const dart_gptr_t& peer, std::uint32_t stream, const void* src,
                    std::size_t nbytes, Signal& signal);

  /// \overload for strided blocks, which the receiver gets contiguously
  /// \param nbytes  in all blocks
  /// \pre is_sent_as_blocks()
  Transfer add_send(const dart_gptr_t& peer, std::uint32_t stream, const StridedBytes& src,
                    std::size_t nbytes, Signal& signal);

  /// Adds a transfer from another unit.
  /// \param peer    names the segment and the sender
  /// \param dest    must not be accessed from a start until the signal has been raised
  /// \param signal  raised when the data has arrived
  /// \throws as add_send
  Transfer add_receive(const dart_gptr_t& peer, std::uint32_t stream, void* dest,
                       std::size_t nbytes, Signal& signal);

  /// What the caller does next.
  enum class Next : unsigned char {
    computes,  ///< the progress thread polls large transfers
    waits      ///< the caller soon waits for the transfers, and polls
  };

  /// Starts transfers. When one ends, its signal becomes `value`.
  /// \pre their previous starts have ended
  /// \blocks never
  /// \cost one MPI message each, without a copy by this layer
  void start(std::span<const Transfer> transfers, std::uint32_t value, Next next = Next::computes);

  /// Polls for about a microsecond whether all transfers of the last start() have ended. A caller
  /// that waits for all of them calls it before wait(). \blocks never
  void poll_all_started();

  /// wait_signal() for a signal that a transfer raises. Polls the transfers first.
  void wait(Signal& signal, std::uint32_t value);

  /// Whether the next message of a stream to this unit has arrived before its transfer was started.
  bool has_arrived(const dart_gptr_t& peer, std::uint32_t stream) const;

  class Impl;

 private:
  explicit StreamEndpoints(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> _impl;
};

}  // namespace dash::dart
