// Writes values as a picture in the PNG format, with libpng.
#pragma once

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using Color = std::array<double, 3>;    // red, green and blue, from 0 to 255
using ColorMap = std::array<Color, 9>;  // for values from 0 to 1, at equal distances

/// Perceptually uniform: equal differences of values look like equal differences of brightness.
/// The colors of "inferno" by N. Smith and S. van der Walt (public domain, CC0).
constexpr ColorMap inferno{{{0, 0, 4},
                            {33, 12, 74},
                            {86, 16, 110},
                            {137, 34, 106},
                            {187, 55, 84},
                            {227, 89, 50},
                            {249, 140, 10},
                            {249, 201, 50},
                            {252, 255, 164}}};

/// From dark blue to white, with steadily increasing brightness.
constexpr ColorMap ocean{{{6, 13, 42},
                          {10, 34, 80},
                          {14, 60, 116},
                          {22, 90, 148},
                          {40, 122, 174},
                          {74, 154, 192},
                          {120, 186, 208},
                          {178, 217, 225},
                          {245, 250, 248}}};

/// Writes rows of values from 0 to 1. Other values get the first or the last color.
/// \throws std::runtime_error if the file cannot be written
inline void write_png(const std::string& file, std::size_t width, std::span<const double> values,
                      const ColorMap& colors) {
  std::vector<std::uint8_t> palette;
  for (int entry = 0; entry < 256; ++entry) {
    const double position = entry / 255.0 * (colors.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(position), colors.size() - 2);
    for (std::size_t channel = 0; channel < 3; ++channel)
      palette.push_back(static_cast<std::uint8_t>(
          std::lround(std::lerp(colors[below][channel], colors[below + 1][channel],
                                position - static_cast<double>(below)))));
  }
  std::vector<std::uint8_t> pixels;
  for (const double value : values)
    pixels.push_back(static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255)));

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(values.size() / width);
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = 256;
  if (png_image_write_to_file(&image, file.c_str(), 0, pixels.data(), 0, palette.data()) == 0)
    throw std::runtime_error("cannot write " + file + ": " + image.message);
}
