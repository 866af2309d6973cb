// dash-test: parallel link=objects process=own units=2,3 full-units=4,7 layouts=nolocal,cliques modes=auto,poll env=DART_HEAP_REGISTER:slabs,DART_HEAP_SIZE:1G timeout=120

// How much memory a heap in slabs registers, in how many windows, and when it removes a slab.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "dart/memory/Slabs.h"
#include "dash/core/Memory.h"
#include "support/Catch.h"

using namespace dash::test;

namespace {

/// Segments of all units, of the given sizes in MiB.
std::vector<std::unique_ptr<Bytes>> allocate(const std::vector<double>& mebis) {
  std::vector<std::unique_ptr<Bytes>> segments;
  for (const double size : mebis)
    segments.push_back(std::make_unique<Bytes>(own_size(static_cast<std::size_t>(size * mebi))));
  return segments;
}

/// A byte of this process, read by the system: another thread may write it at the same time.
unsigned char byte_at(int memory, const unsigned char* address) {
  unsigned char byte = 0;
  const auto offset = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(address));
  REQUIRE(::pread(memory, &byte, 1, offset) == 1);
  return byte;
}

}  // namespace

TEST_CASE("Empty slabs are removed if a further slab would exceed the limit",
          "[SlabLimits][limit]") {
  {
    const Bytes first(own_size(49 * mebi));
    REQUIRE(has_window(first.at(0)));
    REQUIRE(window_bytes() <= 128 * mebi);
  }
  {
    const Bytes second(own_size(65 * mebi));
    REQUIRE(has_window(second.at(0)));
    REQUIRE(window_bytes() <= std::uint64_t{3} * 65 * mebi);
  }
  const Bytes third(own_size(129 * mebi));
  REQUIRE(has_window(third.at(0)));
  REQUIRE(window_bytes() <= std::uint64_t{3} * 129 * mebi);
}

TEST_CASE("An allocation removes slabs that are empty and much larger than the memory in use",
          "[SlabLimits]") {
  dash::dart::Heap& heap = tested_runtime().session().heap();
  constexpr std::size_t nbytes = 400 * mebi;
  std::uint64_t begin = 0;
  const auto num_resident = [&] { return heap.resident_bytes(begin, begin + nbytes); };
  for (int i = 0; i < 3; ++i) {
    const std::size_t before = num_windows();
    const Bytes large(own_size(nbytes));
    // A program that allocates and frees the same array again and again uses the same slab.
    if (i != 0) REQUIRE(num_windows() == before);
    begin = static_cast<std::uint64_t>(reinterpret_cast<char*>(large.mine()) - heap.own());
    begin -= begin % dash::core::page_size();
  }
  REQUIRE(window_bytes() >= nbytes);
  if (my_id() == 0) REQUIRE(num_resident() == nbytes);
  barrier();
  const Bytes small(own_size(20 * mebi));  // the first slab has space for it
  REQUIRE(has_window(small.at(0)));
  REQUIRE(window_bytes() <= 256 * mebi);
  if (my_id() == 0) REQUIRE(num_resident() <= 20 * mebi);
}

TEST_CASE("Another team of all units uses a slab that the team of all units has created",
          "[SlabLimits]") {
  constexpr std::size_t nbytes = 300 * mebi;
  const SubTeam team(DART_TEAM_ALL, globals_of(DART_TEAM_ALL));
  {
    const Bytes segment(own_size(nbytes, team.id()), team.id());
    REQUIRE_FALSE(has_window(segment.at(0)));
  }
  allocate({static_cast<double>(nbytes / mebi)});
  barrier();  // releases it
  const Bytes segment(own_size(nbytes, team.id()), team.id());
  REQUIRE(has_window(segment.at(0)));
}

TEST_CASE("Small segments share a slab if the heap has no space to double the slabs",
          "[SlabLimits]") {
  const auto segments = allocate({40, 60, 120, 240, 7.9, 3.9, 7.9, 15.9});
  const std::size_t before = num_windows();
  std::vector<double> sizes(200, 0.2);
  const auto small = allocate(sizes);
  REQUIRE(has_window(small.back()->at(0)));
  REQUIRE(num_windows() <= before + 1);
}

TEST_CASE("Other threads allocate while a segment is zeroed", "[SlabLimits]") {
  if (!is_multithreaded()) DASH_SKIP("MPI does not support several threads");
  constexpr std::size_t nbytes = 160 * mebi;
  dash::dart::SymmetricHeap& heap = tested_runtime().heap();
  const int memory = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  if (memory < 0) DASH_SKIP("/proc/self/mem cannot be read");
  // The other thread may not run at the right time.
  bool has_overlapped = my_id() != 0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    auto segment = std::make_unique<Bytes>(own_size(nbytes));
    std::atomic<bool> is_ready{my_id() != 0};
    std::atomic<bool> is_free{false};
    std::thread other;
    if (my_id() == 0) {
      unsigned char* const first = segment->mine();
      const unsigned char* const last = first + nbytes - 1;
      std::fill(first, first + nbytes, static_cast<unsigned char>(1));
      other = std::thread([&, first, last] {
        is_ready = true;
        while (!is_free && byte_at(memory, first) != 0) {
        }
        heap.has_memory_for(0);  // locks the heap
        if (byte_at(memory, last) != 0) has_overlapped = true;
      });
    }
    while (!is_ready)
      std::this_thread::yield();
    segment.reset();
    barrier();  // releases it
    is_free = true;
    if (other.joinable()) other.join();
    const int mine = has_overlapped ? 1 : 0;
    int all = 0;
    REQUIRE(dart_allreduce(&mine, &all, 1, DART_TYPE_INT, DART_OP_MIN, DART_TEAM_ALL) == DART_OK);
    if (all == 1) break;
  }
  ::close(memory);
  CHECK(has_overlapped);
}
