#pragma once

#include <string>

namespace stencil {

enum class Method { jacobi, red_black, block_gauss_seidel };

/// What the fixed cells around the grid are, and the cells in it at first.
enum class Start {
  top,    ///< 1 above the grid, 0 everywhere else
  rough,  ///< from 0 to 1, different in cells next to each other: each sweep depends on other units'
  saddle  ///< i^2 - j^2 everywhere, which no sweep changes
};

/// A grid of rows x cols cells with a fixed cell around: indices 0 ... rows + 1, 0 ... cols + 1.
struct Problem {
  long rows = 64;
  long cols = 64;
  Method method = Method::jacobi;
  Start start = Start::top;
  long sweeps = 100;     ///< at most
  float tolerance = 0;   ///< ends when the residual is less
  long check_every = 1;  ///< sweeps from one residual to the next; the last sweep has one always

  /// Elements of a row in memory.
  long width() const { return cols + 2; }
};

/// The cell (i, j) before the first sweep, fixed ones included.
float initial(const Problem& problem, long i, long j);

std::string name_of(Method method);

/// Consecutive rows of a unit: of `count`, the first of which is `first` of 1 ... rows.
struct Rows {
  long first;
  long count;
};

/// Numbers of rows differ by one at most.
Rows rows_of(long rows, int unit, int units);

/// What is compared: exact on any number of units, but of block Gauss-Seidel, which depends on it.
struct Result {
  long sweeps = 0;
  float residual = 0;
  double sum = 0;  ///< of the cells in the order of rows
  float middle = 0;
  float corner = 0;

  bool operator==(const Result&) const = default;
};

/// Sum and cells of a grid, which is given by its rows 1 ... rows.
/// \param grid  rows of width(), fixed columns included
Result result_of(const Problem& problem, const float* grid, long sweeps, float residual);

std::string text_of(const Result& result);

}  // namespace stencil
