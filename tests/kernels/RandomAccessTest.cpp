#include <vector>

#include "Buckets.h"
#include "Check.h"
#include "NodeTable.h"
#include "Stream.h"
#include "support/Catch.h"

using namespace random_access;

TEST_CASE("the stream has the elements of the reference") {
  CHECK(element(63) == 0x8000000000000000U);
  CHECK(element(64) == 0x7);
  CHECK(element(100) == 0x7000000000U);
  CHECK(element(4096) == 0x13);
  CHECK(element(std::uint64_t{1} << 20) == 0x100010111U);
  CHECK(element(std::uint64_t{1} << 22) == 0x100010013U);
  CHECK(element(std::uint64_t{1} << 40) == 0x100000116U);
}

TEST_CASE("computing an element directly equals stepping to it") {
  Word x = element(0);
  CHECK(x == 1);
  for (std::uint64_t k = 1; k <= 3000; ++k) {
    x = next(x);
    REQUIRE(element(k) == x);
  }
}

TEST_CASE("the stream repeats after its period") {
  constexpr std::uint64_t period = 1317624576693539401U;
  CHECK(element(period) == 1);
  CHECK(element(period + 63) == element(63));
  CHECK(element(period - 1) != 1);
}

TEST_CASE("the owner of a word is the unit whose block contains it, for any number of units") {
  for (int units = 1; units <= 9; ++units) {
    std::uint64_t words = 0;
    for (int unit = 0; unit < units; ++unit) {
      const Distribution distribution(8, units, unit);
      REQUIRE(distribution.first == words);
      words += distribution.local_size;
      for (std::uint64_t i = 0; i < distribution.local_size; ++i)
        REQUIRE(distribution.owner(distribution.first + i) == unit);
    }
    CHECK(words == 256);
  }
}

TEST_CASE("the shares of all units cover the stream in order") {
  for (int units = 1; units <= 9; ++units) {
    std::uint64_t updates = 0;
    for (int unit = 0; unit < units; ++unit) {
      const Share share(1001, units, unit);
      CHECK(share.begin == updates);
      CHECK(share.size <= share.largest);
      CHECK(share.size + 1 >= share.largest);
      updates += share.size;
    }
    CHECK(updates == 1001);
  }
}

TEST_CASE("buckets contain each update of a batch once, in order, for its owner") {
  constexpr int units = 3;
  const Distribution distribution(12, units, 1);
  std::vector<std::vector<Word>> words(units, std::vector<Word>(message_size));
  std::vector<Word*> messages;
  for (auto& each : words)
    messages.push_back(each.data());
  std::vector<Word*> ends(units);
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, batch_size}) {
    Word x = element(1000);
    generate(x, n, distribution, messages, ends);
    CHECK(x == element(1000 + n));
    std::vector<std::size_t> seen(units, 0);
    Word expected = element(1000);
    for (std::size_t i = 0; i < n; ++i) {
      expected = next(expected);
      const auto owner = static_cast<std::size_t>(distribution.owner(expected & distribution.mask));
      REQUIRE(words[owner][++seen[owner]] == expected);
    }
    for (std::size_t unit = 0; unit < units; ++unit)
      CHECK(words[unit][0] == seen[unit]);
  }
}

TEST_CASE("batches of get-put are small enough that few updates get lost") {
  for (int units = 1; units <= 8; ++units) {
    for (const unsigned m : {1U, 10U, 16U, 18U, 30U}) {
      const Distribution distribution(m, units, 0);
      const std::size_t size = get_put_batch_size(distribution);
      CHECK(size >= 1);
      CHECK(size <= look_ahead);
      // Other units have batches of the same size, and any other update of a word in them can be
      // lost.
      if (size > 1) CHECK(2 * size * static_cast<std::size_t>(units) <= distribution.size / 2000);
    }
  }
}

TEST_CASE("undoing all updates restores a table, but not a damaged one") {
  const Distribution distribution(10, 1, 0);
  std::vector<Word> table(distribution.size);
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = i;
  const auto original = table;
  undo(distribution, 4096, table);  // applying and undoing updates are the same operation
  CHECK(table[1] == known_fingerprint(10)->second);
  CHECK(table.back() == known_fingerprint(10)->last);
  auto damaged = table;
  damaged[77] ^= 4;
  undo(distribution, 4096, table);
  CHECK(table == original);
  undo(distribution, 4096, damaged);
  CHECK(damaged != original);
}

TEST_CASE("a table is whole if the words of all units are accessible") {
  // Four words on seven units, one on each of the first four.
  const Distribution distribution(2, 7, 0);
  std::vector<Word> words{0, 1, 2, 3};
  const std::vector<Word*> blocks{&words[0], &words[1], &words[2], &words[3],
                                  nullptr,   nullptr,   nullptr};
  const NodeTable table(distribution, blocks);
  REQUIRE(table.is_whole());
  for (const bool is_atomic : {true, false}) {
    // x is 2, 4, 8: words 2, 0 and 0.
    Word x = 1;
    is_atomic ? table.update_atomically(x, 3) : table.load_and_store(x, 3);
    CHECK(x == 8);
    CHECK(words == (is_atomic ? std::vector<Word>{12, 1, 0, 3} : std::vector<Word>{0, 1, 2, 3}));
  }
  std::vector<Word*> without = blocks;
  without[3] = nullptr;
  CHECK_FALSE(NodeTable(distribution, without).is_whole());
}
