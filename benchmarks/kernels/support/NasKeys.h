#pragma once

/// \file
/// Keys of the NAS IS benchmark, and their known ranks.

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace kernels {

/// A problem class of NAS IS: 2^log_keys keys below 2^log_range, and the ranks of some of them.
struct NasClass {
  static constexpr int tests = 5;
  static constexpr int iterations = 10;

  char name = 'S';
  int log_keys = 0;
  int log_range = 0;
  /// Indices of the keys whose ranks are tested.
  std::array<std::uint64_t, tests> places{};
  std::array<std::int64_t, tests> ranks{};
  /// The ranks of the first `rising` tests grow with the iterations, the others shrink.
  int rising = 0;
  int rise_from = 0;
  int fall_from = 0;

  std::uint64_t keys() const { return std::uint64_t{1} << log_keys; }
  std::uint32_t range() const { return std::uint32_t{1} << log_range; }
  /// The number of keys below the key of test `i` in iteration `iteration`, counted from 1.
  std::uint64_t expected_rank(int i, int iteration) const;
};

/// \returns nullptr if there is no class of that name or size
/// @{
const NasClass* find_nas_class(const std::string& name);
const NasClass* find_nas_class(int log_keys, int log_range);
/// @}

/// Generates keys below 2^log_range, beginning with key number `first` of the sequence.
void make_nas_keys(int log_range, std::uint64_t first, std::span<std::uint32_t> keys);

/// Replaces two keys, as IS does before each iteration.
/// \param iteration  counted from 1
/// \param first      number of keys.front() in the sequence
void change_nas_keys(int log_range, int iteration, std::uint64_t first,
                     std::span<std::uint32_t> keys);

}  // namespace kernels
