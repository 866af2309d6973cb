#pragma once

#include <dash/dart/Mapping.h>

#include <array>
#include <cstddef>
#include <string>

#include "Options.h"
#include "Setup.h"
#include "input/Dem.h"
#include "report/Steps.h"

namespace terrain {

/// The parameters of a run, determined before the first step.
struct Setup {
  Options options;
  Dem dem;
  double cell_size = 0;  // metres
  TimeStep time;
  std::array<std::size_t, 2> extents{};
  std::array<int, 2> grid{};
};

/// Gathers the times of all units on every unit.
/// \collective over all units
TimesOfUnits collect(const StepTimes& own);

/// The text printed before the steps: input, terrain, time, units, exchange.
std::string describe_setup(const Setup& setup);

/// The cost of a halo exchange on each level of the machine, for units in the order in which they
/// were started and for the mapped team.
std::string describe_mapping(const dash::dart::MappingReport& report);

/// The text printed after the steps.
std::string describe_run(const Setup& setup, const TimesOfUnits& times,
                         const Comparison& comparison, double mean_before, double mean_after);

}  // namespace terrain
