#pragma once

#include <string>

#include "Blast.h"
#include "Options.h"
#include "mesh/Fields.h"
#include "mesh/Mesh.h"

namespace lulesh {

std::string describe(const Options& options);

/// The text to print. The figure of merit is that of the median run.
std::string describe_result(const Mesh& mesh, const Fields& fields, const BlastResult& result);

/// Asymmetry in x and y of the energy in the plane z = 0 of this unit. If the mesh has the same
/// number of elements in x and y, it is only round-off.
struct Asymmetry {
  int pairs = 0;  ///< number of compared pairs of elements
  double largest = 0;
  double total = 0;
  double largest_relative = 0;
};
Asymmetry asymmetry_of(const Mesh& mesh, const Fields& fields);

}  // namespace lulesh
