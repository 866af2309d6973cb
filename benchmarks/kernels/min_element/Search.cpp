#include "Search.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

namespace min_element {

namespace {

struct Options {
  Problem problem;
  long calls = 10;
  bool only_read = false;
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("--elements", options.problem.log_elements, "2^N integers (24)")
      ->check(CLI::Range(4, 40));
  app.add_option("--calls", options.calls, "calls in a run (10)")->check(CLI::Range(1L, 1L << 30));
  app.add_flag("--read", options.only_read,
               "a plain loop that reads each unit's elements, instead: what memory can give");
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
  std::uint64_t place = 0;
  long num_wrong = 0;
  // A search that finds what was there before is none.
  const auto move_minimum = [&] {
    const std::size_t before = problem.place();
    ++problem.moves;
    const std::span<Value> own = search->own();
    for (const std::size_t index : {before, problem.place(), problem.elements() - 1}) {
      const std::size_t at = index - search->first();
      if (index >= search->first() && at < own.size()) own[at] = element(problem, index);
    }
  };
  std::uint64_t sum = 0;
  outcome.samples = kernels::take_samples(
      world, common.repeat,
      [&] {
        if (!options.only_read) move_minimum();
      },
      [&](kernels::Stopwatch& communication) {
        for (long call = 0; call < options.calls; ++call) {
          if (options.only_read) {
            sum += sum_of(search->own());
            // A search, too, ends when all units have gone through their parts.
            world.barrier();
          } else {
            place = search->find(communication);
            if (place != problem.place()) ++num_wrong;
          }
        }
      });
  outcome.work = nbytes * static_cast<double>(options.calls);
  outcome.rate_unit = "bytes/s";
  outcome.description =
      kernels::line("elements", fmt::format("2^{}, {} calls", problem.log_elements, options.calls));
  const Minimum expected{problem.minimum(), problem.place()};
  const Minimum found = options.only_read ? none : Minimum{search->found(place), place};
  const auto expected_sum = static_cast<std::uint64_t>(options.calls) *
                            static_cast<std::uint64_t>(common.repeat) * sum_of(search->own());
  const bool is_right =
      options.only_read ? sum == expected_sum : num_wrong == 0 && found == expected;
  if (world.max(is_right ? 0.0 : 1.0) > 0) {
    outcome.complaint = options.only_read
                            ? "sums of the same elements differ"
                            : fmt::format("expected {} at {}, unit 0 found {} at {}",
                                          expected.value, expected.place, found.value, found.place);
  }
  return outcome;
}

}  // namespace

kernels::Program make_program(const std::string& name, const MakeSearch& make_search) {
  const auto options = std::make_shared<Options>();
  return {name, "The minimum of a distributed array of integers, and its place.",
          [options](CLI::App& app) { add_options(app, *options); },
          [=](kernels::World& world, const kernels::CommonOptions& common) {
            return run(world, common, *options, make_search);
          }};
}

}  // namespace min_element
