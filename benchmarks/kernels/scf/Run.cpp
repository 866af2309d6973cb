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
  // Larger matrices would have numbers of tasks and integrals that are not exact.
  app.add_option("--size", options.problem.n, "rows and columns of the matrices (96)")
      ->check(CLI::Range(1L, 4096L));
  // The number of elements of a block must fit into MPI's int.
  app.add_option("--block", options.problem.b, "rows and columns of a block (16)")
      ->check(CLI::Range(1L, 1L << 15));
  app.add_option(
         "--schedule", options.scheduling.schedule,
         "static: task t runs on unit t mod units; dynamic: units take tasks from a shared counter "
         "(dynamic; static via two-sided)")
      ->transform(CLI::CheckedTransformer(schedules));
  static const std::map<std::string, Accumulation> accumulations{{"task", Accumulation::after_task},
                                                                 {"row", Accumulation::after_row}};
  app.add_option("--accumulate", options.accumulation,
                 "when outputs are added to F: after each task, or after each row of blocks (row)")
      ->transform(CLI::CheckedTransformer(accumulations));
  app.add_option("--chunk", options.scheduling.chunk, "tasks taken from the counter at a time (1)")
      ->check(CLI::Range(1L, 1L << 20));
  app.add_option("--spin", options.spin,
                 "additional work for each integral, in empty loop iterations (0)")
      ->check(CLI::Range(0L, 1L << 20));
  app.add_flag("!--no-polls", options.polls,
               "units make no progress for others while they compute");
}

Totals totals_of(kernels::World& world, const Work& own, Exchange& exchange) {
  std::array<std::uint64_t, 4> sums{
      static_cast<std::uint64_t>(own.tasks), static_cast<std::uint64_t>(own.computed),
      static_cast<std::uint64_t>(own.skipped),
      static_cast<std::uint64_t>(world.is_root() ? exchange.counter() : 0)};
  world.reduce(std::span<std::uint64_t>(sums), kernels::World::Reduction::sum);
  return {{static_cast<long>(sums[0]), static_cast<long>(sums[1]), static_cast<long>(sums[2])},
          static_cast<long>(sums[3])};
}

/// Compares F with the reference, on unit 0. \returns an error message; empty if they are equal
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
Options resolve(Options options, const std::string& via) {
  constexpr long max_tasks = 1L << 40;
  const long blocks = options.problem.blocks();
  if (blocks * blocks > max_tasks / (blocks * blocks)) {
    throw kernels::UserError(fmt::format(
        "--size {} --block {}: {} blocks in a direction give {:.2g} tasks; expected at most 2^40",
        options.problem.n, options.problem.b, blocks, std::pow(static_cast<double>(blocks), 4)));
  }
  Schedule& schedule = options.scheduling.schedule;
  if (schedule == Schedule::automatic)
    schedule = via == "two-sided" ? Schedule::fixed : Schedule::dynamic;
  if (schedule == Schedule::dynamic && via == "two-sided") {
    throw kernels::UserError(
        "--schedule dynamic --via two-sided: two-sided communication has no shared counter of "
        "tasks; "
        "expected --schedule static");
  }
  if (schedule == Schedule::fixed && options.scheduling.chunk != 1) {
    throw kernels::UserError(fmt::format(
        "--chunk {} with --schedule static: only --schedule dynamic takes chunks of tasks",
        options.scheduling.chunk));
  }
  return options;
}

kernels::Outcome run(kernels::World& world, const kernels::CommonOptions& common,
                     const Options& given, const MakeExchange& make_exchange) {
  const Options options = resolve(given, common.via);
  const Problem& problem = options.problem;
  // Three distributed matrices in whole blocks, two matrices on unit 0, and the blocks of tasks and
  // of pending transfers.
  constexpr double blocks_of_unit = 40;
  const auto n = static_cast<double>(problem.blocks() * problem.b);
  const double matrices = 3.0 / world.units() + (world.is_root() ? 2 : 0);
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
        TaskSource task_source(problem, options.scheduling, world.unit(), world.units(), *exchange);
        OutputBuffer outputs(problem, options.accumulation, *exchange);
        own = run_tasks(problem, task_source, integrals, outputs, *exchange, options.polls,
                        communication);
      });
  const Totals totals = totals_of(world, own, *exchange);
  std::vector<double> f(world.is_root() ? static_cast<std::size_t>(problem.n * problem.n) : 0);
  exchange->collect(f.data());

  outcome.work = static_cast<double>(problem.tasks());
  outcome.rate_unit = "tasks/s";
  outcome.failure = find_failure(options, world.units(), totals);
  if (world.is_root() && outcome.failure.empty()) outcome.failure = compare(options, f, totals);
  const auto max_tasks = world.max(static_cast<std::uint64_t>(own.tasks));
  outcome.description =
      kernels::line("matrices",
                    fmt::format("{0} x {0}, blocks of {1} x {1}", problem.n, problem.b)) +
      kernels::line("tasks",
                    fmt::format("{}, at most {} on a unit", totals.work.tasks, max_tasks)) +
      kernels::line("integrals", fmt::format("{} computed, {} skipped", totals.work.computed,
                                             totals.work.skipped));
  return outcome;
}

}  // namespace

std::string find_failure(const Options& options, int units, const Totals& totals) {
  const Problem& problem = options.problem;
  const Scheduling& scheduling = options.scheduling;
  if (totals.work.tasks != problem.tasks()) {
    return fmt::format("{} tasks were computed, expected {}", totals.work.tasks, problem.tasks());
  }
  const long pairs = problem.n * problem.n;
  if (totals.work.computed != num_computed_integrals(problem) ||
      totals.work.computed + totals.work.skipped != pairs * pairs) {
    return fmt::format("{} integrals were computed and {} skipped, expected {} of {}",
                       totals.work.computed, totals.work.skipped, num_computed_integrals(problem),
                       pairs * pairs);
  }
  // Each unit makes one request that returns no task.
  const long requests = (problem.tasks() + scheduling.chunk - 1) / scheduling.chunk + units;
  const long expected = scheduling.schedule == Schedule::dynamic ? requests * scheduling.chunk : 0;
  if (totals.counter == expected) return {};
  return fmt::format("the counter is {}, expected {}", totals.counter, expected);
}

kernels::Program make_program(const std::string& name, const MakeExchange& make_exchange) {
  return kernels::make_program(
      name, "A loop over tasks as in self-consistent-field programs: get, compute, accumulate.",
      add_options, run, make_exchange);
}

}  // namespace scf
