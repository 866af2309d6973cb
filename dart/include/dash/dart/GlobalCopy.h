#pragma once

/// \file
/// Copies from global memory to global memory as operations of the engine.

#include <cstddef>
#include <memory>

#include "dash/async/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// What is contiguous at both ends of a copy.
struct CopyPiece {
  dart_gptr_t dest;
  dart_gptr_t src;
  std::size_t nbytes;
};

/// The pieces of a copy, one after the other.
class DASH_API CopyPieces {
 public:
  CopyPieces() = default;
  CopyPieces(const CopyPieces&) = delete;
  CopyPieces& operator=(const CopyPieces&) = delete;
  virtual ~CopyPieces() = default;

  /// \returns false after the last one
  /// \threads one at a time, the progress thread among them; must not block
  virtual bool next(CopyPiece& piece) = 0;
};

/// Starts to copy pieces of global memory, which must not overlap what is written.
///
/// What the caller's node has at either end moves directly; what it has at neither passes through
/// some slabs of memory that are filled while others are emptied, so that the memory it takes is
/// bounded however much is copied.
/// \param src, dest  the first byte at each end: a flush of either segment completes the copy
/// \completion the returned operation: remote. It fails with what the first transfer failed with, a
///             piece outside of a live segment included; others may have been made then
/// \blocks never   \threads any
/// \cost a copy within the node if its ends are there; else a get, a put, or both for each piece;
///       1 MiB at most for what passes through
DASH_API exec::Operation copy_global_async(std::unique_ptr<CopyPieces> pieces, dart_gptr_t dest,
                                           dart_gptr_t src);

/// The same for one piece that is on the caller's node at one end at least.
/// \returns false, starting nothing, if it is not
/// \throws exception::InvalidArgument if an end is not within a live segment
DASH_API bool copy_direct_async(const CopyPiece& piece, exec::Operation& operation);

}  // namespace dash::dart
