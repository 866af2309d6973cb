#include "Tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

namespace uts {

namespace {

/// Limit of the benchmark for all nodes except the root of a binomial tree.
constexpr std::uint32_t max_children = 100;

struct Sample {
  Tree::Parameters parameters;
  Counts counts;
};

const std::map<std::string, Sample>& samples() {
  using Type = Tree::Type;
  static const std::map<std::string, Sample> all = {
      {"T1", {{Type::geometric_fixed, 19, 4, 10, 0, 0}, {4130071, 3305118, 10}}},
      {"T2", {{Type::geometric_cyclic, 502, 6, 16, 0, 0}, {4117769, 2342762, 81}}},
      {"T3", {{Type::binomial, 42, 2000, 0, 0.124875, 8}, {4112897, 3599034, 1572}}},
      {"T5", {{Type::geometric_linear, 34, 4, 20, 0, 0}, {4147582, 2181318, 20}}},
  };
  return all;
}

auto as_tuple(const Tree::Parameters& p) {
  return std::tuple(p.type, p.seed, p.root_children, p.depth, p.probability, p.children);
}

/// The random number of a node, uniform in [0, 1).
double uniform(const Node& node) {
  return static_cast<double>(node.state.back() & 0x7fffffff) / 2147483648.0;
}

}  // namespace

Tree::Parameters Tree::sample(const std::string& name) {
  return samples().at(name).parameters;
}

std::optional<Counts> Tree::known_counts() const {
  for (const auto& [name, sample] : samples()) {
    if (as_tuple(sample.parameters) == as_tuple(_parameters)) return sample.counts;
  }
  return std::nullopt;
}

Node Tree::root() const {
  const std::array<std::uint32_t, 5> message = {0, 0, 0, 0, _parameters.seed};
  return {sha1(message.data(), message.size()), 0};
}

Node Tree::child(const Node& node, std::uint32_t index) const {
  std::array<std::uint32_t, 6> message;
  std::copy(node.state.begin(), node.state.end(), message.begin());
  message.back() = index;
  return {sha1(message.data(), message.size()), node.depth + 1};
}

std::uint32_t Tree::num_children(const Node& node) const {
  const double depth = node.depth;
  const double end = _parameters.depth;
  double expected = _parameters.root_children;
  switch (_parameters.type) {
    case Type::binomial:
      if (node.depth == 0) return static_cast<std::uint32_t>(expected);
      return uniform(node) < _parameters.probability ? _parameters.children : 0;
    case Type::geometric_fixed:
      if (depth >= end && node.depth > 0) expected = 0;
      break;
    case Type::geometric_linear:
      expected *= 1 - depth / end;
      break;
    case Type::geometric_cyclic:
      if (node.depth > 0) {
        expected =
            depth > 5 * end ? 0 : std::pow(expected, std::sin(2 * std::numbers::pi * depth / end));
      }
      break;
  }
  if (expected <= 0) return 0;
  // The geometric distribution with this expectation.
  const double children =
      std::floor(std::log(1 - uniform(node)) / std::log(1 - 1 / (1 + expected)));
  return static_cast<std::uint32_t>(std::min(children, double{max_children}));
}

}  // namespace uts
