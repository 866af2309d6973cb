#include "support/Contests.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace dash::bench {

void Contests::run(const std::function<void(Table&)>& contest) {
  try {
    contest(_table);
  } catch (const std::exception& error) {
    ++_failed;
    std::string text = error.what();
    fmt::print(stderr, "{}: {}\n", _name, text);
    // What has failed, and why; not what it has printed.
    const std::size_t first_end = text.find('\n');
    if (first_end != std::string::npos) {
      text.resize(std::min(text.size(), text.find('\n', first_end + 1)));
      text.replace(first_end, 1, ": ");
    }
    _table.note("failed: " + text);
  }
  _table.keep();
}

int Contests::finish() {
  _table.print();
  return _failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run_contests(const char* name, const std::function<void(Contests&)>& measure) {
  Contests contests(name);
  // Rows of the contests before are not lost either if `measure` itself throws.
  contests.run([&](Table& /*table*/) { measure(contests); });
  return contests.finish();
}

}  // namespace dash::bench
