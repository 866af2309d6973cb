#include "Study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <numeric>
#include <string_view>
#include <utility>

#include "dash/Exception.h"
#include "dash/core/Text.h"

namespace dash::map {

using namespace core::mapping;
using core::parse_number;
using core::split;

namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view value,
                         std::string_view expected) {
  throw exception::InvalidArgument(fmt::format("{} '{}': expected {}", option, value, expected));
}

Grid grid_of(const Question& question) {
  Grid grid;
  for (const std::string_view part : split(question.grid, 'x')) {
    std::uint32_t extent = 0;
    if (!parse_number(part, extent) || extent == 0)
      refuse("--grid", question.grid, "extents above 0 as 24x24x16");
    grid.extents.push_back(extent);
  }
  const std::size_t ndim = grid.extents.size();
  if (!question.periodic.empty()) {
    grid.periodic.assign(ndim, question.periodic == "all");
    for (const std::string_view part : split(question.periodic, ',')) {
      std::size_t dimension = 0;
      if (question.periodic == "all") break;
      if (!parse_number(part, dimension) || dimension < 1 || dimension > ndim)
        refuse("--periodic", question.periodic, fmt::format("all, or numbers from 1 to {}", ndim));
      grid.periodic[dimension - 1] = true;
    }
  }
  if (!(question.nbytes > 0) || !std::isfinite(question.nbytes))
    refuse("--bytes", fmt::format("{}", question.nbytes), "a number above 0");
  grid.weights.assign(ndim, question.nbytes);
  if (question.weights.empty()) return grid;
  const auto parts = split(question.weights, ',');
  for (std::size_t d = 0; d < parts.size(); ++d) {
    double weight = 0;
    if (parts.size() != ndim || !parse_number(parts[d], weight) || !(weight >= 0) ||
        !std::isfinite(weight))
      refuse("--weights", question.weights, fmt::format("{} numbers from 0 on", ndim));
    grid.weights[d] = weight * question.nbytes;
  }
  return grid;
}

/// The lists of a file, one a line; what follows a '#' is a comment.
std::string lists_of(const std::string& path) {
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

std::vector<std::uint32_t> nodes_of(const Question& question, const Machine& machine) {
  std::vector<std::uint32_t> nodes;
  if (question.nodes.empty()) {
    nodes.resize(machine.num_nodes());
    std::iota(nodes.begin(), nodes.end(), 0U);
  } else {
    std::vector<bool> taken(machine.num_nodes(), false);
    const std::string list =
        question.nodes[0] == '@' ? lists_of(question.nodes.substr(1)) : question.nodes;
    for (const std::string& name : expand_hostlist(list)) {
      const auto node = machine.find(name);
      if (!node) refuse("--nodes", name, "a node of " + question.topology);
      if (taken[*node]) refuse("--nodes", name, "each node once");
      taken[*node] = true;
      nodes.push_back(*node);
    }
  }
  if (question.sparse == 0) return nodes;
  if (question.sparse > nodes.size()) {
    refuse("--sparse", std::to_string(question.sparse),
           fmt::format("at most the number of nodes, {}", nodes.size()));
  }
  // Which of them, at random; in their order.
  std::vector<std::uint32_t> chosen = random_order(nodes.size(), question.seed).unit_at;
  chosen.resize(question.sparse);
  std::sort(chosen.begin(), chosen.end());
  for (std::uint32_t& each : chosen)
    each = nodes[each];
  return chosen;
}

}  // namespace

Study study(const Question& question) {
  Study result;
  result.grid = grid_of(question);
  result.machine = read_machine(question.topology, question.format);
  result.nodes = nodes_of(question, result.machine);
  const std::size_t units = result.grid.size();
  result.grid.check(units);
  result.places = fill_nodes(result.machine, result.nodes, question.per_node, units);
  result.nodes.resize(static_cast<std::size_t>(
      std::find(result.nodes.begin(), result.nodes.end(), result.places.back().node) -
      result.nodes.begin() + 1));

  const auto began = std::chrono::steady_clock::now();
  GridMapping mapping = map_grid(result.machine, result.places, result.grid);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  result.orders[Study::by_units] = {"default", unit_order(units), {}};
  result.orders[Study::mapped] = {"mapped", std::move(mapping), {}};
  result.orders[Study::at_random] = {"random", random_order(units, question.seed), {}};
  for (Order& order : result.orders)
    order.evaluation = evaluate(result.machine, result.places, result.grid, order.mapping);
  return result;
}

std::string times(const std::vector<std::uint32_t>& extents) {
  return fmt::format("{}", fmt::join(extents, " x "));
}

}  // namespace dash::map
