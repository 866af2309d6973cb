#include "Report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace lulesh {

std::string describe(const Options& options) {
  const auto& m = options.mesh;
  const auto& u = options.units;
  return fmt::format("Sedov blast, {} x {} x {} elements on {} x {} x {} units, {} materials\n",
                     m[0], m[1], m[2], u[0], u[1], u[2], options.regions.regions);
}

Asymmetry asymmetry_of(const Mesh& mesh, const Fields& fields) {
  Asymmetry result;
  const int edge = std::min(mesh.count[0], mesh.count[1]);
  for (int j = 0; j < edge; ++j) {
    for (int k = j + 1; k < edge; ++k) {
      const double a = fields.energy[mesh.element(k, j, 0)];
      const double b = fields.energy[mesh.element(j, k, 0)];
      const double difference = std::abs(a - b);
      result.largest = std::max(result.largest, difference);
      result.total += difference;
      if (b != 0) result.largest_relative = std::max(result.largest_relative, difference / b);
    }
  }
  return result;
}

std::string describe_result(const Mesh& mesh, const Fields& fields, const Solver& solver,
                            double seconds) {
  const auto& m = mesh.elements;
  const double elements = static_cast<double>(m[0]) * m[1] * m[2];
  const int units = mesh.units[0] * mesh.units[1] * mesh.units[2];
  const double updates = static_cast<double>(solver.cycles()) * elements;
  const Asymmetry asymmetry = asymmetry_of(mesh, fields);
  return fmt::format(
      "  units                 {}\n"
      "  cycles                {}\n"
      "  time                  {:.6e}\n"
      "  final origin energy   {:.16g}\n"
      "  largest difference    {:.6e}  (energy, x against y)\n"
      "  sum of differences    {:.6e}\n"
      "  largest relative one  {:.6e}\n"
      "  elapsed               {:.3g} s\n"
      "  grind time            {:.4g} us a zone and cycle\n"
      "  figure of merit       {:.1f} thousand zone updates a second\n",
      units, solver.cycles(), solver.time(), fields.energy[0], asymmetry.largest, asymmetry.total,
      asymmetry.largest_relative, seconds, seconds * 1e6 * units / updates,
      updates / (1000 * seconds));
}

}  // namespace lulesh
