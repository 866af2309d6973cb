#pragma once

#include <string_view>

#include "common/Canvas.h"

namespace apps {

enum class Align { left, centre, right };

/// Draws a line of text in a built-in stroke font, which has lower-case letters, some capitals,
/// digits, and + - . , : ( ) / % =. Other characters are drawn as spaces.
/// \param at      start, middle or end of the text on the baseline, according to `align`
/// \param height  height of a capital letter, in pixels
void draw_text(Canvas& canvas, const Point& at, double height, std::string_view text,
               const Color& color, Align align = Align::left);

/// Width of a text in pixels.
double text_width(double height, std::string_view text);

}  // namespace apps
