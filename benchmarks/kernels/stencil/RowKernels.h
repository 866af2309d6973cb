#pragma once

namespace stencil {

/// The largest change of a cell, as the bits of a non-negative float. The bits have the same order
/// as the floats, and the compiler may reorder a maximum of integers without special options.
using Change = unsigned;

float change_of(Change bits);

/// Computes cells 1 ... n of a row from the row and its neighbours: (((N + S) + W) + E) / 4.
/// \param out  must not overlap the other rows
/// \returns the largest change
Change relax_row(float* out, const float* north, const float* row, const float* south, long n);

/// The same in place, only for cells j with j mod 2 == parity.
Change relax_color(float* row, const float* north, const float* south, long n, long parity);

/// The same in place, from left to right; each cell uses the new value of its left neighbour.
Change relax_in_order(float* row, const float* north, const float* south, long n);

}  // namespace stencil
