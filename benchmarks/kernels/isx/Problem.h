#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "Keys.h"

namespace isx {

struct Options {
  std::string mode = "weak";
  std::uint64_t keys = 1 << 20;
  std::uint64_t max_key = 1 << 28;
  std::string size = "S";
};

/// A class of NAS IS: what is known of ranks.
struct NasClass {
  char name = 'S';
  std::uint64_t keys = 0;
  std::uint32_t range = 0;
  static constexpr int tests = 5;
  static constexpr int iterations = 10;
  /// Places whose keys' ranks are tested.
  std::array<std::uint64_t, tests> places{};
  std::array<std::uint64_t, tests> ranks{};
  /// The first ranks grow with the iterations, the others shrink.
  int rising = 0;
  int rise_from = 0;
  int fall_from = 0;

  /// Of test `i` after iteration `iteration`, from 1 on.
  std::uint64_t expected_rank(int i, int iteration) const;
};

/// \returns nullptr if there is none of that name
const NasClass* find_nas_class(const std::string& name);

/// What a run sorts.
struct Problem {
  std::uint64_t own = 0;       // keys of the caller
  std::uint64_t capacity = 0;  // keys that any unit has at the most
  std::uint64_t total = 0;
  std::uint32_t width = 0;  // of buckets
  std::uint32_t max_key = 0;
  const NasClass* nas = nullptr;

  /// \throws kernels::UserError
  static Problem of(const Options& options, int unit, int units);
};

}  // namespace isx
