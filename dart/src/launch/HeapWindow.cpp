#include "launch/HeapWindow.h"

#include <sys/resource.h>

#include <string>

#include "base/MpiCheck.h"
#include "base/MpiWindow.h"
#include "dash/core/Log.h"
#include "launch/BootstrapCollectives.h"

namespace dash::dart {

namespace {

std::string locked_memory_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return "unknown";
  return limit.rlim_cur == RLIM_INFINITY ? "unlimited" : fmt::format("{} bytes", limit.rlim_cur);
}

void warn_of_failure(std::uint64_t nbytes, const std::string& reason) {
  core::log(core::LogLevel::warn,
            fmt::format("MPI cannot create a window over {} bytes of global memory: {}. Transfers "
                        "between nodes to and from this memory use messages, which are slower. The "
                        "limit of locked memory is {} (ulimit -l)",
                        nbytes, reason, locked_memory_limit()));
}

}  // namespace

std::unique_ptr<HeapWindow> HeapWindow::create(const Heap& heap, MPI_Comm world,
                                               std::uint64_t begin, std::uint64_t end) {
  MPI_Info info = MPI_INFO_NULL;
  check_mpi(MPI_Info_create(&info), "MPI_Info_create");
  check_mpi(MPI_Info_set(info, "same_size", "true"), "MPI_Info_set");
  check_mpi(MPI_Info_set(info, "same_disp_unit", "true"), "MPI_Info_set");
  MPI_Win window = MPI_WIN_NULL;
  char* const memory = heap.own() + begin;
  const int code =
      MPI_Win_create(memory, static_cast<MPI_Aint>(end - begin), 1, info, world, &window);
  MPI_Info_free(&info);
  std::string failure;
  if (code != MPI_SUCCESS) {
    failure = mpi_error_text(code);
  } else if (base_of_window(window, memory) != memory) {
    failure = "it has another base address";
  }
  if (!failure.empty()) warn_of_failure(end - begin, failure);
  int has_failed = failure.empty() ? 0 : 1;
  allreduce(&has_failed, 1, MPI_INT, MPI_MAX, world);
  // Freeing a window is collective, so a window that some units lack cannot be freed.
  if (has_failed != 0) return nullptr;
  begin_epoch(window);
  return std::unique_ptr<HeapWindow>(new HeapWindow(window, begin, end));
}

HeapWindow::~HeapWindow() {
  free_window(_window);
}

}  // namespace dash::dart
