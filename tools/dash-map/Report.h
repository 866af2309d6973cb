#pragma once

#include <array>
#include <optional>
#include <string>

#include "Study.h"

namespace dash::map {

/// What is told of a study: for people, and as JSON.
/// \param step_s  simulated seconds of a step, in the order of the units and mapped
std::string text_report(const Question& question, const Study& study,
                        const std::optional<std::array<double, 2>>& step_s);
std::string json_report(const Question& question, const Study& study,
                        const std::optional<std::array<double, 2>>& step_s);

/// The ranks in the order of the units, as MPICH_RANK_ORDER and similar files have them: in the place
/// of each unit, its position on the grid.
std::string rank_order(const Study& study);

}  // namespace dash::map
