#pragma once

/// \file
/// Keys of NAS IS, and what is known of them.

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace kernels {

/// A class of NAS IS: 2^log_keys keys below 2^log_range, and ranks of some of them.
struct NasClass {
  static constexpr int tests = 5;
  static constexpr int iterations = 10;

  char name = 'S';
  int log_keys = 0;
  int log_range = 0;
  /// Places whose keys' ranks are tested.
  std::array<std::uint64_t, tests> places{};
  std::array<std::int64_t, tests> ranks{};
  /// The first ranks grow with the iterations, the others shrink.
  int rising = 0;
  int rise_from = 0;
  int fall_from = 0;

  std::uint64_t keys() const { return std::uint64_t{1} << log_keys; }
  std::uint32_t range() const { return std::uint32_t{1} << log_range; }
  /// How many keys are below that of test `i` in iteration `iteration`, from 1 on.
  std::uint64_t expected_rank(int i, int iteration) const;
};

/// \returns nullptr if nothing is known of a class of that name, or of that size
/// @{
const NasClass* find_nas_class(const std::string& name);
const NasClass* find_nas_class(int log_keys, int log_range);
/// @}

/// Writes keys of the sequence, from number `first` on: below 2^log_range.
void make_nas_keys(int log_range, std::uint64_t first, std::span<std::uint32_t> keys);

/// As IS does before an iteration, from 1 on: two keys become others.
/// \param first  number in the sequence of keys.front()
void change_nas_keys(int log_range, int iteration, std::uint64_t first,
                     std::span<std::uint32_t> keys);

}  // namespace kernels
