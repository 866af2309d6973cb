#pragma once

#include <optional>
#include <string>
#include <vector>

#include "Problem.h"

namespace scf {

/// What is compared; exact in any order, as all values are multiples of a half.
struct Result {
  long computed = 0;
  double trace = 0;
  double sum = 0;
  double sum_of_absolutes = 0;
  double first = 0;  ///< F(0, 0)
  double right = 0;  ///< F(0, 1)
  double below = 0;  ///< F(1, 0)
  double last = 0;
  double energy = 0;  ///< half the sum of F D
  std::uint64_t checksum = 0;

  bool operator==(const Result&) const = default;
};

/// \param f  n x n, row by row
Result result_of(const Problem& problem, const std::vector<double>& f, long computed);

std::string text_of(const Result& result);

/// F by its definition, but element by element instead of task by task: integrals with the same
/// indices modulo 65 are equal, and are summed once.
std::vector<double> reference(const Problem& problem);

/// Integrals that are not skipped.
long number_computed(const Problem& problem);

/// What the specification says, if it knows the problem.
std::optional<Result> known_result(const Problem& problem);

}  // namespace scf
