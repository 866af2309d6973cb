// dash-test: parallel ranks=quick units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll smoke=yes

#include <algorithm>
#include <cfloat>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/Exception.h"
#include "dash/dart/Atomic.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::test::barrier;
using dash::test::Bytes;
using dash::test::last_error_has;
using dash::test::my_id;
using dash::test::num_units;

namespace {

template <class T>
constexpr dart_datatype_t type_of() {
  if constexpr (std::is_same_v<T, unsigned char>) return DART_TYPE_BYTE;
  if constexpr (std::is_same_v<T, short>) return DART_TYPE_SHORT;
  if constexpr (std::is_same_v<T, int>) return DART_TYPE_INT;
  if constexpr (std::is_same_v<T, unsigned>) return DART_TYPE_UINT;
  if constexpr (std::is_same_v<T, long>) return DART_TYPE_LONG;
  if constexpr (std::is_same_v<T, unsigned long>) return DART_TYPE_ULONG;
  if constexpr (std::is_same_v<T, long long>) return DART_TYPE_LONGLONG;
  if constexpr (std::is_same_v<T, unsigned long long>) return DART_TYPE_ULONGLONG;
  if constexpr (std::is_same_v<T, float>) return DART_TYPE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return DART_TYPE_DOUBLE;
  if constexpr (std::is_same_v<T, long double>) return DART_TYPE_LONG_DOUBLE;
}

/// Sets the bytes of a value that are padding: the last six of a long double of x86. Other types have none.
template <class T>
void set_padding(void* value) {
  if constexpr (std::is_same_v<T, long double> && LDBL_MANT_DIG == 64)
    std::memset(static_cast<unsigned char*>(value) + 10, 0xEE, sizeof(T) - 10);
}

/// Reference implementation of the operations on plain values; integers wrap around.
template <class T>
T model(dart_operation_t op, T old, T by) {
  const bool a = old != T{};
  const bool b = by != T{};
  switch (op) {
    case DART_OP_MIN:
      return std::min(old, by);
    case DART_OP_MAX:
      return std::max(old, by);
    case DART_OP_LAND:
      return static_cast<T>(a && b);
    case DART_OP_LOR:
      return static_cast<T>(a || b);
    case DART_OP_LXOR:
      return static_cast<T>(a != b);
    case DART_OP_REPLACE:
      return by;
    case DART_OP_NO_OP:
      return old;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    const auto x = static_cast<unsigned long long>(old);
    const auto y = static_cast<unsigned long long>(by);
    switch (op) {
      case DART_OP_SUM:
        return static_cast<T>(x + y);
      case DART_OP_PROD:
        return static_cast<T>(x * y);
      case DART_OP_BAND:
        return static_cast<T>(x & y);
      case DART_OP_BOR:
        return static_cast<T>(x | y);
      case DART_OP_BXOR:
        return static_cast<T>(x ^ y);
      default:
        break;
    }
  } else {
    if (op == DART_OP_SUM) return old + by;
    if (op == DART_OP_PROD) return old * by;
  }
  FAIL("no model of operation " << op);
  return old;
}

template <class T>
std::vector<dart_operation_t> operations() {
  std::vector<dart_operation_t> all{DART_OP_MIN,  DART_OP_MAX,     DART_OP_SUM,
                                    DART_OP_PROD, DART_OP_LAND,    DART_OP_LOR,
                                    DART_OP_LXOR, DART_OP_REPLACE, DART_OP_NO_OP};
  if (std::is_integral_v<T>) {
    all.insert(all.end(), {DART_OP_BAND, DART_OP_BOR, DART_OP_BXOR});
  }
  return all;
}

template <class T>
class Values {
 public:
  explicit Values(unsigned seed) : _random(seed) {}
  T next() {
    if constexpr (std::is_integral_v<T>) {
      std::uniform_int_distribution<long long> wide(std::numeric_limits<int>::min(),
                                                    std::numeric_limits<int>::max());
      return _random() % 4 == 0 ? T{} : static_cast<T>(wide(_random) * wide(_random));
    } else {
      return _random() % 4 == 0 ? T{}
                                : static_cast<T>(static_cast<int>(_random() % 2000) - 1000) / 8;
    }
  }

 private:
  std::mt19937 _random;
};

}  // namespace

TEMPLATE_TEST_CASE("Atomics of every operation have the same results as on plain memory",
                   "[Atomic]", unsigned char, short, int, unsigned, long, unsigned long, long long,
                   unsigned long long, float, double, long double) {
  using T = TestType;
  constexpr dart_datatype_t type = type_of<T>();
  const auto n = static_cast<std::size_t>(num_units());
  // Each unit uses separate elements on all units.
  constexpr std::size_t count = 700;
  const Bytes segment(n * count * sizeof(T));
  const auto place = [&](std::size_t unit, std::size_t i) {
    return segment.at(static_cast<int>(unit),
                      (static_cast<std::size_t>(my_id()) * count + i) * sizeof(T));
  };
  Values<T> values(dash::test::seed() + static_cast<unsigned>(my_id()));
  for (std::size_t unit = 0; unit < n; ++unit) {
    std::vector<T> expected(count, T{});
    for (const dart_operation_t op : operations<T>()) {
      std::vector<T> by(count);
      for (T& value : by) {
        value = values.next();
        set_padding<T>(&value);
      }
      REQUIRE(dart_accumulate(place(unit, 0), by.data(), count, type, op) == DART_OK);
      std::vector<T> sent = by;
      std::fill(by.begin(), by.end(), T{});  // local completion on return
      for (std::size_t i = 0; i < count; ++i)
        expected[i] = model(op, expected[i], sent[i]);
      for (std::size_t i = 0; i < 20; ++i) {
        T old{};
        const T value = values.next();
        REQUIRE(dart_fetch_and_op(place(unit, i), &value, &old, type, op) == DART_OK);
        REQUIRE(dart_flush(place(unit, i)) == DART_OK);
        REQUIRE(old == expected[i]);
        expected[i] = model(op, expected[i], value);
      }
    }
    REQUIRE(dart_flush_all(place(unit, 0)) == DART_OK);
    std::vector<T> result(count);
    REQUIRE(dart_get_blocking(result.data(), place(unit, 0), count, type, type) == DART_OK);
    REQUIRE(result == expected);
  }
}

TEMPLATE_TEST_CASE("compare_and_swap stores if the values are equal, and returns the old value",
                   "[Atomic]", unsigned char, short, int, unsigned, long, unsigned long, long long,
                   unsigned long long, float, double, long double) {
  using T = TestType;
  constexpr dart_datatype_t type = type_of<T>();
  const Bytes segment(sizeof(T) * static_cast<std::size_t>(num_units()));
  const int neighbour = (my_id() + 1) % num_units();
  const dart_gptr_t word = segment.at(neighbour, sizeof(T) * static_cast<std::size_t>(my_id()));
  const auto swap = [&](T value, T compare) {
    T old{};
    set_padding<T>(&compare);
    REQUIRE(dart_compare_and_swap(word, &value, &compare, &old, type) == DART_OK);
    REQUIRE(dart_flush_local(word) == DART_OK);
    return old;
  };
  REQUIRE(swap(5, 0) == T{0});
  REQUIRE(swap(7, 4) == T{5});
  REQUIRE(swap(7, 5) == T{5});
  REQUIRE(swap(0, 7) == T{7});
  if constexpr (std::is_floating_point_v<T>) {
    REQUIRE(swap(1, -T{0}) == T{0});  // -0.0 is not 0.0
    REQUIRE(swap(std::numeric_limits<T>::quiet_NaN(), 0) == T{0});
    REQUIRE(swap(3, std::numeric_limits<T>::quiet_NaN()) != std::numeric_limits<T>::quiet_NaN());
    REQUIRE(swap(4, 3) == T{3});  // a NaN equals itself
  }
}

TEST_CASE("Concurrent updates of a word from several nodes are not lost", "[Atomic][stress]") {
  const int n = num_units();
  constexpr int rounds = 400;
  // A cache line for each kind of operation, all on unit 0, then all on the last unit.
  const Bytes segment(512);
  for (const int owner : {0, n - 1}) {
    const auto at = [&](std::uint64_t offset) { return segment.at(owner, offset); };
    if (my_id() == owner) {
      std::memset(segment.mine(), 0, segment.size());
      set_padding<long double>(segment.mine() + 256);
    }
    barrier();
    const long one = 1;
    const double half = 0.5;
    const long double quarter = 0.25L;
    const unsigned char byte = 1;
    long long swapped = 0;
    for (int i = 0; i < rounds; ++i) {
      long old = 0;
      REQUIRE(dart_fetch_and_op(at(0), &one, &old, DART_TYPE_LONG, DART_OP_SUM) == DART_OK);
      REQUIRE(dart_accumulate(at(64), &half, 1, DART_TYPE_DOUBLE, DART_OP_SUM) == DART_OK);
      REQUIRE(dart_accumulate(at(256), &quarter, 1, DART_TYPE_LONG_DOUBLE, DART_OP_SUM) == DART_OK);
      // Adjacent elements within one word of the processor.
      REQUIRE(dart_accumulate(at(128 + static_cast<std::uint64_t>(my_id()) % 4), &byte, 1,
                              DART_TYPE_BYTE, DART_OP_SUM) == DART_OK);
      long long seen = 0;
      const long long from = swapped;
      const long long to = from + 1;
      REQUIRE(dart_compare_and_swap(at(192), &to, &from, &seen, DART_TYPE_LONGLONG) == DART_OK);
      REQUIRE(dart_flush(at(192)) == DART_OK);
      if (seen == from) {
        const long long done = 1;
        REQUIRE(dart_accumulate(at(200), &done, 1, DART_TYPE_LONGLONG, DART_OP_SUM) == DART_OK);
        swapped = to;
      } else {
        swapped = seen;
      }
    }
    REQUIRE(dart_flush_all(at(0)) == DART_OK);
    barrier();
    if (my_id() == owner) {
      const unsigned char* mine = segment.mine();
      const auto total = static_cast<long>(n) * rounds;
      REQUIRE(*reinterpret_cast<const long*>(mine) == total);
      REQUIRE(*reinterpret_cast<const double*>(mine + 64) == 0.5 * static_cast<double>(total));
      REQUIRE(*reinterpret_cast<const long double*>(mine + 256) ==
              0.25L * static_cast<long double>(total));
      for (int lane = 0; lane < 4; ++lane) {
        const int adders = (n - lane + 3) / 4;
        REQUIRE(mine[128 + lane] == static_cast<unsigned char>(adders * rounds));
      }
      // The word counts the successful swaps.
      REQUIRE(*reinterpret_cast<const long long*>(mine + 192) ==
              *reinterpret_cast<const long long*>(mine + 200));
      REQUIRE(*reinterpret_cast<const long long*>(mine + 192) >= rounds / n);
    }
    barrier();
  }
}

TEMPLATE_TEST_CASE("Concurrent additions to overlapping ranges are not lost", "[Atomic][stress]",
                   unsigned char, short, unsigned, double) {
  using T = TestType;
  constexpr dart_datatype_t type = type_of<T>();
  constexpr std::size_t count = 100;
  const Bytes segment(count * sizeof(T));
  const std::vector<T> ones(count, T{1});
  std::vector<double> added(count, 0);
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(my_id()));
  for (int round = 0; round < 400; ++round) {
    // Every tenth range is a single element.
    const std::size_t begin = random() % count;
    const std::size_t nelem = round % 10 == 0 ? 1 : random() % (count - begin + 1);
    REQUIRE(dart_accumulate(segment.at(0, begin * sizeof(T)), ones.data(), nelem, type,
                            DART_OP_SUM) == DART_OK);
    for (std::size_t i = begin; i < begin + nelem; ++i)
      added[i] += 1;
  }
  REQUIRE(dart_flush(segment.at(0)) == DART_OK);
  std::vector<double> expected(count);
  REQUIRE(dart_allreduce(added.data(), expected.data(), count, DART_TYPE_DOUBLE, DART_OP_SUM,
                         DART_TEAM_ALL) == DART_OK);
  const auto result_of = [](double value) { return static_cast<T>(static_cast<int>(value)); };
  for (std::size_t i = 0; my_id() == 0 && i < count; ++i) {
    T result{};
    std::memcpy(&result, segment.mine() + i * sizeof(T), sizeof result);
    REQUIRE(result == result_of(expected[i]));
  }
  barrier();
}

TEST_CASE("A long accumulate is split and arrives in full", "[Atomic]") {
  constexpr std::size_t count = 100'000;
  const Bytes segment(count * sizeof(int));
  const std::vector<int> values(count, my_id() + 1);
  const int neighbour = (my_id() + 1) % num_units();
  REQUIRE(dart_accumulate_blocking_local(segment.at(neighbour), values.data(), count, DART_TYPE_INT,
                                         DART_OP_SUM) == DART_OK);
  REQUIRE(dart_flush(segment.at(neighbour)) == DART_OK);
  barrier();
  const int from = (my_id() + num_units() - 1) % num_units();
  const int* mine = reinterpret_cast<const int*>(segment.mine());
  REQUIRE(std::count(mine, mine + count, from + 1) == count);
}

TEST_CASE("Atomics as operations complete with the old value", "[Atomic]") {
  const Bytes segment(16);
  const int neighbour = (my_id() + 1) % num_units();
  const long five = 5;
  const long seven = 7;
  long old = -1;
  dash::dart::accumulate_async(segment.at(neighbour), &five, 1, DART_TYPE_LONG, DART_OP_SUM).wait();
  dash::dart::fetch_op_async(segment.at(neighbour), &five, &old, DART_TYPE_LONG, DART_OP_PROD)
      .wait();
  REQUIRE(old == 5);
  const long twenty_five = 25;
  dash::dart::compare_and_swap_async(segment.at(neighbour), &seven, &twenty_five, &old,
                                     DART_TYPE_LONG)
      .wait();
  REQUIRE(old == 25);
  barrier();
  REQUIRE(*reinterpret_cast<const long*>(segment.mine()) == 7);
  REQUIRE_THROWS_AS(dash::dart::fetch_op_async(segment.at(neighbour, 3), &five, &old,
                                               DART_TYPE_LONG, DART_OP_SUM),
                    dash::exception::InvalidArgument);
  barrier();
}

TEST_CASE("Invalid arguments of atomics return an error that names them, and change nothing",
          "[Atomic]") {
  const int n = num_units();
  const Bytes segment(64);
  const int neighbour = (my_id() + 1) % n;
  const long one = 1;
  long old = 42;
  const auto fetch = [&](dart_gptr_t at, dart_datatype_t type, dart_operation_t op) {
    return dart_fetch_and_op(at, &one, &old, type, op);
  };
  for (const int unit : {my_id(), neighbour}) {
    const dart_gptr_t good = segment.at(unit);
    REQUIRE(fetch(segment.at(unit, 4), DART_TYPE_LONG, DART_OP_SUM) == DART_ERR_INVAL);
    REQUIRE(last_error_has("offset 4"));
    REQUIRE(fetch(segment.at(unit, 8), DART_TYPE_LONG_DOUBLE, DART_OP_SUM) == DART_ERR_INVAL);
    REQUIRE(fetch(segment.at(unit, 64), DART_TYPE_LONG, DART_OP_SUM) == DART_ERR_INVAL);
    REQUIRE(fetch(good, DART_TYPE_DOUBLE, DART_OP_BXOR) == DART_ERR_INVAL);
    REQUIRE(last_error_has("bitwise"));
    REQUIRE(fetch(good, DART_TYPE_LONG, DART_OP_MINMAX) == DART_ERR_INVAL);
    REQUIRE(fetch(good, DART_TYPE_LONG, DART_OP_UNDEFINED) == DART_ERR_INVAL);
    REQUIRE(fetch(good, DART_TYPE_LONG, DART_OP_LAST) == DART_ERR_INVAL);
    REQUIRE(fetch(good, DART_TYPE_LONG, reinterpret_cast<dart_operation_t>(&old)) ==
            DART_ERR_INVAL);
    REQUIRE(fetch(good, DART_TYPE_UNDEFINED, DART_OP_SUM) == DART_ERR_INVAL);
    REQUIRE(fetch(good, 99, DART_OP_SUM) == DART_ERR_INVAL);
    REQUIRE(last_error_has("99"));
    REQUIRE(dart_accumulate(segment.at(unit, 1), &one, 1, DART_TYPE_INT, DART_OP_SUM) ==
            DART_ERR_INVAL);
    REQUIRE(dart_accumulate(good, &one, 9, DART_TYPE_LONG, DART_OP_SUM) == DART_ERR_INVAL);
    REQUIRE(dart_accumulate(good, &one, SIZE_MAX / 2, DART_TYPE_LONG, DART_OP_SUM) ==
            DART_ERR_INVAL);
    REQUIRE(dart_accumulate_blocking_local(good, &one, 1, DART_TYPE_FLOAT, DART_OP_BAND) ==
            DART_ERR_INVAL);
    REQUIRE(dart_compare_and_swap(segment.at(unit, 2), &one, &one, &old, DART_TYPE_INT) ==
            DART_ERR_INVAL);
    REQUIRE(dart_compare_and_swap(good, &one, &one, &old, DART_TYPE_LAST) == DART_ERR_INVAL);
    // Zero elements are valid.
    REQUIRE(dart_accumulate(good, nullptr, 0, DART_TYPE_LONG, DART_OP_SUM) == DART_OK);
  }
  REQUIRE(fetch(segment.at(n), DART_TYPE_LONG, DART_OP_SUM) == DART_ERR_INVAL);
  REQUIRE(fetch(segment.at(-1), DART_TYPE_LONG, DART_OP_SUM) == DART_ERR_INVAL);
  REQUIRE(fetch(DART_GPTR_NULL, DART_TYPE_LONG, DART_OP_SUM) == DART_ERR_INVAL);
  dart_gptr_t wrong = segment.at(0);
  wrong.teamid = 77;
  REQUIRE(fetch(wrong, DART_TYPE_LONG, DART_OP_SUM) == DART_ERR_INVAL);
  REQUIRE(old == 42);
  barrier();
  REQUIRE(std::count(segment.mine(), segment.mine() + 64, 0) == 64);
}
