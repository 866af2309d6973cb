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
};

/// What a program has found, printed at the end as one table.
class Table {
 public:
  void add(Row row);
  /// A line of text below the table.
  void note(std::string text);
  /// Prints to standard output, with the number of bars met. The rows also go to the end of the file
  /// that the environment variable DASH_BENCH_ROWS names, if any: a line each, cells parted by tabs.
  void print() const;

 private:
  void append_rows() const;

  std::vector<Row> _rows;
  std::vector<std::string> _notes;
};

}  // namespace dash::bench
