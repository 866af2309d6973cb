#pragma once

#include <mpi.h>

#include <cstdint>

namespace dash::dart {

/// Address of memory at another unit: window and displacement for MPI, location for the target's
/// message handlers.
struct RemoteAddress {
  int unit = 0;  // global id of the target
  int rank = 0;  // of the target in the window
  MPI_Win window = MPI_WIN_NULL;
  std::uint64_t displacement = 0;  // in the window
  std::uint64_t location = 0;  // offset in the target's heap, or an address in the target's process
  bool absolute = false;       // location is an address

  /// Whether MPI RMA can access the memory. Otherwise transfers use messages.
  bool has_window() const noexcept { return window != MPI_WIN_NULL; }

  RemoteAddress at(std::uint64_t offset) const noexcept {
    RemoteAddress other = *this;
    other.displacement += offset;
    other.location += offset;
    return other;
  }
};

}  // namespace dash::dart
