#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>

#include "common/Canvas.h"

/// \file
/// What pictures of the applications are made of: maps with a caption above and a legend below.

namespace apps {

inline constexpr Color paper{251, 250, 247};
inline constexpr Color ink{52, 54, 58};
inline constexpr Color faint_ink{120, 122, 126};
inline constexpr Color black{0, 0, 0};
inline constexpr Color white{255, 255, 255};

/// Where a map stands in the picture.
struct Panel {
  long x;
  long y;
  long width;
  long height;
};

/// \param color  of a pixel of the map: row from the top, column from the left
void draw_map(Canvas& canvas, const Panel& panel,
              const std::function<Color(std::size_t, std::size_t)>& color);

/// Takes 72 pixels above the map.
void draw_caption(Canvas& canvas, const Panel& panel, const std::string& title,
                  const std::string& explanation);

/// Takes 76 pixels below the map.
/// \param color  of a value from 0, left, to 1  \param labels  left, in the middle and right
void draw_legend(Canvas& canvas, const Panel& panel, const std::function<Color(double)>& color,
                 const std::array<std::string, 3>& labels);

}  // namespace apps
