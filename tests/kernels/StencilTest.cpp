#include <cmath>
#include <vector>

#include "Problem.h"
#include "Reference.h"
#include "RowKernels.h"
#include "Solver.h"
#include "support/Catch.h"

using namespace stencil;

namespace {

/// The exchange of a unit without neighbours.
class SingleUnitExchange final : public Exchange {
 public:
  explicit SingleUnitExchange(const Problem& problem)
      : _current(static_cast<std::size_t>(problem.rows * problem.width())),
        _next(_current.size()) {}
  RowArrays arrays() override { return {_current.data(), _next.data()}; }
  void start(const float*, const float*) override {}
  void finish() override {}
  const float* above() const override { return nullptr; }
  const float* below() const override { return nullptr; }
  void start_maximum(unsigned own) override { _own = own; }
  unsigned maximum() override { return _own; }
  void collect(const float*, float*) override {}

 private:
  std::vector<float> _current;
  std::vector<float> _next;
  unsigned _own = 0;
};

Solution solution(const Problem& problem) {
  SingleUnitExchange exchange(problem);
  Solver solver(problem, {1, problem.rows}, exchange);
  kernels::Stopwatch communication;
  solver.run(communication);
  const float* const rows = solver.rows();
  return {result_of(problem, rows, solver.sweeps(), solver.residual()),
          std::vector<float>(rows, rows + problem.rows * problem.width())};
}

Result solver_result(const Problem& problem) {
  return solution(problem).result;
}

/// The cells without the fixed columns.
std::vector<float> cells_of(const Problem& problem, const std::vector<float>& grid) {
  std::vector<float> cells;
  for (long i = 0; i < problem.rows; ++i) {
    const auto row = grid.begin() + i * problem.width();
    cells.insert(cells.end(), row + 1, row + 1 + problem.cols);
  }
  return cells;
}

Problem problem_of(Method method, long rows, long cols, long sweeps, float tolerance = 0) {
  Problem problem;
  problem.rows = rows;
  problem.cols = cols;
  problem.method = method;
  problem.sweeps = sweeps;
  problem.tolerance = tolerance;
  return problem;
}

constexpr Method methods[] = {Method::jacobi, Method::red_black, Method::block_gauss_seidel};

}  // namespace

TEST_CASE("the reference has the results of the specification") {
  for (const long sweeps : {1L, 10L, 100L}) {
    for (const Method method : {Method::jacobi, Method::red_black}) {
      const Problem problem = problem_of(method, 64, 64, sweeps);
      const auto known = known_result(problem);
      REQUIRE(known.has_value());
      CHECK(text_of(reference(problem, 1).result) == text_of(*known));
    }
  }
  const Problem limit = problem_of(Method::red_black, 100, 37, 2000, 1e-4F);
  CHECK(reference(limit, 1).result == known_result(limit));
  const Result in_order =
      reference(problem_of(Method::block_gauss_seidel, 64, 64, 2000, 1e-4F), 1).result;
  CHECK(in_order.sweeps == 953);
  CHECK(in_order.sum == 951.7564765438583);
}

TEST_CASE("the solver equals the reference to the last bit") {
  for (const Method method : methods) {
    for (const auto& [rows, cols] : {std::pair(1L, 1L),
                                     {1L, 17L},
                                     {17L, 1L},
                                     {2L, 3L},
                                     {13L, 40L},
                                     {3L, 32L},
                                     {4L, 33L},
                                     {3L, 48L},
                                     {4L, 49L},
                                     {5L, 65L},
                                     {6L, 200L}}) {
      Problem problem = problem_of(method, rows, cols, 25);
      for (const Start start : {Start::top, Start::rough}) {
        problem.start = start;
        INFO(name_of(method) << ", " << rows << " x " << cols);
        const Solution found = solution(problem);
        const Solution expected = reference(problem, 1);
        CHECK(text_of(found.result) == text_of(expected.result));
        CHECK(cells_of(problem, found.grid) == cells_of(problem, expected.grid));
      }
    }
  }
}

TEST_CASE("the solver ends at the tolerance") {
  const Problem problem = problem_of(Method::jacobi, 64, 64, 5000, 1e-4F);
  CHECK(solver_result(problem) == known_result(problem));
  Problem seldom = problem;
  seldom.check_every = 100;
  CHECK(solver_result(seldom).sweeps == 1400);
}

TEST_CASE("a discrete harmonic function does not change") {
  for (const Method method : methods) {
    Problem problem = problem_of(method, 50, 70, 1);
    problem.start = Start::saddle;
    CHECK(solver_result(problem).residual == 0);
  }
}

TEST_CASE("block Gauss-Seidel depends on the number of units, other methods do not") {
  for (const Method method : methods) {
    const Problem problem = problem_of(method, 20, 20, 30);
    CHECK((reference(problem, 1).grid == reference(problem, 3).grid) ==
          (method != Method::block_gauss_seidel));
  }
}

TEST_CASE("the cells of a rough start differ from their neighbours and are from 0 to 1") {
  Problem problem = problem_of(Method::jacobi, 70, 200, 1);
  problem.start = Start::rough;
  int wrong = 0;
  for (long i = 0; i <= problem.rows; ++i) {
    for (long j = 0; j <= problem.cols; ++j) {
      const float cell = initial(problem, i, j);
      const bool differs = cell != initial(problem, i + 1, j) && cell != initial(problem, i, j + 1);
      wrong += cell >= 0 && cell < 1 && differs ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("rows are distributed evenly and in order, for any number of units") {
  for (int units = 1; units <= 9; ++units) {
    long next = 1;
    for (int unit = 0; unit < units; ++unit) {
      const Rows rows = rows_of(31, unit, units);
      CHECK(rows.first == next);
      CHECK(std::abs(rows.count * units - 31) < units);
      next += rows.count;
    }
    CHECK(next == 32);
  }
}

TEST_CASE("the change of a row is the largest magnitude, for any sign") {
  const std::vector<float> zeros(6);
  const std::vector<float> row{0, 4, -8, 0, 0, 0};
  std::vector<float> out(6);
  CHECK(change_of(relax_row(out.data(), zeros.data(), row.data(), zeros.data(), 4)) == 9);
  CHECK(out == std::vector<float>{0, -2, 1, -2, 0, 0});
}
