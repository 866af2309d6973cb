#include "Kernel.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "Counter.h"
#include "Reference.h"

namespace triangles {

namespace {

struct Options {
  unsigned scale = 10;
  std::uint64_t complete = 0;   // vertices of a complete graph instead
  std::uint64_t bipartite = 0;  // of each side of a bipartite one
  std::string distribution = "cyclic";
  std::string order = "id";
  std::uint64_t cache_mib = 256;
  std::uint64_t chunk = 0;
};

void add_options(CLI::App& app, Options& options) {
  auto* const scale =
      app.add_option("-s,--scale", options.scale, "an R-MAT graph of 2^scale vertices (10)")
          ->check(CLI::Range(1, 26));
  auto* const complete =
      app.add_option("--complete", options.complete, "a complete graph of N vertices instead")
          ->check(CLI::Range(1, 5000))
          ->excludes(scale);
  app.add_option("--bipartite", options.bipartite, "a bipartite graph of N vertices a side instead")
      ->check(CLI::Range(1, 5000))
      ->excludes(scale)
      ->excludes(complete);
  app.add_option("--distribution", options.distribution,
                 "of vertices among the units: block or cyclic (cyclic)")
      ->check(CLI::IsMember({"block", "cyclic"}));
  app.add_option("--order", options.order,
                 "of vertices: by id, or by degree, so that hubs come last (id)")
      ->check(CLI::IsMember({"id", "degree"}));
  app.add_option("--cache", options.cache_mib, "MiB of fetched lists that are kept (256)")
      ->check(CLI::Range(0, 1 << 20));
  app.add_option("--chunk", options.chunk,
                 "vertices that a unit takes at a time from all by a shared counter; 0: each unit "
                 "counts its own (0)")
      ->check(CLI::Range(0, 1 << 26));
}

std::uint64_t vertices_of(const Options& options) {
  if (options.complete > 0) return options.complete;
  if (options.bipartite > 0) return 2 * options.bipartite;
  return std::uint64_t{1} << options.scale;
}

ForEdges edges_of(const Options& options) {
  if (options.complete > 0 || options.bipartite > 0) {
    const std::uint64_t vertices = vertices_of(options);
    const std::uint64_t side = options.bipartite;
    return [=](const std::function<void(Edge)>& use) {
      for (std::uint64_t u = 0; u < (side > 0 ? side : vertices); ++u) {
        for (std::uint64_t v = side > 0 ? side : u + 1; v < vertices; ++v)
          use({static_cast<Vertex>(u), static_cast<Vertex>(v)});
      }
    };
  }
  return [scale = options.scale](const std::function<void(Edge)>& use) {
    for (std::uint64_t e = 0; e < rmat_edges(scale); ++e)
      use(rmat_edge(scale, e));
  };
}

/// What a second or two of one process count.
constexpr unsigned largest_counted_scale = 17;

/// Says what is wrong, or why nothing is known of that.
void verify(const Options& options, const GraphFigures& figures, std::uint64_t triangles,
            kernels::Outcome& outcome) {
  std::optional<std::uint64_t> expected;
  if (options.complete > 0) {
    const std::uint64_t n = options.complete;
    expected = n < 3 ? 0 : n * (n - 1) / 2 * (n - 2) / 3;
  } else if (options.bipartite > 0) {
    expected = 0;
  } else {
    auto known = known_graph(options.scale);
    if (!known && options.scale > largest_counted_scale) {
      outcome.unverified =
          fmt::format("a graph of scale {} is too large for one process to count", options.scale);
      return;
    }
    if (!known) known = count_serially(vertices_of(options), edges_of(options));
    if (figures != known->figures) {
      outcome.complaint = fmt::format("the graph has {}; it should have {}", text_of(figures),
                                      text_of(known->figures));
      return;
    }
    expected = known->triangles;
  }
  if (triangles == *expected) return;
  outcome.complaint = fmt::format("{} triangles instead of {}", triangles, *expected);
}

kernels::Outcome run(kernels::World& world, const kernels::CommonOptions& common,
                     const Options& options, const MakeLists& make) {
  const std::uint64_t vertices = vertices_of(options);
  const auto n = static_cast<double>(vertices);
  const double edges = options.complete + options.bipartite > 0 ? n * n : 16 * n;
  // A part of the edges in both directions and in one, each in lists that grow, and what all units know
  // of all vertices.
  const double cached = static_cast<double>(options.cache_mib << 20);
  kernels::require_memory(world, 24 * edges / world.units() + 40 * n + cached, "the graph");
  const Distribution distribution{vertices, world.units(), world.unit(),
                                  options.distribution == "cyclic"};
  const Graph graph(world, distribution, options.order == "id" ? Order::id : Order::degree,
                    edges_of(options));
  const auto lists = make(graph, common.via, options.chunk > 0);
  Counter counter(graph, *lists, {(options.cache_mib << 20) / sizeof(Vertex), options.chunk});

  std::uint64_t triangles = 0;
  bool is_same = true;
  kernels::Outcome outcome;
  outcome.samples = kernels::take_samples(
      world, common.repeat, [&] { lists->reset_counter(); },
      [&](kernels::Stopwatch& communication) {
        const std::uint64_t found = counter.count(communication);
        is_same = is_same && (triangles == 0 || options.chunk > 0 || found == triangles);
        triangles = found;
      });
  triangles = world.sum(triangles);
  const auto gets = world.sum(counter.traffic().gets);
  const auto nbytes = world.sum(counter.traffic().nbytes);
  outcome.work = static_cast<double>(graph.figures().edges) * 1e-6;
  outcome.rate_unit = "million edges/s";
  outcome.description = kernels::line("graph", text_of(graph.figures())) +
                        kernels::line("triangles", fmt::format("{}", triangles)) +
                        kernels::line("fetched", fmt::format("{} gets, {} bytes", gets, nbytes));
  if (world.leads()) verify(options, graph.figures(), triangles, outcome);
  if (world.sum(is_same ? 0.0 : 1.0) > 0) outcome.complaint = "runs have found different numbers";
  return outcome;
}

}  // namespace

kernels::Program make_program(const std::string& name, MakeLists make) {
  auto options = std::make_shared<Options>();
  return {name, "Counts the triangles of a distributed graph",
          [options](CLI::App& app) { add_options(app, *options); },
          [options, make = std::move(make)](kernels::World& world,
                                            const kernels::CommonOptions& common) {
            return run(world, common, *options, make);
          }};
}

}  // namespace triangles
