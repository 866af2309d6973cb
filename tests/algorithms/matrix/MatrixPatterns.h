#pragma once

#include <cstddef>
#include <vector>

#include "dash/Dimensional.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/pattern/BlockPattern.h"
#include "dash/pattern/TilePattern.h"
#include "support/Pick.h"

/// \file
/// Matrices of two dimensions with random patterns.

using dash::test::Random;
using index_t = dash::default_index_t;

using Tiles = dash::TilePattern<2>;
using ColTiles = dash::TilePattern<2, dash::COL_MAJOR>;
using Blocks = dash::BlockPattern<2>;
using ColBlocks = dash::BlockPattern<2, dash::COL_MAJOR>;

/// Assigns element(row, col) to the caller's elements.
template <class MatrixType, class Element>
void set_elements(MatrixType& matrix, Element element) {
  using T = typename MatrixType::value_type;
  for (std::size_t i = 0; i < matrix.local_size(); ++i) {
    const auto at = matrix.pattern().global_coords(matrix.team().myid(), static_cast<index_t>(i));
    matrix.lbegin()[i] = static_cast<T>(element(at[0], at[1]));
  }
}

inline dash::DistributionSpec<2> pick_tiles(Random& random) {
  const auto tile = [&] { return dash::TILE(static_cast<int>(dash::test::pick(random, 1, 9))); };
  return {tile(), tile()};
}

inline dash::DistributionSpec<2> pick_blocks(Random& random) {
  return {dash::test::pick_distribution(random), dash::test::pick_distribution(random)};
}

/// A random grid of all units.
inline dash::TeamSpec<2> pick_grid(Random& random, dash::Team& team = dash::Team::All()) {
  std::vector<std::size_t> divisors;
  for (std::size_t rows = 1; rows <= team.size(); ++rows) {
    if (team.size() % rows == 0) divisors.push_back(rows);
  }
  const auto rows = divisors[static_cast<std::size_t>(
      dash::test::pick(random, 0, static_cast<index_t>(divisors.size()) - 1))];
  return dash::TeamSpec<2>({rows, team.size() / rows}, team);
}

/// A pattern with a distribution that is valid for the grid of units.
template <class Pattern>
Pattern pick_pattern(Random& random, std::size_t rows, std::size_t cols,
                     dash::Team& team = dash::Team::All()) {
  constexpr bool is_blocked = Pattern::layout_properties::blocked;
  const dash::SizeSpec<2> sizes(rows, cols);
  if (is_blocked) return Pattern(sizes, pick_tiles(random), pick_grid(random, team), team);
  // NONE requires one unit in its dimension.
  for (;;) {
    const auto distribution = pick_blocks(random);
    const auto grid = pick_grid(random, team);
    const bool fits = (distribution[0].type != dash::internal::DIST_NONE || grid.extent(0) == 1) &&
                      (distribution[1].type != dash::internal::DIST_NONE || grid.extent(1) == 1);
    if (fits) return Pattern(sizes, distribution, grid, team);
  }
}
