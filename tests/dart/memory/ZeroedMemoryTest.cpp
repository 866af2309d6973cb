// dash-test: parallel units=1,2,3 full-units=4 layouts=node,nolocal,cliques modes=auto,poll

// Allocated memory is zero, even if freed blocks keep their pages: those of small blocks with few used pages.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include "dart/support/Fixture.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

namespace {

constexpr std::size_t page = 4096;

bool is_zero(const char* block, std::size_t nbytes) {
  return std::all_of(block, block + nbytes, [](char byte) { return byte == 0; });
}

/// Checks that a block is zero, then writes to some of its pages, or to all.
void use(const dart_gptr_t& block, std::size_t nbytes, std::mt19937& random) {
  void* address = nullptr;
  REQUIRE(dart_gptr_getaddr(block, &address) == DART_OK);
  auto* const bytes = static_cast<char*>(address);
  CAPTURE(nbytes);
  REQUIRE(is_zero(bytes, nbytes));
  const bool writes_all = random() % 3 == 0;
  for (std::size_t begin = 0; begin < nbytes; begin += page) {
    if (writes_all || random() % 8 == 0)
      std::memset(bytes + begin, 0x5A, std::min(page, nbytes - begin));
  }
}

}  // namespace

TEST_CASE("Memory of a team is zero after blocks of any size have been used and freed") {
  std::mt19937 random(seed());  // the same on all units, which allocate the same sizes
  for (int round = 0; round < 60; ++round) {
    std::vector<dart_gptr_t> segments;
    for (const std::size_t max : {std::size_t{200}, 3 * page, 40 * page, 300 * page}) {
      const std::size_t nbytes = 1 + random() % max;
      dart_gptr_t segment = DART_GPTR_NULL;
      REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &segment) ==
              DART_OK);
      segments.push_back(segment);
      segment.unitid = my_id();
      use(segment, nbytes, random);
    }
    std::shuffle(segments.begin(), segments.end(), random);
    for (const dart_gptr_t& segment : segments)
      REQUIRE(dart_team_memfree(segment) == DART_OK);
  }
}

TEST_CASE("Local memory is zero after blocks of any size have been used and freed") {
  std::mt19937 random(seed() + static_cast<unsigned>(my_id()));
  for (int round = 0; round < 100; ++round) {
    std::vector<dart_gptr_t> blocks;
    for (const std::size_t max : {std::size_t{200}, 40 * page, 300 * page}) {
      const std::size_t nbytes = 1 + random() % max;
      dart_gptr_t block = DART_GPTR_NULL;
      REQUIRE(dart_memalloc(nbytes, DART_TYPE_BYTE, &block) == DART_OK);
      blocks.push_back(block);
      use(block, nbytes, random);
    }
    std::shuffle(blocks.begin(), blocks.end(), random);
    for (const dart_gptr_t& block : blocks)
      REQUIRE(dart_memfree(block) == DART_OK);
  }
}
