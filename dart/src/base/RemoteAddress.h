#pragma once

#include <mpi.h>

#include <cstdint>

namespace dash::dart {

/// Memory of a unit, as MPI finds it and as the unit's own engine does.
struct RemoteAddress {
  int unit = 0;  // global id: who serves messages
  int rank = 0;  // of the unit in the window
  MPI_Win window = MPI_WIN_NULL;
  std::uint64_t displacement = 0;  // in the window
  std::uint64_t place = 0;         // offset in the unit's heap, or address there
  bool absolute = false;           // which of the two

  RemoteAddress at(std::uint64_t offset) const noexcept {
    RemoteAddress other = *this;
    other.displacement += offset;
    other.place += offset;
    return other;
  }
};

}  // namespace dash::dart
