#pragma once

#include <optional>
#include <string>
#include <vector>

#include "Problem.h"

namespace scf {

/// The values that are compared with known ones. They are exact in any order of summation, since
/// all values are multiples of a half.
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

/// \param f  n x n elements, row by row
Result result_of(const Problem& problem, const std::vector<double>& f, long computed);

std::string text_of(const Result& result);

/// Computes F without tasks. Integrals with equal indices modulo 65 are equal and are summed only
/// once.
std::vector<double> reference(const Problem& problem);

/// The number of integrals that are not skipped.
long num_computed_integrals(const Problem& problem);

/// The result given by the specification, if it contains the problem.
std::optional<Result> known_result(const Problem& problem);

}  // namespace scf
