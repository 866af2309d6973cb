#pragma once

#include <array>
#include <optional>
#include <string>

#include "Comparison.h"

namespace dash::map {

/// The comparison as text for a terminal, or as JSON.
/// \param step_s  simulated seconds of a step, in the order by unit and in the mapped order
std::string text_report(const Problem& problem, const Comparison& comparison,
                        const std::optional<std::array<double, 2>>& step_s);
std::string json_report(const Problem& problem, const Comparison& comparison,
                        const std::optional<std::array<double, 2>>& step_s);

/// The mapped order as comma-separated values: coordinates on the grid, and unit, node and NUMA domain of each position.
std::string mapping_csv(const Comparison& comparison);

/// The mapped order in the format of MPICH_RANK_ORDER and similar files: for each unit its position on the grid.
std::string rank_order(const Comparison& comparison);

}  // namespace dash::map
