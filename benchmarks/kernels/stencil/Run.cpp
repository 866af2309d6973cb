#include "Run.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "Reference.h"
#include "Solver.h"

namespace stencil {

namespace {

/// Maximum number of updates that the reference computes, in a second or two.
constexpr double max_checked_updates = 1e9;

void add_options(CLI::App& app, Problem& problem) {
  static const std::map<std::string, Method> methods{{"jacobi", Method::jacobi},
                                                     {"red-black", Method::red_black},
                                                     {"block-gs", Method::block_gauss_seidel}};
  static const std::map<std::string, Start> starts{
      {"top", Start::top}, {"rough", Start::rough}, {"saddle", Start::saddle}};
  // Indices of cells are exact as floats, and a row fits into a message.
  app.add_option("--rows", problem.rows, "rows of cells (64)")->check(CLI::Range(1L, 1L << 24));
  app.add_option("--cols", problem.cols, "cells per row (64)")->check(CLI::Range(1L, 1L << 24));
  app.add_option("--method", problem.method, "jacobi, red-black or block-gs (jacobi)")
      ->transform(CLI::CheckedTransformer(methods));
  app.add_option("--start", problem.start,
                 "initial values: 1 above the grid, 0 elsewhere (top); from 0 to 1, different in "
                 "neighbouring cells (rough); i^2 - j^2 (saddle) (top)")
      ->transform(CLI::CheckedTransformer(starts));
  app.add_option("--sweeps", problem.sweeps, "maximum number of sweeps (100)")
      ->check(CLI::Range(1L, 1L << 40));
  app.add_option("--tolerance", problem.tolerance,
                 "the run ends when the residual is less (0: never)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--check-every", problem.check_every, "number of sweeps between residuals (1)")
      ->check(CLI::Range(1L, 1L << 40));
}

constexpr long max_saddle_extent = 4094;  // without the border

void check(const Problem& problem, kernels::World& world) {
  if (problem.rows < world.units()) {
    throw kernels::UserError(fmt::format(
        "--rows {} for {} units: expected at least one row for each", problem.rows, world.units()));
  }
  if (!std::isfinite(problem.tolerance)) {
    throw kernels::UserError(fmt::format(
        "--tolerance {}: expected a finite number that is not negative", problem.tolerance));
  }
  if (problem.start == Start::saddle && std::max(problem.rows, problem.cols) > max_saddle_extent) {
    throw kernels::UserError(fmt::format(
        "--start saddle with {} x {} cells: i^2 - j^2 is exact in floats up to {} rows and "
        "columns",
        problem.rows, problem.cols, max_saddle_extent));
  }
  const auto rows = static_cast<double>(rows_of(problem.rows, world.unit(), world.units()).count);
  // For the verification unit 0 has the whole grid, and three more grids of the reference unless it
  // is too large.
  const bool may_compute =
      static_cast<double>(problem.rows) * static_cast<double>(problem.cols) <= max_checked_updates;
  const double all = static_cast<double>(problem.rows) * (may_compute ? 4 : 1);
  kernels::require_memory(
      world, (2 * rows + (world.is_root() ? all : 0)) * static_cast<double>(problem.width() * 4),
      fmt::format("a grid of {} x {} cells", problem.rows, problem.cols));
}

/// Verifies the result, on unit 0.
/// \param method_text  set to a description of the comparison
/// \param unverified   set to the reason if the result was not verified
/// \returns an error message; empty if the result is correct
std::string compare(const Problem& problem, const std::vector<float>& grid, const Result& result,
                    int units, std::string& method_text, std::string& unverified) {
  const std::optional<Result> known = known_result(problem);
  if (known && result != *known) {
    return fmt::format("expected {}, found {}", text_of(*known), text_of(result));
  }
  const double updates =
      static_cast<double>(problem.rows * problem.cols) * static_cast<double>(result.sweeps);
  if (updates > max_checked_updates) {
    method_text = "bounds only";
    unverified = "too large for the reference, which one process computes";
    const bool is_within = result.middle >= 0 && result.corner <= 1 && result.residual <= 1;
    if (problem.start == Start::saddle || is_within) return {};
    return fmt::format("cells exceed the bounds given by the border: {}", text_of(result));
  }
  method_text = known ? "the result of the specification, and each cell of a run with one process"
                      : "each cell of a run with one process";
  const Solution expected = reference(problem, units);
  for (long i = 1; i <= problem.rows; ++i) {
    for (long j = 1; j <= problem.cols; ++j) {
      const auto cell = static_cast<std::size_t>((i - 1) * problem.width() + j);
      if (grid[cell] == expected.grid[cell]) continue;
      return fmt::format("the cell ({}, {}) is {:.9g}, expected {:.9g}", i, j, grid[cell],
                         expected.grid[cell]);
    }
  }
  if (result == expected.result) return {};
  return fmt::format("expected {}, found {}", text_of(expected.result), text_of(result));
}

kernels::Outcome run(kernels::World& world, const kernels::CommonOptions& common,
                     const Problem& problem, const MakeExchange& make_exchange) {
  check(problem, world);
  const auto exchange = make_exchange(problem, world, common.via);
  const Rows rows = rows_of(problem.rows, world.unit(), world.units());
  std::unique_ptr<Solver> solver;
  kernels::Outcome outcome;
  outcome.samples = kernels::take_samples(
      world, common.repeat, [&] { solver = std::make_unique<Solver>(problem, rows, *exchange); },
      [&](kernels::Stopwatch& communication) { solver->run(communication); });

  std::vector<float> grid(world.is_root() ? static_cast<std::size_t>(problem.rows * problem.width())
                                          : 0);
  exchange->collect(solver->rows(), grid.data());
  outcome.work =
      static_cast<double>(problem.rows * problem.cols) * static_cast<double>(solver->sweeps());
  outcome.rate_unit = "updates/s";
  std::string failure;
  if (world.is_root()) {
    const Result result = result_of(problem, grid.data(), solver->sweeps(), solver->residual());
    std::string method_text;
    failure = compare(problem, grid, result, world.units(), method_text, outcome.unverified);
    outcome.description =
        kernels::line("grid", fmt::format("{} x {}, {}", problem.rows, problem.cols,
                                          name_of(problem.method))) +
        kernels::line("result", text_of(result)) + kernels::line("compared with", method_text);
  }
  outcome.failure = failure;
  return outcome;
}

}  // namespace

Result solve(const Problem& problem, kernels::World& world, Exchange& exchange) {
  Solver solver(problem, rows_of(problem.rows, world.unit(), world.units()), exchange);
  kernels::Stopwatch communication;
  world.barrier();
  solver.run(communication);
  world.barrier();
  std::vector<float> grid(world.is_root() ? static_cast<std::size_t>(problem.rows * problem.width())
                                          : 0);
  exchange.collect(solver.rows(), grid.data());
  if (!world.is_root()) return {};
  return result_of(problem, grid.data(), solver.sweeps(), solver.residual());
}

kernels::Program make_program(const std::string& name, const MakeExchange& make_exchange) {
  const auto problem = std::make_shared<Problem>();
  return {name, "The five-point stencil on a grid of floats with fixed borders.",
          [problem](CLI::App& app) { add_options(app, *problem); },
          [=](kernels::World& world, const kernels::CommonOptions& common) {
            return run(world, common, *problem, make_exchange);
          }};
}

}  // namespace stencil
