// dash-test: parallel ranks=quick units=2,3,4 layouts=cliques,nolocal modes=auto,thread,poll env=DART_PUT_PROTOCOL:message smoke=yes
//
// Transfers that send their data in two-sided messages instead of using RMA, a protocol that the calibration
// may select; here it is used for all transfers above 4 KiB.

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "dart/support/Fixture.h"
#include "support/Runner.h"

using dash::test::barrier;
using dash::test::Bytes;
using dash::test::my_id;
using dash::test::num_units;

namespace {

constexpr dart_datatype_t byte = DART_TYPE_BYTE;

std::vector<unsigned char> pattern(std::size_t nbytes, int seed) {
  std::vector<unsigned char> result(nbytes);
  std::mt19937 random(static_cast<unsigned>(seed));
  std::generate(result.begin(), result.end(),
                [&] { return static_cast<unsigned char>(random() >> 11); });
  return result;
}

}  // namespace

TEST_CASE("Sent data of any size arrives in full", "[SentTransfer]") {
  const int next = (my_id() + 1) % num_units();
  for (const std::size_t nbytes : {4097UL, 8191UL, 65536UL, 65537UL, 1'000'003UL}) {
    const Bytes memory(nbytes + 64);
    const auto mine = pattern(nbytes, my_id());
    const auto of_previous = pattern(nbytes, (my_id() + num_units() - 1) % num_units());
    REQUIRE(dart_put_blocking(memory.at(next, 32), mine.data(), nbytes, byte, byte) == DART_OK);
    barrier();
    REQUIRE(std::equal(of_previous.begin(), of_previous.end(), memory.mine() + 32));
    REQUIRE(std::count(memory.mine(), memory.mine() + 32, 0) == 32);
    REQUIRE(std::count(memory.mine() + 32 + nbytes, memory.mine() + 64 + nbytes, 0) == 32);
    std::vector<unsigned char> back(nbytes);
    REQUIRE(dart_get_blocking(back.data(), memory.at(next, 32), nbytes, byte, byte) == DART_OK);
    REQUIRE(back == mine);
  }
}

TEST_CASE("Many concurrent puts and gets in both directions do not mix", "[SentTransfer]") {
  constexpr std::size_t nbytes = 5000;
  constexpr int count = 300;
  const int n = num_units();
  const Bytes memory(nbytes * count * static_cast<std::size_t>(n));
  const auto place = [&](int unit, int writer, int i) {
    return memory.at(unit, nbytes * static_cast<std::size_t>(writer * count + i));
  };
  std::vector<std::vector<unsigned char>> sources;
  for (int i = 0; i < count; ++i)
    sources.push_back(pattern(nbytes, my_id() * count + i));
  std::vector<dart_handle_t> handles;
  for (int i = 0; i < count; ++i) {
    for (int unit = 0; unit < n; ++unit) {
      handles.emplace_back();
      REQUIRE(dart_put_handle(place(unit, my_id(), i), sources[static_cast<std::size_t>(i)].data(),
                              nbytes, byte, byte, &handles.back()) == DART_OK);
    }
  }
  REQUIRE(dart_waitall(handles.data(), handles.size()) == DART_OK);
  barrier();
  std::vector<std::vector<unsigned char>> fetched(count, std::vector<unsigned char>(nbytes));
  const int other = (my_id() + 1) % n;
  for (int i = 0; i < count; ++i) {
    auto& to = fetched[static_cast<std::size_t>(i)];
    REQUIRE(dart_get(to.data(), place(other, my_id(), i), nbytes, byte, byte) == DART_OK);
  }
  REQUIRE(dart_flush_all(place(other, my_id(), 0)) == DART_OK);
  REQUIRE(fetched == sources);
  for (int writer = 0; writer < n; ++writer) {
    for (int i = 0; i < count; ++i) {
      const auto expected = pattern(nbytes, writer * count + i);
      const unsigned char* const found =
          memory.mine() + nbytes * static_cast<std::size_t>(writer * count + i);
      REQUIRE(std::equal(expected.begin(), expected.end(), found));
    }
  }
}

TEST_CASE("Data is sent to and from registered memory", "[SentTransfer]") {
  constexpr std::size_t nbytes = 100'000;
  std::vector<unsigned char> own(nbytes, 0);
  dart_gptr_t gptr = DART_GPTR_NULL;
  REQUIRE(dart_team_memregister(DART_TEAM_ALL, nbytes, byte, own.data(), &gptr) == DART_OK);
  gptr.unitid = (my_id() + 1) % num_units();
  const auto mine = pattern(nbytes, my_id());
  REQUIRE(dart_put_blocking(gptr, mine.data(), nbytes, byte, byte) == DART_OK);
  std::vector<unsigned char> back(nbytes);
  REQUIRE(dart_get_blocking(back.data(), gptr, nbytes, byte, byte) == DART_OK);
  REQUIRE(back == mine);
  barrier();
  REQUIRE(own == pattern(nbytes, (my_id() + num_units() - 1) % num_units()));
  REQUIRE(dart_team_memderegister(gptr) == DART_OK);
}
