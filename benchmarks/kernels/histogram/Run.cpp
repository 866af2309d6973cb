#include "Run.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <map>
#include <utility>
#include <vector>

#include "support/UserError.h"

namespace histogram {

namespace {

/// The classes of NAS IS: log2 of the numbers of keys and bins.
const std::map<std::string, std::pair<int, int>> classes{
    {"S", {16, 11}}, {"W", {20, 16}}, {"A", {23, 19}}, {"B", {25, 21}}};

void add_options(CLI::App& app, Options& options) {
  static const std::map<std::string, Combining> names{{"gather", Combining::gather},
                                                      {"accumulate", Combining::accumulate},
                                                      {"keys", Combining::keys}};
  Problem& problem = options.problem;
  auto* const keys = app.add_option("--keys", problem.log_keys, "2^N keys in total (20)");
  auto* const bins = app.add_option("--bins", problem.log_bins, "2^N bins (16)");
  // Counts have 32 bits, and two of the first twenty keys are changed before each round.
  keys->check(CLI::Range(5, 31));
  bins->check(CLI::Range(4, 28));
  app.add_option_function<std::string>(
         "--class",
         [&problem](const std::string& name) {
           std::tie(problem.log_keys, problem.log_bins) = classes.at(name);
         },
         "keys and bins of NAS IS: S, W, A or B")
      ->check(CLI::IsMember(classes))
      ->excludes(keys)
      ->excludes(bins);
  app.add_option("--rounds", problem.rounds, "histograms in a run (10)")->check(CLI::Range(1, 10));
  app.add_option(
         "--by", options.combining,
         "gather: owners add the counts of all units; accumulate: units add their counts to the "
         "owners' bins; keys: units increment the bin of each key (gather)")
      ->transform(CLI::CheckedTransformer(names));
}

/// The keys of a unit, and the rounds of a run.
class Counting {
 public:
  Counting(const Problem& problem, kernels::World& world, Exchange& exchange)
      : _problem(problem),
        _world(world),
        _exchange(exchange),
        _first(kernels::block_begin(problem.keys(), units(), unit())),
        _keys(kernels::block_begin(problem.keys(), units(), unit() + 1) - _first) {}

  void prepare() {
    generate(_problem, _first, _keys);
    _round = 0;
    start_round();
  }
  /// Makes a round; the timed part.
  void count(kernels::Stopwatch& communication) { _exchange.add(_keys, communication); }
  void change_all() { histogram::change_all(_round, _keys); }
  void start_round() {
    change(_problem, ++_round, _first, _keys);
    _exchange.reset();
  }

 private:
  std::uint64_t units() const { return static_cast<std::uint64_t>(_world.units()); }
  std::uint64_t unit() const { return static_cast<std::uint64_t>(_world.unit()); }

  Problem _problem;
  kernels::World& _world;
  Exchange& _exchange;
  std::uint64_t _first;
  std::vector<Key> _keys;
  int _round = 0;
};

/// Verifies the last timed run, and makes further runs to verify all rounds.
class Verification {
 public:
  Verification(const Problem& problem, kernels::World& world, Exchange& exchange)
      : _problem(problem), _world(world), _exchange(exchange), _counting(problem, world, exchange) {
    if (world.is_root()) _verifier.emplace(problem);
  }

  /// \returns an error message on unit 0; empty if the verification passed
  /// \pre the exchange holds the last histogram of the timed rounds
  std::string find_failure() {
    const std::vector<Count> last = collect();
    std::string failure = check_each_round();
    if (_verifier && failure.empty()) failure = _verifier->check(_problem.rounds, last);
    const std::string other_failure = check_rounds_without_barriers();
    return failure.empty() ? other_failure : failure;
  }
  std::string method() const { return _verifier ? _verifier->method() : std::string(); }

 private:
  std::vector<Count> collect() {
    std::vector<Count> histogram(_verifier ? _problem.bins() : 0);
    _exchange.collect(histogram.data());
    return histogram;
  }
  std::string check_each_round();
  std::string check_rounds_without_barriers();

  Problem _problem;
  kernels::World& _world;
  Exchange& _exchange;
  Counting _counting;
  std::optional<Verifier> _verifier;
};

/// Checks each round bin by bin; all units synchronize after each round.
std::string Verification::check_each_round() {
  std::string failure;
  _counting.prepare();
  for (int round = 1; round <= _problem.rounds; ++round) {
    kernels::Stopwatch communication;
    _counting.count(communication);
    const std::vector<Count> histogram = collect();
    if (_verifier && failure.empty()) failure = _verifier->check(round, histogram);
    if (round < _problem.rounds) _counting.start_round();
  }
  return failure;
}

/// Checks rounds without barriers, like the timed ones, in which a faulty exchange could use counts
/// of another round. The counts of NAS IS hardly differ between rounds, so all keys are changed.
std::string Verification::check_rounds_without_barriers() {
  std::vector<std::uint64_t> sums;
  kernels::Stopwatch communication;
  _counting.prepare();
  for (int round = 1; round <= _problem.rounds; ++round) {
    _counting.change_all();
    _counting.count(communication);
    sums.push_back(checksum(_exchange.own_bins()));
    if (round < _problem.rounds) _counting.start_round();
  }
  _world.reduce(std::span(sums), kernels::World::Reduction::sum);
  return _verifier ? _verifier->check_sums(sums) : std::string();
}

kernels::Outcome run(kernels::World& world, const kernels::CommonOptions& common,
                     const Options& options, const MakeExchange& make_exchange) {
  const Problem& problem = options.problem;
  const double keys = static_cast<double>(problem.keys());
  const double own = keys / world.units() + (world.is_root() ? keys : 0);
  // A block of the histogram, the counts of two rounds and those of other units. For the
  // verification, unit 0 has two histograms and the expected counts in addition.
  const double histograms = 1.0 / world.units() + 4 + (world.is_root() ? 3 : 0);
  kernels::require_memory(
      world, 4 * (own + histograms * static_cast<double>(problem.bins())),
      fmt::format("a histogram of 2^{} keys in 2^{} bins", problem.log_keys, problem.log_bins));
  const auto exchange = make_exchange(options, world, common.via);
  kernels::Outcome outcome;
  {
    Counting counting(problem, world, *exchange);
    outcome.samples = kernels::take_samples(
        world, common.repeat, [&] { counting.prepare(); },
        [&](kernels::Stopwatch& communication) {
          for (int round = 1; round <= problem.rounds; ++round) {
            counting.count(communication);
            if (round < problem.rounds) counting.start_round();
          }
        });
  }
  Verification verification(problem, world, *exchange);
  outcome.failure = verification.find_failure();
  outcome.work = keys * problem.rounds;
  outcome.rate_unit = "keys/s";
  outcome.description =
      kernels::line("keys", fmt::format("2^{}, {} rounds", problem.log_keys, problem.rounds)) +
      kernels::line("bins", fmt::format("2^{}", problem.log_bins)) +
      kernels::line("compared with", verification.method());
  return outcome;
}

}  // namespace

kernels::Program make_program(const std::string& name, const MakeExchange& make_exchange) {
  return kernels::make_program(name, "A distributed histogram of the keys of NAS IS.", add_options,
                               run, make_exchange);
}

}  // namespace histogram
