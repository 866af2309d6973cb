#include "Problem.h"

#include <fmt/core.h>

#include <cstdint>

#include "support/World.h"

namespace stencil {

float initial(const Problem& problem, long i, long j) {
  switch (problem.start) {
    case Start::top:
      return i == 0 ? 1.0F : 0.0F;
    case Start::rough:
      return static_cast<float>((37 * i + 11 * j + 2 * i * j) % 64) / 64;
    case Start::saddle:
      return static_cast<float>(i * i - j * j);
  }
  return 0;
}

std::string name_of(Method method) {
  switch (method) {
    case Method::jacobi:
      return "Jacobi";
    case Method::red_black:
      return "red-black Gauss-Seidel";
    case Method::block_gauss_seidel:
      return "block Gauss-Seidel";
  }
  return {};
}

Rows rows_of(long rows, int unit, int units) {
  const auto begin = [&](int of) {
    return static_cast<long>(kernels::block_begin(static_cast<std::uint64_t>(rows),
                                                  static_cast<std::uint64_t>(units),
                                                  static_cast<std::uint64_t>(of)));
  };
  return {begin(unit) + 1, begin(unit + 1) - begin(unit)};
}

Result result_of(const Problem& problem, const float* grid, long sweeps, float residual) {
  const auto row = [&](long i) { return grid + (i - 1) * problem.width(); };
  Result result{sweeps, residual, 0,
                row(problem.rows / 2 > 0 ? problem.rows / 2 : 1)[problem.cols / 2], row(1)[1]};
  for (long i = 1; i <= problem.rows; ++i) {
    for (long j = 1; j <= problem.cols; ++j)
      result.sum += static_cast<double>(row(i)[j]);
  }
  return result;
}

std::string text_of(const Result& result) {
  return fmt::format("sweeps {}, residual {:.9g}, sum {:.17g}, u(middle) {:.9g}, u(1,1) {:.9g}",
                     result.sweeps, result.residual, result.sum, result.middle, result.corner);
}

}  // namespace stencil
