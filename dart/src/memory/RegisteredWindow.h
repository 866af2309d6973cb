#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "base/RemoteAddress.h"

namespace dash::dart {

class RmaDriver;

/// Memory that the units of a team have registered: an MPI window in one passive epoch.
///
/// Its construction and destruction are collective and block inside MPI. All units must call
/// Team::barrier() immediately before: the barrier makes progress for units that still wait for
/// operations of others.
class RegisteredWindow {
 public:
  /// \param comm    ranks are the team's unit ids; not kept
  /// \param base    start of the caller's memory, which the caller still owns; may be null if
  ///                nbytes is 0
  /// \param units   global ids of the team's units
  /// \collective over comm
  /// \throws exception::RuntimeError on all units, if MPI cannot create the window on one of them. If MPI leaves the
  ///         other units waiting, the job ends with an error
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

  /// Address of an offset in the memory of a unit of the team.
  RemoteAddress address_of(int unit, std::uint64_t offset) const noexcept;

 private:
  struct Part {
    std::uint64_t address;       // in the unit's process
    std::uint64_t displacement;  // of the memory from the base that MPI uses for the window
    std::uint64_t nbytes;
    std::int32_t unit;  // global id
  };

  RmaDriver& _driver;
  MPI_Win _window = MPI_WIN_NULL;
  std::vector<Part> _parts;
};

}  // namespace dash::dart
