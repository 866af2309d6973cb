#include "dash/internal/Math.h"

#include <cmath>
#include <random>

namespace dash::math {

namespace {

std::mt19937& narrow() {
  static std::mt19937 generator;
  return generator;
}

std::mt19937_64& wide() {
  static std::mt19937_64 generator;
  return generator;
}

std::mt19937_64& real() {
  static std::mt19937_64 generator;
  return generator;
}

}  // namespace

double internal::square_root(double value) {
  return std::sqrt(value);
}

void slrand(std::uint64_t seed) {
  narrow().seed(static_cast<std::uint32_t>(seed));
}

std::uint32_t lrand() {
  return static_cast<std::uint32_t>(narrow()());
}

void sxrand(std::uint64_t seed) {
  wide().seed(seed);
}

std::uint64_t xrand() {
  return wide()();
}

void sdrand(std::uint64_t seed) {
  real().seed(seed);
}

double drand() {
  // The 53 most significant bits: the precision of a double.
  return static_cast<double>(real()() >> 11) * 0x1p-53;
}

}  // namespace dash::math
