#pragma once

#include <optional>
#include <vector>

#include "Problem.h"

namespace stencil {

struct Solution {
  Result result;
  std::vector<float> grid;  ///< rows 1 ... rows of width()
};

/// The same cell by cell in one array of this process, with code of its own.
/// \param units  of block Gauss-Seidel, whose cells see those of other units as of the sweep before
Solution reference(const Problem& problem, int units);

/// What the specification says of a problem, if it knows it.
std::optional<Result> known_result(const Problem& problem);

}  // namespace stencil
