#pragma once

#include <string>

namespace stencil {

enum class Method { jacobi, red_black, block_gauss_seidel };

/// The initial values of the cells, and the values of the fixed cells around the grid.
enum class Start {
  top,    ///< 1 above the grid, 0 everywhere else
  rough,  ///< from 0 to 1, different in neighbouring cells; each sweep depends on other units
  saddle  ///< i^2 - j^2 everywhere, a solution that no sweep changes
};

/// A grid of rows x cols cells, surrounded by fixed cells: indices 0 ... rows + 1, 0 ... cols + 1.
struct Problem {
  long rows = 64;
  long cols = 64;
  Method method = Method::jacobi;
  Start start = Start::top;
  long sweeps = 100;     ///< maximum number of sweeps
  float tolerance = 0;   ///< the run ends when the residual is less
  long check_every = 1;  ///< number of sweeps between residuals; the last sweep always has one

  /// Number of elements of a row in memory.
  long width() const { return cols + 2; }
};

/// The initial value of cell (i, j), including the fixed cells.
float initial(const Problem& problem, long i, long j);

std::string name_of(Method method);

/// The consecutive rows of a unit: `count` rows beginning with row `first`, counted from 1.
struct Rows {
  long first;
  long count;
};

/// The rows of a unit. The numbers of rows of two units differ by at most one.
Rows rows_of(long rows, int unit, int units);

/// The values that are compared. They do not depend on the number of units, except for block
/// Gauss-Seidel.
struct Result {
  long sweeps = 0;
  float residual = 0;
  double sum = 0;  ///< sum of the cells in the order of rows
  float middle = 0;
  float corner = 0;

  bool operator==(const Result&) const = default;
};

/// The result for a grid.
/// \param grid  rows 1 ... rows with width() elements each, including the fixed columns
Result result_of(const Problem& problem, const float* grid, long sweeps, float residual);

std::string text_of(const Result& result);

}  // namespace stencil
