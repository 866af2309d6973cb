#include "support/Effort.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace dash::bench {

Effort effort() {
  const char* const text = std::getenv("DASH_BENCH_EFFORT");
  const std::string_view value = text == nullptr ? "" : text;
  if (value.empty() || value == "full") return Effort::full;
  if (value == "quick") return Effort::quick;
  throw std::runtime_error(
      fmt::format("the environment variable DASH_BENCH_EFFORT is '{}': full or quick", value));
}

int rounds_at_effort(int full) {
  return effort() == Effort::full ? full : std::min(full, std::max(3, full / 3));
}

double seconds_at_effort(double full) {
  return effort() == Effort::full ? full : full / 5;
}

}  // namespace dash::bench
