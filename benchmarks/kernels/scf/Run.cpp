#include "Run.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <map>
#include <vector>

namespace scf {

namespace {

void add_options(CLI::App& app, Options& options) {
  static const std::map<std::string, Schedule> schedules{
      {"auto", Schedule::automatic}, {"static", Schedule::fixed}, {"dynamic", Schedule::dynamic}};
  // So that numbers of tasks and integrals are exact.
  app.add_option("--size", options.problem.n, "rows and columns of the matrices (96)")
      ->check(CLI::Range(1L, 4096L));
  // So that MPI can count the elements of one.
  app.add_option("--block", options.problem.b, "rows and columns of a block (16)")
      ->check(CLI::Range(1L, 1L << 15));
  app.add_option(
         "--schedule", options.dealing.schedule,
         "static: task t to unit t mod units; dynamic: by a shared counter (dynamic, but static "
         "via two-sided)")
      ->transform(CLI::CheckedTransformer(schedules));
  static const std::map<std::string, Adding> addings{{"task", Adding::by_task},
                                                     {"row", Adding::by_row}};
  app.add_option("--accumulate", options.adding,
                 "when outputs are added to F: after each task, or after a row of blocks (row)")
      ->transform(CLI::CheckedTransformer(addings));
  app.add_option("--chunk", options.dealing.chunk, "tasks taken from the counter at a time (1)")
      ->check(CLI::Range(1L, 1L << 20));
  app.add_option("--spin", options.spin, "rounds of useless work for each integral (0)")
      ->check(CLI::Range(0L, 1L << 20));
}

Totals totals_of(kernels::World& world, const Work& own, Exchange& exchange) {
  std::array<std::uint64_t, 4> sums{
      static_cast<std::uint64_t>(own.tasks), static_cast<std::uint64_t>(own.computed),
      static_cast<std::uint64_t>(own.skipped),
      static_cast<std::uint64_t>(world.leads() ? exchange.counter() : 0)};
  world.reduce(std::span<std::uint64_t>(sums), kernels::World::Reduction::sum);
  return {{static_cast<long>(sums[0]), static_cast<long>(sums[1]), static_cast<long>(sums[2])},
          static_cast<long>(sums[3])};
}

/// \returns what is wrong, of unit 0
std::string compare(const Options& options, const std::vector<double>& f, const Totals& totals) {
  const Problem& problem = options.problem;
  const Result result = result_of(problem, f, totals.work.computed);
  if (const auto known = known_result(problem); known && !(result == *known)) {
    return fmt::format("expected {}, found {}", text_of(*known), text_of(result));
  }
  const std::vector<double> expected = reference(problem);
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f[i] == expected[i]) continue;
    const auto n = static_cast<std::size_t>(problem.n);
    return fmt::format("F({}, {}) is {}, expected {}", i / n, i % n, f[i], expected[i]);
  }
  return {};
}

/// \throws kernels::UserError
Options resolved(Options options, const std::string& via) {
  constexpr long most_tasks = 1L << 40;
  const long blocks = options.problem.blocks();
  if (blocks * blocks > most_tasks / (blocks * blocks)) {
    throw kernels::UserError(fmt::format(
        "--size {} --block {}: {} blocks in a direction are {:.2g} tasks; expected 2^40 "
        "at most",
        options.problem.n, options.problem.b, blocks, std::pow(static_cast<double>(blocks), 4)));
  }
  Schedule& schedule = options.dealing.schedule;
  if (schedule == Schedule::automatic)
    schedule = via == "two-sided" ? Schedule::fixed : Schedule::dynamic;
  if (schedule == Schedule::dynamic && via == "two-sided") {
    throw kernels::UserError(
        "--schedule dynamic --via two-sided: two-sided communication has no counter that units "
        "take "
        "tasks from; expected --schedule static");
  }
  if (schedule == Schedule::fixed && options.dealing.chunk != 1) {
    throw kernels::UserError(fmt::format(
        "--chunk {} with --schedule static: tasks dealt in turns have no counter to take them from",
        options.dealing.chunk));
  }
  return options;
}

kernels::Outcome run(kernels::World& world, const kernels::CommonOptions& common,
                     const Options& given, const MakeExchange& make_exchange) {
  const Options options = resolved(given, common.via);
  const Problem& problem = options.problem;
  // Three distributed matrices in whole blocks, two on unit 0, and the blocks that a task needs and those that
  // are on their way.
  constexpr double blocks_of_unit = 40;
  const auto n = static_cast<double>(problem.blocks() * problem.b);
  const double matrices = 3.0 / world.units() + (world.leads() ? 2 : 0);
  kernels::require_memory(
      world, 8 * (matrices * n * n + blocks_of_unit * static_cast<double>(problem.area())),
      fmt::format("matrices of {0} x {0} in blocks of {1} x {1}", problem.n, problem.b));
  const auto exchange = make_exchange(options, world, common.via);
  Integrals integrals(problem, options.spin);
  kernels::Outcome outcome;
  Work own;
  outcome.samples = kernels::take_samples(
      world, common.repeat, [&] { exchange->reset(); },
      [&](kernels::Stopwatch& communication) {
        Numbers numbers(problem, options.dealing, world.unit(), world.units(), *exchange);
        Sums sums(problem, options.adding, *exchange);
        own = run_tasks(problem, numbers, integrals, sums, *exchange, communication);
      });
  const Totals totals = totals_of(world, own, *exchange);
  std::vector<double> f(world.leads() ? static_cast<std::size_t>(problem.n * problem.n) : 0);
  exchange->collect(f.data());

  outcome.work = static_cast<double>(problem.tasks());
  outcome.rate_unit = "tasks/s";
  outcome.complaint = complaint_of(options, world.units(), totals);
  if (world.leads() && outcome.complaint.empty()) outcome.complaint = compare(options, f, totals);
  const auto most = world.max(static_cast<std::uint64_t>(own.tasks));
  outcome.description =
      kernels::line("matrices",
                    fmt::format("{0} x {0}, blocks of {1} x {1}", problem.n, problem.b)) +
      kernels::line("tasks", fmt::format("{}, {} of one unit at most", totals.work.tasks, most)) +
      kernels::line("integrals", fmt::format("{} computed, {} skipped", totals.work.computed,
                                             totals.work.skipped));
  return outcome;
}

}  // namespace

std::string complaint_of(const Options& options, int units, const Totals& totals) {
  const Problem& problem = options.problem;
  const Dealing& dealing = options.dealing;
  if (totals.work.tasks != problem.tasks()) {
    return fmt::format("{} tasks were computed, expected {}", totals.work.tasks, problem.tasks());
  }
  const long pairs = problem.n * problem.n;
  if (totals.work.computed != number_computed(problem) ||
      totals.work.computed + totals.work.skipped != pairs * pairs) {
    return fmt::format("{} integrals were computed and {} skipped, expected {} of {}",
                       totals.work.computed, totals.work.skipped, number_computed(problem),
                       pairs * pairs);
  }
  // Each unit asks once in vain.
  const long requests = (problem.tasks() + dealing.chunk - 1) / dealing.chunk + units;
  const long expected = dealing.schedule == Schedule::dynamic ? requests * dealing.chunk : 0;
  if (totals.counter == expected) return {};
  return fmt::format("the counter is {}, expected {}", totals.counter, expected);
}

kernels::Program make_program(const std::string& name, const MakeExchange& make_exchange) {
  const auto options = std::make_shared<Options>();
  return {name, "A loop over tasks as in self-consistent-field programs: get, compute, accumulate.",
          [options](CLI::App& app) { add_options(app, *options); },
          [=](kernels::World& world, const kernels::CommonOptions& common) {
            return run(world, common, *options, make_exchange);
          }};
}

}  // namespace scf
