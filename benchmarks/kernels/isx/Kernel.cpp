#include "Kernel.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "Problem.h"
#include "Sorting.h"

namespace isx {

namespace {

using kernels::NasClass;
using kernels::Stopwatch;
using kernels::World;

constexpr Key no_key = ~Key{0};

/// The sort of one unit.
class Sort {
 public:
  Sort(World& world, const Problem& problem, Exchange& exchange)
      : _world(world),
        _problem(problem),
        _exchange(exchange),
        _buckets(world.units(), problem.width),
        _counters(_buckets.first_key(world.unit()), problem.width),
        _keys(problem.own) {}

  /// One iteration of ISx: generates the keys, and exchanges and counts them.
  void iterate(Stopwatch& communication) {
    make_keys(_world.unit(), _problem.max_key, _keys);
    sort(communication);
  }

  /// Ten iterations of NAS IS. \returns an error message; empty if all ranks are correct
  std::string rank(Stopwatch& communication) {
    std::string failure;
    for (int iteration = 1; iteration <= NasClass::iterations; ++iteration) {
      kernels::change_nas_keys(_problem.nas->log_range, iteration, first_index(), _keys);
      sort(communication);
      const std::string rank_failure = test_ranks(iteration, communication);
      if (failure.empty()) failure = rank_failure;
    }
    return failure;
  }

  /// Prepares a sample: fills the send buffer with invalid keys, so that the verification detects a
  /// unit that reads it too early, and restores the keys that rank() has changed.
  void prepare() {
    std::ranges::fill(_exchange.send_buffer(), no_key);
    if (_problem.nas != nullptr) {
      kernels::make_nas_keys(_problem.nas->log_range, first_index(), _keys);
    }
  }

  /// Verifies consecutive sorts without preparation between them, as rank() makes them. All keys
  /// change before each sort, so that stale keys of the previous sort, in another unit's send
  /// buffer or in fetched copies, are detected.
  /// \returns an error message; empty if all sorts are correct
  /// \collective
  std::string check_consecutive_sorts() {
    constexpr int sorts = 3;
    Stopwatch untimed;
    for (int i = 1; i <= sorts; ++i) {
      for (Key& key : _keys)
        key = key + 1 < _problem.max_key ? key + 1 : 0;
      sort(untimed);
      const std::string failure = find_failure();
      if (!failure.empty()) return fmt::format("sort {} of changed keys: {}", i, failure);
    }
    return {};
  }

  /// Verifies the last sort.
  /// \returns an error message; empty if the sort is correct
  /// \collective
  std::string find_failure() {
    const auto misplaced = _world.sum(_counters.misplaced());
    if (misplaced > 0) return fmt::format("{} keys have been sent to a wrong unit", misplaced);
    const auto totals = _counters.totals();
    const auto total = _world.sum(totals.keys);
    if (total != _problem.total) return fmt::format("{} keys of {}", total, _problem.total);
    auto expected = _buckets.fingerprints(_keys);
    _world.reduce(expected, World::Reduction::sum);
    const auto own = expected[static_cast<std::size_t>(_world.unit())];
    const bool differs = totals.fingerprint != own || totals.keys != _counters.received();
    const auto count = _world.sum(std::uint64_t{differs ? 1U : 0U});
    return count == 0 ? "" : fmt::format("the keys of {} buckets differ from those sent", count);
  }

 private:
  void sort(Stopwatch& communication) {
    const auto begins = _buckets.begins(_keys);
    _buckets.arrange(_keys, begins, _exchange.send_buffer());
    _counters.reset();
    _exchange.run(
        begins, [this](std::span<const Key> keys) { _counters.add(keys); }, communication);
  }

  std::uint64_t first_index() const {
    return kernels::block_begin(_problem.total, static_cast<std::uint64_t>(_world.units()),
                                static_cast<std::uint64_t>(_world.unit()));
  }
  Key* at(std::uint64_t index) {
    const std::uint64_t first = first_index();
    return index >= first && index - first < _keys.size() ? &_keys[index - first] : nullptr;
  }

  std::string test_ranks(int iteration, Stopwatch& communication) {
    const NasClass& nas = *_problem.nas;
    constexpr std::size_t tests = NasClass::tests;
    const auto units = static_cast<std::size_t>(_world.units());
    const auto unit = static_cast<std::size_t>(_world.unit());
    // The tested keys, and the number of keys that each unit has received.
    std::vector<std::uint64_t> known(tests + units, 0);
    for (std::size_t i = 0; i < tests; ++i) {
      if (const Key* const key = at(nas.places[i])) known[i] = *key;
    }
    known[tests + unit] = _counters.received();
    communication.time([&] { _world.reduce(known, World::Reduction::sum); });

    const auto counts = known.begin() + tests;
    const auto before =
        std::accumulate(counts, counts + static_cast<std::ptrdiff_t>(unit), std::uint64_t{0});
    std::array<std::uint64_t, tests> ranks{};
    for (std::size_t i = 0; i < tests; ++i) {
      const auto key = static_cast<Key>(known[i]);
      if (_counters.has(key)) ranks[i] = before + _counters.below(key);
    }
    communication.time([&] { _world.reduce(ranks, World::Reduction::sum); });
    for (int i = 0; i < NasClass::tests; ++i) {
      const auto rank = ranks[static_cast<std::size_t>(i)];
      if (rank == nas.expected_rank(i, iteration)) continue;
      return fmt::format("in iteration {} the key at {} has rank {} instead of {}", iteration,
                         nas.places[static_cast<std::size_t>(i)], rank,
                         nas.expected_rank(i, iteration));
    }
    return {};
  }

  World& _world;
  const Problem& _problem;
  Exchange& _exchange;
  Buckets _buckets;
  Counters _counters;
  std::vector<Key> _keys;
};

void check_memory(World& world, const Problem& problem, const Options& options) {
  // The keys, the send buffer, received keys, and the counters.
  const double words = 4 * static_cast<double>(problem.capacity) + problem.width;
  kernels::require_memory(world, words * sizeof(Key),
                          fmt::format("a {} sort of {} keys with {} counters on each unit",
                                      options.mode, problem.total, problem.width));
}

std::string describe(const Problem& problem, const Options& options) {
  return kernels::line("keys", fmt::format("{} in total, {} scaling, below {}", problem.total,
                                           options.mode, problem.max_key)) +
         kernels::line("buckets", fmt::format("of {} values", problem.width));
}

kernels::Outcome run(World& world, const kernels::CommonOptions& common, const Options& options,
                     const MakeExchange& make) {
  const Problem problem = Problem::of(options, world.unit(), world.units());
  check_memory(world, problem, options);
  const auto exchange = make(world, common.via, problem.capacity);
  Sort sort(world, problem, *exchange);
  kernels::Outcome outcome;
  const auto prepare = [&] { sort.prepare(); };
  const auto timed = [&](Stopwatch& communication) {
    if (problem.nas == nullptr) return sort.iterate(communication);
    const std::string failure = sort.rank(communication);
    if (outcome.failure.empty()) outcome.failure = failure;
  };
  // The first iteration has page faults and is not timed.
  kernels::take_samples(world, 1, prepare, timed);
  outcome.samples = kernels::take_samples(world, common.repeat, prepare, timed);
  if (outcome.failure.empty()) outcome.failure = sort.find_failure();
  if (outcome.failure.empty()) outcome.failure = sort.check_consecutive_sorts();
  outcome.work = static_cast<double>(problem.total) *
                 (problem.nas == nullptr ? 1 : static_cast<double>(NasClass::iterations));
  outcome.rate_unit = "keys/s";
  outcome.description = describe(problem, options);
  return outcome;
}

}  // namespace

kernels::Program kernel(const std::string& name, MakeExchange make) {
  const auto options = std::make_shared<Options>();
  const auto add_options = [options](CLI::App& app) {
    app.add_option("--mode", options->mode,
                   "ISx with a number of keys per unit (weak), with a total number (strong), or "
                   "with buckets "
                   "of 8192 values (iso); NAS IS (nas) (weak)")
        ->check(CLI::IsMember({"weak", "strong", "iso", "nas"}));
    app.add_option("-n,--keys", options->keys,
                   "keys of each unit; strong: keys of all units (2^20)")
        ->check(CLI::Range(std::uint64_t{1}, (std::uint64_t{1} << 31) - 1));
    app.add_option("--max-key", options->max_key,
                   "weak and strong: upper bound of keys, exclusive (2^28)")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 28));
    app.add_option("--class", options->size, "nas: S, W or A (S)");
  };
  return {name, "Integer sort by buckets (ISx and NAS IS)", add_options,
          [options, make = std::move(make)](World& world, const kernels::CommonOptions& common) {
            return run(world, common, *options, make);
          }};
}

}  // namespace isx
