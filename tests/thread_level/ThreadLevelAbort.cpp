// A thread other than the main thread ends the job. Below MPI_THREAD_MULTIPLE it must not call MPI_Abort.

#include <thread>

#include "dash/dart/if/dart.h"

int main(int argc, char** argv) {
  if (dart_init(&argc, &argv) != DART_OK) return 1;
  dart_global_unit_t me;
  dart_myid(&me);
  if (me.id == 0) std::thread([] { dart_abort(3); }).join();
  dart_barrier(DART_TEAM_ALL);
  dart_exit();
}
