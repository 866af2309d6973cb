#pragma once

#include <string_view>

#include "TextLines.h"
#include "dash/core/mapping/Machine.h"

namespace dash::core::mapping {

/// Readers of the formats.
/// \throws exception::InvalidArgument: "file:line: 'value': expected ..."
Machine read_dash(const TextLines& text);
Machine read_slurm(const TextLines& text);
Machine read_cray(const TextLines& text);

/// Whether the first line belongs to the format.
bool is_slurm(const TextLine& line);
bool is_cray(const TextLine& line);

inline constexpr std::string_view dash_heading = "dash-topology";

}  // namespace dash::core::mapping
