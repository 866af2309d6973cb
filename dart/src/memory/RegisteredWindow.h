#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "base/RemoteAddress.h"

namespace dash::dart {

class RmaDriver;

/// Memory that the units of a team have registered, as a window of MPI in one passive epoch.
///
/// Making and freeing it is collective and blocks inside MPI: all units have to pass a barrier of
/// the library right before, which serves those who still need something of the others.
class RegisteredWindow {
 public:
  /// \param comm    ranks are the team's unit ids; not kept
  /// \param base    of the caller's memory, which stays the caller's; may be null if nbytes is 0
  /// \param units   global ids of the team's units
  /// \collective over comm  \throws Error
  RegisteredWindow(RmaDriver& driver, MPI_Comm comm, void* base, std::uint64_t nbytes,
                   const std::int32_t* units);
  /// \collective over comm
  ~RegisteredWindow();
  RegisteredWindow(const RegisteredWindow&) = delete;
  RegisteredWindow& operator=(const RegisteredWindow&) = delete;

  /// Bytes that a unit of the team has registered.
  std::uint64_t nbytes(int unit) const noexcept {
    return _parts[static_cast<std::size_t>(unit)].nbytes;
  }

  /// An offset in the memory of a unit of the team.
  RemoteAddress at(int unit, std::uint64_t offset) const noexcept;

 private:
  struct Part {
    std::uint64_t address;       // in the unit's process
    std::uint64_t displacement;  // of its begin in what MPI took for the window
    std::uint64_t nbytes;
    std::int32_t unit;  // global id
  };

  RmaDriver& _driver;
  MPI_Win _window = MPI_WIN_NULL;
  std::vector<Part> _parts;
};

}  // namespace dash::dart
