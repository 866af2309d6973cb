#include "Edges.h"

namespace triangles {

namespace {

/// A random number that depends only on the seed and the index. \see SplitMix64
std::uint64_t random_number(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15U;
  z ^= z >> 30;
  z *= 0xBF58476D1CE4E5B9U;
  z ^= z >> 27;
  z *= 0x94D049BB133111EBU;
  z ^= z >> 31;
  return z;
}

}  // namespace

Edge rmat_edge(unsigned scale, std::uint64_t index) {
  // Upper bounds of the quadrants a, b and c, as fractions of 2^32.
  constexpr std::uint64_t end_a = 2448131358;
  constexpr std::uint64_t end_b = 3264175144;
  constexpr std::uint64_t end_c = 4080218931;
  Edge edge{0, 0};
  for (unsigned level = 0; level < scale; ++level) {
    const std::uint64_t r = random_number(1, 64 * index + level) >> 32;
    edge.from = edge.from << 1 | (r >= end_b ? 1U : 0U);
    edge.to = edge.to << 1 | ((r >= end_a && r < end_b) || r >= end_c ? 1U : 0U);
  }
  return edge;
}

}  // namespace triangles
