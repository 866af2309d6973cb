#include <algorithm>
#include <cmath>
#include <numeric>

#include "dash/Exception.h"
#include "dash/Team.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart_locality.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/pattern/LoadBalancePattern.h"

namespace dash {

double UnitClockFreqMeasure::weight(const dart_hwinfo_t& hardware, double cores) noexcept {
  const int mhz = std::max(hardware.max_cpu_mhz, hardware.min_cpu_mhz);
  return std::max(cores, 0.0) * std::max(mhz, 0);
}

double UnitClockFreqMeasure::weight(const dart_hwinfo_t& hardware) noexcept {
  return weight(hardware, hardware.num_cores);
}

double BytesPerCycleMeasure::weight(const dart_hwinfo_t& hardware) noexcept {
  return std::max(hardware.max_shmem_mbps, 0);
}

namespace internal {

std::vector<double> unit_weights(const Team& team, UnitMeasure measure) {
  std::vector<double> weights(team.size(), 1.0);
  if (weights.empty()) return weights;
  check(dart_team_locality_measure(team.dart_id()), "measuring the hardware of units");
  const std::vector<dart::UnitPlacement> placements = dart::unit_placements();
  double sum = 0;
  for (std::size_t unit = 0; unit < weights.size(); ++unit) {
    const team_unit_t id(static_cast<dart_unit_t>(unit));
    dart_unit_locality_t* locality = nullptr;
    check(dart_unit_locality(team.dart_id(), id, &locality), "query of the hardware of a unit");
    const auto global = static_cast<std::size_t>(team.global_id(id).id);
    const double cores = placements[global].core_share;
    weights[unit] = measure(locality->hwinfo, cores > 0 ? cores : locality->hwinfo.num_cores);
    if (!(weights[unit] > 0)) return std::vector<double>(team.size(), 1.0);
    sum += weights[unit];
  }
  for (double& weight : weights)
    weight *= static_cast<double>(weights.size()) / sum;
  return weights;
}

std::vector<double> mean_weights(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) {
    DASH_THROW(dash::exception::InvalidArgument,
               a.size() << " weights of computation and " << b.size()
                        << " of memory; expected one of each for each unit");
  }
  std::vector<double> mean(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    mean[i] = (a[i] + b[i]) / 2;
  return mean;
}

std::vector<std::size_t> proportional_shares(std::size_t whole,
                                             const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) {
    if (!(weight >= 0) || !std::isfinite(weight)) {
      DASH_THROW(dash::exception::InvalidArgument,
                 "weight " << weight << " of a unit; expected a number of 0 or more");
    }
    sum += weight;
  }
  if (!weights.empty() && !(sum > 0)) {
    DASH_THROW(dash::exception::InvalidArgument, "the weights of all units are 0");
  }
  std::vector<std::size_t> shares(weights.size());
  // Rounding the cumulative weights, instead of each weight, makes the sum of the shares exact.
  double before = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    before += weights[i];
    const bool is_last = i + 1 == weights.size();
    const auto cut = static_cast<long double>(whole) * (before / sum);
    const auto end = is_last ? whole : std::min(whole, static_cast<std::size_t>(cut + 0.5L));
    shares[i] = end - begin;
    begin = end;
  }
  return shares;
}

}  // namespace internal

}  // namespace dash
