#include <algorithm>
#include <vector>

#include "Integrals.h"
#include "Problem.h"
#include "Reference.h"
#include "Run.h"
#include "support/Catch.h"

using namespace scf;

namespace {

std::size_t at(const Problem& problem, long row, long col) {
  return static_cast<std::size_t>(row * problem.n + col);
}

/// Computes F with four nested loops, as it is defined.
std::vector<double> by_definition(const Problem& problem) {
  std::vector<double> f(at(problem, problem.n, 0));
  for (long i = 0; i < problem.n; ++i) {
    for (long j = 0; j < problem.n; ++j) {
      for (long k = 0; k < problem.n; ++k) {
        for (long l = 0; l < problem.n; ++l) {
          if (overlap(i, j) * overlap(k, l) < min_overlap) continue;
          f[at(problem, i, j)] += integral(i, j, k, l) * density(k, l);
          f[at(problem, i, k)] -= 0.5 * integral(i, j, k, l) * density(j, l);
        }
      }
    }
  }
  return f;
}

/// Computes F by all tasks, sequentially. \param computed  incremented by the number of computed
/// integrals
std::vector<double> by_tasks(const Problem& problem, long& computed) {
  Integrals integrals(problem, 0);
  const auto area = static_cast<std::size_t>(problem.area());
  std::vector<std::vector<double>> in(num_operands, std::vector<double>(area));
  std::vector<std::vector<double>> out(num_outputs, std::vector<double>(area));
  std::vector<double> f(at(problem, problem.n, 0));
  const auto each = [&](const BlockId& id, const auto& body) {
    for (long row = 0; row < problem.size(id.row); ++row) {
      for (long col = 0; col < problem.size(id.col); ++col)
        body(static_cast<std::size_t>(row * problem.b + col), problem.begin(id.row) + row,
             problem.begin(id.col) + col);
    }
  };
  for (long number = 0; number < problem.tasks(); ++number) {
    const Task task = task_of(problem, number);
    Operands operands{};
    for (const Operand operand : {s_ij, s_kl, d_kl, d_jl}) {
      each(block_of(task, operand), [&](std::size_t index, long row, long col) {
        in[operand][index] = is_overlap(operand) ? overlap(row, col) : density(row, col);
      });
      operands[operand] = in[operand].data();
    }
    for (auto& output : out)
      std::fill(output.begin(), output.end(), 0.0);
    computed += integrals.compute(task, operands, {out[f_ij].data(), out[f_ik].data()}, [] {});
    for (const Output output : {f_ij, f_ik}) {
      each(block_of(task, output), [&](std::size_t index, long row, long col) {
        f[at(problem, row, col)] += out[output][index];
      });
    }
  }
  return f;
}

}  // namespace

TEST_CASE("the reference equals the definition and has the results of the specification") {
  for (const long n : {1L, 2L, 8L, 13L, 16L, 30L, 32L}) {
    const Problem problem{n, 4};
    const auto f = reference(problem);
    CHECK(f == by_definition(problem));
    const auto known = known_result(problem);
    if (n < 8 || n == 13) continue;
    REQUIRE(known.has_value());
    CHECK(text_of(result_of(problem, f, num_computed_integrals(problem))) == text_of(*known));
  }
}

TEST_CASE("the tasks add up to the reference, for blocks of any size") {
  for (const long b : {1L, 4L, 7L, 9L, 20L}) {
    const Problem problem{9, b};
    long computed = 0;
    CHECK(by_tasks(problem, computed) == reference(problem));
    CHECK(computed == num_computed_integrals(problem));
  }
}

TEST_CASE("elements with indices beyond the period of the integrals are correct") {
  const Problem problem{70, 70};
  const auto f = reference(problem);
  // One element, computed by its definition.
  double last = 0;
  for (long k = 0; k < 70; ++k) {
    for (long l = 0; l < 70; ++l) {
      if (overlap(69, 68) * overlap(k, l) >= min_overlap)
        last += integral(69, 68, k, l) * density(k, l);
    }
  }
  for (long j = 0; j < 70; ++j) {
    for (long l = 0; l < 70; ++l) {
      if (overlap(69, j) * overlap(68, l) >= min_overlap)
        last -= 0.5 * integral(69, j, 68, l) * density(j, l);
    }
  }
  CHECK(f[at(problem, 69, 68)] == last);
}

TEST_CASE("tasks are all combinations of blocks; the last index varies fastest") {
  const Problem problem{10, 4};
  CHECK(problem.blocks() == 3);
  CHECK(problem.size(2) == 2);
  CHECK(problem.tasks() == 81);
  const Task task = task_of(problem, 27 * 2 + 9 * 1 + 3 * 0 + 2);
  CHECK((task.i == 2 && task.j == 1 && task.k == 0 && task.l == 2));
}

TEST_CASE("missing and repeated tasks, integrals and requests are detected") {
  Options options;
  options.problem = {8, 4};
  options.scheduling = {Schedule::dynamic, 3};
  const Totals right{{16, 3304, 792}, 3 * (6 + 2)};
  CHECK(find_failure(options, 2, right).empty());
  Totals wrong = right;
  wrong.work.tasks = 17;
  CHECK_THAT(find_failure(options, 2, wrong), Catch::Matchers::ContainsSubstring("17 tasks"));
  wrong = right;
  wrong.work.computed = 3303;
  CHECK_THAT(find_failure(options, 2, wrong), Catch::Matchers::ContainsSubstring("3303 integrals"));
  CHECK_THAT(find_failure(options, 3, right),
             Catch::Matchers::ContainsSubstring("the counter is 24"));
}
