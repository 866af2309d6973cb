// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/UnorderedMap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dash/Atomic.h"
#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/dart/Placement.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

using dash::test::me;
using dash::test::nunits;
using dash::test::sum;

namespace {

using Map = dash::UnorderedMap<long, long, dash::HashUniform<long>>;

/// Number of rounds; fewer if each round is a message to a unit that may not have a processor.
long rounds(long most) {
  return dash::dart::placement().nodes == 1 ? most : most / 8;
}

/// A hasher as in DASH programs: constructed from a team, a function of the key.
struct Modulo {
  explicit Modulo(dash::Team& team) : _nunits(static_cast<int>(team.size())) {}
  dash::team_unit_t operator()(const int& key) const { return dash::team_unit_t(key % _nunits); }

 private:
  int _nunits;
};

/// A key with padding bytes.
struct Padded {
  char letter;
  double number;
  friend bool operator==(const Padded& a, const Padded& b) = default;
};

/// Compares keys equal that std::hash distinguishes.
struct SameInteger {
  bool operator()(double a, double b) const { return std::floor(a) == std::floor(b); }
};
struct ByInteger {
  dash::team_unit_t operator()(double key) const {
    return dash::team_unit_t(static_cast<int>(key) % nunits());
  }
};
struct ByIntegerHashed : ByInteger {
  std::uint64_t hash_value(double key) const {
    return dash::internal::mix_bits(static_cast<std::uint64_t>(key));
  }
};

struct Large {
  std::array<long, 700> values;
};

// Constructed before init, destroyed after finalize.
dash::UnorderedMap<int, int, Modulo> early;

}  // namespace

template <>
struct std::hash<Padded> {
  std::size_t operator()(const Padded& key) const noexcept {
    return std::hash<double>{}(key.number) + static_cast<std::size_t>(key.letter);
  }
};

TEST_CASE("a map constructed before init: empty, can be allocated later, valid until finalize") {
  CHECK(early.size() == 0);
  CHECK(early.begin() == early.end());
  CHECK(early.lbegin() == early.lend());
  CHECK_THROWS_AS(early.insert({1, 1}), dash::exception::RuntimeError);
  early.allocate(100);
  CHECK(early.insert({me(), 10 * me()}).second);
  early.barrier();
  CHECK(early.size() == dash::size());
  CHECK(early.lsize() == 1);
  for (int unit = 0; unit < nunits(); ++unit)
    CHECK(early.at(unit) == 10 * unit);
  early.barrier();
}

TEST_CASE("all members: like std::unordered_map, for keys of all owners") {
  dash::UnorderedMap<int, double, Modulo> map(10);
  CHECK(map.empty());
  CHECK(map.team() == dash::Team::All());
  CHECK(map.hash_function()(5) == dash::team_unit_t(5 % nunits()));
  CHECK(map.key_eq()(3, 3));
  CHECK(map.max_size() > 1'000'000);
  const std::size_t each = (10 + dash::size() - 1) / dash::size();
  CHECK(map.lcapacity() == each);
  CHECK(map.capacity() == each * dash::size());
  CHECK(map.bucket(7) == static_cast<std::size_t>(7 % nunits()));
  map.barrier();
  // One key for each unit, inserted by its right neighbour.
  const int key = 10 * nunits() + (me() + 1) % nunits();
  const auto [it, inserted] = map.insert({key, 0.5 + key});
  CHECK(inserted);
  CHECK(it->first == key);
  CHECK(it->second == 0.5 + key);
  CHECK(it.is_local() == (key % nunits() == me()));
  CHECK((it.local() != nullptr) == it.is_local());
  CHECK(it.lpos().unit == dash::team_unit_t(key % nunits()));
  const auto again = map.insert({key, -1.0});
  CHECK_FALSE(again.second);
  CHECK(again.first == it);
  CHECK(map.insert(map.begin(), std::pair<const int, double>(key, 0)) == it);
  map.barrier();
  CHECK(map.size() == dash::size());
  CHECK(map.lsize() == 1);
  CHECK(map.local.size() == 1);
  CHECK(map.bucket_size(0) == 1);
  CHECK_FALSE(map.empty());
  std::map<int, double> seen;
  for (auto each = map.begin(); each != map.end(); ++each) {
    const std::pair<const int, double> value = *each;
    CHECK(seen.insert(value).second);
    CHECK(each.pos() == static_cast<long>(seen.size()) - 1);
  }
  CHECK(seen.size() == dash::size());
  CHECK(map.end() - map.begin() == nunits());
  CHECK(dash::distance(map.begin(), map.end()) == nunits());
  CHECK(map.begin() + nunits() == map.end());
  auto last = map.end();
  --last;
  CHECK(last->second == 0.5 + last->first);
  for (auto [first, second] : map)
    CHECK(second == 0.5 + first);
  map.barrier();
  map[key] += 2;
  CHECK(map[key] == 2.5 + key);
  CHECK(map.at(key).get() == 2.5 + key);
  CHECK(map.count(key) == 1);
  CHECK(map.contains(key));
  CHECK(map.value_of(key) == 2.5 + key);
  CHECK(map.find(-nunits()) == map.end());
  CHECK(map.count(-nunits()) == 0);
  CHECK_THROWS_AS(map.at(-nunits()), dash::exception::InvalidArgument);
  if (nunits() > 1) CHECK_THROWS_AS(map.insert({-1, 1.0}), dash::exception::OutOfRange);
  map.barrier();
  CHECK(map.erase(key) == 1);
  CHECK(map.erase(key) == 0);
  CHECK_FALSE(map.value_of(key).has_value());
  CHECK(map[key] == 0.0);
  map.erase(map.find(key));
  map.barrier();
  CHECK(map.size() == 0);
  map.barrier();
  dash::UnorderedMap<int, double, Modulo> other(std::move(map));
  CHECK(other.local.insert({me(), 1.0}).second);
  other.barrier();
  CHECK(other.size() == dash::size());
  other.clear();
  CHECK(other.begin() == other.end());
}

TEST_CASE("any unit inserts, finds and erases at any time: like std::unordered_map") {
  const unsigned seed = dash::test::seed();
  Map map;
  using Model = std::unordered_map<long, long>;
  std::vector<Model> models(dash::size());
  // The operations of a unit on its keys, which no other unit modifies; the other units look them
  // up concurrently.
  const auto run = [&](int unit, bool for_real) {
    std::mt19937 random(seed + static_cast<unsigned>(unit));
    Model& model = models[static_cast<std::size_t>(unit)];
    std::uniform_int_distribution<long> number(0, 700);
    for (long i = 0, n = rounds(4000); i < n; ++i) {
      const long key = number(random) * nunits() + unit;
      const long value = key * 1000 + i % 1000;
      const auto what = random() % 8;
      if (what < 4) {
        const bool inserted = model.insert({key, value}).second;
        if (for_real) CHECK(map.insert({key, value}).second == inserted);
      } else if (what < 6) {
        const std::size_t erased = model.erase(key);
        if (for_real) CHECK(map.erase(key) == erased);
      } else if (what == 6 && model.contains(key)) {
        model[key] = value;
        if (for_real) map[key] = value;
      } else if (for_real) {
        const long other = number(random);
        if (const auto found = map.value_of(other)) CHECK(*found / 1000 == other);
        CHECK(map.contains(key) == model.contains(key));
        if (i % 500 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
      } else {
        number(random);
        if (i % 500 == 0) random();
      }
    }
  };
  for (int unit = 0; unit < nunits(); ++unit)
    run(unit, unit == me());
  map.barrier();
  std::size_t expected = 0;
  for (const Model& model : models)
    expected += model.size();
  CHECK(map.size() == expected);
  CHECK(static_cast<std::size_t>(map.end() - map.begin()) == expected);
  std::size_t own = 0;
  for (const auto& [key, value] : map.local) {
    const Model& model = models[static_cast<std::size_t>(key % nunits())];
    REQUIRE(model.contains(key));
    CHECK(model.at(key) == value);
    CHECK(map.hash_function()(key) == dash::Team::All().myid());
    ++own;
  }
  CHECK(own == map.lsize());
  for (auto it = map.begin(); it != map.end(); ++it) {
    const auto [key, value] = *(it.operator->().operator->());
    REQUIRE(models[static_cast<std::size_t>(key % nunits())].at(key) == value);
  }
  map.barrier();
}

TEST_CASE("several units insert or erase the same key while tables grow: one succeeds") {
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(me()));
  Map map;
  for (int round = 0; round < 3; ++round) {
    const long keys = rounds(3000);
    std::vector<long> order(static_cast<std::size_t>(keys));
    for (long i = 0; i < keys; ++i)
      order[static_cast<std::size_t>(i)] = i;
    // Usually the same order, so that units compete for the same keys.
    if (round == 1) std::shuffle(order.begin(), order.end(), random);
    long inserted = 0;
    for (const long key : order) {
      if (map.insert({key, 5 * key}).second) ++inserted;
      if (random() % 2000 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
      if (key % 64 == 0) CHECK(map.value_of(key) == 5 * key);
    }
    CHECK(sum(inserted) == keys);
    CHECK(static_cast<long>(map.size()) == keys);
    CHECK(map.end() - map.begin() == keys);
    dash::barrier();
    long erased = 0;
    for (const long key : order)
      erased += static_cast<long>(map.erase(key));
    CHECK(sum(erased) == keys);
    CHECK(map.size() == 0);
    if (round == 0) {
      dash::barrier();
    } else {
      map.barrier();
    }
  }
  map.barrier();
}

TEST_CASE(
    "permanent keys: found, and visited once, while others are inserted and erased and tables "
    "grow") {
  Map map;
  constexpr long steady = 300;
  for (long key = me(); key < steady; key += nunits())
    map.insert({key, key + 7});
  map.barrier();
  std::mt19937 random(dash::test::seed() + static_cast<unsigned>(me()));
  for (int round = 0; round < 3; ++round) {
    if (me() % 2 == 0 || nunits() == 1) {
      for (long i = 0; i < rounds(2000); ++i) {
        const long key = 1000 + (i * nunits() + me()) * 3 + round;
        map.insert({key, key});
        if (i >= 100) map.erase(key - 300L * nunits());
      }
    }
    for (long i = 0; i < rounds(1000); ++i) {
      const long key = static_cast<long>(random() % steady);
      CHECK(map.value_of(key) == key + 7);
      if (i % 100 == 0) CHECK(map.at(key) == key + 7);
    }
    std::multiset<long> met;
    for (auto it = map.begin(); it != map.end(); ++it) {
      const long key = it->first;
      if (key < steady) met.insert(key);
    }
    CHECK(met.size() == steady);
    CHECK(std::set<long>(met.begin(), met.end()).size() == steady);
  }
  map.barrier();
}

TEST_CASE("many keys at once: same result as individually") {
  const unsigned seed = dash::test::seed();
  Map map;
  std::vector<std::pair<long, long>> items;
  std::mt19937 random(seed + static_cast<unsigned>(me()));
  for (int i = 0; i < 20000; ++i) {
    const long key = static_cast<long>(random() % 5000) * nunits() + me();
    items.emplace_back(key, 3 * key);
  }
  const std::map<long, long> model(items.begin(), items.end());
  const auto half = items.begin() + 10000;
  const std::size_t first = map.insert(items.begin(), half);
  dash::Future<std::size_t> second = map.insert_async(half, items.end());
  CHECK(first + second.get() == model.size());
  CHECK_FALSE(map.insert_async({items[0].first, 0}).get());
  map.barrier();
  CHECK(sum(static_cast<long>(model.size())) == static_cast<long>(map.size()));
  const int neighbour = (me() + 1) % nunits();
  std::mt19937 his(seed + static_cast<unsigned>(neighbour));
  std::vector<long> num_requested;
  for (int i = 0; i < 10000; ++i)
    num_requested.push_back(static_cast<long>(his() % 5000) * nunits() + neighbour);
  num_requested.push_back(-1);
  std::vector<std::optional<long>> found;
  map.find_values(num_requested.begin(), num_requested.end(), std::back_inserter(found));
  REQUIRE(found.size() == num_requested.size());
  for (std::size_t i = 0; i + 1 < num_requested.size(); ++i)
    REQUIRE(found[i] == 3 * num_requested[i]);
  CHECK_FALSE(found.back().has_value());
  map.barrier();
}

TEST_CASE("HashLocal: the inserting unit owns the key, other units search all units") {
  dash::UnorderedMap<int, int> map;
  CHECK(map.insert({me(), 100 + me()}).second);
  CHECK(map.local.insert({1000 + me(), 1}).second);
  CHECK_FALSE(map.local.insert({me(), 0}).second);
  map.barrier();
  CHECK(map.size() == 2 * dash::size());
  CHECK(map.lsize() == 2);
  for (int unit = 0; unit < nunits(); ++unit) {
    CHECK(map.at(unit) == 100 + unit);
    CHECK(map.find(1000 + unit).lpos().unit == dash::team_unit_t(unit));
    CHECK_FALSE(map.insert({unit, 0}).second);
  }
  CHECK(map.local.count((me() + 1) % nunits()) == (nunits() == 1 ? 1 : 0));
  map.barrier();
  CHECK(map.erase((me() + 1) % nunits()) == 1);
  map.barrier();
  CHECK(map.size() == dash::size());
  map.barrier();
  map.local[5000] = me();
  CHECK(map.local.at(5000) == me());
  CHECK_THROWS_AS(map.local.at(-5), dash::exception::InvalidArgument);
  CHECK(map.local.erase(5000) == 1);
  CHECK(map.local.begin()->first == 1000 + me());
  map.barrier();
}

TEST_CASE("keys inserted through local: found by all units after a barrier, for every hasher") {
  dash::UnorderedMap<int, int, Modulo> map;
  const int key = 10 * nunits() + (me() + 1) % nunits();
  map.local.insert({key, me()});
  map.barrier();
  for (int unit = 0; unit < nunits(); ++unit) {
    const int his = 10 * nunits() + (unit + 1) % nunits();
    CHECK(map.at(his) == unit);
    CHECK(map.value_of(his) == unit);
  }
  map.barrier();
  CHECK(map.erase(10 * nunits() + (me() + 2) % nunits()) == 1);
  map.barrier();
  CHECK(map.empty());
}

TEST_CASE("keys that cannot be compared bytewise: floating point, padding, a predicate") {
  dash::UnorderedMap<double, int, dash::HashUniform<double>> zeros;
  if (me() == nunits() - 1) {
    CHECK(zeros.insert({0.0, 1}).second);
    CHECK_FALSE(zeros.insert({-0.0, 2}).second);
  }
  zeros.barrier();
  CHECK(zeros.at(-0.0) == 1);
  zeros.barrier();

  dash::UnorderedMap<Padded, short, dash::HashUniform<Padded>> padded;
  for (int i = 0; i < 100; ++i) {
    Padded key;
    std::memset(&key, me() + 1, sizeof key);
    key.letter = 'a';
    key.number = i;
    padded.insert({key, static_cast<short>(i)});
  }
  padded.barrier();
  CHECK(padded.size() == 100);
  padded.barrier();
  if (me() == 0) CHECK(padded.erase(Padded{'a', 99}) == 1);
  padded.barrier();
  CHECK(padded.size() == 99);

  const auto check_predicate = [](auto& map) {
    if (me() == 0) {
      for (int i = 0; i < 100; ++i)
        CHECK(map.insert({i + 0.25, i}).second);
      CHECK_FALSE(map.insert({50.75, 0}).second);
    }
    map.barrier();
    CHECK(map.at(50.5) == 50);
    CHECK(map.erase(200.5) == 0);
    map.barrier();
    if (me() == nunits() - 1) CHECK(map.erase(50.9) == 1);
    map.barrier();
    CHECK_FALSE(map.contains(50.25));
    // Between nodes, too, all elements with the same hash are compared.
    CHECK(map.size() == 99);
    map.barrier();
  };
  dash::UnorderedMap<double, int, ByInteger, SameInteger> searched;
  check_predicate(searched);
  dash::UnorderedMap<double, int, ByIntegerHashed, SameInteger> hashed;
  check_predicate(hashed);
}

TEST_CASE("elements of one byte, and larger than a message") {
  dash::UnorderedMap<char, bool, dash::HashUniform<char>> small;
  for (int i = 0; i < 100; ++i)
    small.insert({static_cast<char>(i), i % 3 == 0});
  small.barrier();
  CHECK(small.size() == 100);
  CHECK(small.at(33) == true);
  CHECK(small.at(34) == false);
  small.barrier();

  dash::UnorderedMap<int, Large, dash::HashUniform<int>> large;
  for (int i = 0; i < 20; ++i) {
    Large value;
    value.values.fill(i + me());
    large.insert({nunits() * i + me(), value});
  }
  large.barrier();
  for (int i = 0; i < 20 * nunits(); ++i) {
    const Large value = large.at(i);
    CHECK(value.values.front() == i / nunits() + i % nunits());
    CHECK(value.values.back() == i / nunits() + i % nunits());
  }
  large.barrier();
}

TEST_CASE("memory of erased elements: reused without a barrier") {
  Map map;
  for (long i = 0; i < rounds(20000); ++i) {
    const long key = i * nunits() + me();
    map.insert({key, i});
    if (i >= 10) CHECK(map.erase(key - 10L * nunits()) == 1);
  }
  CHECK(map.lcapacity() < 2000);
  map.barrier();
  CHECK(map.size() == 10 * dash::size());
  map.barrier();
}

TEST_CASE("atomic values: concurrent additions of all units are all counted") {
  dash::UnorderedMap<int, dash::Atomic<long>, dash::HashUniform<int>> counts;
  for (int i = 0; i < 200; ++i)
    counts[i % 10].add(1);
  counts.barrier();
  CHECK(counts.size() == 10);
  for (int i = 0; i < 10; ++i)
    CHECK(counts.at(i).load() == 20 * nunits());
  counts.barrier();
}

TEST_CASE("several threads of each unit use a map") {
  Map map;
  std::vector<std::thread> threads;
  std::array<long, 3> inserted{};
  for (std::size_t thread = 0; thread < inserted.size(); ++thread) {
    threads.emplace_back([&map, &inserted, thread] {
      for (long i = 0; i < rounds(1500); ++i) {
        if (map.insert({i, i}).second) ++inserted[thread];
        map.value_of(1500 - i);
        if (i % 5 == 4) inserted[thread] -= static_cast<long>(map.erase(i - 4));
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  const long all = sum(inserted[0] + inserted[1] + inserted[2]);
  CHECK(all == static_cast<long>(map.size()));
  CHECK(all == map.end() - map.begin());
  map.barrier();
}
