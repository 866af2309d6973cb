// dash-test: parallel units=3,4 layouts=nolocal,cliques,node modes=auto,thread,poll

// A unit that does not call the library holds up nobody who does not need it. Unit 1 is silent until
// it sees a file that unit 0 makes when it is through: were unit 0 held up, the test would hang.

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "Teams.h"

using namespace dash::test;

namespace {

/// A name that all units agree on, in the directory for temporary files.
std::string agreed_name() {
  int pid = ::getpid();
  REQUIRE(dart_bcast(&pid, 1, DART_TYPE_INT, 0, DART_TEAM_ALL) == DART_OK);
  return std::filesystem::temp_directory_path() / ("dash-silent-" + std::to_string(pid));
}

void talk_to(dart_team_t talkers, const Bytes& segment, int unit) {
  for (int i = 0; i < 50; ++i) {
    const long value = 1000 + i;
    long read = 0;
    const dart_gptr_t there = segment.at(unit, 64);
    REQUIRE(dart_put(there, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    REQUIRE(dart_flush(there) == DART_OK);
    REQUIRE(dart_get_blocking(&read, there, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    REQUIRE(read == value);
    const long one = 1;
    REQUIRE(dart_fetch_and_op(segment.at(unit, 72), &one, &read, DART_TYPE_LONG, DART_OP_SUM) ==
            DART_OK);
    REQUIRE(dart_flush(there) == DART_OK);
    REQUIRE(dart_barrier(talkers) == DART_OK);
  }
}

}  // namespace

TEST_CASE("A silent unit holds up nobody who does not need it", "[Silent]") {
  const std::string name = agreed_name();
  const Bytes segment(100'000);
  const std::vector<int> all = globals_of(DART_TEAM_ALL);
  const SubTeam talkers(DART_TEAM_ALL, select(all, [](int u) { return u != 1; }));
  barrier();
  constexpr int count = 300;
  std::vector<long> values(count);
  std::vector<long> olds(count, -1);
  std::vector<unsigned char> large(50'000, 7);
  if (my_id() == 1) {
    while (!std::filesystem::exists(name))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } else {
    if (my_id() == 0) {
      const long one = 1;
      for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<long>(i);
        REQUIRE(dart_put(segment.at(1, 128 + 8 * i), &values[i], 1, DART_TYPE_LONG,
                         DART_TYPE_LONG) == DART_OK);
        REQUIRE(dart_fetch_and_op(segment.at(1, 72), &one, &olds[i], DART_TYPE_LONG, DART_OP_SUM) ==
                DART_OK);
      }
      REQUIRE(dart_put(segment.at(1, 10'000), large.data(), large.size(), DART_TYPE_BYTE,
                       DART_TYPE_BYTE) == DART_OK);
    }
    talk_to(talkers.id(), segment, my_id() == 0 ? 2 : 0);
    if (my_id() == 0) std::ofstream(name) << "\n";
  }
  if (my_id() == 0) {
    REQUIRE(dart_flush_all(segment.at(1)) == DART_OK);
    for (std::size_t i = 0; i < count; ++i)
      REQUIRE(olds[i] >= 0);
  }
  barrier();
  if (my_id() == 1) {
    std::filesystem::remove(name);
    const auto* const words = reinterpret_cast<const long*>(segment.mine());
    REQUIRE(words[9] == count);
    for (int i = 0; i < count; ++i)
      REQUIRE(words[16 + i] == i);
    REQUIRE(segment.mine()[59'999] == 7);
  }
  barrier();
}
