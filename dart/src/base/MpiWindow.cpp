#include "base/MpiWindow.h"

#include "base/MpiCheck.h"

namespace dash::dart {

void begin_epoch(MPI_Win window) {
  check_mpi(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window), "MPI_Win_lock_all");
}

void free_window(MPI_Win& window) noexcept {
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

void* base_of_window(MPI_Win window, void* address) noexcept {
  void* base = nullptr;
  int found = 0;
  MPI_Win_get_attr(window, MPI_WIN_BASE, static_cast<void*>(&base), &found);
  return found != 0 ? base : address;
}

}  // namespace dash::dart
