// dash-test: parallel units=1,2,3,7 layouts=node,cliques modes=auto,thread,poll env=DART_COPY_QUEUE_MIN:1000,DART_NT_MIN:200000 smoke=yes

// Copies between layouts that pass through the copy queue, divided into chunks, several at once.

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "RandomLayouts.h"
#include "dart/support/Fixture.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

namespace {

/// A transfer in flight and its expected result.
struct Transfer {
  Layout remote;
  Layout local;
  dart_handle_t handle = DART_HANDLE_NULL;
  std::vector<unsigned char> memory;
  std::vector<unsigned char> expected;  // of `memory` for a get, of the target's slot for a put
};

constexpr std::size_t slot = std::size_t{5} << 18;  // bytes of each transfer, on its target
constexpr std::size_t in_flight = 4;

/// Generates a number of elements, whose size may exceed a chunk.
std::size_t random_count(RandomSource& random, std::size_t size) {
  const std::size_t nbytes = random(2) == 0 ? 1 + random(4000) : 1 + random(300'000);
  return 1 + nbytes / size;
}

/// Generates a layout of few long blocks or many short ones, or one as in the other tests.
Layout random_blocks(RandomSource& random, std::size_t nelem, const Type& base) {
  if (random(2) == 0) return random_layout(random, nelem, base);
  Layout layout;
  layout.derived = true;
  const std::size_t blocklen = random.divisor_of(nelem);
  const std::size_t stride = blocklen + random(3);
  for (std::size_t i = 0; i < nelem; ++i)
    layout.positions.push_back(i / blocklen * stride + i % blocklen);
  REQUIRE(dart_type_create_strided(base.id, stride, blocklen, &layout.type) == DART_OK);
  return layout;
}

void destroy(Layout& layout) {
  if (layout.derived) REQUIRE(dart_type_destroy(&layout.type) == DART_OK);
}

}  // namespace

TEST_CASE("Concurrent queued copies between layouts have the same results as on plain memory",
          "[QueuedCopy]") {
  const auto n = static_cast<std::size_t>(num_units());
  const auto me = static_cast<std::size_t>(my_id());
  const Bytes segment(slot * in_flight * n);
  RandomSource random(seed() + static_cast<unsigned>(me));
  for (int round = 0; round < 8; ++round) {
    const bool gets = round % 2 == 0;
    const Type& base = types[random(types.size())];
    const std::size_t unit = random(n);
    std::vector<Transfer> transfers(in_flight);
    for (std::size_t i = 0; i < in_flight; ++i) {
      Transfer& each = transfers[i];
      const std::size_t nelem = random_count(random, base.size);
      each.remote = random_blocks(random, nelem, base);
      each.local = random_blocks(random, nelem, base);
      const std::size_t remote_bytes = each.remote.span() * base.size;
      REQUIRE(remote_bytes <= slot);
      const dart_gptr_t target = segment.at(static_cast<int>(unit), (me * in_flight + i) * slot);
      std::vector<unsigned char> before = random.bytes(remote_bytes);
      REQUIRE(dart_put_blocking(target, before.data(), remote_bytes, DART_TYPE_BYTE,
                                DART_TYPE_BYTE) == DART_OK);
      each.memory = random.bytes(each.local.span() * base.size);
      if (gets) {
        each.expected = each.memory;
        copy(each.expected.data(), each.local, before.data(), each.remote, base.size);
        REQUIRE(dart_get_handle(each.memory.data(), target, nelem, each.remote.type,
                                each.local.type, &each.handle) == DART_OK);
      } else {
        each.expected = before;
        copy(each.expected.data(), each.remote, each.memory.data(), each.local, base.size);
        REQUIRE(dart_put_handle(target, each.memory.data(), nelem, each.local.type,
                                each.remote.type, &each.handle) == DART_OK);
      }
      // Types may be destroyed while the transfer is in flight.
      destroy(each.remote);
      destroy(each.local);
    }
    if (round % 4 < 2) {
      for (Transfer& each : transfers)
        REQUIRE(dart_wait(&each.handle) == DART_OK);
    } else {
      REQUIRE(dart_flush_all(segment.at(0)) == DART_OK);
      for (Transfer& each : transfers)
        REQUIRE(dart_handle_free(&each.handle) == DART_OK);
    }
    for (std::size_t i = 0; i < in_flight; ++i) {
      Transfer& each = transfers[i];
      if (!gets) {
        each.memory.resize(each.expected.size());
        REQUIRE(dart_get_blocking(each.memory.data(),
                                  segment.at(static_cast<int>(unit), (me * in_flight + i) * slot),
                                  each.memory.size(), DART_TYPE_BYTE, DART_TYPE_BYTE) == DART_OK);
      }
      REQUIRE(each.memory == each.expected);
    }
  }
}

TEST_CASE("A large strided copy within a node is queued", "[QueuedCopy]") {
  const Bytes segment(2'000'000);
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  REQUIRE(dart_type_create_strided(DART_TYPE_BYTE, 20, 10, &type) == DART_OK);
  std::vector<unsigned char> target(1'000'000, 1);
  dart_handle_t handle = DART_HANDLE_NULL;
  REQUIRE(dart_get_handle(target.data(), segment.at(my_id()), target.size(), type, DART_TYPE_BYTE,
                          &handle) == DART_OK);
  const char* const mode = std::getenv("DART_PROGRESS");
  // Without a progress thread, nothing has been copied yet.
  if (mode != nullptr && std::string(mode) == "poll") REQUIRE(handle != DART_HANDLE_NULL);
  REQUIRE(dart_wait(&handle) == DART_OK);
  REQUIRE(target == std::vector<unsigned char>(target.size(), 0));
  REQUIRE(dart_type_destroy(&type) == DART_OK);
}
