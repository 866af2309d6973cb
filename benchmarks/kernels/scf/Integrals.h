#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "Problem.h"

namespace scf {

/// Where the blocks of a task are, b x b elements each, row by row.
using Operands = std::array<const double*, num_operands>;
using Outputs = std::array<double*, num_outputs>;

/// Computes tasks. One thread at a time.
class Integrals {
 public:
  /// \param spin  rounds of useless work for each integral, to make them dearer
  Integrals(const Problem& problem, long spin);

  /// Adds what the task adds to two blocks of F, which may be one. Integrals that are skipped are those that
  /// count nothing: a branch for each would cost more than they do.
  /// \param now_and_then  called some times meanwhile
  /// \returns integrals that were not skipped
  long compute(const Task& task, const Operands& operands, const Outputs& outputs,
               const std::function<void()>& now_and_then);

 private:
  struct Sums {
    double of_ij = 0;
    double of_ik = 0;
  };
  static Sums sum_row(const double* values, const double* kept, const double* of_k,
                      const double* of_j, std::size_t nl);
  void screen(const double* overlaps, std::size_t nk, std::size_t nl);
  void tabulate(long first_l, std::size_t size);
  void spin(long integrals) const;
  double* kept(std::size_t overlap, std::size_t k) { return &_kept[((overlap - 1) * _b + k) * _b]; }

  Problem _problem;
  std::size_t _b;
  long _spin;
  std::vector<double> _values;  // of integrals by their number modulo 13, for each l of the block
  std::vector<double> _kept;    // for each overlap of (i, j) and each (k, l): 1, skipped ones 0
  std::array<long, 5> _numbers{};  // of those kept, for each overlap of (i, j)
};

}  // namespace scf
