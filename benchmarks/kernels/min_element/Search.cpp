#include "Search.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

namespace min_element {

namespace {

struct Options {
  Problem problem;
  long calls = 10;
  bool read_only = false;
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("--elements", options.problem.log_elements, "2^N integers (24)")
      ->check(CLI::Range(4, 40));
  app.add_option("--calls", options.calls, "number of searches in a run (10)")
      ->check(CLI::Range(1L, 1L << 30));
  app.add_flag(
      "--read", options.read_only,
      "instead of searching, only read each unit's elements, to measure the memory bandwidth");
}

kernels::Outcome run(kernels::World& world, const kernels::CommonOptions& common,
                     const Options& options, const MakeSearch& make_search) {
  Problem problem = options.problem;
  const double nbytes = static_cast<double>(problem.elements() * sizeof(Value));
  kernels::require_memory(world, nbytes / world.units(),
                          fmt::format("2^{} integers", problem.log_elements));
  const auto search = make_search(problem, world, common.via);
  fill(problem, search->first(), search->own());

  kernels::Outcome outcome;
  std::uint64_t found_index = 0;
  long num_wrong = 0;
  // Move the minimum before each sample, so that a stale result is detected.
  const auto move_minimum = [&] {
    const std::size_t before = problem.minimum_index();
    ++problem.moves;
    const std::span<Value> own = search->own();
    for (const std::size_t index : {before, problem.minimum_index(), problem.elements() - 1}) {
      const std::size_t at = index - search->first();
      if (index >= search->first() && at < own.size()) own[at] = element(problem, index);
    }
  };
  std::uint64_t sum = 0;
  outcome.samples = kernels::take_samples(
      world, common.repeat,
      [&] {
        if (!options.read_only) move_minimum();
      },
      [&](kernels::Stopwatch& communication) {
        for (long call = 0; call < options.calls; ++call) {
          if (options.read_only) {
            sum += sum_of(search->own());
            // Like a search, a call ends when all units have read their elements.
            world.barrier();
          } else {
            found_index = search->find(communication);
            if (found_index != problem.minimum_index()) ++num_wrong;
          }
        }
      });
  outcome.work = nbytes * static_cast<double>(options.calls);
  outcome.rate_unit = "bytes/s";
  outcome.description =
      kernels::line("elements", fmt::format("2^{}, {} calls", problem.log_elements, options.calls));
  const Minimum expected{problem.minimum(), problem.minimum_index()};
  const Minimum found =
      options.read_only ? none : Minimum{search->value_at(found_index), found_index};
  const auto expected_sum = static_cast<std::uint64_t>(options.calls) *
                            static_cast<std::uint64_t>(common.repeat) * sum_of(search->own());
  const bool is_correct =
      options.read_only ? sum == expected_sum : num_wrong == 0 && found == expected;
  if (world.max(is_correct ? 0.0 : 1.0) > 0) {
    outcome.failure = options.read_only
                          ? "sums of the same elements differ"
                          : fmt::format("expected {} at {}, unit 0 found {} at {}", expected.value,
                                        expected.index, found.value, found.index);
  }
  return outcome;
}

}  // namespace

kernels::Program make_program(const std::string& name, const MakeSearch& make_search) {
  return kernels::make_program(name,
                               "The minimum of a distributed array of integers, and its index.",
                               add_options, run, make_search);
}

}  // namespace min_element
