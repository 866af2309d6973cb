#pragma once

namespace stencil {

/// The largest change of a cell so far, as the bits of a float that is not negative: they order as the
/// floats do, and a maximum of integers needs no leave to be taken in any order.
using Change = unsigned;

float change_of(Change bits);

/// Cells 1 ... n of a row from those of the row and its neighbours: ((N + S) + W) + E, a quarter of it.
/// \param out  another row than the three
/// \returns the largest change
Change relax_row(float* out, const float* north, const float* row, const float* south, long n);

/// The same in place, for cells j with j mod 2 == parity.
Change relax_colour(float* row, const float* north, const float* south, long n, long parity);

/// The same in place, from left to right, each cell from the new one before it.
Change relax_in_order(float* row, const float* north, const float* south, long n);

}  // namespace stencil
