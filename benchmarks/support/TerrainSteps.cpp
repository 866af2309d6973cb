#include "support/TerrainSteps.h"

#include <nlohmann/json.hpp>

namespace dash::bench {

TerrainSteps measure_terrain_steps(const ProgramRun& program) {
  constexpr double ns_per_s = 1e9;
  TerrainSteps steps;
  run(program, [&](const std::string& text) {
    const auto report = nlohmann::json::parse(text);
    steps.progress = report.value("progress", "");
    steps.step = ns_per_s * report.at("step_s").get<double>();
    if (!report.contains("compared")) return;
    const auto& compared = report["compared"];
    steps.overlapped = ns_per_s * compared.at("overlapped_s").get<double>();
    steps.exchange_first = ns_per_s * compared.at("first_s").get<double>();
    steps.without_exchange = ns_per_s * compared.at("left_out_s").get<double>();
  });
  return steps;
}

}  // namespace dash::bench
