// Registers memory of the application twice. With DASH_TEST_FAILING_WINDOW=2 MPI cannot create the first of these
// windows on unit 1: the call fails on all units, and the second one succeeds.
//
// With the argument `slab`, allocates a segment that needs a second slab, and transfers data to the next unit. With
// DASH_TEST_FAILING_WINDOW=2 the slab has no window, and the transfers use messages.

#include <cstddef>
#include <cstdio>
#include <string_view>
#include <vector>

#include "dash/dart/if/dart.h"

namespace {

bool transfer_in_second_slab(int me) {
  constexpr std::size_t nbytes = std::size_t{60} << 20;
  dart_gptr_t segment;
  if (dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &segment) != DART_OK) {
    std::printf("unit %d: %s\n", me, dart_last_error());
    return false;
  }
  std::size_t size = 0;
  dart_size(&size);
  segment.unitid = static_cast<dart_unit_t>((static_cast<std::size_t>(me) + 1) % size);
  segment.addr_or_offs.offset = nbytes - 100'000;
  const std::vector<char> out(100'000, static_cast<char>(me + 1));
  std::vector<char> in(out.size());
  const bool is_right =
      dart_put_blocking(segment, out.data(), out.size(), DART_TYPE_BYTE, DART_TYPE_BYTE) ==
          DART_OK &&
      dart_get_blocking(in.data(), segment, in.size(), DART_TYPE_BYTE, DART_TYPE_BYTE) == DART_OK &&
      in == out;
  std::printf("unit %d: transfers %s\n", me, is_right ? "work" : "fail");
  dart_barrier(DART_TEAM_ALL);
  segment.unitid = 0;
  segment.addr_or_offs.offset = 0;
  return is_right && dart_team_memfree(segment) == DART_OK;
}

bool register_twice(int me) {
  // The sizes may differ.
  std::vector<char> memory(static_cast<std::size_t>(10000 * (me + 1)));
  dart_gptr_t gptr;
  const dart_ret_t first =
      dart_team_memregister(DART_TEAM_ALL, memory.size(), DART_TYPE_BYTE, memory.data(), &gptr);
  std::printf("unit %d: %s\n", me, first == DART_OK ? "registered" : dart_last_error());
  const dart_ret_t second =
      dart_team_memregister(DART_TEAM_ALL, memory.size(), DART_TYPE_BYTE, memory.data(), &gptr);
  const bool is_right = second == DART_OK && dart_team_memderegister(gptr) == DART_OK;
  std::printf("unit %d: %s\n", me, is_right ? "registered again" : dart_last_error());
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  if (dart_init(&argc, &argv) != DART_OK) return 1;
  dart_global_unit_t me;
  dart_myid(&me);
  const bool is_right = argc > 1 && std::string_view(argv[1]) == "slab"
                            ? transfer_in_second_slab(me.id)
                            : register_twice(me.id);
  return dart_exit() == DART_OK && is_right ? 0 : 1;
}
