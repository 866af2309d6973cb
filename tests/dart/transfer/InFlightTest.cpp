// dash-test: parallel units=2,3 layouts=nolocal,cliques modes=auto,thread,poll smoke=yes

// More operations than may be in flight at once: the initiator waits and makes progress, and memory stays
// bounded. (With AddressSanitizer, mallinfo2() reports nothing.)

#include <malloc.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "dart/support/Fixture.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

namespace {

constexpr std::size_t many = 100'000;
constexpr std::size_t bound = std::size_t{32} << 20;
constexpr dart_datatype_t type = DART_TYPE_LONG;

/// Measures the maximum growth of the heap.
class HeapGrowth {
 public:
  void sample() {
    const std::size_t now = in_use();
    if (now > _begin) _max = std::max(_max, now - _begin);
  }
  std::size_t max() const { return _max; }

 private:
  static std::size_t in_use() {
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
  }
  std::size_t _begin = in_use();
  std::size_t _max = 0;
};

/// Starts an operation for each word of unit 1, which makes no calls at first. Called on unit 0.
/// \returns the growth of the heap in bytes
template <class Start>
std::size_t start_all(const Start& start) {
  HeapGrowth growth;
  for (std::size_t i = 0; i < many; ++i) {
    start(i);
    if (i % 500 == 0) growth.sample();
  }
  growth.sample();
  return growth.max();
}

void make_no_calls() {
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

}  // namespace

TEST_CASE("100,000 puts without handles use bounded memory and arrive", "[InFlight]") {
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
    make_no_calls();
  }
  barrier();
  if (my_id() == 1) {
    const auto* const arrived = reinterpret_cast<const long*>(segment.mine());
    REQUIRE(std::equal(values.begin(), values.end(), arrived));
  }
}

TEST_CASE("100,000 puts with handles can be waited for in the order of their start", "[InFlight]") {
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
    CHECK(growth < bound + many * 256);  // a handle owns the memory of its operation
    REQUIRE(dart_waitall(handles.data(), many) == DART_OK);
  } else {
    make_no_calls();
  }
  barrier();
  if (my_id() == 1) {
    const auto* const arrived = reinterpret_cast<const long*>(segment.mine());
    REQUIRE(std::equal(values.begin(), values.end(), arrived));
  }
}

TEST_CASE("100,000 gets use bounded memory and fetch the values of the target", "[InFlight]") {
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
    make_no_calls();
  }
  barrier();
}

namespace {

/// Sizes below and above the limit for batching; their sum is `stride`.
constexpr std::array<std::size_t, 12> sizes{1, 3, 4, 8, 16, 31, 64, 100, 128, 255, 256, 300};
constexpr std::size_t stride = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
constexpr std::size_t repetitions = 100;

unsigned char byte_of(int unit, std::size_t i) {
  return static_cast<unsigned char>(i * 31 + i / 251 + static_cast<std::size_t>(unit) * 7);
}

/// Calls f(unit, offset, size) for blocks that cover all bytes of all other units once, alternating between
/// units.
template <class F>
void for_each_block_of_others(F f) {
  for (std::size_t i = 0; i < repetitions; ++i) {
    std::size_t offset = i * stride;
    for (const std::size_t size : sizes) {
      for (int k = 1; k < num_units(); ++k)
        f((my_id() + k) % num_units(), offset, size);
      offset += size;
    }
  }
}

}  // namespace

TEST_CASE("Small puts of many sizes to all units at once arrive at their targets", "[InFlight]") {
  constexpr std::size_t all = repetitions * stride;
  const auto nunits = static_cast<std::size_t>(num_units());
  const Bytes segment(all * nunits);  // a part for each unit
  std::vector<unsigned char> source(all);
  for (std::size_t i = 0; i < all; ++i)
    source[i] = byte_of(my_id(), i);
  std::vector<dart_handle_t> handles;
  const auto mine = static_cast<std::size_t>(my_id()) * all;
  for_each_block_of_others([&](int unit, std::size_t offset, std::size_t size) {
    handles.push_back(DART_HANDLE_NULL);
    REQUIRE(dart_put_handle(segment.at(unit, mine + offset), &source[offset], size, DART_TYPE_BYTE,
                            DART_TYPE_BYTE, &handles.back()) == DART_OK);
  });
  REQUIRE(dart_waitall_local(handles.data(), handles.size()) == DART_OK);
  std::fill(source.begin(), source.end(), static_cast<unsigned char>(0));
  REQUIRE(dart_flush_all(segment.at(my_id())) == DART_OK);
  barrier();
  for (int unit = 0; unit < num_units(); ++unit) {
    if (unit == my_id()) continue;
    const unsigned char* const arrived = segment.mine() + static_cast<std::size_t>(unit) * all;
    for (std::size_t i = 0; i < all; ++i) {
      if (arrived[i] != byte_of(unit, i)) FAIL("byte " << i << " from unit " << unit);
    }
  }
}

TEST_CASE("Small gets of many sizes from all units at once fetch the values of the targets",
          "[InFlight]") {
  constexpr std::size_t all = repetitions * stride;
  const Bytes segment(all);
  for (std::size_t i = 0; i < all; ++i)
    segment.mine()[i] = byte_of(my_id(), i);
  barrier();
  std::vector<std::vector<unsigned char>> fetched(static_cast<std::size_t>(num_units()),
                                                  std::vector<unsigned char>(all));
  const bool waits_for_each = my_id() % 2 == 0;
  std::vector<dart_handle_t> handles;
  for_each_block_of_others([&](int unit, std::size_t offset, std::size_t size) {
    handles.push_back(DART_HANDLE_NULL);
    REQUIRE(dart_get_handle(&fetched[static_cast<std::size_t>(unit)][offset],
                            segment.at(unit, offset), size, DART_TYPE_BYTE, DART_TYPE_BYTE,
                            &handles.back()) == DART_OK);
  });
  if (waits_for_each) {
    for (dart_handle_t& handle : handles)
      REQUIRE(dart_wait(&handle) == DART_OK);
  } else {
    int32_t complete = 0;
    while (complete == 0)
      REQUIRE(dart_testall(handles.data(), handles.size(), &complete) == DART_OK);
  }
  for (int unit = 0; unit < num_units(); ++unit) {
    if (unit == my_id()) continue;
    for (std::size_t i = 0; i < all; ++i) {
      if (fetched[static_cast<std::size_t>(unit)][i] != byte_of(unit, i))
        FAIL("byte " << i << " of unit " << unit);
    }
  }
}

TEST_CASE("Small transfers of several concurrent threads arrive at their targets", "[InFlight]") {
  if (!is_multithreaded()) DASH_SKIP("needs MPI_THREAD_MULTIPLE");
  constexpr std::size_t each = 2000;
  constexpr std::size_t num_threads = 3;
  const Bytes segment(num_threads * each * sizeof(long));
  const int unit = (my_id() + 1) % num_units();
  const auto both_ways = [&](std::size_t thread) {
    std::vector<long> out(each);
    std::vector<long> in(each, -1);
    bool ok = true;
    const auto place = [&](std::size_t i) {
      return segment.at(unit, (thread * each + i) * sizeof(long));
    };
    for (std::size_t i = 0; i < each; ++i) {
      out[i] = static_cast<long>(thread * each + i);
      ok = ok && dart_put(place(i), &out[i], 1, type, type) == DART_OK;
    }
    ok = ok && dart_flush(place(0)) == DART_OK;
    for (std::size_t i = 0; i < each; ++i)
      ok = ok && dart_get(&in[i], place(i), 1, type, type) == DART_OK;
    ok = ok && dart_flush_local_all(place(0)) == DART_OK;
    return ok && in == out;
  };
  std::array<bool, num_threads> ok{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < num_threads; ++i)
    threads.emplace_back([&, i] { ok[i] = both_ways(i); });
  for (std::thread& thread : threads)
    thread.join();
  for (const bool each_ok : ok)
    CHECK(each_ok);
  barrier();
}
