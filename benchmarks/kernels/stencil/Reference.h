#pragma once

#include <optional>
#include <vector>

#include "Problem.h"

namespace stencil {

struct Solution {
  Result result;
  std::vector<float> grid;  ///< rows 1 ... rows with width() elements each
};

/// Solves the problem in this process, cell by cell, with independent code.
/// \param units  number of units of block Gauss-Seidel, in which units use the rows of others from
///               the previous sweep
Solution reference(const Problem& problem, int units);

/// The result given by the specification, if it contains the problem.
std::optional<Result> known_result(const Problem& problem);

}  // namespace stencil
