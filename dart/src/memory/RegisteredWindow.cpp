#include "memory/RegisteredWindow.h"

#include <array>

#include "base/Error.h"
#include "base/MpiCheck.h"
#include "base/MpiWindow.h"
#include "network/rma/RmaDriver.h"

namespace dash::dart {

RegisteredWindow::RegisteredWindow(RmaDriver& driver, MPI_Comm comm, void* base,
                                   std::uint64_t nbytes, const std::int32_t* units)
    : _driver(driver) {
  int size = 0;
  check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  const auto address = reinterpret_cast<std::uint64_t>(base);
  std::uint64_t window_base = address;
  // A unit accesses its own memory directly. Open MPI 4.1 cannot create a window of one process.
  if (size > 1) {
    const int code =
        MPI_Win_create(base, static_cast<MPI_Aint>(nbytes), 1, MPI_INFO_NULL, comm, &_window);
    // Freeing a window is collective, so a window that some units lack is not freed.
    int has_failed = code == MPI_SUCCESS ? 0 : 1;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &has_failed, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
    check_mpi(code, "MPI_Win_create");
    if (has_failed != 0) {
      throw_error(DART_ERR_OTHER, "MPI_Win_create: failed on another unit of the team");
    }
    // Displacements count from the base that MPI uses.
    if (nbytes != 0) window_base = reinterpret_cast<std::uint64_t>(base_of_window(_window, base));
  }
  const std::array<std::uint64_t, 3> own{address, address - window_base, nbytes};
  std::vector<std::uint64_t> all(3 * static_cast<std::size_t>(size));
  check_mpi(MPI_Allgather(own.data(), 3, MPI_UINT64_T, all.data(), 3, MPI_UINT64_T, comm),
            "MPI_Allgather");
  for (int rank = 0; rank < size; ++rank) {
    const auto at = 3 * static_cast<std::size_t>(rank);
    _parts.push_back({all[at], all[at + 1], all[at + 2], units[rank]});
  }
  if (size > 1) begin_epoch(_window);
  _driver.begin_node_messages();
}

RegisteredWindow::~RegisteredWindow() {
  _driver.end_node_messages();
  if (_window != MPI_WIN_NULL) free_window(_window);
}

RemoteAddress RegisteredWindow::address_of(int unit, std::uint64_t offset) const noexcept {
  const Part& part = _parts[static_cast<std::size_t>(unit)];
  RemoteAddress remote;
  remote.unit = part.unit;
  remote.rank = unit;
  remote.window = _window;
  remote.displacement = part.displacement + offset;
  remote.location = part.address + offset;
  remote.absolute = true;
  return remote;
}

}  // namespace dash::dart
