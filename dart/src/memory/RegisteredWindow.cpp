#include "memory/RegisteredWindow.h"

#include <array>

#include "base/Error.h"
#include "base/MpiCheck.h"
#include "base/MpiWindow.h"
#include "launch/BootstrapCollectives.h"
#include "network/rma/RmaDriver.h"

namespace dash::dart {

RegisteredWindow::RegisteredWindow(RmaDriver& driver, MPI_Comm comm, void* base,
                                   std::uint64_t nbytes, const std::int32_t* units)
    : _driver(driver) {
  int size = 0;
  check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  const auto address = reinterpret_cast<std::uint64_t>(base);
  std::uint64_t window_base = address;
  int code = MPI_SUCCESS;
  // A unit accesses its own memory directly. Open MPI 4.1 cannot create a window of one process.
  if (size > 1) {
    code = MPI_Win_create(base, static_cast<MPI_Aint>(nbytes), 1, MPI_INFO_NULL, comm, &_window);
    // Displacements count from the base that MPI uses.
    if (code == MPI_SUCCESS && nbytes != 0)
      window_base = reinterpret_cast<std::uint64_t>(base_of_window(_window, base));
  }
  const std::array<std::uint64_t, 4> own{address, address - window_base, nbytes,
                                         code == MPI_SUCCESS ? 0U : 1U};
  std::vector<std::array<std::uint64_t, 4>> all(static_cast<std::size_t>(size));
  allgather(own.data(), all.data(), sizeof own, comm,
            code == MPI_SUCCESS ? no_wait_limit : ns_after_failure(nbytes));
  check_mpi(code, "MPI_Win_create");
  for (const auto& [part_address, displacement, part_nbytes, has_failed] : all) {
    const std::int32_t unit = units[_parts.size()];
    // Freeing a window is collective, so a window that some units lack is not freed.
    if (has_failed != 0) throw_error(DART_ERR_OTHER, "MPI_Win_create: failed on unit {}", unit);
    _parts.push_back({part_address, displacement, part_nbytes, unit});
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
