#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "Sha1.h"

namespace uts {

/// A node of the tree. Everything below it follows from these values.
struct Node {
  Sha1Digest state;
  std::uint32_t depth;
};

/// What a search has found.
struct Counts {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  std::uint64_t depth = 0;  // of the deepest node

  bool operator==(const Counts&) const = default;
};

/// Parameters of a tree of the UTS benchmark (Olivier et al., LCPC 2006), whose shape is determined by
/// SHA-1: a node is the digest of its parent and of its index among its siblings.
class Tree {
 public:
  enum class Type { geometric_fixed, geometric_linear, geometric_cyclic, binomial };

  struct Parameters {
    Type type = Type::geometric_fixed;
    std::uint32_t seed = 19;
    /// Children of the root of a binomial tree; otherwise the expected number of children of the root.
    double root_children = 4;
    /// Depth at which geometric trees end, or a period of it (cyclic).
    std::uint32_t depth = 10;
    /// Binomial trees: a node other than the root has `children` children with this probability, otherwise none.
    double probability = 0;
    std::uint32_t children = 0;
  };

  explicit Tree(const Parameters& parameters) : _parameters(parameters) {}

  /// The parameters of a tree of the benchmark's distribution: T1, T2, T3 or T5. Each has about 4 million nodes.
  /// \throws std::out_of_range for another name
  static Parameters sample(const std::string& name);

  const Parameters& parameters() const { return _parameters; }
  Node root() const;
  std::uint32_t num_children(const Node& node) const;
  Node child(const Node& node, std::uint32_t index) const;

  /// The published counts of the unchanged sample trees.
  std::optional<Counts> known_counts() const;

 private:
  Parameters _parameters;
};

}  // namespace uts
