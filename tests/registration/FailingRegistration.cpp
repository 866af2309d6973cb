// Registers memory of the application twice. With DASH_TEST_FAILING_WINDOW=2 MPI cannot create the first of these
// windows on unit 1: the call fails on all units, and the second one succeeds.
//
// With the argument `slab`, allocates a segment that needs a second slab, and transfers data to the next unit. With
// DASH_TEST_FAILING_WINDOW=2 the slab has no window, and the transfers use messages. Then it prints whether the freed
// pages are resident. With the argument `exhausted`, the application takes all communicators of MPI before.

#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "dash/dart/if/dart.h"

namespace {

bool has_resident_pages(char* memory, std::size_t nbytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  memory += page - reinterpret_cast<std::uintptr_t>(memory) % page;
  std::vector<unsigned char> states(nbytes / page - 1);
  return ::mincore(memory, states.size() * page, states.data()) == 0 &&
         std::any_of(states.begin(), states.end(), [](unsigned char state) { return state & 1U; });
}

void take_all_communicators() {
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm taken = MPI_COMM_NULL;
  while (MPI_Comm_dup(MPI_COMM_SELF, &taken) == MPI_SUCCESS) {
  }
}

bool transfer_in_second_slab(int me) {
  constexpr std::size_t nbytes = std::size_t{60} << 20;
  dart_gptr_t segment;
  if (dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &segment) != DART_OK) {
    std::printf("unit %d: %s\n", me, dart_last_error());
    return false;
  }
  void* own_part = nullptr;
  segment.unitid = me;
  dart_gptr_getaddr(segment, &own_part);
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
  if (dart_team_memfree(segment) != DART_OK) return false;
  dart_barrier(DART_TEAM_ALL);  // now both units have freed it
  const bool are_kept = has_resident_pages(static_cast<char*>(own_part), nbytes);
  std::printf("unit %d: freed pages are %s\n", me, are_kept ? "kept" : "returned");
  return is_right;
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
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "exhausted") take_all_communicators();
  const bool is_right = mode.empty() ? register_twice(me.id) : transfer_in_second_slab(me.id);
  return dart_exit() == DART_OK && is_right ? 0 : 1;
}
