#include "support/Contests.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace dash::bench {

void Contests::run(const std::function<void(Table&)>& contest) {
  try {
    contest(_table);
  } catch (const std::exception& error) {
    ++_failed;
    const std::string_view text = error.what();
    fmt::print(stderr, "{}: {}\n", _name, text);
    _table.note(fmt::format("failed: {}", text.substr(0, text.find('\n'))));
  }
}

int Contests::finish() const {
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
