// dash-test: serial

#include "dash/algorithm/internal/sort/SplitSearch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "dash/Exception.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::internal::Sample;
using dash::internal::SplitSearch;

namespace {

using Sequences = std::vector<std::vector<int>>;

Sequences random_sequences(std::size_t count, int max_digits, int most, std::mt19937& random) {
  Sequences sequences(count);
  for (auto& sequence : sequences) {
    const int digits = std::uniform_int_distribution<int>(0, max_digits)(random);
    sequence.resize(
        std::uniform_int_distribution<std::size_t>(0, std::size_t{1} << digits)(random));
    for (int& value : sequence)
      value = std::uniform_int_distribution<int>(0, most)(random);
    std::sort(sequence.begin(), sequence.end());
  }
  return sequences;
}

std::vector<std::uint64_t> sizes_of(const Sequences& sequences) {
  std::vector<std::uint64_t> sizes;
  for (const auto& sequence : sequences)
    sizes.push_back(sequence.size());
  return sizes;
}

/// \returns the number of rounds
int search_to_the_end(SplitSearch& search, const Sequences& sequences) {
  int rounds = 0;
  for (; !search.done(); ++rounds) {
    std::vector<std::vector<Sample>> columns(search.columns());
    for (std::size_t column = 0; column < columns.size(); ++column) {
      columns[column] = search.samples(column);
      std::stable_sort(
          columns[column].begin(), columns[column].end(), [&](const Sample& a, const Sample& b) {
            return sequences[a.sequence][a.position] < sequences[b.sequence][b.position];
          });
      for (const Sample& sample : columns[column])
        REQUIRE(sample.slot < search.per_round());
    }
    search.narrow(columns);
  }
  return rounds;
}

}  // namespace

TEST_CASE("split search of sorted sequences finds the splits of a stable merge at each rank") {
  std::mt19937 random(dash::test::seed());
  for (int trial = 0; trial < 60; ++trial) {
    const auto count = std::uniform_int_distribution<std::size_t>(1, 20)(random);
    const int most = 1 << std::uniform_int_distribution<int>(0, 20)(random);
    const Sequences sequences = random_sequences(count, 12, most, random);
    // The merge, as the sequence index of each element.
    std::vector<std::pair<int, std::size_t>> merged;
    for (std::size_t i = 0; i < count; ++i) {
      for (const int value : sequences[i])
        merged.emplace_back(value, i);
    }
    std::stable_sort(merged.begin(), merged.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::uint64_t> ranks{0, merged.size()};
    for (int i = 0; i < 9; ++i)
      ranks.push_back(std::uniform_int_distribution<std::uint64_t>(0, merged.size())(random));
    std::sort(ranks.begin(), ranks.end());

    // Large elements, so that a round has few samples.
    SplitSearch search(sizes_of(sequences), ranks, 512);
    const int rounds = search_to_the_end(search, sequences);
    INFO("trial " << trial << ", " << count << " sequences, " << merged.size() << " elements");
    CHECK(rounds <= 16);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      std::vector<std::uint64_t> expected(count, 0);
      for (std::size_t i = 0; i < ranks[rank]; ++i)
        ++expected[merged[i].second];
      std::vector<std::uint64_t> found;
      for (std::size_t sequence = 0; sequence < count; ++sequence)
        found.push_back(search.split(rank, sequence));
      CHECK(found == expected);
    }
  }
}

TEST_CASE("split search of long sequences takes few rounds") {
  Sequences sequences(2);
  for (int i = 0; i < 1 << 20; ++i)
    sequences[static_cast<std::size_t>(i) % 2].push_back(i);
  SplitSearch search(sizes_of(sequences), {0, 1 << 19, 1 << 20}, sizeof(int));
  CHECK(search_to_the_end(search, sequences) <= 3);
  CHECK(search.split(1, 0) == 1 << 18);
  CHECK(search.split(1, 1) == 1 << 18);
}

TEST_CASE("split search for ranks at the ends or without elements is done immediately") {
  const SplitSearch ends({5, 0, 7}, {0, 0, 12}, 8);
  CHECK(ends.done());
  CHECK(ends.split(0, 0) == 0);
  CHECK(ends.split(2, 0) == 5);
  CHECK(ends.split(2, 2) == 7);
  CHECK(SplitSearch({0, 0}, {0, 0, 0}, 8).done());
}

TEST_CASE("split search throws if the order of samples contradicts their sequences") {
  SplitSearch search({1000, 1000}, {0, 1000, 2000}, 8);
  std::vector<std::vector<Sample>> columns{search.samples(0)};
  std::swap(columns[0].front(), columns[0][10]);
  CHECK_THROWS_AS(search.narrow(columns), dash::exception::InvalidArgument);
}
