// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "dash/Collectives.h"
#include "dash/Init.h"
#include "dash/Signal.h"
#include "dash/UnorderedMap.h"
#include "support/Catch.h"
#include "support/Units.h"

using dash::test::me;
using dash::test::nunits;

namespace {

struct Modulo {
  dash::team_unit_t operator()(long key) const {
    return dash::team_unit_t(static_cast<int>(key % nunits()));
  }
};

struct LastOwns {
  template <class Key>
  dash::team_unit_t operator()(const Key& /*key*/) const {
    return dash::team_unit_t(nunits() - 1);
  }
};
struct Large {
  std::array<long, 700> values;
};

/// Compares keys equal that std::hash distinguishes.
struct SameInteger {
  bool operator()(double a, double b) const { return std::floor(a) == std::floor(b); }
};
/// Its hash_value distinguishes keys only in the lower bits.
struct LastOwnsIntegers : LastOwns {
  std::uint64_t hash_value(double key) const { return static_cast<std::uint64_t>(key); }
};

}  // namespace

TEST_CASE("a key inserted through local at a unit that is not its owner: not inserted again") {
  dash::UnorderedMap<long, long, Modulo> map;
  // Each unit has its right neighbour's key.
  const long key = 10L * nunits() + (me() + 1) % nunits();
  map.local.insert({key, 100 + me()});
  map.barrier();
  const auto [it, inserted] = map.insert({key, -1});
  CHECK_FALSE(inserted);
  CHECK(it.lpos().unit == dash::Team::All().myid());
  dash::barrier();
  const long mine = 10L * nunits() + me();
  const long left = 100 + (me() + nunits() - 1) % nunits();
  CHECK(map[mine] == left);
  const std::vector<std::pair<long, long>> items{{mine, -1}, {mine + nunits(), me()}};
  CHECK(map.insert(items.begin(), items.end()) == 1);
  CHECK(map.insert_async(items.begin(), items.end()).get() == 0);
  map.barrier();
  CHECK(map.size() == 2 * dash::size());
  map.barrier();
}

TEST_CASE("a hasher whose hash_value is the key itself: distinguishes keys") {
  dash::UnorderedMap<double, int, LastOwnsIntegers, SameInteger> map;
  // More elements with the same hash than a message can name.
  constexpr int many = 1000;
  if (me() == 0) {
    for (int i = 0; i < many; ++i)
      REQUIRE(map.insert({i + 0.25, i}).second);
  }
  map.barrier();
  CHECK(map.size() == many);
  for (int i = me(); i < many; i += 100)
    CHECK(map.value_of(i + 0.5) == i);
  map.barrier();
}

TEST_CASE("value_of: returns the value of the key while its slot is reused by other keys") {
  // Values of one word, and values larger than a reply.
  const auto check = [](auto value_of_key, auto first_of, long repetitions) {
    using Value = decltype(value_of_key(0));
    dash::UnorderedMap<long, Value, LastOwns> map;
    dash::UnorderedMap<long, bool, LastOwns> ready;
    if (me() == nunits() - 1) {
      // Erased slots are reused first.
      bool all_ready = false;
      for (long i = 0; !all_ready || i < repetitions; ++i) {
        map.insert({i % 5, value_of_key(i % 5)});
        map.erase(i % 5);
        // A unit that waits for other nodes serves their requests.
        if (i % 8 == 0) all_ready = ready.size() + 1 == dash::size();
      }
    } else {
      for (long i = 0; i < repetitions; ++i) {
        if (const auto value = map.value_of(i % 5)) CHECK(first_of(*value) == i % 5);
      }
      ready.insert({me(), true});
    }
    map.barrier();
    ready.barrier();
  };
  check([](long key) { return key; }, [](long value) { return value; }, 1000);
  check(
      [](long key) {
        Large value;
        value.values.fill(key);
        return value;
      },
      [](const Large& value) {
        return value.values.front() == value.values.back() ? value.values.front() : -1;
      },
      200);
}

TEST_CASE("an iterator visits the same elements backward, across batches of fetched elements") {
  dash::UnorderedMap<long, long, LastOwns> map;
  for (long i = 0; i < 1200; ++i) {
    if (i % nunits() == me()) map.insert({i, -i});
  }
  map.barrier();
  for (long i = me(); i < 1200; i += 3L * nunits())
    map.erase(i);
  map.barrier();
  std::vector<long> forward;
  for (auto it = map.begin(); it != map.end(); ++it)
    forward.push_back(it->first + it->second == 0 ? it->first : -1);
  std::vector<long> backward;
  for (auto it = map.end(); it != map.begin();) {
    --it;
    backward.push_back(it->first + it->second == 0 ? it->first : -1);
  }
  CHECK(forward.size() == map.size());
  CHECK(std::equal(forward.begin(), forward.end(), backward.rbegin(), backward.rend()));
  map.barrier();
}

TEST_CASE("an iteration between nodes, while the owner inserts and erases, visits whole elements") {
  // Both members are the same number, and a reused slot gets another one.
  using Numbers = std::array<long, 16>;
  dash::UnorderedMap<long, Numbers, LastOwns> map;
  const bool owns = me() == nunits() - 1;
  const dash::SignalArray ends(1);
  const auto whole = [](long key) {
    Numbers numbers;
    numbers.fill(key);
    return numbers;
  };
  constexpr long live = 40;
  if (owns) {
    long next = 1;
    for (; next <= live; ++next) {
      map.insert({next, whole(next)});
      map.insert({-next, whole(-next)});  // stays
    }
    dash::barrier();
    for (int finished = 0; finished < nunits() - 1 || next < 1000; ++next) {
      map.erase(next - live);
      map.insert({next, whole(next)});
      finished = static_cast<int>(ends[0].value());
      dash::progress();  // the thread that polls without a progress thread
    }
  } else {
    dash::barrier();
    // On the owner's node, an iterator refers to the element itself, which becomes another one.
    const bool fetches = !dash::Team::All().is_on_node(dash::team_unit_t(nunits() - 1));
    int torn = 0;
    int incomplete = 0;
    for (int i = 0; i < 50 && fetches; ++i) {
      long stayed = 0;
      for (auto it = map.begin(); it != map.end(); ++it) {
        const auto element = it.operator->();  // one copy for both members
        torn += element->first == 0 || element->second != whole(element->first) ? 1 : 0;
        stayed += element->first < 0 ? 1 : 0;
      }
      incomplete += stayed == live ? 0 : 1;
    }
    CHECK(torn == 0);
    CHECK(incomplete == 0);
    ends(dash::team_unit_t(nunits() - 1)).add(1);
  }
  dash::barrier();
}
