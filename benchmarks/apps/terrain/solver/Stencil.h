#pragma once

namespace terrain {

/// One explicit Euler step of dz/dt = D lap(z) in one cell with the 5-point stencil. The serial and
/// the distributed solver both call this function and are compiled without contraction of products
/// and sums (-ffp-contract=off), so their results agree to the last bit, no matter how the loops
/// are vectorized.
/// \param alpha  D dt / h^2, at most 1/4
[[gnu::always_inline]] inline double diffuse(double z, double north, double south, double west,
                                             double east, double alpha) {
  return z + alpha * (((north + south) + (west + east)) - 4.0 * z);
}

/// The largest alpha for which the scheme is stable (von Neumann analysis).
constexpr double largest_stable_alpha = 0.25;

}  // namespace terrain
