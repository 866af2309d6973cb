#include "dash/internal/Math.h"

#include <cmath>
#include <random>

namespace dash::math {

namespace {

std::mt19937& lrand_generator() {
  static std::mt19937 generator;
  return generator;
}

std::mt19937_64& xrand_generator() {
  static std::mt19937_64 generator;
  return generator;
}

std::mt19937_64& drand_generator() {
  static std::mt19937_64 generator;
  return generator;
}

}  // namespace

double internal::square_root(double value) {
  return std::sqrt(value);
}

void slrand(std::uint64_t seed) {
  lrand_generator().seed(static_cast<std::uint32_t>(seed));
}

std::uint32_t lrand() {
  return static_cast<std::uint32_t>(lrand_generator()());
}

void sxrand(std::uint64_t seed) {
  xrand_generator().seed(seed);
}

std::uint64_t xrand() {
  return xrand_generator()();
}

void sdrand(std::uint64_t seed) {
  drand_generator().seed(seed);
}

double drand() {
  // The 53 most significant bits: the precision of a double.
  return static_cast<double>(drand_generator()() >> 11) * 0x1p-53;
}

}  // namespace dash::math
