// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll timeout=120

#include <numeric>
#include <string>
#include <vector>

#include "Teams.h"
#include "support/Catch.h"

using namespace dash::test;

namespace {

// No element, and numbers of elements around the sizes of chunks.
const std::vector<std::size_t> sizes{0, 1, 3, 64, 65, 2049, 9000};

/// Element i that unit `from` sends to unit `to`.
long value(int from, int to, std::size_t i) {
  return from * 1'000'000'000L + to * 10'000'000L + static_cast<long>(i);
}

std::vector<long> part(int from, int to, std::size_t size) {
  std::vector<long> elements(size);
  for (std::size_t i = 0; i < size; ++i)
    elements[i] = value(from, to, i);
  return elements;
}

void append(std::vector<long>& to, const std::vector<long>& elements) {
  to.insert(to.end(), elements.begin(), elements.end());
}

}  // namespace

TEST_CASE("scatter and gather with every root, in every team", "[Collective]") {
  for_each_team([](dart_team_t team) {
    const int me = id_in(team);
    const int n = size_of(team);
    for (const std::size_t size : sizes) {
      for (int root = 0; root < n; ++root) {
        std::vector<long> all;
        for (int unit = 0; unit < n; ++unit)
          append(all, part(root, unit, size));
        std::vector<long> mine(size, -1);
        REQUIRE(dart_scatter(me == root ? all.data() : nullptr, mine.data(), size, DART_TYPE_LONG,
                             root, team) == DART_OK);
        REQUIRE(mine == part(root, me, size));
        std::vector<long> back(me == root ? all.size() : 0, -1);
        REQUIRE(dart_gather(mine.data(), me == root ? back.data() : nullptr, size, DART_TYPE_LONG,
                            root, team) == DART_OK);
        if (me == root) REQUIRE(back == all);
      }
    }
  });
}

TEST_CASE("bcast and allgather in every team", "[Collective]") {
  for_each_team([](dart_team_t team) {
    const int me = id_in(team);
    const int n = size_of(team);
    for (const std::size_t size : sizes) {
      std::vector<long> expected;
      for (int unit = 0; unit < n; ++unit)
        append(expected, part(unit, 0, size));
      std::vector<long> all(expected.size(), -1);
      const std::vector<long> mine = part(me, 0, size);
      REQUIRE(dart_allgather(mine.data(), all.data(), size, DART_TYPE_LONG, team) == DART_OK);
      REQUIRE(all == expected);
      std::vector<long> data = part(me, 0, size);
      REQUIRE(dart_bcast(data.data(), size, DART_TYPE_LONG, n - 1, team) == DART_OK);
      REQUIRE(data == part(n - 1, 0, size));
    }
  });
}

TEST_CASE("allgatherv of different lengths with gaps, in place and not", "[Collective]") {
  for_each_team([](dart_team_t team) {
    const int me = id_in(team);
    const int n = size_of(team);
    for (const std::size_t size : sizes) {
      std::vector<std::size_t> counts;
      std::vector<std::size_t> displacements;
      std::size_t total = 5;
      for (int unit = 0; unit < n; ++unit) {
        counts.push_back(unit % 3 == 1 ? 0 : size + static_cast<std::size_t>(unit));
        displacements.push_back(total);
        total += counts.back() + 2;
      }
      std::vector<long> expected(total, -7);
      for (std::size_t unit = 0; unit < counts.size(); ++unit) {
        const std::vector<long> elements = part(static_cast<int>(unit), 0, counts[unit]);
        std::copy(elements.begin(), elements.end(),
                  expected.begin() + static_cast<long>(displacements[unit]));
      }
      const auto my_count = counts[static_cast<std::size_t>(me)];
      const std::vector<long> mine = part(me, 0, my_count);
      std::vector<long> all(total, -7);
      // A unit without elements passes any non-null pointer, since null means "in place".
      const long nothing = 0;
      REQUIRE(dart_allgatherv(mine.empty() ? &nothing : mine.data(), my_count, DART_TYPE_LONG,
                              all.data(), counts.data(), displacements.data(), team) == DART_OK);
      REQUIRE(all == expected);
      std::vector<long> in_place(total, -7);
      std::copy(mine.begin(), mine.end(),
                in_place.begin() + static_cast<long>(displacements[static_cast<std::size_t>(me)]));
      REQUIRE(dart_allgatherv(nullptr, my_count, DART_TYPE_LONG, in_place.data(), counts.data(),
                              displacements.data(), team) == DART_OK);
      REQUIRE(in_place == expected);
      REQUIRE(dart_allgatherv(&nothing, my_count + 1, DART_TYPE_LONG, all.data(), counts.data(),
                              displacements.data(), team) == DART_ERR_INVAL);
    }
  });
}

TEST_CASE("alltoall, in place and not", "[Collective]") {
  for_each_team([](dart_team_t team) {
    const int me = id_in(team);
    const int n = size_of(team);
    for (const std::size_t size : sizes) {
      std::vector<long> send;
      std::vector<long> expected;
      for (int unit = 0; unit < n; ++unit) {
        append(send, part(me, unit, size));
        append(expected, part(unit, me, size));
      }
      std::vector<long> received(expected.size(), -1);
      REQUIRE(dart_alltoall(send.data(), received.data(), size, DART_TYPE_LONG, team) == DART_OK);
      REQUIRE(received == expected);
      REQUIRE(dart_alltoall(nullptr, send.data(), size, DART_TYPE_LONG, team) == DART_OK);
      REQUIRE(send == expected);
    }
  });
}

TEST_CASE("reduce gives the result to its root only", "[Collective]") {
  for_each_team([](dart_team_t team) {
    const int me = id_in(team);
    const int n = size_of(team);
    for (const std::size_t size : sizes) {
      for (int root = 0; root < n; ++root) {
        const std::vector<long> mine = part(me, 0, size);
        std::vector<long> expected(size);
        for (int unit = 0; unit < n; ++unit) {
          for (std::size_t i = 0; i < size; ++i)
            expected[i] += value(unit, 0, i);
        }
        std::vector<long> result(size, -1);
        REQUIRE(dart_reduce(mine.data(), result.data(), size, DART_TYPE_LONG, DART_OP_SUM, root,
                            team) == DART_OK);
        REQUIRE(result == (me == root ? expected : std::vector<long>(size, -1)));
        REQUIRE(dart_allreduce(mine.data(), result.data(), size, DART_TYPE_LONG, DART_OP_SUM,
                               team) == DART_OK);
        REQUIRE(result == expected);
      }
    }
  });
}

TEST_CASE("An operation that does not commute is applied in the order of the units",
          "[Collective]") {
  // 2x2 matrices of small numbers, as 4 bytes in an unsigned: multiplication modulo 256.
  const auto multiply = [](const void* in, void* inout, std::size_t len, void* calls) {
    const auto at = [](unsigned m, int place) { return m >> (8 * place) & 0xffU; };
    const auto* a = static_cast<const unsigned*>(in);
    auto* b = static_cast<unsigned*>(inout);
    for (std::size_t i = 0; i < len; ++i) {
      unsigned c = 0;
      for (int row = 0; row < 2; ++row) {
        for (int col = 0; col < 2; ++col) {
          const unsigned sum =
              at(a[i], 2 * row) * at(b[i], col) + at(a[i], 2 * row + 1) * at(b[i], 2 + col);
          c |= (sum & 0xffU) << (8 * (2 * row + col));
        }
      }
      b[i] = c;
    }
    ++*static_cast<int*>(calls);
  };
  int calls = 0;
  dart_operation_t op = DART_OP_UNDEFINED;
  REQUIRE(dart_op_create(multiply, &calls, false, DART_TYPE_UINT, false, &op) == DART_OK);
  REQUIRE(op > DART_OP_LAST);
  const auto matrix = [](int unit, std::size_t i) {
    return static_cast<unsigned>(unit * 2654435761U + i * 40503U + 0x01020304U);
  };
  for_each_team([&](dart_team_t team) {
    for (const std::size_t size : sizes) {
      std::vector<unsigned> mine(size);
      std::vector<unsigned> expected(size);
      for (std::size_t i = 0; i < size; ++i) {
        mine[i] = matrix(id_in(team), i);
        expected[i] = matrix(size_of(team) - 1, i);
        for (int unit = size_of(team) - 2; unit >= 0; --unit) {
          int ignored = 0;
          const unsigned left = matrix(unit, i);
          multiply(&left, &expected[i], 1, &ignored);
        }
      }
      std::vector<unsigned> result(size);
      REQUIRE(dart_allreduce(mine.data(), result.data(), size, DART_TYPE_UINT, op, team) ==
              DART_OK);
      REQUIRE(result == expected);
    }
  });
  double number = 0;
  REQUIRE(dart_allreduce(&number, &number, 1, DART_TYPE_DOUBLE, op, DART_TEAM_ALL) ==
          DART_ERR_INVAL);
  dart_operation_t copy = op;
  REQUIRE(dart_op_destroy(&op) == DART_OK);
  REQUIRE(op == DART_OP_UNDEFINED);
  REQUIRE(dart_op_destroy(&copy) == DART_ERR_INVAL);
  REQUIRE(dart_op_destroy(nullptr) == DART_ERR_INVAL);
  REQUIRE(dart_op_create(nullptr, nullptr, true, DART_TYPE_INT, false, &op) == DART_ERR_INVAL);
  REQUIRE(dart_op_create(multiply, nullptr, true, 4711, false, &op) == DART_ERR_INVAL);
}

TEST_CASE("Collectives accept elements of custom types of any size", "[Collective]") {
  // Larger than any buffer of the library.
  struct Element {
    int largest;
    char rest[100'000];
  };
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  REQUIRE(dart_type_create_custom(sizeof(Element), &type) == DART_OK);
  dart_operation_t op = DART_OP_UNDEFINED;
  const auto larger = [](const void* in, void* inout, std::size_t len, void*) {
    const auto* a = static_cast<const Element*>(in);
    auto* b = static_cast<Element*>(inout);
    for (std::size_t i = 0; i < len; ++i) {
      if (a[i].largest > b[i].largest) b[i] = a[i];
    }
  };
  REQUIRE(dart_op_create(larger, nullptr, true, type, true, &op) == DART_OK);
  for_each_team([&](dart_team_t team) {
    std::vector<Element> mine(2);
    for (int i = 0; i < 2; ++i) {
      Element& element = mine[static_cast<std::size_t>(i)];
      element.largest = i == 0 ? id_in(team) : -id_in(team);
      std::fill_n(element.rest, sizeof element.rest, static_cast<char>(element.largest));
    }
    std::vector<Element> result(2);
    REQUIRE(dart_allreduce(mine.data(), result.data(), 2, type, op, team) == DART_OK);
    REQUIRE(result[0].largest == size_of(team) - 1);
    REQUIRE(result[0].rest[99'999] == static_cast<char>(size_of(team) - 1));
    REQUIRE(result[1].largest == 0);
    REQUIRE(dart_bcast(mine.data(), 2, type, 0, team) == DART_OK);
    REQUIRE(mine[0].largest == 0);
    REQUIRE(dart_allreduce(mine.data(), result.data(), 2, type, DART_OP_SUM, team) ==
            DART_ERR_INVAL);
  });
  REQUIRE(dart_op_destroy(&op) == DART_OK);
  // Destroying the operation destroyed the type.
  REQUIRE(dart_type_destroy(&type) == DART_ERR_INVAL);
}

TEST_CASE("Wrong arguments of collectives are errors without communication", "[Collective]") {
  int value = 0;
  const int n = num_units();
  for (const int root : {-1, n}) {
    REQUIRE(dart_scatter(&value, &value, 1, DART_TYPE_INT, root, DART_TEAM_ALL) == DART_ERR_INVAL);
    REQUIRE(dart_gather(&value, &value, 1, DART_TYPE_INT, root, DART_TEAM_ALL) == DART_ERR_INVAL);
    REQUIRE(dart_reduce(&value, &value, 1, DART_TYPE_INT, DART_OP_SUM, root, DART_TEAM_ALL) ==
            DART_ERR_INVAL);
  }
  REQUIRE(last_error_has("root " + std::to_string(n)));
  REQUIRE(dart_alltoall(&value, &value, SIZE_MAX / 2, DART_TYPE_INT, DART_TEAM_ALL) ==
          DART_ERR_INVAL);
  REQUIRE(dart_alltoall(&value, nullptr, 1, DART_TYPE_INT, DART_TEAM_ALL) == DART_ERR_INVAL);
  REQUIRE(dart_alltoall(&value, &value, 1, DART_TYPE_INT, 77) == DART_ERR_INVAL);
  REQUIRE(dart_allgatherv(&value, 1, DART_TYPE_INT, &value, nullptr, nullptr, DART_TEAM_ALL) ==
          DART_ERR_INVAL);
  REQUIRE(dart_scatter(&value, nullptr, 1, DART_TYPE_INT, 0, DART_TEAM_ALL) == DART_ERR_INVAL);
  REQUIRE(dart_gather(nullptr, &value, 1, DART_TYPE_INT, 0, DART_TEAM_ALL) == DART_ERR_INVAL);
  REQUIRE(dart_bcast(&value, 1, DART_TYPE_LAST, 0, DART_TEAM_ALL) == DART_ERR_INVAL);
  REQUIRE(dart_bcast(&value, 1, DART_TYPE_UNDEFINED, 0, DART_TEAM_ALL) == DART_ERR_INVAL);
}
