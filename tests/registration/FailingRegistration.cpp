// Registers memory of the application twice. With DASH_TEST_FAILING_WINDOW=2 MPI cannot create the first of these
// windows on unit 1: the call fails on all units, and the second one succeeds.

#include <cstdio>
#include <vector>

#include "dash/dart/if/dart.h"

int main(int argc, char** argv) {
  if (dart_init(&argc, &argv) != DART_OK) return 1;
  dart_global_unit_t me;
  dart_myid(&me);
  // The sizes may differ.
  std::vector<char> memory(static_cast<std::size_t>(10000 * (me.id + 1)));
  dart_gptr_t gptr;
  const dart_ret_t first =
      dart_team_memregister(DART_TEAM_ALL, memory.size(), DART_TYPE_BYTE, memory.data(), &gptr);
  std::printf("unit %d: %s\n", me.id, first == DART_OK ? "registered" : dart_last_error());
  const dart_ret_t second =
      dart_team_memregister(DART_TEAM_ALL, memory.size(), DART_TYPE_BYTE, memory.data(), &gptr);
  const bool is_right = second == DART_OK && dart_team_memderegister(gptr) == DART_OK;
  std::printf("unit %d: %s\n", me.id, is_right ? "registered again" : dart_last_error());
  return dart_exit() == DART_OK && is_right ? 0 : 1;
}
