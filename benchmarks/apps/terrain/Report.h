#pragma once

#include <dash/dart/Mapping.h>

#include <array>
#include <cstddef>
#include <string>

#include "Dem.h"
#include "Options.h"
#include "Setup.h"
#include "Steps.h"

namespace terrain {

/// Everything that is decided before the first step.
struct Setup {
  Options options;
  Dem dem;
  double cell_size = 0;  // metres
  TimeStep time;
  std::array<std::size_t, 2> extents{};
  std::array<int, 2> grid{};
};

/// Exchanges the times of the units.
/// \collective all units
/// \returns those of all units, on every unit
TimesOfUnits collect(const StepTimes& own);

/// What is printed before the steps: input, terrain, time, units, exchange.
std::string describe_setup(const Setup& setup);

/// What an exchange of halos costs on each level of the machine, in the order in which the units were
/// started and in that of a team that was mapped to it.
std::string describe_mapping(const dash::dart::MappingReport& report);

/// What is printed after them.
std::string describe_run(const Setup& setup, const TimesOfUnits& times,
                         const Comparison& comparison, double mean_before, double mean_after);

}  // namespace terrain
