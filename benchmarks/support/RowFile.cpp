#include "support/RowFile.h"

#include <fmt/core.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "support/Comparison.h"

namespace dash::bench {

namespace {

using Json = nlohmann::ordered_json;

Json ratio_of(const Row& row) {
  const Samples all = ratios(row.figures.ours, row.figures.baseline);
  Json json{{"text", row.ratio}};
  if (all.empty()) return json;
  const Interval interval = interval_of_median(all);
  // JSON cannot represent infinity.
  if (!std::isfinite(interval.high)) return json;
  json["low"] = interval.low;
  json["median"] = interval.median;
  json["high"] = interval.high;
  return json;
}

void add_origin(Json& json, const Origin& origin) {
  if (!origin.command.empty()) json["command"] = origin.command;
  if (!origin.progress.empty()) json["progress"] = origin.progress;
}

Json json_of(const Row& row) {
  Json json{{"name", row.name}, {"size", row.size}, {"unit", row.figures.unit}};
  const Measurements& measured = row.figures.measured;
  json["ours"] = {{"text", row.ours}, {"samples", row.figures.ours}};
  add_origin(json["ours"], row.figures.ours_origin);
  if (!measured.ours.empty()) json["ours"]["measured"] = measured.ours;
  json["baseline"] = nullptr;
  if (!row.baseline_name.empty()) {
    json["baseline"] = {
        {"name", row.baseline_name}, {"text", row.baseline}, {"samples", row.figures.baseline}};
    if (!row.figures.baseline_repeated.empty())
      json["baseline"]["repeated"] = row.figures.baseline_repeated;
    add_origin(json["baseline"], row.figures.baseline_origin);
    if (!measured.baseline.empty()) json["baseline"]["measured"] = measured.baseline;
    if (!measured.baseline_repeated.empty())
      json["baseline"]["measured_repeated"] = measured.baseline_repeated;
  }
  json["ratio"] = row.ratio.empty() ? Json(nullptr) : ratio_of(row);
  json["noise"] = row.noise;
  json["goal"] = row.goal;
  json["met"] = row.met ? Json(*row.met) : Json(nullptr);
  return json;
}

}  // namespace

void append_rows(const std::string& path, const std::vector<Row>& rows,
                 const std::vector<std::string>& notes) {
  std::ofstream file(path, std::ios::app);
  for (const Row& row : rows)
    file << json_of(row).dump() << '\n';
  for (const std::string& note : notes)
    file << Json{{"note", note}}.dump() << '\n';
  if (!file.flush()) throw std::runtime_error(fmt::format("cannot write rows to {}", path));
}

}  // namespace dash::bench
