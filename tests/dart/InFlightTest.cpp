// dash-test: parallel units=2,3 layouts=nolocal,cliques modes=auto,thread,poll

// More operations than may be in flight at once: whoever starts them is held, and makes progress,
// and memory stays bounded. (AddressSanitizer counts none here.)

#include <malloc.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "Fixture.h"

using namespace dash::test;

namespace {

constexpr std::size_t many = 100'000;
constexpr std::size_t bound = std::size_t{32} << 20;
constexpr dart_datatype_t type = DART_TYPE_LONG;

/// How much the heap grows at the most.
class Growth {
 public:
  void look() {
    const std::size_t now = in_use();
    if (now > _begin) _most = std::max(_most, now - _begin);
  }
  std::size_t most() const { return _most; }

 private:
  static std::size_t in_use() {
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
  }
  std::size_t _begin = in_use();
  std::size_t _most = 0;
};

/// Unit 0 starts an operation for each word of unit 1, which does not call the library at first.
template <class Start>
std::size_t start_all(const Start& start) {
  Growth growth;
  for (std::size_t i = 0; i < many; ++i) {
    start(i);
    if (i % 500 == 0) growth.look();
  }
  growth.look();
  return growth.most();
}

void be_silent() {
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

}  // namespace

TEST_CASE("100,000 puts that nobody waits for take bounded memory and arrive", "[InFlight]") {
  const Bytes segment(many * sizeof(long));
  std::vector<long> values(many);
  std::iota(values.begin(), values.end(), 1);
  barrier();
  if (my_id() == 0) {
    const std::size_t growth = start_all([&](std::size_t i) {
      if (dart_put(segment.at(1, i * sizeof(long)), &values[i], 1, type, type) != DART_OK)
        FAIL(dart_last_error());
    });
    CHECK(growth < bound);
    REQUIRE(dart_flush(segment.at(1)) == DART_OK);
  } else {
    be_silent();
  }
  barrier();
  if (my_id() == 1) {
    const auto* const arrived = reinterpret_cast<const long*>(segment.mine());
    REQUIRE(std::equal(values.begin(), values.end(), arrived));
  }
}

TEST_CASE("100,000 puts with handles, waited for in the order of their start", "[InFlight]") {
  const Bytes segment(many * sizeof(long));
  std::vector<long> values(many);
  std::iota(values.begin(), values.end(), 7);
  std::vector<dart_handle_t> handles(many, DART_HANDLE_NULL);
  barrier();
  if (my_id() == 0) {
    const std::size_t growth = start_all([&](std::size_t i) {
      if (dart_put_handle(segment.at(1, i * sizeof(long)), &values[i], 1, type, type,
                          &handles[i]) != DART_OK)
        FAIL(dart_last_error());
    });
    CHECK(growth < bound + many * 256);  // a handle keeps its operation's memory
    REQUIRE(dart_waitall(handles.data(), many) == DART_OK);
  } else {
    be_silent();
  }
  barrier();
  if (my_id() == 1) {
    const auto* const arrived = reinterpret_cast<const long*>(segment.mine());
    REQUIRE(std::equal(values.begin(), values.end(), arrived));
  }
}

TEST_CASE("100,000 gets take bounded memory and fetch what is there", "[InFlight]") {
  const Bytes segment(many * sizeof(long));
  auto* const own = reinterpret_cast<long*>(segment.mine());
  std::iota(own, own + many, my_id());
  std::vector<long> values(many, -1);
  barrier();
  if (my_id() == 0) {
    const std::size_t growth = start_all([&](std::size_t i) {
      if (dart_get(&values[i], segment.at(1, i * sizeof(long)), 1, type, type) != DART_OK)
        FAIL(dart_last_error());
    });
    CHECK(growth < bound);
    REQUIRE(dart_flush_local(segment.at(1)) == DART_OK);
    std::vector<long> expected(many);
    std::iota(expected.begin(), expected.end(), 1);
    REQUIRE(values == expected);
  } else {
    be_silent();
  }
  barrier();
}
