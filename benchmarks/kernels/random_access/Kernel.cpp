#include "Kernel.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "Check.h"

namespace random_access {

namespace {

struct Options {
  unsigned log2_size = 20;
  std::uint64_t updates = 0;  // 0: four for each word
  std::string variant = "bucketed";
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("-m,--log2-size", options.log2_size, "the table has 2^m words (20)")
      ->check(CLI::Range(1, 40));
  app.add_option("--updates", options.updates, "updates of all units (four for each word)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 48));
  app.add_option(
         "--variant", options.variant,
         "atomic: one atomic operation per update; get-put: words are read, changed and written, "
         "and some updates get lost; bucketed: batches of updates are sent to the owners "
         "(bucketed)")
      ->check(CLI::IsMember({"atomic", "get-put", "bucketed"}));
}

void reset(const Distribution& distribution, std::span<Word> local) {
  for (std::size_t i = 0; i < local.size(); ++i)
    local[i] = distribution.first + i;
}

/// \returns an error message; empty if the table is correct
std::string verify(kernels::World& world, const Distribution& distribution, const Options& options,
                   std::span<Word> local, std::string& description) {
  const bool may_lose = options.variant == "get-put" && world.units() > 1;
  const Fingerprint fingerprint = fingerprint_of(world, distribution, local);
  description += kernels::line("table after", text_of(fingerprint));
  const auto known = known_fingerprint(options.log2_size);
  const bool is_usual = options.updates == 4 * distribution.size;
  if (known && is_usual && !may_lose && fingerprint != *known) {
    return fmt::format("the table has {}; expected {}", text_of(fingerprint), text_of(*known));
  }
  undo(distribution, options.updates, local);
  const std::uint64_t errors = count_errors(world, distribution, local);
  description += kernels::line("wrong words", fmt::format("{} of {}", errors, distribution.size));
  // One per cent of the words that the updates can have changed.
  const std::uint64_t allowed =
      may_lose ? std::min<std::uint64_t>(distribution.size, options.updates) / 100 : 0;
  if (errors <= allowed) return {};
  return fmt::format("{} of {} words are wrong, {} are allowed", errors, distribution.size,
                     allowed);
}

kernels::Outcome run(kernels::World& world, const kernels::CommonOptions& common,
                     const Options& given, const MakeUpdater& make) {
  Options options = given;
  const Distribution distribution(options.log2_size, world.units(), world.unit());
  if (options.updates == 0) options.updates = 4 * distribution.size;
  const auto nbytes = static_cast<double>(distribution.block * sizeof(Word));
  kernels::require_memory(world, nbytes, fmt::format("a table of 2^{} words", options.log2_size));
  const auto updater = make(distribution, common.via, options.variant);
  const Share share(options.updates, world.units(), world.unit());

  kernels::Outcome outcome;
  outcome.samples = kernels::take_samples(
      world, common.repeat, [&] { reset(distribution, updater->local()); },
      [&](kernels::Stopwatch& communication) { updater->run(share, communication); });
  outcome.work = static_cast<double>(options.updates) * 1e-9;
  outcome.rate_unit = "GUPS";
  outcome.description =
      kernels::line("table", fmt::format("2^{} words", options.log2_size)) +
      kernels::line("updates", fmt::format("{}, {}", options.updates, options.variant)) +
      kernels::line("rate per unit",
                    fmt::format("{:.4g} {}", outcome.rate() / world.units(), outcome.rate_unit));
  outcome.failure = verify(world, distribution, options, updater->local(), outcome.description);
  return outcome;
}

}  // namespace

kernels::Program make_program(const std::string& name, MakeUpdater make) {
  return kernels::make_program(
      name, "RandomAccess of HPC Challenge: updates of words anywhere in a distributed table",
      add_options, run, std::move(make));
}

}  // namespace random_access
