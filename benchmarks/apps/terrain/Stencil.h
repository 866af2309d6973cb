#pragma once

namespace terrain {

/// One explicit Euler step of dz/dt = D lap(z) in one cell: the 5-point scheme. The serial and the
/// distributed solver both call this expression and are compiled without contraction of products
/// and sums (-ffp-contract=off): so their cells agree to the last bit, however the loops are
/// vectorised.
/// \param alpha D dt / h^2, at most 1/4
[[gnu::always_inline]] inline double diffuse(double z, double north, double south, double west,
                                             double east, double alpha) {
  return z + alpha * (((north + south) + (west + east)) - 4.0 * z);
}

/// Largest alpha for which the scheme does not amplify any disturbance (von Neumann).
constexpr double largest_stable_alpha = 0.25;

}  // namespace terrain
