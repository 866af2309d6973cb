#pragma once

#include <functional>
#include <string>
#include <utility>

#include "support/Table.h"

namespace dash::bench {

/// Runs the comparisons of a program one after the other. If one fails, the others still run.
class ComparisonSet {
 public:
  /// \param name  of the program; prefixes error messages
  explicit ComparisonSet(std::string name) : _name(std::move(name)) {}

  /// Runs a comparison and writes its rows to the row file (Table::flush).
  /// \param comparison  adds rows to the table. If it throws, the rows that it has added stay; the message
  ///                    goes to standard error immediately, and its first two lines to a note below the
  ///                    table.
  void run(const std::function<void(Table&)>& comparison);

  /// Prints the table of all comparisons.
  /// \returns the exit code of the program: not 0 if a comparison has failed
  int finish();

 private:
  std::string _name;
  Table _table;
  int _failed = 0;
};

/// Implements main() of a program that consists of comparisons.
/// \param name     of the program
/// \param measure  runs the comparisons. An exception that it throws itself counts as one more failed
///                 comparison.
/// \returns the exit code
int run_comparisons(const char* name, const std::function<void(ComparisonSet&)>& measure);

}  // namespace dash::bench
