#include "launch/BootstrapCollectives.h"

#include <sched.h>

#include <chrono>
#include <thread>

#include "base/MpiCheck.h"
#include "dash/core/Log.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

namespace {

using Clock = std::chrono::steady_clock;

/// Waits for a request by polling: yields at first and then sleeps between polls, since another unit may
/// need seconds to arrive.
void wait(MPI_Request& request, const char* call, std::uint64_t limit_ns = no_wait_limit) {
  constexpr int polls_before_sleep = 2000;
  constexpr std::chrono::microseconds sleep_time(100);
  const Clock::time_point deadline = limit_ns == no_wait_limit
                                         ? Clock::time_point::max()
                                         : Clock::now() + std::chrono::nanoseconds(limit_ns);
  for (int polls = 0;; ++polls) {
    int done = 0;
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), call);
    if (done != 0) return;
    if (polls < polls_before_sleep) {
      ::sched_yield();
      continue;
    }
    if (Clock::now() > deadline) end_job_after_failure(limit_ns);
    std::this_thread::sleep_for(sleep_time);
  }
}

}  // namespace

void end_job_after_failure(std::uint64_t limit_ns) {
  core::log(core::LogLevel::error,
            fmt::format("MPI has failed on this unit, and {} s later other units have not "
                        "returned from the same call; the job ends",
                        limit_ns / 1'000'000'000));
  abort_mpi(MPI_COMM_WORLD, DART_EXIT_ABORT);
}

MPI_Comm duplicate(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Comm_idup(comm, &copy, &request), "MPI_Comm_idup");
  wait(request, "MPI_Comm_idup");
  return copy;
}

void allreduce(void* values, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
               std::uint64_t limit_ns) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, values, count, type, op, comm, &request),
            "MPI_Iallreduce");
  wait(request, "MPI_Iallreduce", limit_ns);
}

void allgather(const void* mine, void* all, std::size_t nbytes, MPI_Comm comm,
               std::uint64_t limit_ns) {
  const int count = static_cast<int>(nbytes);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, comm, &request),
            "MPI_Iallgather");
  wait(request, "MPI_Iallgather", limit_ns);
}

void barrier(MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(comm, &request), "MPI_Ibarrier");
  wait(request, "MPI_Ibarrier");
}

}  // namespace dash::dart
