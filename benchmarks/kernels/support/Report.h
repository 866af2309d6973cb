#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/Stopwatch.h"

namespace kernels {

class World;

/// One run of the timed part: of the slowest unit.
struct Sample {
  double total_s = 0;
  /// In calls of the exchange and waits, where that can be told apart.
  std::optional<double> communication_s = std::nullopt;
};

/// Takes samples: `prepare()`, a barrier, `timed(communication)`, a barrier, of which the latter two
/// count. `timed` has the stopwatch time its exchange, if it can. \collective
std::vector<Sample> take_samples(World& world, int repeat, const std::function<void()>& prepare,
                                 const std::function<void(Stopwatch& communication)>& timed);

/// What a program has found; the same on all units, but for what unit 0 alone says of it.
struct Outcome {
  std::vector<Sample> samples;
  /// What a run does, and the name of that in a second: "updates/s".
  double work = 0;
  std::string rate_unit;
  /// A number that says what has been computed: programs that do the same agree in it to 1e-12.
  std::optional<double> result = std::nullopt;
  /// Lines for people: "  table   2^20 words\n".
  std::string description;
  /// What does not verify, in one line; empty if all is well.
  std::string complaint;
  /// Why the result was not compared with anything; empty if it was. Such a run counts for nothing.
  std::string unverified = {};

  /// By the median run.
  double rate() const;
};

/// For people: description, times, rate.
std::string describe(const Outcome& outcome);

/// A line of a description, its words in a column.
std::string line(const std::string& name, const std::string& text);

/// \throws std::runtime_error if the file cannot be written
void write_report(const std::string& file, const std::string& program, const std::string& via,
                  const World& world, const Outcome& outcome);

}  // namespace kernels
