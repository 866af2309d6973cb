// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dash/Bag.h"
#include "dash/Collectives.h"
#include "dash/CountingSet.h"
#include "dash/Init.h"
#include "dash/ObjectMap.h"
#include "dash/ObjectMultimap.h"
#include "dash/ObjectSet.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

namespace {

using dash::test::me;
using dash::test::nunits;

std::string word(int i) {
  return "word " + std::to_string(i);
}

std::mt19937 random_of_unit() {
  return std::mt19937(dash::test::seed() + static_cast<unsigned>(me()));
}

}  // namespace

TEST_CASE("ObjectMap: all units insert the same keys: each key is new once") {
  constexpr int num_words = 50;
  dash::ObjectMap<std::string, std::vector<int>> map;
  int inserted = 0;
  for (int i = 0; i < num_words; ++i)
    inserted += map.insert(word(i), {i, i + 1}).get() ? 1 : 0;
  REQUIRE(dash::allreduce_async(inserted, dash::plus<int>()).get() == num_words);
  REQUIRE(map.size() == num_words);
  for (const auto& [key, value] : map.local())
    REQUIRE(map.owner(key).id == me());
  for (int i = 0; i < num_words; ++i)
    REQUIRE(map.find(word(i)).get().value() == std::vector<int>{i, i + 1});
  REQUIRE(map.find("none").get() == std::nullopt);
  REQUIRE_FALSE(map.contains("none").get());
  dash::barrier();
  REQUIRE_FALSE(map.insert_or_assign(word(me()), {me()}).get());
  REQUIRE(map.find(word(me())).get() == std::vector<int>{me()});
  REQUIRE(map.erase(word(me())).get() == 1);
  REQUIRE(map.erase(word(me())).get() == 0);
  REQUIRE(map.size() == static_cast<std::size_t>(num_words - nunits()));
  map.clear();
  REQUIRE(map.size() == 0);
  dash::quiesce();
}

TEST_CASE("ObjectMap: visits of all units: each has its effect once, and its result returns") {
  dash::ObjectMap<int, long> map;
  for (int i = 0; i < 100; ++i) {
    const long before = map.visit(
                               7,
                               [](long& value, long n) {
                                 value += n;
                                 return value - n;
                               },
                               2L)
                            .get();
    REQUIRE(before >= 2 * i);
    map.visit_ff(i, [](long& value) { ++value; });
  }
  auto add = map.batched<long>([](long& value, long n) { value += n; });
  for (int i = 0; i < 1000; ++i)
    add(i % 10, 1);
  dash::quiesce();
  REQUIRE(map.size() == 100);
  REQUIRE(map.find(7).get() == nunits() * (200L + 1 + 100));
  REQUIRE(map.find(8).get() == nunits() * (1L + 100));
  REQUIRE(map.find(99).get() == nunits());
  dash::barrier();
  REQUIRE_FALSE(map.visit_existing(100, [](long& value) { value = 0; }).get());
  REQUIRE(map.visit_existing(
                 99, [](long& value, long n) { value += n; }, 1000L)
              .get());
  dash::quiesce();
  REQUIRE(map.find(99).get() == nunits() * 1001);
  dash::quiesce();
}

TEST_CASE("ObjectMap: random operations agree with a std::map") {
  dash::ObjectMap<unsigned, std::string> map;
  std::map<unsigned, std::string> model;  // each unit uses different keys
  std::mt19937 random = random_of_unit();
  for (int i = 0; i < 500; ++i) {
    const auto key = static_cast<unsigned>(random() % 40 * static_cast<unsigned>(nunits())) +
                     static_cast<unsigned>(me());
    const std::string value = word(i);
    switch (random() % 4) {
      case 0:
        REQUIRE(map.insert(key, value).get() == model.emplace(key, value).second);
        break;
      case 1:
        REQUIRE(map.erase(key).get() == model.erase(key));
        break;
      case 2:
        map.visit(
               key, [](std::string& text, const std::string& more) { text += more; }, value)
            .get();
        model[key] += value;
        break;
      default: {
        const auto found = model.find(key);
        REQUIRE(map.find(key).get() ==
                (found == model.end() ? std::nullopt : std::optional(found->second)));
      }
    }
  }
  const std::size_t all = dash::allreduce_async(model.size(), dash::plus<std::size_t>()).get();
  REQUIRE(map.size() == all);
}

TEST_CASE("ObjectMap: an exception of a visitor arrives at the caller") {
  dash::ObjectMap<int, int> map;
  auto future = map.visit(me(), [](int&) -> int { throw std::out_of_range("no"); });
  REQUIRE_THROWS_AS(future.get(), std::out_of_range);
  dash::quiesce();
}

TEST_CASE("ObjectMap: integers as keys are spread over the units") {
  dash::ObjectMap<long, int> map;
  std::vector<int> owned(static_cast<std::size_t>(nunits()));
  constexpr int num_keys = 10'000;
  for (long key = 0; key < num_keys; ++key)
    ++owned[static_cast<std::size_t>(map.owner(key).id)];
  for (const int n : owned) {
    REQUIRE(n > num_keys / nunits() / 2);
    REQUIRE(n < 2 * num_keys / nunits());
  }
}

TEST_CASE("ObjectMultimap: values of all units for one key") {
  dash::ObjectMultimap<std::string, int> map;
  for (int i = 0; i < 10; ++i)
    map.insert("all", 10 * me() + i);
  map.insert(word(me()), me());
  dash::quiesce();
  std::vector<int> values = map.find("all").get();
  std::sort(values.begin(), values.end());
  REQUIRE(values.size() == static_cast<std::size_t>(10 * nunits()));
  for (std::size_t i = 0; i < values.size(); ++i)
    REQUIRE(values[i] == static_cast<int>(i));
  REQUIRE(map.count(word(me())).get() == 1);
  REQUIRE(map.size() == static_cast<std::size_t>(11 * nunits()));
  REQUIRE(map.erase(word(me())).get() == 1);
  REQUIRE(map.count(word(me())).get() == 0);
  dash::quiesce();
}

TEST_CASE("ObjectSet: keys that several units insert are contained once") {
  dash::ObjectSet<std::pair<int, std::string>, decltype([](const std::pair<int, std::string>& key) {
                    return std::hash<std::string>()(key.second) +
                           static_cast<std::size_t>(key.first);
                  })>
      set;
  const bool is_new = set.insert({1, "one"}).get();
  REQUIRE(dash::allreduce_async(is_new ? 1 : 0, dash::plus<int>()).get() == 1);
  for (int i = 0; i < 300; ++i)
    set.insert_ff({i % 30, word(i % 30)});
  dash::quiesce();
  REQUIRE(set.size() == 31);
  REQUIRE(set.contains({29, word(29)}).get());
  REQUIRE_FALSE(set.contains({29, word(28)}).get());
  dash::barrier();
  const std::size_t num_erased = set.erase({1, "one"}).get();
  REQUIRE(dash::allreduce_async(num_erased, dash::plus<std::size_t>()).get() == 1);
  REQUIRE(set.size() == 30);
}

TEST_CASE("CountingSet: more keys than are collected, and frequent ones") {
  dash::CountingSet<std::string> counts;
  for (int i = 0; i < 6000; ++i) {
    counts.add(word(i));
    counts.add("frequent", 3);
  }
  counts.complete();
  REQUIRE(counts.count("frequent").get() == static_cast<std::size_t>(18'000 * nunits()));
  REQUIRE(counts.count(word(5999)).get() == static_cast<std::size_t>(nunits()));
  REQUIRE(counts.count("none").get() == 0);
  REQUIRE(counts.size() == 6001);
  counts.add("late");
  counts.clear();
  REQUIRE(counts.size() == 0);
}

TEST_CASE("Bag: random numbers of elements at the units: balanced, and none is lost") {
  std::mt19937 random(dash::test::seed());  // the same on all units
  for (int round = 0; round < 10; ++round) {
    dash::Bag<std::string> bag;
    int first = 0;
    for (int unit = 0; unit < nunits(); ++unit) {
      const int count = static_cast<int>(random() % 3 == 0 ? 0 : random() % 50);
      for (int i = 0; unit == me() && i < count; ++i)
        bag.add(word(first + i));
      first += count;
    }
    bag.balance();
    const auto total = static_cast<std::size_t>(first);
    REQUIRE(bag.size() == total);
    const std::size_t least = total / static_cast<std::size_t>(nunits());
    REQUIRE(bag.local().size() >= least);
    REQUIRE(bag.local().size() <= least + 1);
    dash::ObjectSet<std::string> all;
    for (const std::string& each : bag.local())
      all.insert_ff(each);
    REQUIRE(all.size() == total);
  }
}

TEST_CASE("Bag: the elements of a balanced bag stay") {
  dash::Bag<int> bag;
  for (int i = 0; i <= me() % 2; ++i)
    bag.add(me());
  bag.balance();
  REQUIRE(bag.local() == std::vector<int>(static_cast<std::size_t>(me() % 2 + 1), me()));
  dash::barrier();
}

TEST_CASE("Bag: elements added at another unit") {
  dash::Bag<std::pair<int, int>> bag;
  const int peer = (me() + 1) % nunits();
  for (int i = 0; i < 100; ++i)
    bag.add_at(dash::team_unit_t(peer), {me(), i});
  dash::quiesce();
  REQUIRE(bag.local().size() == 100);
  std::set<int> numbers;
  for (const auto& [unit, i] : bag.local()) {
    REQUIRE(unit == (me() + nunits() - 1) % nunits());
    numbers.insert(i);
  }
  REQUIRE(numbers.size() == 100);
  bag.clear();
  REQUIRE(bag.size() == 0);
}
