#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dash::report {

/// What a user can mend: a file that is not what it should be, a name that is none.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Ours or its twin.
struct Side {
  std::string name;  // of the twin
  std::string text;  // its median, for people
  std::vector<double> samples;
};

/// Ours over the twin. `low` to `high` holds the median with 95 % certainty.
struct Ratio {
  std::string text;
  struct Interval {
    double low = 0;
    double median = 0;
    double high = 0;
  };
  std::optional<Interval> interval;
};

struct Row {
  /// A name that begins with spaces goes on that of the row before: `full_name` says all of it.
  std::string what;
  std::string full_name;
  std::string size;
  std::string unit;  // of the samples
  Side ours;
  std::optional<Side> twin;
  Ratio ratio;
  std::string noise;
  std::string bar;
  std::optional<bool> met;
  bool by_interval = false;  // it is met, and not by the median
};

struct Run {
  std::string program;
  int units = 0;  // 0: without mpiexec, or it starts programs itself
  std::string layout;
  std::string mode;
  double seconds = 0;
  int code = 0;
  std::string output;  // of one that failed
  std::vector<Row> rows;
  std::vector<std::string> notes;
};

struct Results {
  std::string began;
  std::string effort;
  std::string word;
  double seconds = 0;
  /// Names and values, for people.
  std::vector<std::pair<std::string, std::string>> machine;
  std::vector<std::pair<std::string, std::string>> versions;
  std::vector<std::pair<std::string, std::string>> settings;  // but for defaults
  std::vector<Run> runs;
  std::string file;  // they are from
};

/// \throws Error that names the file and the place in it
Results read_results(const std::string& path);

/// What was measured in parts, in the order of names; of a run in two parts the later one counts.
/// \pre there is one
/// \throws Error if they were not measured with the same effort, machine, versions or settings
Results joined(std::vector<Results> parts);

/// The number of bars, and of those that are met.
struct Bars {
  int all = 0;
  int met = 0;
  int by_interval = 0;  // of those that are met
};
/// "3 of 4 bars met, 1 by the interval only"
std::string text_of(const Bars& bars);
Bars bars_of(const Run& run);
Bars bars_of(const Results& results);

/// What a run's notes say of contests that have failed, whose rows and bars are missing.
std::vector<std::string> failures_in(const Run& run);

/// "bench_dart_rma, 2 units, nolocal, poll", without what is usual.
std::string name_of(const Run& run);

}  // namespace dash::report
