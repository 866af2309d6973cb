#pragma once

#include <nlohmann/json.hpp>

namespace dash::bench {

/// What figures depend on: the machine, versions, and the settings in the environment.
nlohmann::ordered_json conditions();

/// The time of day, as "2026-11-21T23:05:00Z".
std::string now_as_text();

}  // namespace dash::bench
