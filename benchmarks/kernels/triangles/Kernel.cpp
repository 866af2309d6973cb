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
  std::uint64_t complete = 0;   // vertices of a complete graph; 0: R-MAT
  std::uint64_t bipartite = 0;  // vertices on each side of a bipartite graph; 0: R-MAT
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
      app.add_option("--complete", options.complete, "use a complete graph of N vertices")
          ->check(CLI::Range(1, 5000))
          ->excludes(scale);
  app.add_option("--bipartite", options.bipartite,
                 "use a bipartite graph with N vertices on each side")
      ->check(CLI::Range(1, 5000))
      ->excludes(scale)
      ->excludes(complete);
  app.add_option("--distribution", options.distribution,
                 "distribution of vertices over units: block or cyclic (cyclic)")
      ->check(CLI::IsMember({"block", "cyclic"}));
  app.add_option("--order", options.order,
                 "order of vertices: by id, or by degree, so that hubs are last (id)")
      ->check(CLI::IsMember({"id", "degree"}));
  app.add_option("--cache", options.cache_mib, "size of the cache of fetched lists in MiB (256)")
      ->check(CLI::Range(0, 1 << 20));
  app.add_option(
         "--chunk", options.chunk,
         "number of vertices that a unit takes from a shared counter at a time; 0: each unit "
         "counts its own vertices (0)")
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

/// The largest scale that one process counts for the verification, in a second or two.
constexpr unsigned largest_counted_scale = 17;

/// Verifies the graph and the number of triangles. Sets outcome.failure if they are wrong, or
/// outcome.unverified if they are not known.
void verify(const Options& options, const GraphStatistics& statistics, std::uint64_t triangles,
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
    if (statistics != known->statistics) {
      outcome.failure = fmt::format("the graph has {}; expected {}", text_of(statistics),
                                    text_of(known->statistics));
      return;
    }
    expected = known->triangles;
  }
  if (triangles == *expected) return;
  outcome.failure = fmt::format("{} triangles instead of {}", triangles, *expected);
}

kernels::Outcome run(kernels::World& world, const kernels::CommonOptions& common,
                     const Options& options, const MakeLists& make) {
  const std::uint64_t vertices = vertices_of(options);
  const auto n = static_cast<double>(vertices);
  const double edges = options.complete + options.bipartite > 0 ? n * n : 16 * n;
  // A share of the edges, in both directions and in one, in growing vectors; and the data that all
  // units have of all vertices.
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
  outcome.work = static_cast<double>(graph.statistics().edges) * 1e-6;
  outcome.rate_unit = "million edges/s";
  outcome.description = kernels::line("graph", text_of(graph.statistics())) +
                        kernels::line("triangles", fmt::format("{}", triangles)) +
                        kernels::line("fetched", fmt::format("{} gets, {} bytes", gets, nbytes));
  if (world.is_root()) verify(options, graph.statistics(), triangles, outcome);
  if (world.sum(is_same ? 0.0 : 1.0) > 0) outcome.failure = "runs have found different numbers";
  return outcome;
}

}  // namespace

kernels::Program make_program(const std::string& name, MakeLists make) {
  return kernels::make_program(name, "Counts the triangles of a distributed graph", add_options,
                               run, std::move(make));
}

}  // namespace triangles
