#pragma once

#include <string>

#include "Blast.h"
#include "Fields.h"
#include "Mesh.h"
#include "Options.h"

namespace lulesh {

std::string describe(const Options& options);

/// For people. The figure of merit is of the median run.
std::string describe_result(const Mesh& mesh, const Fields& fields, const BlastResult& result);

/// How far the energy in the plane z = 0 of this unit is from being symmetric in x and y: round-off
/// only, if the mesh is as wide as it is deep.
struct Asymmetry {
  int pairs = 0;  ///< of elements that were compared
  double largest = 0;
  double total = 0;
  double largest_relative = 0;
};
Asymmetry asymmetry_of(const Mesh& mesh, const Fields& fields);

}  // namespace lulesh
