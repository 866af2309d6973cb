// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll smoke=yes

#include <climits>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "support/Runner.h"

using Catch::Matchers::ContainsSubstring;
using dash::test::my_id;
using dash::test::num_units;

namespace {

/// Content of message number `serial` from a unit.
std::vector<unsigned char> contents(int unit, unsigned serial, std::size_t nbytes) {
  std::vector<unsigned char> data(nbytes);
  for (std::size_t i = 0; i < nbytes; ++i) {
    data[i] = static_cast<unsigned char>(static_cast<unsigned>(unit) * 37 + serial * 11 + i * 3 +
                                         (i >> 8));
  }
  return data;
}

dart_ret_t send(const std::vector<unsigned char>& data, int tag, int dest) {
  return dart_send(data.data(), data.size(), DART_TYPE_BYTE, tag, dart_global_unit_t(dest));
}

dart_ret_t recv(std::vector<unsigned char>& data, int tag, int source) {
  return dart_recv(data.data(), data.size(), DART_TYPE_BYTE, tag, dart_global_unit_t(source));
}

}  // namespace

TEST_CASE("Sendrecv around a ring delivers messages of any size", "[TwoSided]") {
  const std::size_t nbytes = GENERATE(as<std::size_t>{}, 0, 1, 8, 256, 257, 4096, 65536, 65537,
                                      4 * 65536, 4 * 65536 + 1, 3'000'001);
  const int me = my_id();
  const int units = num_units();
  const int right = (me + 1) % units;
  const int left = (me + units - 1) % units;
  for (unsigned round = 0; round < 3; ++round) {
    const auto mine = contents(me, round, nbytes);
    std::vector<unsigned char> got(nbytes);
    REQUIRE(dart_sendrecv(mine.data(), nbytes, DART_TYPE_BYTE, 5, dart_global_unit_t(right),
                          got.data(), nbytes, DART_TYPE_BYTE, 5,
                          dart_global_unit_t(left)) == DART_OK);
    REQUIRE(got == contents(left, round, nbytes));
  }
}

TEST_CASE("Pairwise sendrecv exchanges large messages", "[TwoSided]") {
  const int me = my_id();
  const int units = num_units();
  // With each unit in turn, including the caller.
  for (int step = 0; step < units; ++step) {
    const int partner = (step - me + units) % units;
    const auto mine = contents(me, static_cast<unsigned>(step), 500'000);
    std::vector<unsigned char> got(mine.size());
    REQUIRE(dart_sendrecv(mine.data(), mine.size(), DART_TYPE_BYTE, me, dart_global_unit_t(partner),
                          got.data(), got.size(), DART_TYPE_BYTE, partner,
                          dart_global_unit_t(partner)) == DART_OK);
    REQUIRE(got == contents(partner, static_cast<unsigned>(step), got.size()));
  }
}

TEST_CASE("A buffered message to the caller itself is kept until it is received", "[TwoSided]") {
  const int me = my_id();
  const std::size_t nbytes = GENERATE(as<std::size_t>{}, 0, 17, 65536);
  const unsigned count = 8;
  for (unsigned i = 0; i < count; ++i)
    REQUIRE(send(contents(me, i, nbytes), 3, me) == DART_OK);
  for (unsigned i = 0; i < count; ++i) {
    std::vector<unsigned char> got(nbytes);
    REQUIRE(recv(got, 3, me) == DART_OK);
    REQUIRE(got == contents(me, i, nbytes));
  }
}

TEST_CASE("Messages match by tag in any order, and in order within a tag", "[TwoSided]") {
  const int me = my_id();
  const int units = num_units();
  const int ntags = 5;
  const unsigned per_tag = 4;
  const int right = (me + 1) % units;
  const int left = (me + units - 1) % units;
  for (unsigned i = 0; i < per_tag; ++i) {
    for (int tag = 0; tag < ntags; ++tag) {
      const auto serial = static_cast<unsigned>(tag) * 100 + i;
      REQUIRE(send(contents(me, serial, 100 + serial), tag, right) == DART_OK);
    }
  }
  for (int tag = ntags - 1; tag >= 0; --tag) {
    for (unsigned i = 0; i < per_tag; ++i) {
      const auto serial = static_cast<unsigned>(tag) * 100 + i;
      std::vector<unsigned char> got(100 + serial);
      REQUIRE(recv(got, tag, left) == DART_OK);
      REQUIRE(got == contents(left, serial, 100 + serial));
    }
  }
}

TEST_CASE("Messages beyond the buffer limit wait for their receiver and all arrive", "[TwoSided]") {
  const int me = my_id();
  const int units = num_units();
  const unsigned count = 3000;
  const std::size_t nbytes = 1000;
  if (me != 0) {
    for (unsigned i = 0; i < count; ++i)
      REQUIRE(send(contents(me, i, nbytes), 1, 0) == DART_OK);
  } else {
    // Receives from the last unit first, so that the messages of all others wait.
    for (int source = units - 1; source > 0; --source) {
      for (unsigned i = 0; i < count; ++i) {
        std::vector<unsigned char> got(nbytes);
        REQUIRE(recv(got, 1, source) == DART_OK);
        REQUIRE(got == contents(source, i, nbytes));
      }
    }
  }
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
}

TEST_CASE("Thousands of random messages between random units arrive unchanged", "[TwoSided]") {
  const int me = my_id();
  const int units = num_units();
  if (units == 1) DASH_SKIP("needs two units");
  // Equal on all units, which process one list in the same order, so that there is no deadlock.
  std::mt19937 random(dash::test::seed());
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (unsigned serial = 0; serial < 3000; ++serial) {
    const int source = static_cast<int>(below(static_cast<unsigned>(units)));
    const int dest = static_cast<int>(
        (static_cast<unsigned>(source) + 1 + below(static_cast<unsigned>(units) - 1)) %
        static_cast<unsigned>(units));
    const int tag = static_cast<int>(below(4));
    const unsigned kind = below(100);
    const std::size_t nbytes = kind < 70 ? below(300) : kind < 98 ? below(70'000) : below(700'000);
    if (me == source) REQUIRE(send(contents(source, serial, nbytes), tag, dest) == DART_OK);
    if (me == dest) {
      std::vector<unsigned char> got(nbytes);
      REQUIRE(recv(got, tag, source) == DART_OK);
      REQUIRE(got == contents(source, serial, nbytes));
    }
  }
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
}

TEST_CASE("A message shorter than the buffer does not change the rest of it", "[TwoSided]") {
  const int me = my_id();
  const int units = num_units();
  std::vector<int> got(10, -1);
  const std::vector<int> mine(4, me);
  REQUIRE(dart_sendrecv(mine.data(), 4, DART_TYPE_INT, 0, dart_global_unit_t((me + 1) % units),
                        got.data(), 10, DART_TYPE_INT, 0,
                        dart_global_unit_t((me + units - 1) % units)) == DART_OK);
  for (std::size_t i = 0; i < got.size(); ++i)
    REQUIRE(got[i] == (i < 4 ? (me + units - 1) % units : -1));
}

TEST_CASE("A message longer than the buffer is an error and changes nothing", "[TwoSided]") {
  const int me = my_id();
  const std::size_t nbytes = GENERATE(as<std::size_t>{}, 100, 200'000);
  const int distance = GENERATE(0, 1);  // to the unit itself, to the next unit
  const int next = (me + distance) % num_units();
  const int previous = (me - distance + num_units()) % num_units();
  const auto mine = contents(me, 0, nbytes);
  std::vector<unsigned char> got(50, 7);
  REQUIRE(dart_sendrecv(mine.data(), mine.size(), DART_TYPE_BYTE, 0, dart_global_unit_t(next),
                        got.data(), got.size(), DART_TYPE_BYTE, 0,
                        dart_global_unit_t(previous)) == DART_ERR_INVAL);
  const std::string problem = "from unit " + std::to_string(previous) + " with tag 0 has " +
                              std::to_string(nbytes) + " bytes, more than the 50 bytes";
  REQUIRE_THAT(dart_last_error(), ContainsSubstring(problem));
  REQUIRE(got == std::vector<unsigned char>(50, 7));
  // That message is lost; the next one is received.
  const auto second = contents(me, 1, 50);
  REQUIRE(dart_sendrecv(second.data(), 50, DART_TYPE_BYTE, 0, dart_global_unit_t(next), got.data(),
                        50, DART_TYPE_BYTE, 0, dart_global_unit_t(previous)) == DART_OK);
  REQUIRE(got == contents(previous, 1, 50));
}

TEST_CASE("Elements of a custom type are sent; other derived types are refused", "[TwoSided]") {
  const int me = my_id();
  const int units = num_units();
  const std::size_t nelem = GENERATE(as<std::size_t>{}, 1, 10, 60'000);
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  REQUIRE(dart_type_create_custom(12, &type) == DART_OK);
  const auto mine = contents(me, 1, 12 * nelem);
  std::vector<unsigned char> got(mine.size());
  REQUIRE(dart_sendrecv(mine.data(), nelem, type, 2, dart_global_unit_t((me + 1) % units),
                        got.data(), nelem, type, 2,
                        dart_global_unit_t((me + units - 1) % units)) == DART_OK);
  REQUIRE(got == contents((me + units - 1) % units, 1, got.size()));
  REQUIRE(dart_type_destroy(&type) == DART_OK);
  REQUIRE(dart_type_create_strided(DART_TYPE_INT, 4, 2, &type) == DART_OK);
  REQUIRE(dart_send(mine.data(), 2, type, 0, dart_global_unit_t(me)) == DART_ERR_INVAL);
  REQUIRE(dart_recv(got.data(), 2, type, 0, dart_global_unit_t(me)) == DART_ERR_INVAL);
  REQUIRE(dart_type_destroy(&type) == DART_OK);
}

TEST_CASE("Threads of a unit send and receive concurrently", "[TwoSided]") {
  if (!dash::test::is_multithreaded()) DASH_SKIP("needs MPI_THREAD_MULTIPLE");
  const int me = my_id();
  const int units = num_units();
  const int right = (me + 1) % units;
  const int left = (me + units - 1) % units;
  constexpr int nthreads = 4;
  std::vector<int> failures(nthreads, 0);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < nthreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (unsigned i = 0; i < 100; ++i) {
        const std::size_t nbytes = i % 10 == 0 ? 150'000 : i * 20;
        const auto mine = contents(me * nthreads + thread, i, nbytes);
        std::vector<unsigned char> got(nbytes);
        const auto ret =
            dart_sendrecv(mine.data(), nbytes, DART_TYPE_BYTE, thread, dart_global_unit_t(right),
                          got.data(), nbytes, DART_TYPE_BYTE, thread, dart_global_unit_t(left));
        if (ret != DART_OK || got != contents(left * nthreads + thread, i, nbytes)) {
          ++failures[static_cast<std::size_t>(thread)];
        }
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  REQUIRE(std::accumulate(failures.begin(), failures.end(), 0) == 0);
}

TEST_CASE("A thread receives messages beyond the buffer limit from another thread of its unit",
          "[TwoSided]") {
  if (!dash::test::is_multithreaded()) DASH_SKIP("needs MPI_THREAD_MULTIPLE");
  const int me = my_id();
  const auto sent = contents(me, 0, 2'000'000);
  std::vector<unsigned char> got(sent.size());
  dart_ret_t receiver = DART_PENDING;
  std::thread thread([&] { receiver = recv(got, 9, me); });
  REQUIRE(send(sent, 9, me) == DART_OK);
  thread.join();
  REQUIRE(receiver == DART_OK);
  REQUIRE(got == sent);
}

TEST_CASE("Two-sided calls with invalid arguments are errors and send nothing", "[TwoSided]") {
  const int me = my_id();
  const int units = num_units();
  const dart_global_unit_t self(me);
  int value = 1;
  int other = 2;
  const auto both = [&](size_t nelem, dart_datatype_t type, int tag, dart_global_unit_t unit) {
    REQUIRE(dart_send(&value, nelem, type, tag, unit) == DART_ERR_INVAL);
    REQUIRE(std::strlen(dart_last_error()) > 0);
    REQUIRE(dart_recv(&value, nelem, type, tag, unit) == DART_ERR_INVAL);
    REQUIRE(dart_sendrecv(&value, nelem, type, tag, unit, &other, 1, DART_TYPE_INT, 0, self) ==
            DART_ERR_INVAL);
    REQUIRE(dart_sendrecv(&value, 1, DART_TYPE_INT, 0, self, &other, nelem, type, tag, unit) ==
            DART_ERR_INVAL);
  };
  both(1, DART_TYPE_INT, 0, dart_global_unit_t(-1));
  both(1, DART_TYPE_INT, 0, dart_global_unit_t(units));
  both(1, DART_TYPE_INT, -1, self);
  both(1, DART_TYPE_UNDEFINED, 0, self);
  both(1, DART_TYPE_LAST, 0, self);
  both(static_cast<size_t>(INT_MAX) + 1, DART_TYPE_BYTE, 0, self);
  REQUIRE(dart_send(nullptr, 1, DART_TYPE_INT, 0, self) == DART_ERR_INVAL);
  REQUIRE(dart_recv(nullptr, 1, DART_TYPE_INT, 0, self) == DART_ERR_INVAL);
  // No message of the failed calls is in flight: this one arrives first.
  value = 42;
  REQUIRE(dart_send(&value, 1, DART_TYPE_INT, 0, self) == DART_OK);
  REQUIRE(dart_recv(&other, 1, DART_TYPE_INT, 0, self) == DART_OK);
  REQUIRE(other == 42);
}
