#include "Check.h"

#include <fmt/core.h>

#include <bit>

namespace spmv {

double expected_output(const Grid& grid, std::uint64_t row) {
  double result = 6 * input(row);
  const auto subtract = [&](std::uint64_t column) { result -= input(column); };
  for_lower(grid, row, subtract);
  for_upper(grid, row, subtract);
  return result;
}

Fingerprint fingerprint_of(kernels::World& world, const Layout& layout, std::span<const double> y) {
  // Modulo 2^64, like the sums over units.
  std::array<std::uint64_t, 5> sums{};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::uint64_t row = layout.first + i;
    const auto value = static_cast<std::uint64_t>(static_cast<std::int64_t>(y[i]));
    sums[0] += value;
    sums[1] += value * value;
    sums[2] += value * static_cast<std::uint64_t>(static_cast<std::int64_t>(input(row)));
    sums[3] += value * (row + 1);
    if (row == 0) sums[4] = value;
  }
  world.reduce(sums, kernels::World::Reduction::sum);
  const auto number = [](std::uint64_t word) { return std::bit_cast<std::int64_t>(word); };
  return {number(sums[0]), number(sums[1]), number(sums[2]), sums[3], number(sums[4])};
}

std::optional<Fingerprint> known_fingerprint(const Grid& grid) {
  const auto is = [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return grid.a == a && grid.b == b && grid.c == c;
  };
  if (is(4, 4, 4)) return Fingerprint{-73, 2905835, 392942, 0x1617, -321};
  if (is(8, 8, 8)) return Fingerprint{-8, 19449072, 2819372, 0xffffffffffffcd4e, -326};
  if (is(5, 7, 3)) return Fingerprint{-128, 3762376, 564058, 0xffffffffffffde5d, -354};
  if (is(16, 16, 16)) return Fingerprint{-236, 142883584, 21753694, 0xfffffffffffcebdd, -353};
  if (is(32, 32, 32)) return Fingerprint{2, 1227527178, 181586344, 0x4d35d1, -273};
  return std::nullopt;
}

std::array<std::uint64_t, 4> count_values(kernels::World& world, std::span<const double> y) {
  std::array<std::uint64_t, 4> counts{};
  for (const double value : y) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (value == static_cast<double>(i)) ++counts[i];
    }
  }
  world.reduce(counts, kernels::World::Reduction::sum);
  return counts;
}

std::array<std::uint64_t, 4> expected_values(const Grid& grid) {
  // The distribution of the number of missing neighbours of a point: the convolution of those of
  // the three directions.
  std::array<std::uint64_t, 7> counts{1};
  for (const std::uint64_t extent : {grid.a, grid.b, grid.c}) {
    const std::array<std::uint64_t, 3> of_direction =
        extent == 1 ? std::array<std::uint64_t, 3>{0, 0, 1}
                    : std::array<std::uint64_t, 3>{extent - 2, 2, 0};
    std::array<std::uint64_t, 7> next{};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      for (std::size_t j = 0; j < of_direction.size() && i + j < next.size(); ++j)
        next[i + j] += counts[i] * of_direction[j];
    }
    counts = next;
  }
  return {counts[0], counts[1], counts[2], counts[3]};
}

std::string text_of(const Fingerprint& fingerprint) {
  return fmt::format("sum {}, y.y {}, x.y {}, wsum {:#x}, y[0] {}", fingerprint.sum,
                     fingerprint.squares, fingerprint.product, fingerprint.weighted,
                     fingerprint.first);
}

}  // namespace spmv
