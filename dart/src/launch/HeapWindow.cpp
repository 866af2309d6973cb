#include "launch/HeapWindow.h"

#include <sys/resource.h>

#include <array>
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

MPI_Win create_window(const Processes& processes, void* memory, std::uint64_t nbytes) {
  MPI_Info info = MPI_INFO_NULL;
  check_mpi(MPI_Info_create(&info), "MPI_Info_create");
  if (!processes.has_progress_processes)
    check_mpi(MPI_Info_set(info, "same_size", "true"), "MPI_Info_set");
  check_mpi(MPI_Info_set(info, "same_disp_unit", "true"), "MPI_Info_set");
  MPI_Win window = MPI_WIN_NULL;
  const int code = MPI_Win_create(memory, static_cast<MPI_Aint>(nbytes), 1, info,
                                  processes.communicator, &window);
  MPI_Info_free(&info);
  const bool is_created = code == MPI_SUCCESS;
  const bool has_other_base = is_created && nbytes != 0 && base_of_window(window, memory) != memory;
  if (!is_created) warn_of_failure(nbytes, mpi_error_text(code));
  if (has_other_base) warn_of_failure(nbytes, "it has another base address");
  std::array<int, 2> failures{is_created ? 0 : 1, has_other_base ? 1 : 0};
  allreduce(failures.data(), 2, MPI_INT, MPI_MAX, processes.communicator,
            is_created ? WaitLimit::none : WaitLimit::after_failure);
  const auto [some_lack_it, some_have_other_base] = failures;
  // Freeing a window is collective, so a window that some processes lack cannot be freed.
  if (some_lack_it != 0) return MPI_WIN_NULL;
  if (some_have_other_base != 0) {
    MPI_Win_free(&window);
    return MPI_WIN_NULL;
  }
  begin_epoch(window);
  return window;
}

std::unique_ptr<HeapWindow> HeapWindow::create(const Heap& heap, const Processes& processes,
                                               std::uint64_t begin, std::uint64_t end) {
  const bool is_served = processes.has_progress_processes;
  const MPI_Win window = create_window(processes, is_served ? nullptr : heap.own() + begin,
                                       is_served ? 0 : end - begin);
  if (window == MPI_WIN_NULL) return nullptr;
  return std::unique_ptr<HeapWindow>(new HeapWindow(window, processes, begin, end));
}

HeapWindow::~HeapWindow() {
  free_window(_window);
}

}  // namespace dash::dart
