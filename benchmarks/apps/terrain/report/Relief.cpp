#include "report/Relief.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace terrain {
namespace {

std::size_t clamp_index(long i, std::size_t extent) {
  return static_cast<std::size_t>(std::clamp(i, 0L, static_cast<long>(extent) - 1));
}

// A source cell of a target cell in one dimension, and its weight.
struct Tap {
  std::size_t index;
  double share;
};

std::vector<Tap> cubic_taps(std::size_t target, std::size_t extent, double scale) {
  const double centre = (static_cast<double>(target) + 0.5) * scale - 0.5;
  const double base = std::floor(centre);
  const double t = centre - base;
  const std::array<double, 4> shares{((2 - t) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2,
                                     ((4 - 3 * t) * t + 1) * t / 2, (t - 1) * t * t / 2};
  std::vector<Tap> taps;
  for (long k = 0; k < 4; ++k) {
    taps.push_back({clamp_index(static_cast<long>(base) - 1 + k, extent),
                    shares[static_cast<std::size_t>(k)]});
  }
  return taps;
}

std::vector<Tap> area_taps(std::size_t target, std::size_t extent, double scale) {
  const double begin = static_cast<double>(target) * scale;
  const double end = begin + scale;
  std::vector<Tap> taps;
  for (auto i = static_cast<std::size_t>(begin); i < extent && static_cast<double>(i) < end; ++i) {
    const double low = std::max(begin, static_cast<double>(i));
    const double high = std::min(end, static_cast<double>(i + 1));
    if (high > low) taps.push_back({i, (high - low) / scale});
  }
  return taps;
}

std::vector<std::vector<Tap>> all_taps(std::size_t targets, std::size_t extent) {
  const double scale = static_cast<double>(extent) / static_cast<double>(targets);
  std::vector<std::vector<Tap>> taps;
  for (std::size_t i = 0; i < targets; ++i) {
    taps.push_back(scale > 1 ? area_taps(i, extent, scale) : cubic_taps(i, extent, scale));
  }
  return taps;
}

// Slopes by Horn's method: differences of the three neighbours on either side, the nearest with
// double weight.
std::pair<double, double> gradient(const Field& z, std::size_t r, std::size_t c, double cell_size) {
  const auto n = r > 0 ? r - 1 : r;
  const auto s = r + 1 < z.rows ? r + 1 : r;
  const auto w = c > 0 ? c - 1 : c;
  const auto e = c + 1 < z.cols ? c + 1 : c;
  const double run_x = cell_size * static_cast<double>(std::max<std::size_t>(e - w, 1));
  const double run_y = cell_size * static_cast<double>(std::max<std::size_t>(s - n, 1));
  const double east = z.at(n, e) + 2 * z.at(r, e) + z.at(s, e);
  const double west = z.at(n, w) + 2 * z.at(r, w) + z.at(s, w);
  const double north = z.at(n, w) + 2 * z.at(n, c) + z.at(n, e);
  const double south = z.at(s, w) + 2 * z.at(s, c) + z.at(s, e);
  return {(east - west) / (4 * run_x),
          (north - south) / (4 * run_y)};  // towards the east and the north
}

struct Light {
  double azimuth;   // degrees from the north, clockwise
  double altitude;  // degrees above the horizon
  double share;
};

constexpr std::array<Light, 4> lights{
    {{315, 40, 0.55}, {270, 45, 0.15}, {0, 45, 0.15}, {225, 55, 0.15}}};

double brightness(double slope_x, double slope_y) {
  const double norm = std::sqrt(1 + slope_x * slope_x + slope_y * slope_y);
  double sum = 0;
  for (const auto& light : lights) {
    const double azimuth = light.azimuth * std::numbers::pi / 180;
    const double altitude = light.altitude * std::numbers::pi / 180;
    const double towards = -slope_x * std::sin(azimuth) - slope_y * std::cos(azimuth);
    sum += light.share * std::max(0.0, (std::cos(altitude) * towards + std::sin(altitude)) / norm);
  }
  return sum;
}

// Running mean over 2 * radius + 1 cells of a line, whose ends are extended by their values.
void blur_line(const double* in, double* out, std::size_t n, std::size_t stride,
               std::size_t radius) {
  const auto at = [&](long i) { return in[clamp_index(i, n) * stride]; };
  const auto reach = static_cast<long>(radius);
  double sum = 0;
  for (long i = -reach; i <= reach; ++i)
    sum += at(i);
  for (long i = 0; i < static_cast<long>(n); ++i) {
    out[static_cast<std::size_t>(i) * stride] = sum / static_cast<double>(2 * reach + 1);
    sum += at(i + reach + 1) - at(i - reach);
  }
}

}  // namespace

Field resample(const Field& field, std::size_t rows, std::size_t cols) {
  const auto across = all_taps(cols, field.cols);
  Field narrow(field.rows, cols);
  for (std::size_t r = 0; r < field.rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) {
      double sum = 0;
      for (const auto& tap : across[c])
        sum += tap.share * field.at(r, tap.index);
      narrow.at(r, c) = sum;
    }
  }
  const auto down = all_taps(rows, field.rows);
  Field result(rows, cols);
  for (std::size_t r = 0; r < rows; ++r) {
    for (const auto& tap : down[r]) {
      const double* source = narrow.row(tap.index);
      for (std::size_t c = 0; c < cols; ++c)
        result.at(r, c) += tap.share * source[c];
    }
  }
  return result;
}

Field hill_shade(const Field& elevation, double cell_size, double exaggeration) {
  Field shade(elevation.rows, elevation.cols);
  for (std::size_t r = 0; r < elevation.rows; ++r) {
    for (std::size_t c = 0; c < elevation.cols; ++c) {
      const auto [x, y] = gradient(elevation, r, c, cell_size);
      shade.at(r, c) = brightness(x * exaggeration, y * exaggeration);
    }
  }
  return shade;
}

Field local_height(const Field& elevation, std::size_t radius) {
  Field mean = elevation;
  Field other = elevation;
  // Three successive running means approximate a Gaussian filter.
  for (int pass = 0; pass < 3; ++pass) {
    for (std::size_t r = 0; r < mean.rows; ++r)
      blur_line(mean.row(r), other.row(r), mean.cols, 1, radius);
    for (std::size_t c = 0; c < mean.cols; ++c) {
      blur_line(other.cells.data() + c, mean.cells.data() + c, mean.rows, mean.cols, radius);
    }
  }
  for (std::size_t i = 0; i < mean.cells.size(); ++i)
    mean.cells[i] = elevation.cells[i] - mean.cells[i];
  return mean;
}

double magnitude_quantile(const Field& field, double share) {
  if (field.cells.empty()) return 0;
  std::vector<double> magnitudes(field.cells.size());
  std::transform(field.cells.begin(), field.cells.end(), magnitudes.begin(),
                 [](double v) { return std::abs(v); });
  const auto last = static_cast<double>(magnitudes.size() - 1);
  const auto nth = magnitudes.begin() + std::lround(share * last);
  std::nth_element(magnitudes.begin(), nth, magnitudes.end());
  return *nth;
}

double choose_exaggeration(const Field& elevation, double cell_size) {
  Field steepness(elevation.rows, elevation.cols);
  for (std::size_t r = 0; r < elevation.rows; ++r) {
    for (std::size_t c = 0; c < elevation.cols; ++c) {
      const auto [x, y] = gradient(elevation, r, c, cell_size);
      steepness.at(r, c) = std::hypot(x, y);
    }
  }
  constexpr double steep_slope = 0.9;  // a rise of 0.9 in 1
  const double steep = magnitude_quantile(steepness, 0.95);
  return steep > 0 ? std::clamp(steep_slope / steep, 0.1, 1000.0) : 1.0;
}

}  // namespace terrain
