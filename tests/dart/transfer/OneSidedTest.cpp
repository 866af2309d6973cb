// dash-test: parallel ranks=quick units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll smoke=yes

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::test::barrier;
using dash::test::Bytes;
using dash::test::my_id;
using dash::test::num_units;

namespace {

enum class Kind { blocking, flushed, flushed_all, handle, tested };

void put(Kind kind, dart_gptr_t to, const unsigned char* from, std::size_t n) {
  constexpr dart_datatype_t type = DART_TYPE_BYTE;
  dart_handle_t handle = DART_HANDLE_NULL;
  int32_t done = 0;
  switch (kind) {
    case Kind::blocking:
      REQUIRE(dart_put_blocking(to, from, n, type, type) == DART_OK);
      break;
    case Kind::flushed:
      REQUIRE(dart_put(to, from, n, type, type) == DART_OK);
      REQUIRE(dart_flush(to) == DART_OK);
      break;
    case Kind::flushed_all:
      REQUIRE(dart_put(to, from, n, type, type) == DART_OK);
      REQUIRE(dart_flush_all(to) == DART_OK);
      break;
    case Kind::handle:
      REQUIRE(dart_put_handle(to, from, n, type, type, &handle) == DART_OK);
      REQUIRE(dart_wait(&handle) == DART_OK);
      REQUIRE(handle == DART_HANDLE_NULL);
      break;
    case Kind::tested:
      REQUIRE(dart_put_handle(to, from, n, type, type, &handle) == DART_OK);
      while (done == 0)
        REQUIRE(dart_test(&handle, &done) == DART_OK);
      REQUIRE(handle == DART_HANDLE_NULL);
      break;
  }
}

void get(Kind kind, unsigned char* to, dart_gptr_t from, std::size_t n) {
  constexpr dart_datatype_t type = DART_TYPE_BYTE;
  dart_handle_t handle = DART_HANDLE_NULL;
  int32_t done = 0;
  switch (kind) {
    case Kind::blocking:
      REQUIRE(dart_get_blocking(to, from, n, type, type) == DART_OK);
      break;
    case Kind::flushed:
      REQUIRE(dart_get(to, from, n, type, type) == DART_OK);
      REQUIRE(dart_flush_local(from) == DART_OK);
      break;
    case Kind::flushed_all:
      REQUIRE(dart_get(to, from, n, type, type) == DART_OK);
      REQUIRE(dart_flush_local_all(from) == DART_OK);
      break;
    case Kind::handle:
      REQUIRE(dart_get_handle(to, from, n, type, type, &handle) == DART_OK);
      REQUIRE(dart_wait_local(&handle) == DART_OK);
      break;
    case Kind::tested:
      REQUIRE(dart_get_handle(to, from, n, type, type, &handle) == DART_OK);
      while (done == 0)
        REQUIRE(dart_testall_local(&handle, 1, &done) == DART_OK);
      break;
  }
}

}  // namespace

TEST_CASE("Random puts and gets of every kind have the same results as on plain memory",
          "[OneSided]") {
  const int me = my_id();
  const int n = num_units();
  // Each unit writes to a separate stripe of every part, so that the result is defined.
  constexpr std::size_t stripe = 300'000;
  const Bytes segment(stripe * static_cast<std::size_t>(n));
  std::vector<std::vector<unsigned char>> model(static_cast<std::size_t>(n),
                                                std::vector<unsigned char>(stripe));
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(me));
  const auto below = [&](std::size_t limit) { return random() % limit; };
  for (int operation = 0; operation < 150; ++operation) {
    const auto unit = static_cast<int>(below(static_cast<std::size_t>(n)));
    const Kind kind = static_cast<Kind>(below(5));
    // Mostly small; some are queued or split.
    const std::size_t length = below(4) == 0 ? below(stripe) : below(64);
    const std::size_t offset = below(stripe - length + 1);
    const std::uint64_t place = static_cast<std::uint64_t>(me) * stripe + offset;
    std::vector<unsigned char>& expected = model[static_cast<std::size_t>(unit)];
    if (below(2) == 0) {
      std::vector<unsigned char> data(length);
      for (unsigned char& byte : data)
        byte = static_cast<unsigned char>(random());
      put(kind, segment.at(unit, place), data.data(), length);
      std::copy(data.begin(), data.end(), expected.begin() + static_cast<std::ptrdiff_t>(offset));
    } else {
      std::vector<unsigned char> data(length, 0xEE);
      get(kind, data.data(), segment.at(unit, place), length);
      REQUIRE(std::equal(data.begin(), data.end(),
                         expected.begin() + static_cast<std::ptrdiff_t>(offset)));
    }
  }
  barrier();
  for (int unit = 0; unit < n; ++unit) {
    std::vector<unsigned char> all(stripe);
    get(Kind::blocking, all.data(), segment.at(unit, static_cast<std::uint64_t>(me) * stripe),
        stripe);
    REQUIRE(all == model[static_cast<std::size_t>(unit)]);
  }
}

TEST_CASE("The owner sees data that was put after a barrier", "[OneSided]") {
  const int me = my_id();
  const int n = num_units();
  const Bytes segment(sizeof(long) * static_cast<std::size_t>(n));
  for (long round = 1; round <= 20; ++round) {
    for (int unit = 0; unit < n; ++unit) {
      const long value = 1000 * round + me;
      REQUIRE(dart_put_blocking(segment.at(unit, sizeof(long) * static_cast<std::size_t>(me)),
                                &value, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    }
    barrier();
    const long* mine = reinterpret_cast<const long*>(segment.mine());
    for (int unit = 0; unit < n; ++unit)
      REQUIRE(mine[unit] == 1000 * round + unit);
    barrier();
  }
}

TEST_CASE("Null handles are complete, and operations of freed handles continue", "[OneSided]") {
  dart_handle_t handle = DART_HANDLE_NULL;
  int32_t flag = 0;
  REQUIRE(dart_wait(&handle) == DART_OK);
  REQUIRE(dart_test(&handle, &flag) == DART_OK);
  REQUIRE(flag == 1);
  flag = 0;
  REQUIRE(dart_testall(nullptr, 0, &flag) == DART_OK);
  REQUIRE(flag == 1);
  REQUIRE(dart_waitall(nullptr, 0) == DART_OK);

  const int neighbour = (my_id() + 1) % num_units();
  const Bytes segment(1'000'000);
  const std::vector<unsigned char> data(segment.size(), static_cast<unsigned char>(my_id() + 1));
  REQUIRE(dart_put_handle(segment.at(neighbour), data.data(), data.size(), DART_TYPE_BYTE,
                          DART_TYPE_BYTE, &handle) == DART_OK);
  REQUIRE(dart_handle_free(&handle) == DART_OK);
  REQUIRE(handle == DART_HANDLE_NULL);
  // A flush still completes the operation.
  REQUIRE(dart_flush(segment.at(neighbour)) == DART_OK);
  barrier();
  const int from = (my_id() + num_units() - 1) % num_units();
  REQUIRE(segment.mine()[0] == static_cast<unsigned char>(from + 1));
  REQUIRE(segment.mine()[segment.size() - 1] == static_cast<unsigned char>(from + 1));
}

TEST_CASE("Many handles may be in flight at once", "[OneSided]") {
  const int n = num_units();
  constexpr std::size_t count = 5000;
  const Bytes segment(count * sizeof(int));
  int* mine = reinterpret_cast<int*>(segment.mine());
  for (std::size_t i = 0; i < count; ++i)
    mine[i] = my_id() * 10'000 + static_cast<int>(i);
  barrier();
  std::vector<int> received(count, -1);
  std::vector<dart_handle_t> handles(count);
  for (std::size_t i = 0; i < count; ++i) {
    REQUIRE(dart_get_handle(&received[i], segment.at(static_cast<int>(i) % n, i * sizeof(int)), 1,
                            DART_TYPE_INT, DART_TYPE_INT, &handles[i]) == DART_OK);
  }
  REQUIRE(dart_waitall_local(handles.data(), handles.size()) == DART_OK);
  for (std::size_t i = 0; i < count; ++i) {
    REQUIRE(received[i] == static_cast<int>(i) % n * 10'000 + static_cast<int>(i));
  }
}

TEST_CASE("Self transfers that overlap behave like memmove", "[OneSided]") {
  const Bytes segment(400'000);
  unsigned char* mine = segment.mine();
  std::vector<unsigned char> model(segment.size());
  for (std::size_t i = 0; i < model.size(); ++i)
    model[i] = mine[i] = static_cast<unsigned char>(i * 7);
  const std::size_t n = 300'000;
  std::memmove(model.data() + 1000, model.data(), n);
  dart_handle_t handle = DART_HANDLE_NULL;
  REQUIRE(dart_put_handle(segment.at(my_id(), 1000), mine, n, DART_TYPE_BYTE, DART_TYPE_BYTE,
                          &handle) == DART_OK);
  REQUIRE(dart_wait(&handle) == DART_OK);
  REQUIRE(std::equal(model.begin(), model.end(), mine));
}

TEST_CASE("A put is visible at its target when a later get from the target completes",
          "[OneSided][stress]") {
  // Remote completion relies on the order of a put and a one-byte get at the same target.
  const int neighbour = (my_id() + 1) % num_units();
  const Bytes segment(64 * 1024);
  std::mt19937 random(dash::test::seed());
  std::vector<unsigned char> data(segment.size());
  std::vector<unsigned char> back(segment.size());
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + random() % (round % 10 == 0 ? segment.size() : 5000);
    for (std::size_t i = 0; i < n; ++i)
      data[i] = static_cast<unsigned char>(random());
    REQUIRE(dart_put_blocking(segment.at(neighbour), data.data(), n, DART_TYPE_BYTE,
                              DART_TYPE_BYTE) == DART_OK);
    REQUIRE(dart_get_blocking(back.data(), segment.at(neighbour), n, DART_TYPE_BYTE,
                              DART_TYPE_BYTE) == DART_OK);
    REQUIRE(std::equal(back.begin(), back.begin() + static_cast<std::ptrdiff_t>(n), data.begin()));
  }
}

TEST_CASE("Invalid arguments return an error that names them, and move nothing", "[OneSided]") {
  const Bytes segment(16);
  const int n = num_units();
  unsigned char byte = 42;
  const auto put_byte = [&](dart_gptr_t to, std::size_t count = 1) {
    return dart_put_blocking(to, &byte, count, DART_TYPE_BYTE, DART_TYPE_BYTE);
  };
  const auto message_has = [](const char* text) {
    return std::string(dart_last_error()).find(text) != std::string::npos;
  };
  REQUIRE(put_byte(segment.at(n)) == DART_ERR_INVAL);
  REQUIRE(message_has(("unit " + std::to_string(n)).c_str()));
  REQUIRE(put_byte(segment.at(-1)) == DART_ERR_INVAL);
  REQUIRE(put_byte(segment.at(0, 16)) == DART_ERR_INVAL);
  REQUIRE(put_byte(segment.at(0, 0), 17) == DART_ERR_INVAL);
  REQUIRE(message_has("17 bytes"));
  REQUIRE(put_byte(segment.at(0, ~std::uint64_t{0})) == DART_ERR_INVAL);
  dart_gptr_t wrong_team = segment.at(0);
  wrong_team.teamid = 5;
  REQUIRE(put_byte(wrong_team) == DART_ERR_INVAL);
  dart_gptr_t wrong_segment = segment.at(0);
  wrong_segment.segid = 12345;
  REQUIRE(put_byte(wrong_segment) == DART_ERR_INVAL);
  REQUIRE(put_byte(DART_GPTR_NULL) == DART_ERR_INVAL);
  REQUIRE(dart_put_blocking(segment.at(0), &byte, 1, DART_TYPE_BYTE, DART_TYPE_INT) ==
          DART_ERR_INVAL);
  REQUIRE(dart_put_blocking(segment.at(0), &byte, 1, 77, 77) == DART_ERR_INVAL);
  REQUIRE(message_has("77"));
  REQUIRE(dart_put_blocking(segment.at(0), &byte, SIZE_MAX / 2, DART_TYPE_INT, DART_TYPE_INT) ==
          DART_ERR_INVAL);
  REQUIRE(dart_get_handle(&byte, segment.at(0), 1, DART_TYPE_BYTE, DART_TYPE_BYTE, nullptr) ==
          DART_ERR_INVAL);
  REQUIRE(dart_flush(wrong_segment) == DART_ERR_INVAL);
  REQUIRE(dart_waitall(nullptr, 3) == DART_ERR_INVAL);
  barrier();
  REQUIRE(std::accumulate(segment.mine(), segment.mine() + 16, 0) == 0);
}

TEST_CASE("A source may be changed after the local wait, test and flush", "[OneSided]") {
  const std::size_t nbytes = GENERATE(as<std::size_t>{}, 8, 3000, 40'000, 300'000);
  const int how = GENERATE(0, 1, 2, 3);
  const Bytes memory(nbytes);
  const int next = (my_id() + 1) % num_units();
  const int previous = (my_id() + num_units() - 1) % num_units();
  std::vector<unsigned char> source(nbytes, static_cast<unsigned char>(my_id() + 1));
  dart_handle_t handle = DART_HANDLE_NULL;
  int32_t done = 0;
  constexpr dart_datatype_t type = DART_TYPE_BYTE;
  if (how < 2) {
    REQUIRE(dart_put_handle(memory.at(next), source.data(), nbytes, type, type, &handle) ==
            DART_OK);
    if (how == 0) REQUIRE(dart_waitall_local(&handle, 1) == DART_OK);
    while (how == 1 && done == 0)
      REQUIRE(dart_test_local(&handle, &done) == DART_OK);
    REQUIRE(handle == DART_HANDLE_NULL);
  } else {
    REQUIRE(dart_put(memory.at(next), source.data(), nbytes, type, type) == DART_OK);
    if (how == 2) REQUIRE(dart_flush_local(memory.at(next)) == DART_OK);
    if (how == 3) REQUIRE(dart_flush_local_all(memory.at(next)) == DART_OK);
  }
  std::fill(source.begin(), source.end(), static_cast<unsigned char>(99));
  REQUIRE(dart_flush(memory.at(next)) == DART_OK);
  barrier();
  REQUIRE(std::count(memory.mine(), memory.mine() + nbytes,
                     static_cast<unsigned char>(previous + 1)) == static_cast<long>(nbytes));
  barrier();
}

TEST_CASE("A unit that only flushes, or tests null handles, serves other units", "[OneSided]") {
  const Bytes memory(sizeof(int));
  const bool tests = GENERATE(false, true);
  barrier();
  *reinterpret_cast<volatile int*>(memory.mine()) = 0;
  barrier();
  if (my_id() == 0) {
    for (int unit = 1; unit < num_units(); ++unit) {
      const int one = 1;
      REQUIRE(dart_put_blocking(memory.at(unit), &one, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
    }
  } else {
    dart_handle_t handle = DART_HANDLE_NULL;
    int32_t done = 0;
    while (*reinterpret_cast<volatile int*>(memory.mine()) == 0) {
      if (tests) {
        REQUIRE(dart_test(&handle, &done) == DART_OK);
      } else {
        REQUIRE(dart_flush(memory.at(my_id())) == DART_OK);
      }
      std::this_thread::yield();
    }
  }
  barrier();
}
