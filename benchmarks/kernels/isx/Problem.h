#pragma once

#include <cstdint>
#include <string>

#include "Keys.h"
#include "support/NasKeys.h"

namespace isx {

struct Options {
  std::string mode = "weak";
  std::uint64_t keys = 1 << 20;
  std::uint64_t max_key = 1 << 28;
  std::string size = "S";
};

/// What a run sorts.
struct Problem {
  std::uint64_t own = 0;       // keys of the caller
  std::uint64_t capacity = 0;  // keys that any unit has at the most
  std::uint64_t total = 0;
  std::uint32_t width = 0;  // of buckets
  std::uint32_t max_key = 0;
  const kernels::NasClass* nas = nullptr;

  /// \throws kernels::UserError
  static Problem of(const Options& options, int unit, int units);
};

}  // namespace isx
