#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "support/Measure.h"

namespace dash::bench {

/// "12.3 ns", "4.56 us", ...
std::string duration(double ns);
/// "64 KiB", ...
std::string size_of(std::size_t nbytes);
/// "12.3 GB/s"
std::string bandwidth(std::size_t nbytes, double ns);
/// "1.05 (1.01..1.40)": the median and where four fifths of the samples lie.
std::string ratio(const Spread& spread);

/// What was measured, where the samples of a row are medians of several measurements each.
struct Measurements {
  Samples ours = {};
  Samples twin = {};
  Samples twin_again = {};
};

/// What was started to be measured, where that is a program of its own.
struct Origin {
  std::string command = {};   ///< with what it is given in the environment
  std::string progress = {};  ///< what has made progress, as a program of the library says
};

/// The figures that a row was made of, sample by sample.
struct Figures {
  Samples ours = {};
  Samples twin = {};
  Samples twin_again = {};
  std::string unit = "ns";
  Measurements measured = {};  ///< empty if each sample is one
  Origin ours_from = {};
  Origin twin_from = {};
};

/// A line of a table: what we have measured, its twin, and what it has to hold.
struct Row {
  std::string what;
  std::string size;
  std::string ours;
  std::string twin_name;
  std::string twin;
  std::string ratio;
  std::string bar = {};
  std::optional<bool> met = std::nullopt;
  std::string noise = {};  // the ratio of the twin to itself
  Figures figures = {};
  bool by_interval = false;  // it is met, and not by the median
};

/// The same row with its figures.
Row with_figures(Row row, Figures figures);

/// What a program has found, printed at the end as one table.
class Table {
 public:
  void add(Row row);
  /// A line of text below the table.
  void note(std::string text);
  /// Writes the rows, with all their figures, and the notes that were added since the last time to the
  /// end of the file that the environment variable DASH_BENCH_ROWS names, if any (RowFile.h): so a
  /// program that is ended early loses only what it was about.
  void keep();
  /// Prints all to standard output, with the number of bars met, and keeps it.
  void print();

 private:
  std::vector<Row> _rows;
  std::vector<std::string> _notes;
  std::size_t _rows_kept = 0;
  std::size_t _notes_kept = 0;
};

}  // namespace dash::bench
