#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "Keys.h"
#include "support/NasKeys.h"

namespace isx {

struct Options {
  std::string mode = "weak";
  // Each only for some modes; those have defaults.
  std::optional<std::uint64_t> keys;
  std::optional<std::uint64_t> max_key;
  std::optional<std::string> size;
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
