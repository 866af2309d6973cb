#pragma once

#include <mpi.h>

namespace dash::dart {

/// Parameters of the network subsystem: properties of the job and of this process.
struct NetworkConfig {
  MPI_Comm communicator =
      MPI_COMM_NULL;  ///< all units, for active messages only; ranks are global unit ids
  int nunits = 1;
  int nnodes = 1;
  bool multithreaded = false;   ///< MPI was initialised with MPI_THREAD_MULTIPLE
  bool oversubscribed = false;  ///< the host has more units than processors
  /// Callers that wait poll MPI for the application while all units are on one node.
  bool polls_for_application = true;
  char* heap = nullptr;  ///< start of this unit's heap in this process
};

}  // namespace dash::dart
