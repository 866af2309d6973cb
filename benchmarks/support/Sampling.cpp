#include "support/Sampling.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace dash::bench {

Sampling sampling() {
  const char* const text = std::getenv("DASH_BENCH_SAMPLING");
  const std::string_view value = text == nullptr ? "" : text;
  if (value.empty() || value == "full") return Sampling::full;
  if (value == "quick") return Sampling::quick;
  throw std::runtime_error(fmt::format(
      "the environment variable DASH_BENCH_SAMPLING is '{}': expected full or quick", value));
}

int scaled_rounds(int full) {
  return sampling() == Sampling::full ? full : std::min(full, std::max(3, full / 3));
}

double scaled_seconds(double full) {
  return sampling() == Sampling::full ? full : full / 5;
}

}  // namespace dash::bench
