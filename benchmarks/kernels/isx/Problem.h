#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "Keys.h"
#include "support/NasKeys.h"

namespace isx {

struct Options {
  std::string mode = "weak";
  // Each is valid only in some modes, which have defaults.
  std::optional<std::uint64_t> keys;
  std::optional<std::uint64_t> max_key;
  std::optional<std::string> size;
};

/// The parameters of a sort.
struct Problem {
  std::uint64_t own = 0;       // number of keys of the caller
  std::uint64_t capacity = 0;  // maximum number of keys of a unit
  std::uint64_t total = 0;
  std::uint32_t width = 0;  // number of values of a bucket
  std::uint32_t max_key = 0;
  const kernels::NasClass* nas = nullptr;

  /// \throws kernels::UserError
  static Problem of(const Options& options, int unit, int units);
};

}  // namespace isx
