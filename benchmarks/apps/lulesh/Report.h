#pragma once

#include <string>

#include "Fields.h"
#include "Mesh.h"
#include "Options.h"
#include "Solver.h"

namespace lulesh {

std::string describe(const Options& options);

/// \param seconds  of all cycles, by the slowest unit
std::string describe_result(const Mesh& mesh, const Fields& fields, const Solver& solver,
                            double seconds);

/// How far the energy in the plane z = 0 of this unit is from being symmetric in x and y: round-off
/// only.
struct Asymmetry {
  double largest = 0;
  double total = 0;
  double largest_relative = 0;
};
Asymmetry asymmetry_of(const Mesh& mesh, const Fields& fields);

}  // namespace lulesh
