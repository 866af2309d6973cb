#include "report/Report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lulesh {

namespace {

/// The median communication time; 0 if nothing was exchanged.
double communication_of(const kernels::Outcome& outcome) {
  std::vector<double> seconds;
  for (const kernels::Sample& sample : outcome.samples)
    seconds.push_back(sample.communication_s.value_or(0));
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace

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
      ++result.pairs;
      result.largest = std::max(result.largest, difference);
      result.total += difference;
      if (b != 0) result.largest_relative = std::max(result.largest_relative, difference / b);
    }
  }
  return result;
}

std::string describe_result(const Mesh& mesh, const Fields& fields, const BlastResult& result) {
  const auto& outcome = result.outcome;
  const int units = mesh.units[0] * mesh.units[1] * mesh.units[2];
  const double rate = outcome.rate();
  std::string symmetry;
  if (mesh.elements[0] == mesh.elements[1]) {
    const Asymmetry asymmetry = asymmetry_of(mesh, fields);
    symmetry = fmt::format(
        "  largest difference    {:.6e}  (energy, x versus y)\n"
        "  sum of differences    {:.6e}\n"
        "  largest relative      {:.6e}\n",
        asymmetry.largest, asymmetry.total, asymmetry.largest_relative);
  }
  std::string runs;
  if (outcome.samples.size() > 1) runs = fmt::format(", median of {} runs", outcome.samples.size());
  return fmt::format(
      "  units                 {}\n"
      "  cycles                {}\n"
      "  time                  {:.6e}\n"
      "  final origin energy   {:.16g}\n"
      "  verified              {}\n"
      "{}"
      "  elapsed               {:.3g} s{}\n"
      "  communication         {:.3g} s\n"
      "  grind time            {:.4g} us per zone and cycle\n"
      "  figure of merit       {:.1f} thousand zone updates per second\n",
      units, result.cycles, result.time, result.origin_energy, result.verification, symmetry,
      rate > 0 ? outcome.work / rate : 0, runs, communication_of(outcome),
      rate > 0 ? 1000 * units / rate : 0, rate);
}

}  // namespace lulesh
