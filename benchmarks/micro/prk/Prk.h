#pragma once

/// \file
/// Common parts of the Parallel Research Kernels (PRK, https://github.com/ParRes/Kernels). The
/// kernels are written from their public description. Each is implemented with DASH and with MPI,
/// and both results are verified with the expected values of PRK. A process of MPI uses one processor. A unit uses all of
/// its share in nstream and transpose, which is more than one if there are more processors than units.

#include <fmt/core.h>
#include <mpi.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/support/LargePages.h"
#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

namespace dash::bench {

/// Data of a baseline in large pages where the system has them, as that of the library.
template <class T>
using Large = std::vector<T, kernels::LargePages<T>>;

/// An action of all units, timed from a barrier on until unit 0 has finished.
inline Candidate timed(std::function<void()> run) {
  return [run = std::move(run)] {
    MPI_Barrier(MPI_COMM_WORLD);
    return measure_ns_per_call(1, [&](long) { run(); });
  };
}

/// \throws std::runtime_error if the result is not correct, which ends all units
inline void require(bool is_correct, const std::string& what) {
  if (!is_correct) throw std::runtime_error(fmt::format("the result of {} is wrong", what));
}

/// The sum of a value of all units. \collective
inline double sum_of_units(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

/// Whether a sum has the expected value, with the tolerance of PRK.
inline bool is_close(double value, double expected) {
  return std::abs(value - expected) <= 1e-8 * std::abs(expected);
}

/// The texts of a row.
struct KernelRow {
  std::string name;
  std::string size;
  std::string baseline;
};

/// Compares two implementations of a kernel, verifies both results, and adds a row.
/// \param ours, theirs  `run()` is an iteration of all units; `verify()` throws if the result of all
///                      iterations so far is wrong
/// \collective over all units
template <class Ours, class Theirs>
void compare_kernel(const World& world, Table& table, KernelRow row, Ours& ours, Theirs& theirs) {
  const Outcome outcome = compare(timed([&] { ours.run(); }), timed([&] { theirs.run(); }));
  ours.verify();
  theirs.verify();
  if (!world.is_first_unit()) return;
  table.add(make_row(std::move(row.name), std::move(row.size), std::move(row.baseline), outcome,
                     ratio_at_most(1.02)));
}

}  // namespace dash::bench
