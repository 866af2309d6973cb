#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "Problem.h"
#include "support/Catch.h"

using namespace histogram;

namespace {

constexpr Problem class_s{16, 11, 10};

std::vector<Count> counted(const Problem& problem, const std::vector<Key>& keys) {
  std::vector<Count> counts(problem.bins());
  count(keys, counts);
  return counts;
}

}  // namespace

TEST_CASE("the first keys are those of NAS IS") {
  const std::pair<Problem, std::vector<Key>> known[] = {{{16, 11}, {1585, 825, 1060}},
                                                        {{20, 16}, {50737, 26409, 33921}},
                                                        {{23, 19}, {405901, 211274, 271374}}};
  for (const auto& [problem, first_keys] : known) {
    std::vector<Key> keys(3);
    generate(problem, 0, keys);
    CHECK(keys == first_keys);
  }
}

TEST_CASE("keys can be generated from any position of the sequence") {
  std::vector<Key> all(1000);
  generate(class_s, 0, all);
  for (const std::size_t first : {0, 1, 7, 512, 999}) {
    std::vector<Key> part(all.size() - first);
    generate(class_s, first, part);
    CHECK(std::equal(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(first)));
  }
}

TEST_CASE("a unit changes only its own keys") {
  std::vector<Key> keys{0, 0, 0, 0};
  change(class_s, 4, 13, keys);
  CHECK(keys == std::vector<Key>{0, 2048 - 4, 0, 0});
  change(class_s, 4, 1, keys);
  CHECK(keys == std::vector<Key>{0, 2048 - 4, 0, 4});
}

TEST_CASE("the ranks of the classes of NAS IS are correct in all rounds") {
  for (const Problem& problem : {class_s, Problem{20, 16, 10}, Problem{23, 19, 2}}) {
    Verifier verifier(problem);
    CHECK_THAT(verifier.method(), Catch::Matchers::ContainsSubstring("ranks of class"));
    std::vector<Key> keys(problem.keys());
    generate(problem, 0, keys);
    for (int round = 1; round <= problem.rounds; ++round) {
      change(problem, round, 0, keys);
      CHECK(verifier.check(round, counted(problem, keys)).empty());
    }
  }
}

TEST_CASE("lost keys and keys in a wrong bin are detected") {
  std::vector<Key> keys(class_s.keys());
  generate(class_s, 0, keys);
  change(class_s, 1, 0, keys);
  auto counts = counted(class_s, keys);
  const Count right = counts[1000];
  --counts[1000];
  const auto failure = fmt::format("bin 1000 counts {} keys, expected {}", right - 1, right);
  CHECK_THAT(Verifier(class_s).check(1, counts), Catch::Matchers::ContainsSubstring(failure));
  ++counts[1001];
  CHECK_THAT(Verifier(class_s).check(1, counts), Catch::Matchers::ContainsSubstring(failure));
}

TEST_CASE("a later round can be checked, even repeatedly") {
  Verifier verifier(class_s);
  std::vector<Key> keys(class_s.keys());
  generate(class_s, 0, keys);
  for (int round = 1; round <= 4; ++round)
    change(class_s, round, 0, keys);
  const auto counts = counted(class_s, keys);
  CHECK(verifier.check(4, counts).empty());
  CHECK(verifier.check(4, counts).empty());
  CHECK_THAT(verifier.check(5, counts), Catch::Matchers::ContainsSubstring("round 5: bin"));
}

TEST_CASE("a checksum is the sum of those of the ranges, and detects counts in other bins") {
  const std::vector<Count> counts{4, 0, 3, 3, 9};
  const std::span<const Count> all(counts);
  CHECK(checksum({0, all}) == checksum({0, all.first(2)}) + checksum({2, all.subspan(2)}));
  CHECK(checksum({0, all}) != checksum({1, all}));
  CHECK(checksum({0, all}) != checksum({0, std::vector<Count>{4, 3, 0, 3, 9}}));
}

TEST_CASE("the checksums detect histograms of another round") {
  std::vector<Key> keys(class_s.keys());
  generate(class_s, 0, keys);
  std::vector<std::uint64_t> sums;
  for (int round = 1; round <= class_s.rounds; ++round) {
    change(class_s, round, 0, keys);
    change_all(round, keys);
    sums.push_back(checksum({0, counted(class_s, keys)}));
  }
  CHECK(Verifier(class_s).check_sums(sums).empty());
  sums[6] = sums[4];
  CHECK_THAT(Verifier(class_s).check_sums(sums),
             Catch::Matchers::ContainsSubstring("round 7 of 10"));
}

TEST_CASE("the counts of several units are added bin by bin") {
  const std::size_t size = 2500;
  std::vector<std::vector<Count>> counts;
  std::vector<Count> expected(size);
  for (Count unit = 1; unit <= 4; ++unit) {
    std::vector<const Count*> parts;
    auto& own = counts.emplace_back(size);
    for (std::size_t bin = 0; bin < size; ++bin)
      expected[bin] += own[bin] = static_cast<Count>(bin * unit % 101);
    for (const auto& part : counts)
      parts.push_back(part.data());
    std::vector<Count> sums(size, 7);
    sum(parts, sums);
    CHECK(sums == expected);
  }
}
