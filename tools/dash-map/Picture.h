#pragma once

#include <cstddef>
#include <string>

#include "Study.h"

namespace dash::map {

/// An SVG file of the grid in slices of its last two dimensions. Cells have the colour of their node:
/// nodes that are close in the network have similar hues. Lines part nodes, and thinner ones NUMA
/// domains.
/// \param max_cells  slices beyond are left out, which the picture says; one is drawn always
std::string draw(const Study& study, const Order& order, std::size_t max_cells = 50'000);

}  // namespace dash::map
