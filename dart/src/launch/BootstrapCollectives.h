#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace dash::dart {

// Collectives on a communicator, for the time before the runtime exists. CollectiveEngine cannot serve
// here: it needs the shared heap, the progress engine and the leaders' communicator, which these
// collectives help to create. They use MPI's non-blocking collectives and yield the processor between
// polls. MPI's blocking ones spin, and where units share a processor each of their steps takes a time
// slice of the scheduler, 4 ms.
//
// \collective over the communicator  \blocks until all units have called it
// \throws exception::RuntimeError if MPI fails

/// How long a collective waits for the other units, in nanoseconds; then the job ends with an error.
inline constexpr std::uint64_t no_wait_limit = UINT64_MAX;

/// The limit for a unit on which MPI has failed in a collective call: MPI may have left other units waiting in that
/// call, so that they never reach the next one. Or they still register memory, at some GiB per second.
/// \param nbytes  that another unit registers in the call
constexpr std::uint64_t ns_after_failure(std::uint64_t nbytes = 0) noexcept {
  constexpr std::uint64_t s = 1'000'000'000;
  return 30 * s + nbytes / (1024 * 1024 * 1024) * 2 * s;
}
/// Ends the job after this limit, for a unit that has waited in another way than by these collectives.
[[noreturn]] void end_job_after_failure(std::uint64_t limit_ns);

MPI_Comm duplicate(MPI_Comm comm);
/// Combines `count` elements in place.
void allreduce(void* values, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
               std::uint64_t limit_ns = no_wait_limit);
/// \param nbytes  size of the data of one unit
void allgather(const void* mine, void* all, std::size_t nbytes, MPI_Comm comm,
               std::uint64_t limit_ns = no_wait_limit);
void barrier(MPI_Comm comm);

}  // namespace dash::dart
