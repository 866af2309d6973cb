#pragma once

#include <functional>
#include <string>
#include <utility>

#include "support/Table.h"

namespace dash::bench {

/// The contests of a program, one after the other. One that fails does not take the others with it.
class Contests {
 public:
  /// \param name  of the program, for what is said of those that fail
  explicit Contests(std::string name) : _name(std::move(name)) {}

  /// \param contest  adds its rows. If it throws, those that it has added stay; the text goes to
  ///                 standard error at once, and its first two lines below the table. Either
  ///                 way they are kept then (Table::keep).
  void run(const std::function<void(Table&)>& contest);

  /// Prints the table of all.
  /// \returns the exit code of the program: not 0 if a contest has failed
  int finish();

 private:
  std::string _name;
  Table _table;
  int _failed = 0;
};

/// The main program of contests.
/// \param name     of the program
/// \param measure  runs them. What it throws itself is one more that has failed.
/// \returns the exit code
int run_contests(const char* name, const std::function<void(Contests&)>& measure);

}  // namespace dash::bench
