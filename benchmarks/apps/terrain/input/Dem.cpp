#include "input/Dem.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "input/Pgm.h"

namespace terrain {
namespace {

// A minute of latitude is a nautical mile, with an error of at most half a percent anywhere on
// earth.
constexpr double metres_per_degree = 60 * 1852.0;

}  // namespace

std::optional<double> cell_size_from_comment(const std::string& comment) {
  const auto begin = comment.find("cell ");
  if (begin == std::string::npos) return std::nullopt;
  std::istringstream words(comment.substr(begin + 5));
  double size = 0;
  std::string unit;
  if (!(words >> size >> unit) || !std::isfinite(size) || size <= 0) return std::nullopt;
  if (unit.starts_with("deg")) return size * metres_per_degree;
  if (unit == "m" || unit == "m;" || unit == "m,") return size;
  return std::nullopt;
}

Dem read_dem(const std::string& path) {
  auto image = read_pgm(path);
  Dem dem{image.rows, image.cols, std::nullopt, std::move(image.samples)};
  for (const auto& comment : image.comments) {
    if (!dem.cell_size) dem.cell_size = cell_size_from_comment(comment);
  }
  return dem;
}

void write_dem(const std::string& path, const Field& elevation, double cell_size) {
  Pgm image;
  image.rows = elevation.rows;
  image.cols = elevation.cols;
  image.comments.push_back(fmt::format(" elevation in metres; cell {} m; north up", cell_size));
  image.samples.resize(elevation.cells.size());
  std::transform(
      elevation.cells.begin(), elevation.cells.end(), image.samples.begin(),
      [](double z) { return static_cast<std::uint16_t>(std::clamp(std::round(z), 0.0, 65535.0)); });
  write_pgm(path, image);
}

}  // namespace terrain
