#pragma once

#include <cstddef>

namespace terrain {

/// Advances n consecutive cells of one row.
/// \param dst                n cells; must not overlap the other arrays
/// \param north, mid, south  n cells each: the row above, the row itself, the row below; they may
///                           be the same array
/// \param west, east         the cells left of mid[0] and right of mid[n-1]
/// \param alpha              D dt / h^2
void diffuse_row(double* dst, const double* north, const double* mid, const double* south,
                 double west, double east, std::size_t n, double alpha) noexcept;

}  // namespace terrain
