#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace terrain {

/// Times of some steps on one unit, in seconds.
struct StepTimes {
  long steps = 0;
  double total = 0;
  double starting = 0;  // starting the halo exchange: sending the unit's own border
  double waiting = 0;   // waiting for halos

  StepTimes& operator+=(const StepTimes& other);
};

/// The times of all units for the same steps.
using TimesOfUnits = std::vector<StepTimes>;

/// How a step exchanges halos.
enum class Exchange {
  overlapped,  ///< during the computation of the inner cells
  blocking,    ///< completed before the computation
  none  ///< no exchange, to measure the time of the computation alone; border cells become wrong
};
inline constexpr std::size_t exchanges = 3;

/// Times of further steps with each kind of exchange, in the order of the values of Exchange.
struct Comparison {
  long steps = 0;  // number of steps with each kind of exchange; 0: no comparison
  std::vector<TimesOfUnits> times;
};

/// The number of steps in a round of the comparison, so that the comparison takes about half a
/// second for each kind of exchange. The same on all units if the argument is.
long steps_per_round(double seconds_per_step);

/// Compares the kinds of exchange in interleaved rounds, so that the load of the machine affects
/// all of them equally. The last steps are overlapped ones, so that the caller can verify them.
/// \param run          runs a number of steps; collective
/// \param collect      returns the times of all units; collective
/// \param before_last  called before the last steps; collective
Comparison compare(long steps_in_round, const std::function<StepTimes(long, Exchange)>& run,
                   const std::function<TimesOfUnits(const StepTimes&)>& collect,
                   const std::function<void()>& before_last);

/// The text printed for a comparison.
std::string describe(const Comparison& comparison);

/// Facts of a run for the report.
struct RunFacts {
  std::string program;
  std::string via;  // how the units exchange data
  std::string progress = {};
  bool is_verified = false;
};

/// Writes the maximum time per step of any unit, for the run and for each kind of exchange of the
/// comparison, if there is one:
///
///     {"program": "terrain", "via": "dash", "units": 2, "progress": "poll", "valid": true,
///      "steps": 20, "step_s": 1.2e-3, "samples": [{"total_s": 2.4e-2}],
///      "compared": {"steps": 400, "overlapped_s": 1.1e-3, "first_s": 1.4e-3,
///      "left_out_s": 1e-3}}
///
/// \throws UserError if the file cannot be written
void write_report(const std::string& path, const RunFacts& facts, const TimesOfUnits& times,
                  const Comparison& comparison);

/// A line of the output: the name, and the text in a second column.
std::string line(const std::string& name, const std::string& text);

/// Formats a duration: "1.23 ms".
std::string duration(double seconds);

/// Mean and maximum of a quantity over the units.
struct Spread {
  double mean = 0;
  double max = 0;
};
/// The time per step of a quantity.
Spread per_step(const TimesOfUnits& times, double StepTimes::*quantity);

/// The maximum time of a unit for its steps, in seconds.
double max_total(const TimesOfUnits& times);

}  // namespace terrain
