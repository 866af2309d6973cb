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

/// One unit's sort.
class Sort {
 public:
  Sort(World& world, const Problem& problem, Exchange& exchange)
      : _world(world),
        _problem(problem),
        _exchange(exchange),
        _buckets(world.units(), problem.width),
        _counters(_buckets.first_key(world.unit()), problem.width),
        _keys(problem.own) {}

  /// From making the keys to the counters of the own bucket.
  void iterate(Stopwatch& communication) {
    make_keys(_world.unit(), _problem.max_key, _keys);
    sort(communication);
  }

  /// Ten iterations of NAS IS. \returns a complaint, or nothing
  std::string rank(Stopwatch& communication) {
    std::string complaint;
    for (int iteration = 1; iteration <= NasClass::iterations; ++iteration) {
      kernels::change_nas_keys(_problem.nas->log_range, iteration, first_place(), _keys);
      sort(communication);
      const std::string found = test_ranks(iteration, communication);
      if (complaint.empty()) complaint = found;
    }
    return complaint;
  }

  /// Before each sample: who reads another unit's room too early finds what is no key. Keys that rank()
  /// has changed are those of the sequence again.
  void prepare() {
    std::ranges::fill(_exchange.room(), no_key);
    if (_problem.nas != nullptr) {
      kernels::make_nas_keys(_problem.nas->log_range, first_place(), _keys);
    }
  }

  /// Sorts without preparation between them, as rank() makes them. All keys change before each: those of
  /// the sort before, in another unit's room or in what was fetched of it, are wrong ones.
  /// \returns a complaint, or nothing   \collective
  std::string check_sorts_together() {
    constexpr int sorts = 3;
    Stopwatch untimed;
    for (int i = 1; i <= sorts; ++i) {
      for (Key& key : _keys)
        key = key + 1 < _problem.max_key ? key + 1 : 0;
      sort(untimed);
      const std::string found = complaint();
      if (!found.empty()) return fmt::format("sort {} of changed keys: {}", i, found);
    }
    return {};
  }

  /// What is wrong with the last sort. \collective
  std::string complaint() {
    const auto strays = _world.sum(_counters.strays());
    if (strays > 0)
      return fmt::format("{} keys have come to a unit that they do not belong to", strays);
    const auto totals = _counters.totals();
    const auto total = _world.sum(totals.keys);
    if (total != _problem.total) return fmt::format("{} keys of {}", total, _problem.total);
    auto expected = _buckets.fingerprints(_keys);
    _world.reduce(expected, World::Reduction::sum);
    const auto own = expected[static_cast<std::size_t>(_world.unit())];
    const bool differs = totals.fingerprint != own || totals.keys != _counters.received();
    const auto count = _world.sum(std::uint64_t{differs ? 1U : 0U});
    return count == 0 ? "" : fmt::format("the keys of {} buckets are not those sent there", count);
  }

 private:
  void sort(Stopwatch& communication) {
    const auto begins = _buckets.begins(_keys);
    _buckets.arrange(_keys, begins, _exchange.room());
    _counters.reset();
    _exchange.run(
        begins, [this](std::span<const Key> keys) { _counters.add(keys); }, communication);
  }

  std::uint64_t first_place() const {
    return kernels::block_begin(_problem.total, static_cast<std::uint64_t>(_world.units()),
                                static_cast<std::uint64_t>(_world.unit()));
  }
  Key* at(std::uint64_t place) {
    const std::uint64_t first = first_place();
    return place >= first && place - first < _keys.size() ? &_keys[place - first] : nullptr;
  }

  std::string test_ranks(int iteration, Stopwatch& communication) {
    const NasClass& nas = *_problem.nas;
    constexpr std::size_t tests = NasClass::tests;
    const auto units = static_cast<std::size_t>(_world.units());
    const auto unit = static_cast<std::size_t>(_world.unit());
    // The tested keys, and of each unit how many it has received.
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
  // The keys, their room, what comes of others, and the counters.
  const double words = 4 * static_cast<double>(problem.capacity) + problem.width;
  kernels::require_memory(world, words * sizeof(Key),
                          fmt::format("a {} sort of {} keys with {} counters on each unit",
                                      options.mode, problem.total, problem.width));
}

std::string describe(const Problem& problem, const Options& options) {
  return kernels::line("keys", fmt::format("{} in all, {} scaling, below {}", problem.total,
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
    const std::string complaint = sort.rank(communication);
    if (outcome.complaint.empty()) outcome.complaint = complaint;
  };
  // The first iteration meets memory that nobody has touched.
  kernels::take_samples(world, 1, prepare, timed);
  outcome.samples = kernels::take_samples(world, common.repeat, prepare, timed);
  if (outcome.complaint.empty()) outcome.complaint = sort.complaint();
  if (outcome.complaint.empty()) outcome.complaint = sort.check_sorts_together();
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
    app.add_option(
           "--mode", options->mode,
           "weak, strong or iso: ISx with so many keys a unit, with so many in all, or with "
           "buckets of 8192 values; nas: NAS IS (weak)")
        ->check(CLI::IsMember({"weak", "strong", "iso", "nas"}));
    app.add_option("-n,--keys", options->keys, "keys of each unit; strong: of all (2^20)")
        ->check(CLI::Range(std::uint64_t{1}, (std::uint64_t{1} << 31) - 1));
    app.add_option("--max-key", options->max_key, "weak and strong: keys are below it (2^28)")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 28));
    app.add_option("--class", options->size, "nas: S, W or A (S)");
  };
  return {name, "Integer sort by buckets (ISx and NAS IS)", add_options,
          [options, make = std::move(make)](World& world, const kernels::CommonOptions& common) {
            return run(world, common, *options, make);
          }};
}

}  // namespace isx
