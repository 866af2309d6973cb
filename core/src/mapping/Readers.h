#pragma once

#include <string_view>

#include "TextLines.h"
#include "dash/core/mapping/Machine.h"

namespace dash::core::mapping {

/// Each reads its format from lines of a text.
/// \throws exception::InvalidArgument: "file:line: 'value': expected ..."
Machine read_dash(const TextLines& text);
Machine read_slurm(const TextLines& text);
Machine read_cray(const TextLines& text);

/// Whether a line is of the format; asked of the first one.
bool is_slurm(const TextLine& line);
bool is_cray(const TextLine& line);

inline constexpr std::string_view dash_heading = "dash-topology";

}  // namespace dash::core::mapping
