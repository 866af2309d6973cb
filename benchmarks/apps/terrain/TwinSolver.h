#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

#include "Block.h"
#include "Dem.h"
#include "Field.h"
#include "Steps.h"

namespace terrain {

/// The terrain and its steps by MPI alone, two-sided: persistent requests, all of a step at once. The
/// same cells are computed by the same code as in Solver.
class TwinSolver {
 public:
  /// \param extents rows and columns of the terrain
  /// \param grid    processes down and across
  /// \param alpha   D dt / h^2
  TwinSolver(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid,
             double alpha);
  ~TwinSolver();
  TwinSolver(const TwinSolver&) = delete;
  TwinSolver& operator=(const TwinSolver&) = delete;

  void fill(const Dem& dem);

  /// \collective begins with a barrier
  StepTimes run(long steps, Exchange exchange);

  /// \collective \returns the whole terrain on process 0; elsewhere an empty field
  Field gather() const;

 private:
  /// A block and where it is.
  struct Place {
    std::array<std::size_t, 2> first{};
    Block block;
  };
  enum Side { north, south, west, east };
  static constexpr int sides = 4;

  Place place_of(int process) const;
  void add_requests(int neighbour, Side side);
  void step(Exchange exchange, StepTimes& times);
  void start();
  void finish();

  std::array<std::size_t, 2> _extents;
  std::array<int, 2> _grid;
  double _alpha;
  int _process = 0;
  Place _place;
  std::array<std::vector<double>, 2> _cells;     // take turns
  std::array<std::vector<double>, sides> _halo;  // empty: none
  std::array<std::vector<double>, sides> _columns;
  std::array<std::vector<MPI_Request>, 2> _requests;  // receives and sends of each of the two
  std::size_t _current = 0;
};

}  // namespace terrain
