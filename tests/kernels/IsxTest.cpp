// ISx and NAS IS: keys, buckets and ranks against the values of the specification.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "Keys.h"
#include "Problem.h"
#include "Sorting.h"
#include "support/Catch.h"
#include "support/UserError.h"

using namespace isx;
using kernels::find_nas_class;
using kernels::NasClass;

namespace {

constexpr std::uint32_t largest = 1 << 28;

std::vector<Key> keys_of(int unit, std::size_t count) {
  std::vector<Key> keys(count);
  make_keys(unit, largest, keys);
  return keys;
}

std::vector<Key> nas_keys(std::uint64_t first, std::size_t count, const NasClass& nas) {
  std::vector<Key> keys(count);
  kernels::make_nas_keys(nas.log_range, first, keys);
  return keys;
}

struct Bucket {
  std::uint64_t count;
  std::uint64_t sum;
  Key least;
  Key greatest;
};

/// The bucket of each unit, from the keys that all units send.
std::vector<Bucket> sort_on(int units, std::size_t count) {
  const auto width = static_cast<std::uint32_t>((largest + static_cast<unsigned>(units) - 1) /
                                                static_cast<unsigned>(units));
  const Buckets buckets(units, width);
  std::vector<Bucket> result(static_cast<std::size_t>(units), Bucket{0, 0, largest, 0});
  for (int unit = 0; unit < units; ++unit) {
    const auto keys = keys_of(unit, count);
    const auto begins = buckets.begins(keys);
    std::vector<Key> send_buffer(count);
    buckets.arrange(keys, begins, send_buffer);
    for (std::size_t to = 0; to < result.size(); ++to) {
      Bucket& bucket = result[to];
      bucket.count += begins[to + 1] - begins[to];
      for (std::uint64_t i = begins[to]; i < begins[to + 1]; ++i) {
        bucket.sum += send_buffer[i];
        bucket.least = std::min(bucket.least, send_buffer[i]);
        bucket.greatest = std::max(bucket.greatest, send_buffer[i]);
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("the generator is PCG32") {
  Pcg32 random(42, 54);
  CHECK(random.next() == 0xa15c02b7);
  CHECK(random.next() == 0x7b47f409);
  CHECK(random.next() == 0xba1d3330);
}

TEST_CASE("units generate the keys of the specification") {
  CHECK(keys_of(0, 3) == std::vector<Key>{79775624, 127690006, 206222267});
  CHECK(keys_of(1, 3) == std::vector<Key>{159551377, 93512308, 2500183});
}

TEST_CASE("buckets have the keys of the specification") {
  const auto one = sort_on(1, 65536);
  CHECK(one[0].sum == 8775160108898);
  CHECK(one[0].least == 6775);
  CHECK(one[0].greatest == 268433993);

  const auto four = sort_on(4, 65536);
  const std::vector<Bucket> expected{{65777, 2205124938571, 254, 67108122},
                                     {65424, 6592765200064, 67111522, 134216799},
                                     {65604, 11006776079096, 134218293, 201325750},
                                     {65339, 15344929120971, 201327166, 268433993}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(four[i].count == expected[i].count);
    CHECK(four[i].sum == expected[i].sum);
    CHECK(four[i].least == expected[i].least);
    CHECK(four[i].greatest == expected[i].greatest);
  }

  const auto three = sort_on(3, 1000);
  CHECK(three[0].count == 1033);
  CHECK(three[1].count == 1006);
  CHECK(three[2].count == 961);
  CHECK(three[0].sum == 45449344970);
  CHECK(three[1].sum == 135772773790);
  CHECK(three[2].sum == 215018497614);
}

TEST_CASE("a key's bucket is the quotient of the key and the width, for any width") {
  const std::uint32_t width = GENERATE(1U, 2U, 3U, 7U, 8192U, 89478486U, 1U << 27, 1U << 28);
  const Buckets buckets(3, width);
  CAPTURE(width);
  std::vector<Key> keys = keys_of(5, 1000);
  for (const Key multiple : {0U, 1U, 2U, 3U}) {
    const std::uint64_t key = std::uint64_t{multiple} * width;
    if (key >= largest) continue;
    keys.push_back(static_cast<Key>(key));
    if (key > 0) keys.push_back(static_cast<Key>(key - 1));
  }
  keys.push_back(largest - 1);
  for (const Key key : keys) {
    CAPTURE(key);
    CHECK(buckets.of(key) == key / width);
  }
}

TEST_CASE("counters give the number, fingerprint and ranks of keys, and count misplaced keys") {
  Counters counters(100, 10);
  counters.add(std::vector<Key>{105, 100, 109, 105});
  CHECK(counters.totals().keys == 4);
  const auto of = [](Key key) { return isx::fingerprint(key); };
  CHECK(counters.totals().fingerprint == of(100) + 2 * of(105) + of(109));
  // The same number of keys with the same sum.
  CHECK(counters.totals().fingerprint != of(101) + of(104) + of(105) + of(109));
  CHECK(Buckets(1, 200).fingerprints(std::vector<Key>{105, 100, 109, 105}).at(0) ==
        counters.totals().fingerprint);
  CHECK(counters.below(100) == 0);
  CHECK(counters.below(105) == 1);
  CHECK(counters.below(106) == 3);
  CHECK(counters.has(109));
  CHECK_FALSE(counters.has(110));
  CHECK_FALSE(counters.has(99));
  CHECK(counters.misplaced() == 0);
  counters.add(std::vector<Key>{99, 110, 101});
  CHECK(counters.misplaced() == 2);
  CHECK(counters.received() == 7);
  counters.reset();
  CHECK(counters.totals().keys == 0);
  CHECK(counters.misplaced() == 0);
}

TEST_CASE("NAS keys are those of the specification, from any position on") {
  CHECK(nas_keys(0, 3, *find_nas_class("S")) == std::vector<Key>{1585, 825, 1060});
  CHECK(nas_keys(0, 3, *find_nas_class("W")) == std::vector<Key>{50737, 26409, 33921});
  CHECK(nas_keys(0, 3, *find_nas_class("A")) == std::vector<Key>{405901, 211274, 271374});
  const NasClass& nas = *find_nas_class("W");
  const auto all = nas_keys(0, 5000, nas);
  for (const std::size_t first : {1U, 2U, 777U, 4000U}) {
    const auto some = nas_keys(first, 1000, nas);
    CHECK(std::equal(some.begin(), some.end(), all.begin() + static_cast<std::ptrdiff_t>(first)));
  }
}

TEST_CASE("the ranks of NAS keys are the published ones in all iterations") {
  const NasClass& nas = *find_nas_class(GENERATE("S", "W"));
  auto keys = nas_keys(0, nas.keys(), nas);
  for (int iteration = 1; iteration <= NasClass::iterations; ++iteration) {
    kernels::change_nas_keys(nas.log_range, iteration, 0, keys);
    Counters counters(0, nas.range());
    counters.add(keys);
    for (int i = 0; i < NasClass::tests; ++i) {
      CAPTURE(nas.name, iteration, i);
      CHECK(counters.below(keys[nas.places[static_cast<std::size_t>(i)]]) ==
            nas.expected_rank(i, iteration));
    }
  }
}

TEST_CASE("the keys of all units add up to the total, and no unit exceeds its capacity") {
  Options options;
  options.mode = GENERATE("weak", "strong", "iso", "nas");
  if (options.mode != "nas") {
    options.keys = 1001;
  }
  const int units = GENERATE(1, 2, 3, 7);
  std::uint64_t total = 0;
  for (int unit = 0; unit < units; ++unit) {
    const Problem problem = Problem::of(options, unit, units);
    CHECK(problem.own <= problem.capacity);
    CHECK(std::uint64_t{problem.width} * static_cast<unsigned>(units) >= problem.max_key);
    total += problem.own;
    CHECK((unit + 1 < units || total == problem.total));
  }
}

TEST_CASE("fewer values than units are rejected") {
  Options options;
  options.max_key = 2;
  CHECK_THROWS_AS(Problem::of(options, 0, 3), kernels::UserError);
  options.mode = "nas";
  options.size = "B";
  CHECK_THROWS_AS(Problem::of(options, 0, 3), kernels::UserError);
}
