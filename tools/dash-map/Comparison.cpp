#include "Comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <numeric>
#include <string_view>
#include <utility>

#include "dash/Exception.h"
#include "dash/core/Text.h"

namespace dash::map {

using namespace core::mapping;

namespace {

[[noreturn]] void reject(std::string_view option, std::string_view value,
                         std::string_view expected) {
  throw exception::InvalidArgument(fmt::format("{} '{}': expected {}", option, value, expected));
}

Grid grid_of(const Problem& problem) {
  Grid grid{problem.grid, {}, {}};
  const std::size_t ndim = grid.extents.size();
  for (const std::string& each : problem.periodic) {
    grid.periodic.resize(ndim, false);
    std::size_t dimension = 0;
    if (each == "all") {
      grid.periodic.assign(ndim, true);
    } else if (core::parse_number(each, dimension) && dimension >= 1 && dimension <= ndim) {
      grid.periodic[dimension - 1] = true;
    } else {
      reject("--periodic", each, fmt::format("all, or numbers from 1 to {}", ndim));
    }
  }
  grid.weights = problem.weights.empty() ? std::vector<double>(ndim, 1.0) : problem.weights;
  for (double& weight : grid.weights)
    weight *= problem.nbytes;
  return grid;
}

/// The host lists of a file, one on each line, as one list. A '#' begins a comment.
std::string read_host_lists(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw exception::InvalidArgument(path + " cannot be read");
  std::string all;
  for (std::string line; std::getline(file, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    if (!line.empty()) all += (all.empty() ? "" : ",") + line;
  }
  if (all.empty()) throw exception::InvalidArgument(path + " names no node");
  return all;
}

std::vector<std::uint32_t> nodes_of(const Problem& problem, const Machine& machine) {
  std::vector<std::uint32_t> nodes;
  if (problem.nodes.empty()) {
    nodes.resize(machine.num_nodes());
    std::iota(nodes.begin(), nodes.end(), 0U);
  } else {
    std::vector<bool> listed(machine.num_nodes(), false);
    const std::string list =
        problem.nodes[0] == '@' ? read_host_lists(problem.nodes.substr(1)) : problem.nodes;
    for (const std::string& name : expand_hostlist(list)) {
      const auto node = machine.find(name);
      if (!node) reject("--nodes", name, "a node of " + problem.topology);
      if (listed[*node]) reject("--nodes", name, "each node once");
      listed[*node] = true;
      nodes.push_back(*node);
    }
  }
  if (problem.sparse == 0) return nodes;
  if (problem.sparse > nodes.size()) {
    reject("--sparse", std::to_string(problem.sparse),
           fmt::format("at most the number of nodes, {}", nodes.size()));
  }
  // A random selection, which keeps the order of the nodes.
  std::vector<std::uint32_t> chosen = random_order(nodes.size(), problem.seed).unit_at;
  chosen.resize(problem.sparse);
  std::sort(chosen.begin(), chosen.end());
  for (std::uint32_t& each : chosen)
    each = nodes[each];
  return chosen;
}

}  // namespace

Comparison compare(const Problem& problem) {
  Comparison result;
  result.grid = grid_of(problem);
  result.machine = read_machine(problem.topology, problem.format);
  result.nodes = nodes_of(problem, result.machine);
  const std::size_t units = result.grid.size();
  result.grid.check(units);
  result.locations = fill_nodes(result.machine, result.nodes, problem.units_per_node, units);
  // Nodes after that of the last unit have no units.
  result.nodes.resize(static_cast<std::size_t>(
      std::find(result.nodes.begin(), result.nodes.end(), result.locations.back().node) -
      result.nodes.begin() + 1));

  const auto begin = std::chrono::steady_clock::now();
  GridMapping mapping = map_grid(result.machine, result.locations, result.grid);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.orders[Comparison::by_unit] = {"default", unit_order(units), {}};
  result.orders[Comparison::mapped] = {"mapped", std::move(mapping), {}};
  result.orders[Comparison::random] = {"random", random_order(units, problem.seed), {}};
  for (Order& order : result.orders)
    order.evaluation = evaluate(result.machine, result.locations, result.grid, order.mapping);
  return result;
}

std::string format_extents(const std::vector<std::uint32_t>& extents) {
  return fmt::format("{}", fmt::join(extents, " x "));
}

}  // namespace dash::map
