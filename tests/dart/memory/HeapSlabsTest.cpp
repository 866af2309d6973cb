// dash-test: parallel link=objects process=own units=2,3 full-units=4,7 layouts=nolocal,cliques modes=auto,poll env=DART_HEAP_REGISTER:slabs timeout=120

// The heap in slabs: which memory lies in windows of MPI, and transfers to memory that does not.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "dart/memory/Slabs.h"
#include "dash/core/Memory.h"
#include "support/Catch.h"

using namespace dash::test;
namespace dart = dash::dart;

namespace {

/// A thread that reads local memory of the next unit until the end of the scope. \collective over all units
class NeighbourReads {
 public:
  NeighbourReads() {
    REQUIRE(dart_memalloc(1, DART_TYPE_LONG, &_own) == DART_OK);
    const long value = my_id();
    REQUIRE(dart_put_blocking(_own, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    std::vector<dart_gptr_t> all(static_cast<std::size_t>(num_units()));
    REQUIRE(dart_allgather(&_own, all.data(), sizeof _own, DART_TYPE_BYTE, DART_TEAM_ALL) ==
            DART_OK);
    const int next = (my_id() + 1) % num_units();
    _thread = std::thread([this, next, from = all[static_cast<std::size_t>(next)]] {
      while (!_stop) {
        // Many look-ups of the window, which take no lock that orders them with the allocation.
        for (int i = 0; i < 1000; ++i)
          _num_wrong += has_window(from) ? 0 : 1;
        long read = -1;
        const dart_ret_t ret = dart_get_blocking(&read, from, 1, DART_TYPE_LONG, DART_TYPE_LONG);
        if (ret != DART_OK || read != next) ++_num_wrong;
      }
    });
  }
  ~NeighbourReads() {
    _stop = true;
    _thread.join();
    CHECK(_num_wrong == 0);
    dart_barrier(DART_TEAM_ALL);
    dart_memfree(_own);
  }
  NeighbourReads(const NeighbourReads&) = delete;
  NeighbourReads& operator=(const NeighbourReads&) = delete;

 private:
  dart_gptr_t _own = DART_GPTR_NULL;
  std::atomic<bool> _stop{false};
  std::atomic<int> _num_wrong{0};
  std::thread _thread;
};

/// Bytes that depend on the unit and on the position.
std::vector<unsigned char> pattern(std::size_t nbytes, int unit) {
  std::vector<unsigned char> bytes(nbytes);
  for (std::size_t i = 0; i < nbytes; ++i)
    bytes[i] = static_cast<unsigned char>(1 + (i * 7 + static_cast<std::size_t>(unit) * 13) % 251);
  return bytes;
}

/// Each unit of the team writes to a part of unit 0's memory, by all kinds of transfers, and reads it back.
void require_transfers(dart_team_t team, const dart_gptr_t& begin) {
  constexpr std::size_t part = std::size_t{1} << 20;
  const int id = id_in(team);
  dart_gptr_t own_part = begin;
  own_part.addr_or_offs.offset += static_cast<std::uint64_t>(id) * part;
  // Below and above the limits of batches, messages and fragments.
  for (const std::size_t nbytes : {std::size_t{1}, std::size_t{200}, std::size_t{3000},
                                   std::size_t{50'000}, std::size_t{700'001}}) {
    const std::vector<unsigned char> out = pattern(nbytes, id);
    std::vector<unsigned char> in(nbytes);
    REQUIRE(dart_put_blocking(own_part, out.data(), nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE) ==
            DART_OK);
    REQUIRE(dart_get_blocking(in.data(), own_part, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE) ==
            DART_OK);
    REQUIRE(in == out);
    const std::vector<unsigned char> other = pattern(nbytes, id + 100);
    dart_handle_t handle = DART_HANDLE_NULL;
    REQUIRE(dart_put_handle(own_part, other.data(), nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE,
                            &handle) == DART_OK);
    REQUIRE(dart_wait(&handle) == DART_OK);
    REQUIRE(dart_flush(own_part) == DART_OK);
    REQUIRE(dart_get_handle(in.data(), own_part, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle) ==
            DART_OK);
    REQUIRE(dart_wait(&handle) == DART_OK);
    REQUIRE(in == other);
  }

  // Blocks at the target that are long enough for an MPI operation each, and short ones.
  for (const std::size_t blocklen : {std::size_t{16}, std::size_t{8192}}) {
    dart_datatype_t strided = DART_TYPE_UNDEFINED;
    REQUIRE(dart_type_create_strided(DART_TYPE_BYTE, 2 * blocklen, blocklen, &strided) == DART_OK);
    const std::size_t nbytes = 20 * blocklen;
    const std::vector<unsigned char> out = pattern(nbytes, id + 7);
    std::vector<unsigned char> in(nbytes);
    REQUIRE(dart_put_blocking(own_part, out.data(), nbytes, DART_TYPE_BYTE, strided) == DART_OK);
    REQUIRE(dart_get_blocking(in.data(), own_part, nbytes, strided, DART_TYPE_BYTE) == DART_OK);
    REQUIRE(in == out);
    REQUIRE(dart_type_destroy(&strided) == DART_OK);
  }

  // A counter in the first bytes of unit 0's own part.
  REQUIRE(dart_barrier(team) == DART_OK);
  const long zero = 0;
  if (id == 0)
    REQUIRE(dart_put_blocking(begin, &zero, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
  REQUIRE(dart_barrier(team) == DART_OK);
  const long one = 1;
  long before = -1;
  for (int i = 0; i < 10; ++i)
    REQUIRE(dart_fetch_and_op(begin, &one, &before, DART_TYPE_LONG, DART_OP_SUM) == DART_OK);
  REQUIRE(dart_flush(begin) == DART_OK);
  REQUIRE(dart_barrier(team) == DART_OK);
  long sum = -1;
  REQUIRE(dart_get_blocking(&sum, begin, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
  std::size_t members = 0;
  REQUIRE(dart_team_size(team, &members) == DART_OK);
  REQUIRE(sum == 10 * static_cast<long>(members));
  REQUIRE(dart_barrier(team) == DART_OK);
}

}  // namespace

TEST_CASE("Freeing a segment uses no memory on units that have allocated less", "[HeapSlabs]") {
  dart::Heap& heap = tested_runtime().session().heap();
  const std::size_t nbytes = 20 * mebi;
  const auto resident_bytes = [&](std::uint64_t begin) {
    return heap.resident_bytes(begin, begin + nbytes);
  };
  std::uint64_t begin = 0;
  {
    const Bytes segment(own_size(nbytes));
    REQUIRE(has_window(segment.at(0)));
    segment.mine()[0] = 1;
    begin = static_cast<std::uint64_t>(reinterpret_cast<char*>(segment.mine()) - heap.own());
    begin -= begin % dash::core::page_size();
    if (my_id() != 0) REQUIRE(resident_bytes(begin) <= 2 * mebi);  // at most a large page
  }
  barrier();  // now all units have freed it
  if (my_id() != 0) CHECK(resident_bytes(begin) <= 2 * mebi);
  const Bytes again(own_size(nbytes));
  CHECK(again.mine()[0] == 0);
}

TEST_CASE("The first window holds small segments and small local allocations", "[HeapSlabs]") {
  REQUIRE(num_windows() == 1);
  REQUIRE(window_bytes() == 64 * mebi);
  const Bytes segment(own_size(8 * mebi));
  REQUIRE(has_window(segment.at(0)));
  require_transfers(DART_TEAM_ALL, segment.at(0));
  dart_gptr_t local;
  REQUIRE(dart_memalloc(mebi, DART_TYPE_BYTE, &local) == DART_OK);
  REQUIRE(has_window(local));
  REQUIRE(dart_memfree(local) == DART_OK);
  REQUIRE(num_windows() == 1);
}

TEST_CASE("Local allocations beyond the registered pool are accessed by messages", "[HeapSlabs]") {
  std::vector<dart_gptr_t> parts(static_cast<std::size_t>(num_units()));
  dart_gptr_t first;
  dart_gptr_t second;
  REQUIRE(dart_memalloc(12 * mebi, DART_TYPE_BYTE, &first) == DART_OK);
  REQUIRE(dart_memalloc(8 * mebi, DART_TYPE_BYTE, &second) == DART_OK);
  REQUIRE(has_window(first));
  REQUIRE_FALSE(has_window(second));
  REQUIRE(dart_allgather(&second, parts.data(), sizeof second, DART_TYPE_BYTE, DART_TEAM_ALL) ==
          DART_OK);
  require_transfers(DART_TEAM_ALL, parts[0]);
  REQUIRE(dart_memfree(second) == DART_OK);
  REQUIRE(dart_memfree(first) == DART_OK);
}

TEST_CASE("A segment of all units that fits into no slab gets a new one", "[HeapSlabs]") {
  const std::size_t windows = num_windows();
  {
    // At the same time, another thread accesses memory of another unit in the first window.
    const NeighbourReads reads;
    const Bytes segment(own_size(60 * mebi));
    REQUIRE(num_windows() == windows + 1);
    REQUIRE(window_bytes() == 128 * mebi);
    REQUIRE(has_window(segment.at(0)));
    require_transfers(DART_TEAM_ALL, segment.at(0, 40 * mebi));
  }
  // The slab stays, and its memory is zero again.
  const Bytes segment(own_size(60 * mebi));
  REQUIRE(num_windows() == windows + 1);
  if (my_id() == 0) {
    const unsigned char* const bytes = segment.mine();
    REQUIRE(std::all_of(bytes, bytes + 60 * mebi, [](unsigned char byte) { return byte == 0; }));
  }
}

TEST_CASE(
    "Freed memory in no window keeps its pages if other units of the node may have registered them",
    "[HeapSlabs]") {
  const std::size_t nbytes = window_bytes();  // too large for each slab
  const dart::Session& session = tested_runtime().session();
  const dart::Heap& heap = tested_runtime().session().heap();
  const SubTeam team(DART_TEAM_ALL, globals_of(DART_TEAM_ALL));
  std::uint64_t begin = 0;
  {
    const Bytes segment(own_size(nbytes, team.id()), team.id());
    REQUIRE_FALSE(has_window(segment.at(0)));
    begin = static_cast<std::uint64_t>(reinterpret_cast<char*>(segment.mine()) - heap.own());
    begin -= begin % dash::core::page_size();
    std::fill_n(segment.mine(), my_id() == 0 ? nbytes : 1, static_cast<unsigned char>(1));
  }
  REQUIRE(dart_barrier(team.id()) == DART_OK);  // now all units have freed it
  if (my_id() != 0) return;
  // Progress processes map the memory, too, but these units share a host.
  const bool keeps_pages =
      session.layout().node_units.size() > 1 && !session.processes().has_progress_processes;
  REQUIRE(heap.resident_bytes(begin, begin + nbytes) == (keeps_pages ? nbytes : 0));
}

TEST_CASE("Pages that a freed segment has left in a slab count as available for the same block",
          "[HeapSlabs]") {
  constexpr std::size_t nbytes = 50 * mebi;
  dart::Session& session = tested_runtime().session();
  const dart::Heap& heap = session.heap();
  std::uint64_t block = 0;
  {
    const Bytes segment(own_size(nbytes));
    REQUIRE(has_window(segment.at(0)));
    block =
        static_cast<std::uint64_t>(segment.mine() - reinterpret_cast<unsigned char*>(heap.own()));
    block -= block % dash::core::page_size();
  }
  dart_barrier(DART_TEAM_ALL);
  if (my_id() == 0) {
    REQUIRE(heap.resident_bytes(block, block + nbytes) == nbytes);
    // Other processes allocate and free memory at the same time.
    dart::SymmetricHeap& blocks = tested_runtime().heap();
    bool counts = false;
    for (int attempt = 0; attempt < 100 && !counts; ++attempt) {
      const std::size_t too_much =
          dash::core::available_memory() / static_cast<std::size_t>(session.host_units()) +
          nbytes / 2;
      counts = !blocks.has_memory_for(too_much) && blocks.has_memory_for(too_much, block);
    }
    REQUIRE(counts);
  }
  dart_barrier(DART_TEAM_ALL);
}

TEST_CASE("A segment of some units that fits into no slab is accessed by messages", "[HeapSlabs]") {
  const std::vector<int> all = globals_of(DART_TEAM_ALL);
  const SubTeam team(DART_TEAM_ALL, select(all, [](int u) { return u < 2; }));
  const std::size_t windows = num_windows();
  if (team.is_member()) {
    const Bytes segment(own_size(100 * mebi, team.id()), team.id());
    REQUIRE_FALSE(has_window(segment.at(0)));
    require_transfers(team.id(), segment.at(0));
    const Bytes small(own_size(mebi, team.id()), team.id());
    REQUIRE(has_window(small.at(0)));
  }
  REQUIRE(num_windows() == windows);
}

TEST_CASE("Windows of empty slabs beyond 256 MiB are freed before another slab is created",
          "[HeapSlabs]") {
  {
    const Bytes first(own_size(100 * mebi));
    const Bytes second(own_size(130 * mebi));
    REQUIRE(window_bytes() > 256 * mebi);
  }
  const std::uint64_t largest = window_bytes();
  const Bytes third(own_size(300 * mebi));
  REQUIRE(window_bytes() < largest + 150 * mebi);
  REQUIRE(has_window(third.at(0)));
  require_transfers(DART_TEAM_ALL, third.at(0, 100 * mebi));
}

TEST_CASE("Another team allocates memory while empty slabs are removed", "[HeapSlabs]") {
  if (!is_multithreaded()) DASH_SKIP("MPI does not support several threads");
  const std::vector<int> all = globals_of(DART_TEAM_ALL);
  const SubTeam team(DART_TEAM_ALL, select(all, [](int u) { return u < 2; }));
  std::atomic<int> num_wrong{0};
  std::thread other;
  if (team.is_member()) {
    other = std::thread([&] {
      // Larger than the first slabs, so that the segment often lies in one that is removed when it is empty.
      for (int i = 0; i < 30; ++i) {
        const Bytes segment(90 * mebi, team.id());
        auto* const bytes = segment.mine();
        const auto mark = static_cast<unsigned char>(1 + i);
        num_wrong += bytes[0] == 0 && bytes[90 * mebi - 1] == 0 ? 0 : 1;
        bytes[0] = bytes[90 * mebi - 1] = mark;
        dart_barrier(team.id());
        num_wrong += bytes[0] == mark && bytes[90 * mebi - 1] == mark ? 0 : 1;
      }
    });
  }
  for (int i = 0; i < 6; ++i) {
    {
      const Bytes first(own_size(100 * mebi));
      const Bytes second(own_size(130 * mebi));
    }
    const Bytes third(own_size(300 * mebi));
    CHECK(has_window(third.at(0)));
  }
  if (other.joinable()) other.join();
  CHECK(num_wrong == 0);
  dart_barrier(DART_TEAM_ALL);
}
