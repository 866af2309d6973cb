#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "support/Measure.h"

namespace dash::bench {

/// "12.3 ns", "4.56 us", ...
std::string format_duration(double ns);
/// "64 KiB", ...
std::string format_size(std::size_t nbytes);
/// "12.3 GB/s"
std::string format_bandwidth(std::size_t nbytes, double ns);
/// "1.05 (1.01..1.40)": the median, and the 10th and 90th percentile.
std::string format_ratio(const Spread& spread);

/// All measurements of a row, if each of its samples is the median of several.
struct Measurements {
  Samples ours = {};
  Samples baseline = {};
  Samples baseline_repeated = {};
};

/// Where the samples come from, if that is a separate program.
struct Origin {
  std::string command = {};   ///< with the variables that are added to its environment
  std::string progress = {};  ///< its progress mode, as a program of the library reports it
};

/// The samples that a row was computed from.
struct Figures {
  Samples ours = {};
  Samples baseline = {};
  Samples baseline_repeated = {};
  std::string unit = "ns";
  Measurements measured = {};  ///< empty if each sample is a single measurement
  Origin ours_origin = {};
  Origin baseline_origin = {};
};

/// A row of a table: our result, the baseline's, and the goal.
struct Row {
  std::string name;
  std::string size;
  std::string ours;
  std::string baseline_name;
  std::string baseline;
  std::string ratio;
  std::string goal = {};
  std::optional<bool> met = std::nullopt;  // nothing without a goal
  std::string noise = {};                  // the ratio of two measurements of the baseline
  Figures figures = {};
};

/// The same row with its figures.
Row with_figures(Row row, Figures figures);

/// The results of a program, printed at its end as one table.
class Table {
 public:
  void add(Row row);
  /// Adds a line of text below the table.
  void add_note(std::string text);
  /// Appends the rows (with all their figures) and notes that were added since the last call to the file
  /// that the environment variable DASH_BENCH_ROWS names, if it is set (RowFile.h). A program that is
  /// terminated early thus loses only the comparison that it was running.
  void flush();
  /// Prints the table to standard output, with the number of goals that are met, and flushes it.
  void print();

 private:
  std::vector<Row> _rows;
  std::vector<std::string> _notes;
  std::size_t _num_flushed_rows = 0;
  std::size_t _num_flushed_notes = 0;
};

}  // namespace dash::bench
