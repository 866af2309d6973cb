#pragma once

/// \file
/// Streams of data between units of different nodes: what halo exchange of the layer above stands on.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

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

/// Blocks of contiguous bytes at equal distances, in one or more dimensions.
struct StridedBytes {
  /// One dimension of a walk through them.
  struct Level {
    std::size_t count;
    std::size_t stride_nbytes;
  };

  const void* first;
  std::size_t block_nbytes;
  std::span<const Level> levels;  ///< from the innermost
};

/// Whether MPI sends so many bytes faster in blocks than packed before.
DASH_API bool is_sent_in_blocks(std::size_t nbytes, std::size_t block_nbytes) noexcept;

/// The ends of streams at this unit that are used again and again with the same memory: each is a
/// persistent request of MPI, so that a start costs no more than that.
/// \threads any, but for one transfer one at a time
class DASH_API StreamEnds {
 public:
  StreamEnds();
  /// \pre all transfers that were started have ended
  ~StreamEnds();
  StreamEnds(const StreamEnds&) = delete;
  StreamEnds& operator=(const StreamEnds&) = delete;

  /// Names a transfer: of the next piece of a stream, as often as it is started.
  using Transfer = std::size_t;

  /// \param peer    names the segment and the unit at the other end
  /// \param src     of the caller until the last start
  /// \param signal  raised when `src` may be reused; any word of the caller's
  /// \throws exception::InvalidArgument if the segment is not alive, or the stream has no number
  Transfer add_send(const dart_gptr_t& peer, std::uint32_t stream, const void* src,
                    std::size_t nbytes, Signal& signal);

  /// The same, of blocks as they lie: the receiver gets them one behind the other.
  /// \param nbytes  of all together  \pre is_sent_in_blocks()
  Transfer add_send(const dart_gptr_t& peer, std::uint32_t stream, const StridedBytes& src,
                    std::size_t nbytes, Signal& signal);

  /// \param dest    the library's from each start until the signal has been raised
  /// \param signal  raised when the data is there
  /// \throws as add_send
  Transfer add_receive(const dart_gptr_t& peer, std::uint32_t stream, void* dest,
                       std::size_t nbytes, Signal& signal);

  /// Starts transfers; when one ends, its signal becomes `value`.
  /// \pre their last starts have ended
  /// \blocks never  \cost a message of MPI each, without a copy of our own
  void start(std::span<const Transfer> transfers, std::uint32_t value);

  /// Looks for a microsecond, and for nothing else, whether all that the last start() has begun has
  /// ended: for who waits for all of it anyway, before wait() for each. \blocks never
  void look_for_all();

  /// wait_signal() for one that a transfer raises: looks for that first.
  void wait(Signal& signal, std::uint32_t value);

  /// Whether the next piece of a stream to this unit has come before its transfer was started.
  bool has_come(const dart_gptr_t& peer, std::uint32_t stream) const;

  class Impl;

 private:
  std::unique_ptr<Impl> _impl;
};

}  // namespace dash::dart
