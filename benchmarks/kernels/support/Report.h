#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/Stopwatch.h"

namespace kernels {

class World;

/// Times of one run of the timed part: those of the slowest unit.
struct Sample {
  double total_s = 0;
  /// Time in calls of the exchange and in waits; empty if the program does not measure it.
  std::optional<double> communication_s = std::nullopt;
};

/// Takes `repeat` samples. Each runs `prepare()`, a barrier, `timed(communication)`, and a barrier;
/// the sample covers the last two. `timed` uses the stopwatch to time its exchange, if it can
/// separate it. \collective
std::vector<Sample> take_samples(World& world, int repeat, const std::function<void()>& prepare,
                                 const std::function<void(Stopwatch& communication)>& timed);

/// The result of a program. The same on all units, except for texts that only unit 0 prints.
struct Outcome {
  std::vector<Sample> samples;
  /// Amount of work of one run, and the name of the rate: "updates/s".
  double work = 0;
  std::string rate_unit;
  /// A number that characterizes the computed result: programs that compute the same agree to
  /// 1e-12.
  std::optional<double> result = std::nullopt;
  /// Lines to print: "  table   2^20 words\n".
  std::string description;
  /// Why the verification failed, in one line; empty if it passed.
  std::string failure;
  /// Why the result was not verified; empty if it was. The report of such a run is marked as not
  /// valid.
  std::string unverified = {};

  /// Work per second of the median run.
  double rate() const;
};

/// The text to print: description, times, rate.
std::string describe(const Outcome& outcome);

/// A line of a description: the name, and the text in a second column.
std::string line(const std::string& name, const std::string& text);

/// Writes the outcome as JSON.
/// \throws std::runtime_error if the file cannot be written
void write_report(const std::string& file, const std::string& program, const std::string& via,
                  const World& world, const Outcome& outcome);

}  // namespace kernels
