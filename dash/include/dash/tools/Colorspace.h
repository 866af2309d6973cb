#pragma once

#include <iosfwd>
#include <string>

#include "dash/core/Export.h"

namespace dash::tools {

/// Red, green and blue, each from 0 to 1.
/// \ingroup utilities
struct rgb {
  double r = 0;  ///< red
  double g = 0;  ///< green
  double b = 0;  ///< blue

  /// "#1a2b3c"
  DASH_API std::string hex() const;
};

/// A color from hue (0 to 360 degrees), saturation and value (0 to 1).
/// \ingroup utilities
DASH_API rgb color_from_hsv(double hue, double saturation, double value);

/// A color for one of `nunits` units; colors are as distinct as possible.
/// \ingroup utilities
DASH_API rgb color_of_unit(int unit, int nunits);

/// Writes the color as hex().
/// \ingroup utilities
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             const rgb& color) {
  return os << color.hex().c_str();
}

}  // namespace dash::tools
