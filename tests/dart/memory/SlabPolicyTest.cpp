// dash-test: serial link=objects

// The number and the size of slabs, on a model of a heap.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "base/RangeAllocator.h"
#include "memory/SlabPolicy.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::dart::RangeAllocator;
using dash::dart::SlabPolicy;

namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t mebi = std::uint64_t{1} << 20;
constexpr std::uint64_t gibi = std::uint64_t{1} << 30;

/// The slabs of a heap with unlimited space, as SymmetricHeap creates and removes them.
class ModelHeap {
 public:
  using Block = std::pair<std::uint64_t, std::uint64_t>;  // begin, and the begin of its slab

  ModelHeap() { _slabs.push_back({0, 48 * mebi, RangeAllocator(0, 48 * mebi)}); }

  /// \returns nothing if the block lies in no window
  std::optional<Block> allocate(std::uint64_t nbytes) {
    remove_empty([&] { return policy().has_surplus(_in_use + nbytes); });
    if (const auto block = find(nbytes)) return block;
    const std::uint64_t peak = std::max(_peak, _in_use + nbytes);
    remove_empty([&] { return policy().must_shrink(nbytes, peak); });
    const auto next = policy().next(nbytes, peak, page);
    if (!next) return std::nullopt;
    const bool is_fragmented = 8 * _in_use < 3 * policy().nbytes;
    _end += gibi;
    _slabs.push_back({_end, next->wanted, RangeAllocator(_end, _end + next->wanted)});
    _end += next->wanted;
    exceeds_limit = exceeds_limit || (!is_fragmented && policy().nbytes > SlabPolicy::limit(peak));
    max_slabs = std::max(max_slabs, _slabs.size());
    return find(nbytes);
  }
  void free(const Block& block) {
    for (Slab& slab : _slabs) {
      if (slab.begin == block.second) _in_use -= slab.ranges.release(block.first).value();
    }
  }
  std::uint64_t largest_free() const {
    std::uint64_t largest = 0;
    for (const Slab& slab : _slabs) {
      std::uint64_t low = 0;
      for (std::uint64_t step = std::uint64_t{1} << 45; step >= page; step /= 2) {
        if (slab.ranges.find_best(low + step)) low += step;
      }
      largest = std::max(largest, low);
    }
    return largest;
  }
  SlabPolicy policy() const {
    SlabPolicy policy{16 * mebi, _slabs.size()};
    for (const Slab& slab : _slabs)
      policy.nbytes += slab.nbytes;
    return policy;
  }
  std::uint64_t in_use() const { return _in_use; }

  bool exceeds_limit = false;
  std::size_t max_slabs = 1;

 private:
  struct Slab {
    std::uint64_t begin;
    std::uint64_t nbytes;
    RangeAllocator ranges;
  };

  std::optional<Block> find(std::uint64_t nbytes) {
    for (Slab& slab : _slabs) {
      const auto begin = slab.ranges.find_best(nbytes);
      if (!begin) continue;
      slab.ranges.take(*begin, nbytes);
      _in_use += nbytes;
      _peak = std::max(_peak, _in_use);
      return Block{*begin, slab.begin};
    }
    return std::nullopt;
  }
  void remove_empty(const std::function<bool()>& must_remove) {
    for (std::size_t i = _slabs.size(); i-- > 1;) {
      if (_slabs[i].ranges.num_used() == 0 && must_remove())
        _slabs.erase(_slabs.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  std::vector<Slab> _slabs;
  std::uint64_t _end = 0;
  std::uint64_t _in_use = 0;
  std::uint64_t _peak = 0;
};

/// A random size between a page and `largest`, whose logarithm is uniformly distributed.
std::uint64_t random_size(std::mt19937_64& random, std::uint64_t largest) {
  std::uniform_real_distribution<double> logarithm(0,
                                                   std::log2(static_cast<double>(largest / page)));
  return static_cast<std::uint64_t>(std::exp2(logarithm(random))) * page;
}

}  // namespace

TEST_CASE("Memory that is only allocated has at most 15 slabs for 256 GiB, within the limit",
          "[SlabPolicy]") {
  std::mt19937_64 random(dash::test::seed());
  for (int run = 0; run < 200; ++run) {
    ModelHeap heap;
    const std::uint64_t largest = random_size(random, 64 * gibi) + 64 * mebi;
    while (heap.in_use() < 256 * gibi) {
      // Every other block is slightly too large for the free blocks.
      const std::uint64_t nbytes =
          random() % 2 == 0 ? heap.largest_free() + page : random_size(random, largest);
      REQUIRE(heap.allocate(nbytes));
      REQUIRE(heap.policy().nbytes <= SlabPolicy::limit(heap.in_use()));
    }
    REQUIRE(heap.max_slabs <= 15);
  }
}

TEST_CASE("Blocks that never fit have at most 15 slabs for 256 GiB, within the limit",
          "[SlabPolicy]") {
  ModelHeap heap;
  while (heap.in_use() < 256 * gibi) {
    REQUIRE(heap.allocate(heap.largest_free() + page));
    REQUIRE(heap.policy().nbytes <= SlabPolicy::limit(heap.in_use()));
  }
  REQUIRE(heap.max_slabs <= 15);
}

TEST_CASE("Slabs exceed the limit only if they are fragmented, and never exceed their number",
          "[SlabPolicy]") {
  std::mt19937_64 random(dash::test::seed());
  for (int run = 0; run < 100; ++run) {
    ModelHeap heap;
    std::vector<ModelHeap::Block> blocks;
    const std::uint64_t largest = random_size(random, 16 * gibi) + mebi;
    const std::uint64_t odds = 2 + random() % 4;
    for (int step = 0; step < 2000; ++step) {
      if (!blocks.empty() && (random() % odds == 0 || blocks.size() > 60)) {
        const std::size_t index = random() % blocks.size();
        heap.free(blocks[index]);
        blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(index));
      } else if (const auto block = heap.allocate(random_size(random, largest))) {
        blocks.push_back(*block);
      }
      REQUIRE_FALSE(heap.exceeds_limit);
      REQUIRE(heap.max_slabs <= SlabPolicy::max_slabs);
    }
    for (const ModelHeap::Block& block : blocks)
      heap.free(block);
    REQUIRE(heap.allocate(page));
    REQUIRE(heap.policy().nbytes <= SlabPolicy::kept_bytes);
  }
}

TEST_CASE("A heap has at most 16 slabs", "[SlabPolicy]") {
  const std::uint64_t nbytes = 4 * gibi;
  REQUIRE(SlabPolicy{nbytes, SlabPolicy::max_slabs - 1}.next(page, 3 * gibi, page));
  REQUIRE_FALSE(SlabPolicy{nbytes, SlabPolicy::max_slabs}.next(page, 3 * gibi, page));
  REQUIRE(SlabPolicy{64 * mebi, SlabPolicy::max_slabs}.must_shrink(page, gibi));
}

TEST_CASE("The least size of a slab is an eighth of all slabs", "[SlabPolicy]") {
  const SlabPolicy policy{512 * mebi, 5};
  const auto next = policy.next(page, 400 * mebi, page);
  REQUIRE(next);
  CHECK(next->wanted == 512 * mebi);
  CHECK(next->least == 64 * mebi);
  // Fragmented slabs of the size of the limit.
  CHECK(policy.next(page, 170 * mebi, page)->wanted == 64 * mebi);
  CHECK(policy.next(100 * mebi, 170 * mebi, page)->wanted == 100 * mebi);
}
