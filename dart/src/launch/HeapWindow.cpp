#include "launch/HeapWindow.h"

#include <sys/resource.h>

#include <algorithm>
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

/// Whether MPI can create a further communicator, which each window needs.
bool has_communicators(MPI_Comm communicator) {
  constexpr int tag = 0;
  int rank = 0;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group own = MPI_GROUP_NULL;
  MPI_Comm created = MPI_COMM_NULL;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_group(communicator, &all), "MPI_Comm_group");
  check_mpi(MPI_Group_incl(all, 1, &rank, &own), "MPI_Group_incl");
  const bool has_some = MPI_Comm_create_group(communicator, own, tag, &created) == MPI_SUCCESS;
  if (has_some) MPI_Comm_free(&created);
  MPI_Group_free(&own);
  MPI_Group_free(&all);
  return has_some;
}

void warn_of_failure(std::uint64_t nbytes, const std::string& reason, const std::string& advice) {
  core::log(core::LogLevel::warn,
            fmt::format("MPI cannot create a window over {} bytes of global memory: {}. Transfers "
                        "between nodes to and from this memory use messages, which are slower{}",
                        nbytes, reason, advice));
}

/// The largest memory that a process exposes, if each unit's memory has `unit_nbytes`.
std::uint64_t largest_part(const Processes& processes, std::uint64_t unit_nbytes) {
  const auto& index_of = processes.index_at_server;
  const auto last = std::max_element(index_of.begin(), index_of.end());
  const std::int32_t last_index = last == index_of.end() ? 0 : *last;
  return (static_cast<std::uint64_t>(last_index) + 1) * unit_nbytes;
}

}  // namespace

CreatedWindow create_window(const Processes& processes, void* memory, std::uint64_t nbytes,
                            std::uint64_t unit_nbytes) {
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
  if (!is_created && has_communicators(processes.communicator)) {
    warn_of_failure(
        nbytes, mpi_error_text(code),
        fmt::format(". The limit of locked memory is {} (ulimit -l)", locked_memory_limit()));
  } else if (!is_created) {
    warn_of_failure(nbytes, mpi_error_text(code), ". MPI has no communicators left");
  }
  if (has_other_base) warn_of_failure(nbytes, "it has another base address", "");
  std::array<int, 2> failures{is_created ? 0 : 1, has_other_base ? 1 : 0};
  allreduce(failures.data(), 2, MPI_INT, MPI_MAX, processes.communicator,
            is_created ? no_wait_limit : ns_after_failure(largest_part(processes, unit_nbytes)));
  const auto [some_lack_it, some_have_other_base] = failures;
  // Freeing a window is collective, so a window that some processes lack cannot be freed.
  if (some_lack_it != 0) return {MPI_WIN_NULL, true};
  if (some_have_other_base != 0) {
    MPI_Win_free(&window);
    return {MPI_WIN_NULL, false};
  }
  begin_epoch(window);
  return {window, true};
}

CreatedHeapWindow HeapWindow::create(const Heap& heap, const Processes& processes,
                                     std::uint64_t begin, std::uint64_t end) {
  const bool is_served = processes.has_progress_processes;
  const std::uint64_t nbytes = end - begin;
  const CreatedWindow created = create_window(processes, is_served ? nullptr : heap.own() + begin,
                                              is_served ? 0 : nbytes, nbytes);
  if (created.window == MPI_WIN_NULL) return {nullptr, created.may_be_registered};
  return {std::unique_ptr<HeapWindow>(new HeapWindow(created.window, processes, begin, end)), true};
}

HeapWindow::~HeapWindow() {
  free_window(_window);
}

}  // namespace dash::dart
