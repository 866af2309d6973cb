// dash-test: parallel units=3,4 layouts=nolocal,cliques,node modes=auto,thread,poll

// A unit that does not call the library does not block units that do not need it. Unit 1 makes no calls until
// it sees a file that unit 0 creates at its end; if unit 0 were blocked, the test would hang.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "dart/teams/Teams.h"
#include "support/AgreedFile.h"
#include "support/Catch.h"

using namespace dash::test;

namespace {

void communicate_with(dart_team_t active_team, const Bytes& segment, int unit) {
  for (int i = 0; i < 50; ++i) {
    const long value = 1000 + i;
    long read = 0;
    const dart_gptr_t remote = segment.at(unit, 64);
    REQUIRE(dart_put(remote, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    REQUIRE(dart_flush(remote) == DART_OK);
    REQUIRE(dart_get_blocking(&read, remote, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    REQUIRE(read == value);
    const long one = 1;
    REQUIRE(dart_fetch_and_op(segment.at(unit, 72), &one, &read, DART_TYPE_LONG, DART_OP_SUM) ==
            DART_OK);
    REQUIRE(dart_flush(remote) == DART_OK);
    REQUIRE(dart_barrier(active_team) == DART_OK);
  }
}

constexpr std::size_t locals_offset = 70'000;  // target of put_locally()
constexpr std::size_t num_locals = 6;
constexpr std::size_t spread_offset = 71'000;
constexpr std::size_t num_spread = 1500;

/// Puts and accumulates to unit 1, completed locally in every way; the source is reused after each.
void put_locally(const Bytes& segment) {
  constexpr dart_datatype_t type = DART_TYPE_LONG;
  long value = 0;
  dart_gptr_t remote = segment.at(1, locals_offset);
  const auto next = [&] {
    value = 5000;  // would arrive if an operation read its source too late
    remote = segment.at(1, remote.addr_or_offs.offset + sizeof value);
  };
  dart_handle_t handle = DART_HANDLE_NULL;
  value = 1;
  REQUIRE(dart_put_handle(remote, &value, 1, type, type, &handle) == DART_OK);
  REQUIRE(dart_wait_local(&handle) == DART_OK);
  next();
  value = 2;
  REQUIRE(dart_put_handle(remote, &value, 1, type, type, &handle) == DART_OK);
  REQUIRE(dart_waitall_local(&handle, 1) == DART_OK);
  next();
  value = 3;
  REQUIRE(dart_put_handle(remote, &value, 1, type, type, &handle) == DART_OK);
  for (int32_t done = 0; done == 0;)
    REQUIRE(dart_test_local(&handle, &done) == DART_OK);
  next();
  value = 4;
  REQUIRE(dart_put(remote, &value, 1, type, type) == DART_OK);
  REQUIRE(dart_flush_local(remote) == DART_OK);
  next();
  value = 5;
  REQUIRE(dart_accumulate(remote, &value, 1, type, DART_OP_SUM) == DART_OK);
  REQUIRE(dart_flush_local_all(remote) == DART_OK);
  next();
  value = 6;
  REQUIRE(dart_accumulate_blocking_local(remote, &value, 1, type, DART_OP_SUM) == DART_OK);
  value = 5000;
}

/// A put of short blocks to unit 1 that exceeds a message.
void spread_locally(const Bytes& segment) {
  std::vector<long> source(num_spread, 7);
  dart_datatype_t strided = DART_TYPE_UNDEFINED;
  REQUIRE(dart_type_create_strided(DART_TYPE_LONG, 2, 1, &strided) == DART_OK);
  REQUIRE(dart_put(segment.at(1, spread_offset), source.data(), num_spread, DART_TYPE_LONG,
                   strided) == DART_OK);
  REQUIRE(dart_flush_local(segment.at(1)) == DART_OK);
  source.assign(num_spread, 5000);
  REQUIRE(dart_type_destroy(&strided) == DART_OK);
}

void check_locals(const Bytes& segment) {
  const auto* const locals = reinterpret_cast<const long*>(segment.mine() + locals_offset);
  for (std::size_t i = 0; i < num_locals; ++i)
    REQUIRE(locals[i] == static_cast<long>(i) + 1);
  const auto* const spread = reinterpret_cast<const long*>(segment.mine() + spread_offset);
  for (std::size_t i = 0; i < num_spread; ++i)
    REQUIRE(spread[2 * i] == 7);
}

}  // namespace

TEST_CASE("A unit that makes no calls does not block units that do not need it",
          "[UnresponsiveUnit]") {
  const std::filesystem::path name = agreed_file("unresponsive");
  const Bytes segment(100'000);
  const std::vector<int> all = globals_of(DART_TEAM_ALL);
  const SubTeam active_team(DART_TEAM_ALL, select(all, [](int u) { return u != 1; }));
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
      put_locally(segment);
      spread_locally(segment);
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
    communicate_with(active_team.id(), segment, my_id() == 0 ? 2 : 0);
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
    check_locals(segment);
  }
  barrier();
}
