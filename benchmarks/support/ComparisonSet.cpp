#include "support/ComparisonSet.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace dash::bench {

void ComparisonSet::run(const std::function<void(Table&)>& comparison) {
  try {
    comparison(_table);
  } catch (const std::exception& error) {
    ++_failed;
    std::string text = error.what();
    fmt::print(stderr, "{}: {}\n", _name, text);
    // Only the first two lines: the command that failed and the reason, without its output.
    const std::size_t first_end = text.find('\n');
    if (first_end != std::string::npos) {
      text.resize(std::min(text.size(), text.find('\n', first_end + 1)));
      text.replace(first_end, 1, ": ");
    }
    _table.add_note("failed: " + text);
  }
  _table.flush();
}

int ComparisonSet::finish() {
  _table.print();
  return _failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run_comparisons(const char* name, const std::function<void(ComparisonSet&)>& measure) {
  ComparisonSet comparisons(name);
  // Also keeps the rows of earlier comparisons if `measure` itself throws.
  comparisons.run([&](Table& /*table*/) { measure(comparisons); });
  return comparisons.finish();
}

}  // namespace dash::bench
