#pragma once

#include <mpi.h>

#include <cstdio>

#include "dash/dart/if/dart.h"

/// For programs that do not use Catch2, because it would initialize the runtime: ends the job if a condition does
/// not hold.
#define CHECK(condition)                                                                    \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      std::fprintf(stderr, "%s:%d: %s\n  last error: %s\n", __FILE__, __LINE__, #condition, \
                   dart_last_error());                                                      \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                         \
    }                                                                                       \
  } while (false)
