#include "Kernel.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <utility>

namespace uts {

namespace {

/// The largest tree that one process counts for the verification, in a few seconds.
constexpr std::uint64_t largest_counted_tree = std::uint64_t{1} << 24;

struct Options {
  std::string tree = "T1";
  std::uint32_t depth = 0;  // 0: that of the sample
  std::uint32_t roots = 0;  // likewise
  std::int64_t seed = -1;   // likewise
  std::uint64_t interval = 32;
  BalancerOptions balancer;
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("--tree", options.tree,
                 "a sample tree of the UTS benchmark: T1, T2, T3 or T5 (T1)")
      ->check(CLI::IsMember({"T1", "T2", "T3", "T5"}));
  app.add_option("--depth", options.depth, "another depth, for T1, T2 and T5")
      ->check(CLI::Range(1, 1000));
  app.add_option("--roots", options.roots, "another number of children of the root, for T3")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--seed", options.seed, "another seed")->check(CLI::Range(0, 2147483647));
  app.add_option("--chunk", options.balancer.chunk,
                 "a unit gives nodes away only if it keeps at least this number (20)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--interval", options.interval,
                 "nodes that a unit visits between two checks for other units (32)")
      ->check(CLI::Range(1, 1000000));
  app.add_flag("!--no-polls", options.balancer.polls,
               "units make no progress for others at these checks");
}

Tree make_tree(const Options& options) {
  Tree::Parameters parameters = Tree::sample(options.tree);
  const bool is_binomial = parameters.type == Tree::Type::binomial;
  if (is_binomial && options.depth > 0) throw kernels::UserError("--depth: T3 has no depth");
  if (!is_binomial && options.roots > 0) throw kernels::UserError("--roots: only for T3");
  if (options.depth > 0) parameters.depth = options.depth;
  if (options.roots > 0) parameters.root_children = options.roots;
  if (options.seed >= 0) parameters.seed = static_cast<std::uint32_t>(options.seed);
  return Tree(parameters);
}

std::string text_of(const Counts& counts) {
  return fmt::format("{} nodes, {} leaves, depth {}", counts.nodes, counts.leaves, counts.depth);
}

void verify(const Tree& tree, const Counts& counts, kernels::Outcome& outcome) {
  auto expected = tree.known_counts();
  if (!expected) expected = count_serially(tree, largest_counted_tree);
  if (!expected) {
    outcome.unverified = "the tree is too large for one process to count";
  } else if (counts != *expected) {
    outcome.failure = fmt::format("{}; expected {}", text_of(counts), text_of(*expected));
  }
}

kernels::Outcome run(kernels::World& world, const kernels::CommonOptions& common,
                     const Options& options, const MakeBalancer& make) {
  const Tree tree = make_tree(options);
  const auto balancer = make(common.via, options.balancer);
  NodeStack stack;
  Counts own;
  Counts total;
  bool is_same = true;
  kernels::Outcome outcome;
  outcome.samples = kernels::take_samples(
      world, common.repeat,
      [&] {
        balancer->reset();
        if (world.is_root()) stack.push(tree.root());
      },
      [&](kernels::Stopwatch& communication) {
        own = search(tree, options.interval, stack, *balancer, communication);
        const Counts found{world.sum(own.nodes), world.sum(own.leaves), world.max(own.depth)};
        is_same = is_same && (total.nodes == 0 || found == total);
        total = found;
      });
  const double largest_share =
      static_cast<double>(world.max(own.nodes)) * world.units() / static_cast<double>(total.nodes);
  const Activity activity{world.sum(balancer->activity.steals),
                          world.sum(balancer->activity.stolen_nodes)};
  outcome.work = static_cast<double>(total.nodes) * 1e-6;
  outcome.rate_unit = "million nodes/s";
  outcome.result = static_cast<double>(total.nodes);
  outcome.description =
      kernels::line("tree", text_of(total)) +
      kernels::line("balance", fmt::format("{} steals, {} nodes; largest share {:.3f} of the mean",
                                           activity.steals, activity.stolen_nodes, largest_share));
  if (world.is_root()) verify(tree, total, outcome);
  if (!is_same) outcome.failure = "runs have found different numbers";
  return outcome;
}

}  // namespace

kernels::Program make_program(const std::string& name, MakeBalancer make) {
  return kernels::make_program(name, "Counts the nodes of an unbalanced tree, with work stealing",
                               add_options, run, std::move(make));
}

}  // namespace uts
