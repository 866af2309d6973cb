#pragma once

#include <nlohmann/json.hpp>

namespace dash::bench {

/// The conditions that results depend on: the machine, versions, the settings in the environment, and all
/// settings of the library with the source of each value: default, tuned or environment. The progress mode
/// of a run overrides the one given here.
/// \throws exception::InvalidArgument if the environment contains an invalid setting
nlohmann::ordered_json conditions();

/// The current date and time in UTC, as "2026-11-21T23:05:00Z".
std::string now_as_text();

}  // namespace dash::bench
