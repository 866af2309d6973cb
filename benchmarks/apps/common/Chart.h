#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>

#include "common/Canvas.h"

/// \file
/// Elements of the applications' pictures: maps with a caption above and a legend below.

namespace apps {

inline constexpr Color paper{251, 250, 247};
inline constexpr Color ink{52, 54, 58};
inline constexpr Color faint_ink{120, 122, 126};
inline constexpr Color black{0, 0, 0};
inline constexpr Color white{255, 255, 255};

/// Position and size of a map in the picture, in pixels.
struct Panel {
  long x;
  long y;
  long width;
  long height;
};

/// \param color  returns the color of a pixel of the map: row from the top, column from the left
void draw_map(Canvas& canvas, const Panel& panel,
              const std::function<Color(std::size_t, std::size_t)>& color);

/// Draws two lines of text into the 72 pixels above the map.
void draw_caption(Canvas& canvas, const Panel& panel, const std::string& title,
                  const std::string& explanation);

/// Draws a color scale with labels into the 76 pixels below the map.
/// \param color   returns the color of a value from 0 (left) to 1 (right)
/// \param labels  texts on the left, in the middle and on the right
void draw_legend(Canvas& canvas, const Panel& panel, const std::function<Color(double)>& color,
                 const std::array<std::string, 3>& labels);

}  // namespace apps
