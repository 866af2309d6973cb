#pragma once

/// \file
/// Copies from global memory to global memory. Internal to the library.

#include <cstddef>
#include <memory>

#include "dash/async/Operation.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// A block that is contiguous at both ends of a copy.
struct CopyBlock {
  dart_gptr_t dest;
  dart_gptr_t src;
  std::size_t nbytes;
};

/// The sequence of the blocks of a copy.
class DASH_API CopyBlocks {
 public:
  CopyBlocks() = default;
  CopyBlocks(const CopyBlocks&) = delete;
  CopyBlocks& operator=(const CopyBlocks&) = delete;
  virtual ~CopyBlocks() = default;

  /// \returns false after the last block
  /// \blocks must not  \threads externally synchronized; the progress thread may call it
  virtual bool next(CopyBlock& block) = 0;
};

/// Starts to copy blocks of global memory. The sources must not overlap the destinations.
///
/// A block with one end on the caller's node moves directly. A block with both ends on other nodes
/// passes through buffers of the caller, some of which are filled while others are emptied. Their
/// size does not depend on the size of the copy.
/// \param src, dest  the first byte at each end: a flush of either segment completes the copy
/// \completion the returned operation: remote. It fails with the error of the first failed
///             transfer; a block that is not within a live segment is such a failure. Other
///             transfers may have been made in that case
/// \blocks never  \threads thread-safe
/// \cost a copy within the node if both ends are there; otherwise a get, a put, or both for each
///       block; at most 1 MiB of buffers
DASH_API exec::Operation copy_global_async(std::unique_ptr<CopyBlocks> blocks, dart_gptr_t dest,
                                           dart_gptr_t src);

/// Starts to copy one block with at least one end on the caller's node.
/// \returns false, without an effect, if neither end is there
/// \throws exception::InvalidArgument if an end is not within a live segment
DASH_API bool copy_direct_async(const CopyBlock& block, exec::Operation& operation);

}  // namespace dash::dart
