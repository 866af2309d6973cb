// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/DataCollectives.h"

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/Init.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

using dash::test::me;
using dash::test::nunits;

namespace {

/// Sizes of the data of one unit, in elements: none, one chunk, several.
constexpr std::array<std::size_t, 5> sizes{0, 1, 37, 5000, 70'000};

long element(int from, int to, std::size_t i) {
  return 1'000'000L * from + 1000L * to + static_cast<long>(i % 997);
}

/// `n` elements for each unit.
template <class ElementOf>
std::vector<long> blocks(std::size_t n, const ElementOf& element_of) {
  std::vector<long> values;
  for (int unit = 0; unit < nunits(); ++unit) {
    for (std::size_t i = 0; i < n; ++i)
      values.push_back(element_of(unit, i));
  }
  return values;
}

/// Elements of a unit for each of the units.
std::vector<long> elements_for_all(int from, std::size_t n) {
  return blocks(n, [from](int to, std::size_t i) { return element(from, to, i); });
}

/// Elements of each of the units for a unit.
std::vector<long> elements_of_all(int to, std::size_t n) {
  return blocks(n, [to](int from, std::size_t i) { return element(from, to, i); });
}

struct Largest {
  long value = 0;
  int unit = 0;
};

}  // namespace

TEST_CASE("bcast, allgather, gather, scatter, alltoall: the elements of the right units") {
  for (const std::size_t n : sizes) {
    const auto units = static_cast<std::size_t>(nunits());
    const std::vector<long> own = elements_for_all(me(), n);
    for (const int root : {0, nunits() - 1}) {
      const dash::team_unit_t at(root);
      std::vector<long> copied = me() == root ? own : std::vector<long>(own.size());
      dash::bcast(copied.data(), copied.size(), at);
      CHECK(copied == elements_for_all(root, n));
      std::vector<long> part(n);
      dash::scatter(me() == root ? own.data() : nullptr, part.data(), n, at);
      std::vector<long> all(me() == root ? n * units : 0);
      dash::gather(part.data(), all.data(), n, at);
      if (me() == root) CHECK(all == own);
    }
    std::vector<long> received(n * units);
    dash::alltoall(own.data(), received.data(), n);
    CHECK(received == elements_of_all(me(), n));
    std::vector<long> in_place = own;
    dash::alltoall<long>(nullptr, in_place.data(), n);
    CHECK(in_place == received);
    dash::allgather(own.data() + static_cast<std::size_t>(me()) * n, received.data(), n);
    CHECK(received == blocks(n, [](int unit, std::size_t i) { return element(unit, unit, i); }));
  }
}

TEST_CASE("gather_async, scatter_async: many pending, with other collectives between") {
  std::vector<dash::Future<void>> scattered;
  std::vector<dash::Future<void>> gathered;
  std::vector<std::vector<long>> parts;
  std::vector<std::vector<long>> all;
  const auto units = static_cast<std::size_t>(nunits());
  for (const std::size_t n : sizes) {
    parts.emplace_back(n);
    all.emplace_back(n * units);
  }
  const std::vector<long> own = elements_for_all(me(), sizes.back());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const dash::team_unit_t root(static_cast<int>(k) % nunits());
    scattered.push_back(dash::scatter_async(own.data(), parts[k].data(), sizes[k], root));
    const int sum = dash::allreduce(1, dash::plus<int>());
    CHECK(sum == nunits());
    gathered.push_back(dash::gather_async(own.data(), all[k].data(), sizes[k], root));
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const std::size_t n = sizes[k];
    const int root = static_cast<int>(k) % nunits();
    scattered[k].get();
    gathered[k].get();
    bool is_right = true;
    // The root has sent the blocks of its `n * units` first elements.
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = static_cast<std::size_t>(me()) * n + i;
      is_right &=
          parts[k][i] == element(root, static_cast<int>(at / sizes.back()), at % sizes.back());
    }
    for (std::size_t i = 0; me() == root && i < n * units; ++i)
      is_right &= all[k][i] == element(static_cast<int>(i / n), 0, i % n);
    CHECK(is_right);
  }
}

TEST_CASE("alltoall_async, reduce_scatter_async: many pending, with other collectives between") {
  struct Pending {
    std::vector<long> own;
    std::vector<long> received;
    std::vector<long> in_place;
    std::vector<long> sums;
    std::array<dash::Future<void>, 3> done;
  };
  std::vector<Pending> pending(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const std::size_t n = sizes[k];
    Pending& each = pending[k];
    each.own = each.in_place = elements_for_all(me(), n);
    each.received.resize(each.own.size());
    each.sums.resize(n);
    each.done[0] = dash::alltoall_async(each.own.data(), each.received.data(), n);
    CHECK(dash::allreduce(1, dash::plus<int>()) == nunits());
    each.done[1] = dash::alltoall_async<long>(nullptr, each.in_place.data(), n);
    std::vector<long> values = each.own;
    each.done[2] =
        dash::reduce_scatter_async(values.data(), each.sums.data(), n, dash::plus<long>());
    std::fill(values.begin(), values.end(), -1);
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    Pending& each = pending[k];
    for (dash::Future<void>& done : each.done)
      done.get();
    const std::vector<long> expected = elements_of_all(me(), sizes[k]);
    CHECK(each.received == expected);
    CHECK(each.in_place == expected);
    std::vector<long> sums(sizes[k]);
    for (std::size_t i = 0; i < expected.size(); ++i)
      sums[i % sizes[k]] += expected[i];
    CHECK(each.sums == sums);
  }
  std::vector<int> values(dash::size());
  for (int unit = 0; unit < nunits(); ++unit)
    values[static_cast<std::size_t>(unit)] = 100 * me() + unit;
  const std::vector<int> received = dash::alltoall_async(values).get();
  for (int unit = 0; unit < nunits(); ++unit)
    CHECK(received[static_cast<std::size_t>(unit)] == 100 * unit + me());
  values.push_back(0);
  CHECK_THROWS_AS(dash::alltoall_async(values), dash::exception::InvalidArgument);
}

TEST_CASE("Collectives of one value: bcast, allgather, gather, alltoall, scan, exscan") {
  const dash::team_unit_t last(nunits() - 1);
  CHECK(dash::bcast(me() + 5, last) == last.id + 5);
  const std::vector<int> all = dash::allgather(me() * me());
  const std::vector<int> at_last = dash::gather(me() * me(), last);
  REQUIRE(all.size() == dash::size());
  for (int unit = 0; unit < nunits(); ++unit)
    CHECK(all[static_cast<std::size_t>(unit)] == unit * unit);
  CHECK(at_last == (me() == last ? all : std::vector<int>()));
  std::vector<int> values(dash::size());
  for (int unit = 0; unit < nunits(); ++unit)
    values[static_cast<std::size_t>(unit)] = 100 * me() + unit;
  const std::vector<int> received = dash::alltoall(values);
  for (int unit = 0; unit < nunits(); ++unit)
    CHECK(received[static_cast<std::size_t>(unit)] == 100 * unit + me());
  CHECK(dash::scan(me() + 1, dash::plus<int>()) == (me() + 1) * (me() + 2) / 2);
  CHECK(dash::exscan(me() + 1, 10, dash::plus<int>()) == 10 + me() * (me() + 1) / 2);
  // Not commutative: the order of the units.
  const auto join = [](long a, long b) { return 10 * a + b; };
  long digits = 0;
  for (int unit = 0; unit < me(); ++unit)
    digits = 10 * digits + unit + 1;
  CHECK(dash::exscan(me() + 1L, 0L, join) == digits);
  CHECK(dash::scan_async(me() + 1L, join).get() == 10 * digits + me() + 1);
  const auto larger = [](Largest a, Largest b) { return b.value > a.value ? b : a; };
  const Largest found = dash::scan(Largest{-(me() % 3), me()}, larger);
  CHECK(found.unit == 0);
}

TEST_CASE("scan, reduce_scatter: arrays") {
  for (const std::size_t n : sizes) {
    std::vector<long> values(n, me() + 1);
    dash::scan(values.data(), values.data(), n, dash::plus<long>());
    CHECK(values == std::vector<long>(n, (me() + 1) * (me() + 2) / 2));
    const std::vector<long> own = elements_for_all(me(), n);
    std::vector<long> sums(n);
    dash::reduce_scatter(own.data(), sums.data(), n, dash::plus<long>());
    bool is_right = true;
    for (std::size_t i = 0; i < n; ++i) {
      long expected = 0;
      for (int unit = 0; unit < nunits(); ++unit)
        expected += element(unit, me(), i);
      is_right &= sums[i] == expected;
    }
    CHECK(is_right);
  }
}

TEST_CASE("alltoallv: blocks of different sizes, some empty, some longer than the buffers") {
  const auto count = [](int from, int to) -> std::size_t {
    if ((from + to) % 3 == 0) return 0;
    return (from + 2 * to) % 4 == 1 ? 50'000 : static_cast<std::size_t>(7 * from + to + 1);
  };
  std::vector<std::vector<long>> values;
  for (int to = 0; to < nunits(); ++to) {
    values.emplace_back();
    for (std::size_t i = 0; i < count(me(), to); ++i)
      values.back().push_back(element(me(), to, i));
  }
  const std::vector<std::vector<long>> received = dash::alltoallv(values);
  REQUIRE(received.size() == dash::size());
  std::vector<std::size_t> send_counts;
  std::vector<std::size_t> send_offsets;
  std::vector<std::size_t> recv_counts;
  std::vector<std::size_t> recv_offsets;
  std::vector<long> send;
  std::size_t total = 0;
  for (int unit = 0; unit < nunits(); ++unit) {
    const std::vector<long>& block = received[static_cast<std::size_t>(unit)];
    REQUIRE(block.size() == count(unit, me()));
    bool is_right = true;
    for (std::size_t i = 0; i < block.size(); ++i)
      is_right &= block[i] == element(unit, me(), i);
    CHECK(is_right);
    const std::vector<long>& own = values[static_cast<std::size_t>(unit)];
    send_counts.push_back(own.size());
    send_offsets.push_back(send.size());
    send.insert(send.end(), own.begin(), own.end());
    recv_counts.push_back(block.size());
    recv_offsets.push_back(total + 1);  // a gap before each block
    total += block.size() + 1;
  }
  std::vector<long> recv(total, -1);
  dash::alltoallv(send.data(), {send_counts, send_offsets}, recv.data(),
                  {recv_counts, recv_offsets});
  for (std::size_t unit = 0; unit < received.size(); ++unit) {
    const auto first = recv.begin() + static_cast<std::ptrdiff_t>(recv_offsets[unit]);
    CHECK(*(first - 1) == -1);
    CHECK(std::equal(received[unit].begin(), received[unit].end(), first));
  }
}

TEST_CASE("alltoallv: more elements than the receiver states: its error, after the exchange") {
  // Unit 0 sends two elements to all units, but the last one expects one.
  const auto units = static_cast<std::size_t>(nunits());
  const std::vector<std::size_t> two(units, 2);
  std::vector<std::size_t> from_all(units, 2);
  std::vector<std::size_t> offsets(units);
  for (std::size_t unit = 0; unit < units; ++unit)
    offsets[unit] = 2 * unit;
  const bool is_last = me() == nunits() - 1;
  if (is_last) from_all[0] = 1;
  const std::vector<int> send(2 * units, me() + 1);
  std::vector<int> recv(2 * units, 0);
  const auto exchange = [&] {
    dash::alltoallv(send.data(), {two, offsets}, recv.data(), {from_all, offsets});
  };
  if (is_last) {
    CHECK_THROWS_AS(exchange(), dash::exception::InvalidArgument);
  } else {
    exchange();
  }
  for (std::size_t i = is_last ? 2 : 0; i < recv.size(); ++i)
    CHECK(recv[i] == static_cast<int>(i / 2) + 1);
  if (is_last) CHECK(recv[0] == 0);
  dash::barrier();
}

TEST_CASE("Data collectives: of teams, and wrong arguments") {
  dash::Team& half = dash::Team::All().split(2);
  if (!half.is_null()) {
    const auto size = static_cast<int>(half.size());
    const int id = half.myid().id;
    CHECK(dash::scan(1, dash::plus<int>(), half) == id + 1);
    std::vector<std::vector<int>> values(half.size());
    for (int to = 0; to < size; ++to)
      values[static_cast<std::size_t>(to)] = {me(), to};
    const auto received = dash::alltoallv(values, half);
    for (int from = 0; from < size; ++from) {
      const int global = half.global_id(dash::team_unit_t(from)).id;
      CHECK(received[static_cast<std::size_t>(from)] == std::vector<int>{global, id});
    }
  }
  CHECK_THROWS_AS(dash::alltoallv(std::vector<std::vector<int>>(dash::size() + 1)),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_WITH(dash::alltoall(std::vector<int>(dash::size() + 1)),
                    Catch::Matchers::Contains("expected one for each unit"));
  CHECK_THROWS_AS(dash::bcast(1, dash::team_unit_t(nunits())), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::scan(1, dash::plus<int>(), dash::Team::Null()),
                  dash::exception::InvalidArgument);
  dash::barrier();
}
