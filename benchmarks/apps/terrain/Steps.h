#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace terrain {

/// Where the time of some steps went, on one unit. Seconds.
struct StepTimes {
  long steps = 0;
  double total = 0;
  double starting = 0;  // beginning the halo exchange: sending the own border
  double waiting = 0;   // for halos that have not arrived

  StepTimes& operator+=(const StepTimes& other);
};

/// The times of all units for the same steps.
using TimesOfUnits = std::vector<StepTimes>;

/// How a step exchanges halos.
enum class Exchange {
  overlapped,  ///< while the inner cells are computed
  first,       ///< completed before any cell is computed
  left_out     ///< not at all, to know what a step takes without: border cells become wrong
};
inline constexpr std::size_t exchanges = 3;

/// Times of further steps in each way, in the order of the values of Exchange.
struct Comparison {
  long steps = 0;  // of each way; 0: none were made
  std::vector<TimesOfUnits> times;
};

/// Some of the steps that are compared, which take half a second in all. The same on all units, if the
/// argument is.
long steps_of_a_turn(double seconds_a_step);

/// Steps in all ways, in turns, so that what else the machine does meets all. The last turn is of overlapped
/// steps, so that they can be verified.
/// \param run          takes so many steps
/// \param collect      the times of all units
/// \param before_last  called before the last turn. All are collective
Comparison compare(long steps_a_turn, const std::function<StepTimes(long, Exchange)>& run,
                   const std::function<TimesOfUnits(const StepTimes&)>& collect,
                   const std::function<void()>& before_last);

/// What is printed of a comparison.
std::string describe(const Comparison& comparison);

/// What a report says of a run.
struct RunFacts {
  std::string program;
  std::string via;  // how it exchanges
  std::string progress = {};
  bool is_verified = false;
};

/// Writes the longest time of a step that any unit took, of the run and in each way of the comparison, if there
/// is one:
///
///     {"program": "terrain", "via": "dash", "units": 2, "progress": "poll", "verified": true, "steps": 20,
///      "step_s": 1.2e-3, "compared": {"steps": 400, "overlapped_s": 1.1e-3, "first_s": 1.4e-3,
///      "left_out_s": 1e-3}}
///
/// \throws UserError if the file cannot be written
void write_report(const std::string& path, const RunFacts& facts, const TimesOfUnits& times,
                  const Comparison& comparison);

/// A line of what is printed.
std::string line(const std::string& name, const std::string& text);

/// "1.23 ms"
std::string duration(double seconds);

/// Of one quantity over the units, for one step.
struct Spread {
  double mean = 0;
  double most = 0;
};
Spread a_step(const TimesOfUnits& times, double StepTimes::*quantity);

/// The longest time any unit took for its steps. Seconds.
double longest_total(const TimesOfUnits& times);

}  // namespace terrain
