#pragma once

#include <cstdint>

namespace random_access {

using Word = std::uint64_t;

/// The next element of the pseudo-random stream of HPC Challenge: x_0 = 1, and x_k is the k-th
/// power of x modulo the primitive polynomial x^64 + x^2 + x + 1 over GF(2).
constexpr Word next(Word x) {
  return (x << 1) ^ ((x >> 63) != 0 ? 7U : 0U);
}

/// The element x_k of the stream. \cost linear in the number of bits of k
Word element(std::uint64_t k);

}  // namespace random_access
