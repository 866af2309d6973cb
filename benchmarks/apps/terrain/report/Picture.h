#pragma once

#include <string>

#include "input/Field.h"

namespace terrain {

/// Facts for the captions of a picture.
struct PictureFacts {
  double cell_size = 0;  // metres
  long steps = 0;
  double years = 0;  // total time of all steps
};

/// Writes a picture of three maps side by side: the terrain before and after, with hill shading and
/// equal colors of elevations, and the difference; with legends and a scale bar. Large terrains
/// are reduced to the size of a screen.
/// \throws UserError if the file cannot be written
void write_picture(const std::string& path, const Field& before, const Field& after,
                   const PictureFacts& facts);

/// Formats a duration: "850 years", "12.5 thousand years", "42.9 million years".
std::string years_in_words(double years);

}  // namespace terrain
