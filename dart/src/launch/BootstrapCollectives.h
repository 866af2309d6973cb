#pragma once

#include <mpi.h>

#include <cstddef>

namespace dash::dart {

// Collectives for as long as the runtime has none of its own. MPICH's blocking ones look without end, and
// where units share a processor each step takes a slice of the scheduler, 4 ms: these give the
// processor away between looks.
//
// \collective over the communicator  \blocks until all have called it
// \throws Error if MPI fails

MPI_Comm duplicate(MPI_Comm comm);
/// In place, `count` elements.
void allreduce(void* values, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
/// `nbytes` bytes of each.
void allgather(const void* mine, void* all, std::size_t nbytes, MPI_Comm comm);
void barrier(MPI_Comm comm);

}  // namespace dash::dart
