#pragma once

#include <string_view>

#include "common/Canvas.h"

namespace apps {

enum class Align { left, centre, right };

/// Draws a line of text in a built-in face of plain strokes: letters, digits, + - . , : ( ) / % =.
/// Other characters leave a blank.
/// \param at     where the text begins, has its middle, or ends, on the base line
/// \param height of a capital letter, in pixels
void draw_text(Canvas& canvas, const Point& at, double height, std::string_view text,
               const Color& color, Align align = Align::left);

/// Width of a text in pixels.
double text_width(double height, std::string_view text);

}  // namespace apps
