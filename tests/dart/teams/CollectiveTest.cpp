// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll smoke=yes

#include <algorithm>
#include <numeric>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/Exception.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"

using dash::test::my_id;
using dash::test::num_units;

namespace {

// No element, and numbers of elements around the sizes of chunks.
const std::vector<std::size_t> sizes{0, 1, 3, 1000, 8192, 8193, 70'001};

}  // namespace

TEST_CASE("A barrier returns when all units have called it", "[Collective]") {
  const auto n = static_cast<std::size_t>(num_units());
  dart_gptr_t counters;
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, n, DART_TYPE_INT, &counters) == DART_OK);
  for (int round = 1; round <= 50; ++round) {
    // Each unit stores the round at each unit; after the barrier all stores are visible.
    for (std::size_t unit = 0; unit < n; ++unit) {
      dart_gptr_t slot = counters;
      slot.unitid = static_cast<int>(unit);
      slot.addr_or_offs.offset = sizeof(int) * static_cast<std::uint64_t>(my_id());
      REQUIRE(dart_put_blocking(slot, &round, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
    }
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
    dart_gptr_t own = counters;
    own.unitid = my_id();
    void* address = nullptr;
    REQUIRE(dart_gptr_getaddr(own, &address) == DART_OK);
    const int* begin = static_cast<const int*>(address);
    REQUIRE(std::all_of(begin, begin + n, [=](int value) { return value == round; }));
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  }
  REQUIRE(dart_team_memfree(counters) == DART_OK);
}

TEST_CASE("bcast from every unit", "[Collective]") {
  for (const std::size_t size : sizes) {
    for (int root = 0; root < num_units(); ++root) {
      std::vector<int> data(size, -1);
      if (my_id() == root) std::iota(data.begin(), data.end(), 17 * root);
      REQUIRE(dart_bcast(data.data(), size, DART_TYPE_INT, DART_TEAM_UNIT_ID(root),
                         DART_TEAM_ALL) == DART_OK);
      std::vector<int> expected(size);
      std::iota(expected.begin(), expected.end(), 17 * root);
      REQUIRE(data == expected);
    }
  }
}

TEST_CASE("allgather, in place and not", "[Collective]") {
  const auto n = static_cast<std::size_t>(num_units());
  for (const std::size_t size : sizes) {
    const auto value = [](std::size_t unit, std::size_t i) {
      return static_cast<long>(unit * 1'000'000 + i);
    };
    std::vector<long> mine(size);
    for (std::size_t i = 0; i < size; ++i)
      mine[i] = value(static_cast<std::size_t>(my_id()), i);
    std::vector<long> expected;
    for (std::size_t unit = 0; unit < n; ++unit) {
      for (std::size_t i = 0; i < size; ++i)
        expected.push_back(value(unit, i));
    }
    std::vector<long> all(n * size, -1);
    REQUIRE(dart_allgather(mine.data(), all.data(), size, DART_TYPE_LONG, DART_TEAM_ALL) ==
            DART_OK);
    REQUIRE(all == expected);
    std::vector<long> in_place(n * size, -1);
    std::copy(
        mine.begin(), mine.end(),
        in_place.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(my_id()) * size));
    REQUIRE(dart_allgather(nullptr, in_place.data(), size, DART_TYPE_LONG, DART_TEAM_ALL) ==
            DART_OK);
    REQUIRE(in_place == expected);
  }
}

TEMPLATE_TEST_CASE("allreduce with every operation", "[Collective]", short, int, unsigned long,
                   long long, double) {
  const auto type = [] {
    if constexpr (std::is_same_v<TestType, short>) return DART_TYPE_SHORT;
    if constexpr (std::is_same_v<TestType, int>) return DART_TYPE_INT;
    if constexpr (std::is_same_v<TestType, unsigned long>) return DART_TYPE_ULONG;
    if constexpr (std::is_same_v<TestType, long long>) return DART_TYPE_LONGLONG;
    return DART_TYPE_DOUBLE;
  }();
  using T = TestType;
  const int n = num_units();
  const auto value = [](int unit, std::size_t i) {
    return static_cast<T>((static_cast<std::size_t>(unit) * 7 + i) % 5);
  };
  struct Case {
    dart_operation_t op;
    T (*combine)(T, T);
  };
  std::vector<Case> cases{
      {DART_OP_MIN, [](T a, T b) { return std::min(a, b); }},
      {DART_OP_MAX, [](T a, T b) { return std::max(a, b); }},
      {DART_OP_SUM, [](T a, T b) { return static_cast<T>(a + b); }},
      {DART_OP_PROD, [](T a, T b) { return static_cast<T>(a * b); }},
      {DART_OP_LAND, [](T a, T b) { return static_cast<T>((a != 0) && (b != 0)); }},
      {DART_OP_LOR, [](T a, T b) { return static_cast<T>((a != 0) || (b != 0)); }},
      {DART_OP_LXOR, [](T a, T b) { return static_cast<T>((a != 0) != (b != 0)); }}};
  if constexpr (std::is_integral_v<T>) {
    cases.push_back({DART_OP_BAND, [](T a, T b) { return static_cast<T>(a & b); }});
    cases.push_back({DART_OP_BOR, [](T a, T b) { return static_cast<T>(a | b); }});
    cases.push_back({DART_OP_BXOR, [](T a, T b) { return static_cast<T>(a ^ b); }});
  }
  for (const Case& c : cases) {
    // The values of a single unit remain unchanged, logical ones too: nothing is combined.
    for (const std::size_t size : {std::size_t{1}, std::size_t{20'000}}) {
      std::vector<T> data(size);
      std::vector<T> expected(size);
      for (std::size_t i = 0; i < size; ++i) {
        data[i] = value(my_id(), i);
        expected[i] = value(0, i);
        for (int unit = 1; unit < n; ++unit)
          expected[i] = c.combine(expected[i], value(unit, i));
      }
      // In place.
      REQUIRE(dart_allreduce(data.data(), data.data(), size, type, c.op, DART_TEAM_ALL) == DART_OK);
      REQUIRE(data == expected);
    }
  }
}

TEST_CASE("allreduce of pairs computes minimum and maximum", "[Collective]") {
  const double mine[4] = {double(my_id()), double(my_id()), -2.0 * my_id(), 3.0 - my_id()};
  double result[4];
  REQUIRE(dart_allreduce(mine, result, 4, DART_TYPE_DOUBLE, DART_OP_MINMAX, DART_TEAM_ALL) ==
          DART_OK);
  REQUIRE(result[0 + DART_OP_MINMAX_MIN] == 0.0);
  REQUIRE(result[0 + DART_OP_MINMAX_MAX] == num_units() - 1);
  REQUIRE(result[2 + DART_OP_MINMAX_MIN] == -2.0 * (num_units() - 1));
  REQUIRE(result[2 + DART_OP_MINMAX_MAX] == 3.0);
}

TEST_CASE("All units get the same bits of a floating point sum", "[Collective]") {
  double value = 0.1 * (my_id() + 1) + 1e-17 * my_id();
  double sum = 0;
  REQUIRE(dart_allreduce(&value, &sum, 1, DART_TYPE_DOUBLE, DART_OP_SUM, DART_TEAM_ALL) == DART_OK);
  std::vector<double> all(static_cast<std::size_t>(num_units()));
  REQUIRE(dart_allgather(&sum, all.data(), 1, DART_TYPE_DOUBLE, DART_TEAM_ALL) == DART_OK);
  for (const double other : all)
    REQUIRE(other == sum);
}

TEST_CASE("Wrong arguments of collectives return an error on the caller", "[Collective]") {
  int value = 0;
  REQUIRE(dart_barrier(42) == DART_ERR_INVAL);
  REQUIRE(dart_bcast(&value, 1, DART_TYPE_INT, DART_TEAM_UNIT_ID(num_units()), DART_TEAM_ALL) ==
          DART_ERR_INVAL);
  REQUIRE(dart_bcast(nullptr, 1, DART_TYPE_INT, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL) ==
          DART_ERR_INVAL);
  REQUIRE(dart_allreduce(&value, &value, 1, DART_TYPE_DOUBLE, DART_OP_BAND, DART_TEAM_ALL) ==
          DART_ERR_INVAL);
  REQUIRE(dart_allreduce(&value, &value, 1, DART_TYPE_INT, DART_OP_MINMAX, DART_TEAM_ALL) ==
          DART_ERR_INVAL);
  REQUIRE(dart_allreduce(&value, &value, 1, DART_TYPE_INT, 99, DART_TEAM_ALL) == DART_ERR_INVAL);
  REQUIRE(dart_allgather(&value, nullptr, 1, DART_TYPE_INT, DART_TEAM_ALL) == DART_ERR_INVAL);
}

TEST_CASE("The C++ functions perform collectives and throw exceptions", "[Collective]") {
  namespace dart = dash::dart;
  const auto n = static_cast<std::size_t>(num_units());
  const auto all_units = dart::collectives_of(DART_TEAM_ALL);
  all_units->barrier();
  int value = my_id() == 0 ? 42 : 0;
  all_units->bcast(&value, sizeof value, 0);
  REQUIRE(value == 42);
  const int mine = my_id();
  std::vector<int> all(n);
  all_units->allgather(&mine, all.data(), sizeof mine);
  std::vector<int> expected(n);
  std::iota(expected.begin(), expected.end(), 0);
  REQUIRE(all == expected);
  all_units->alltoall(nullptr, all.data(), sizeof(int));
  REQUIRE(all == std::vector<int>(n, my_id()));
  int largest = -1;
  all_units->allreduce(&mine, &largest, 1, DART_TYPE_INT, DART_OP_MAX);
  REQUIRE(largest == num_units() - 1);
  using dash::exception::InvalidArgument;
  REQUIRE_THROWS_AS(dart::collectives_of(42), InvalidArgument);
  REQUIRE_THROWS_AS(all_units->bcast(&value, sizeof value, -1), InvalidArgument);
  REQUIRE_THROWS_AS(all_units->allgather(&mine, nullptr, 1), InvalidArgument);
}
