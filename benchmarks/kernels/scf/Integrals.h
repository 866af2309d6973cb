#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "Problem.h"

namespace scf {

/// Addresses of the blocks of a task, b x b elements each, row by row.
using Operands = std::array<const double*, num_operands>;
using Outputs = std::array<double*, num_outputs>;

/// Computes tasks. \threads externally synchronized
class Integrals {
 public:
  /// \param spin  additional work for each integral, in empty loop iterations
  Integrals(const Problem& problem, long spin);

  /// Adds the contributions of a task to two blocks of F, which may be the same block. Skipped
  /// integrals are computed and multiplied by 0, since a branch for each integral would take
  /// longer.
  /// \param on_progress  called periodically during the computation
  /// \returns the number of integrals that were not skipped
  long compute(const Task& task, const Operands& operands, const Outputs& outputs,
               const std::function<void()>& on_progress);

 private:
  struct Sums {
    double of_ij = 0;
    double of_ik = 0;
  };
  static Sums sum_row(const double* values, const double* mask, const double* of_k,
                      const double* of_j, std::size_t nl);
  void screen(const double* overlaps, std::size_t nk, std::size_t nl);
  void tabulate(long first_l, std::size_t size);
  void spin(long integrals) const;
  double* mask(std::size_t overlap, std::size_t k) { return &_mask[((overlap - 1) * _b + k) * _b]; }

  Problem _problem;
  std::size_t _b;
  long _spin;
  std::vector<double>
      _values;  // values of integrals by their number modulo 13 and by l in the block
  std::vector<double>
      _mask;  // by overlap of (i, j) and by (k, l): 0 if the integral is skipped, otherwise 1
  std::array<long, 5>
      _numbers{};  // by overlap of (i, j): the number of integrals that are not skipped
};

}  // namespace scf
