#pragma once

#include <string>

#include "Field.h"

namespace terrain {

/// What the captions of a picture say beside what the fields show.
struct PictureFacts {
  double cell_size = 0;  // metres
  long steps = 0;
  double years = 0;  // all steps together
};

/// Writes a picture of three maps side by side: the terrain before and after, hill-shaded and
/// tinted by elevation alike, and the difference, with legends and a scale. Large terrains are
/// reduced to a size that fits a screen.
/// \throws UserError if the file cannot be written
void write_picture(const std::string& path, const Field& before, const Field& after,
                   const PictureFacts& facts);

/// "850 years", "12.5 thousand years", "42.9 million years".
std::string years_in_words(double years);

}  // namespace terrain
