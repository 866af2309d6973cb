#pragma once

#include <nlohmann/json.hpp>

namespace dash::bench {

/// What figures depend on: the machine, versions, the settings in the environment, and all settings of
/// the library with the source of each value: default, tuned or environment. A run with a mode of
/// progress has that one.
/// \throws exception::InvalidArgument if the environment has a setting that is not right
nlohmann::ordered_json conditions();

/// The time of day, as "2026-11-21T23:05:00Z".
std::string now_as_text();

}  // namespace dash::bench
