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

/// How long a collective waits for the other units.
enum class WaitLimit {
  none,
  /// For half a minute; then the job ends with an error. For a unit on which MPI has failed in a
  /// collective call: MPI may have left other units waiting in that call, so that they never reach
  /// the next one.
  after_failure,
};

/// The limit of WaitLimit::after_failure, for a unit that waits in another way, and the end of the
/// job after it.
inline constexpr std::uint64_t ns_after_failure = 30'000'000'000;
[[noreturn]] void end_job_after_failure();

MPI_Comm duplicate(MPI_Comm comm);
/// Combines `count` elements in place.
void allreduce(void* values, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
               WaitLimit limit = WaitLimit::none);
/// \param nbytes  size of the data of one unit
void allgather(const void* mine, void* all, std::size_t nbytes, MPI_Comm comm,
               WaitLimit limit = WaitLimit::none);
void barrier(MPI_Comm comm);

}  // namespace dash::dart
