#include "mesh/Regions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace lulesh {

namespace {

/// random() of the GNU C library, so that materials are the same on every system, and the same as
/// those of the reference program.
class Random {
 public:
  explicit Random(std::uint32_t seed) {
    std::array<std::uint32_t, 34> first{};
    first[0] = seed == 0 ? 1 : seed;
    for (std::size_t i = 1; i < 31; ++i)
      first[i] = static_cast<std::uint32_t>(std::uint64_t{16807} * first[i - 1] % 2147483647);
    for (std::size_t i = 31; i < 34; ++i)
      first[i] = first[i - 31];
    std::copy(first.begin() + 3, first.end(), _last.begin());
    for (int i = 34; i < 344; ++i)
      next();
  }

  int operator()() { return static_cast<int>(next() >> 1); }

 private:
  // _last holds the last 31 values, the oldest at index _at.
  std::uint32_t next() {
    const std::uint32_t value = _last[(_at + 28) % 31] + _last[_at];
    _last[_at] = value;
    _at = (_at + 1) % 31;
    return value;
  }

  std::array<std::uint32_t, 31> _last{};
  std::size_t _at = 0;
};

/// Draws the number of consecutive elements of one material.
int run_length(Random& random) {
  struct Class {
    int below;  // upper bound of the drawn number, out of 1000
    int modulus;
    int minimum;
  };
  constexpr Class classes[] = {{773, 15, 1},    {937, 16, 16},   {970, 32, 32},    {974, 64, 64},
                               {978, 128, 128}, {981, 256, 256}, {1000, 1537, 512}};
  const int drawn = random() % 1000;
  const auto* const found = std::find_if(std::begin(classes), std::end(classes),
                                         [drawn](const Class& c) { return drawn < c.below; });
  return random() % found->modulus + found->minimum;
}

int repetitions_of(int region, const RegionOptions& options) {
  if (region < options.regions / 2) return 1;
  if (region < options.regions - (options.regions + 15) / 20) return 1 + options.cost;
  return 10 * (1 + options.cost);
}

/// The probability of region r is proportional to (r + 1)^balance.
double weight_of(std::size_t region, const RegionOptions& options) {
  return std::pow(static_cast<double>(region + 1), options.balance);
}

}  // namespace

bool has_valid_weights(const RegionOptions& options) {
  double sum = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(options.regions); ++r)
    sum += weight_of(r, options);
  return sum <= std::numeric_limits<int>::max();
}

std::vector<Region> make_regions(const Mesh& mesh, const RegionOptions& options, int unit) {
  const auto count = static_cast<std::size_t>(options.regions);
  std::vector<Region> regions(count);
  for (std::size_t r = 0; r < count; ++r)
    regions[r].repetitions = repetitions_of(static_cast<int>(r), options);

  std::vector<int> ends(count);
  int end = 0;
  for (std::size_t r = 0; r < count; ++r) {
    end = static_cast<int>(end + weight_of(r, options));
    ends[r] = end;
  }
  Random random(static_cast<std::uint32_t>(unit));
  const auto draw = [&] {
    const int drawn = random() % end;
    const auto region = std::upper_bound(ends.begin(), ends.end(), drawn) - ends.begin();
    return (static_cast<std::size_t>(region) + static_cast<std::size_t>(unit)) % count;
  };

  std::size_t last = count;
  std::size_t region = 0;
  int remaining = 0;
  for (int k = 0; k < mesh.count[2]; ++k) {
    for (int j = 0; j < mesh.count[1]; ++j) {
      for (int i = 0; i < mesh.count[0]; ++i) {
        if (count > 1 && remaining == 0) {
          do {
            region = draw();
          } while (region == last);
          last = region;
          remaining = run_length(random);
        }
        --remaining;
        regions[region].elements.push_back(static_cast<std::uint32_t>(mesh.element(i, j, k)));
      }
    }
  }
  return regions;
}

}  // namespace lulesh
