#include "support/RowFile.h"

#include <fmt/core.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "support/Contest.h"

namespace dash::bench {

namespace {

using Json = nlohmann::ordered_json;

Json ratio_of(const Row& row) {
  const Samples all = ratios(row.figures.ours, row.figures.twin);
  Json json{{"text", row.ratio}};
  if (all.empty()) return json;
  const Interval interval = interval_of_median(all);
  // JSON has no infinite numbers.
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
  Json json{{"what", row.what}, {"size", row.size}, {"unit", row.figures.unit}};
  const Measurements& measured = row.figures.measured;
  json["ours"] = {{"text", row.ours}, {"samples", row.figures.ours}};
  add_origin(json["ours"], row.figures.ours_from);
  if (!measured.ours.empty()) json["ours"]["measured"] = measured.ours;
  json["twin"] = nullptr;
  if (!row.twin_name.empty()) {
    json["twin"] = {{"name", row.twin_name}, {"text", row.twin}, {"samples", row.figures.twin}};
    if (!row.figures.twin_again.empty()) json["twin"]["again"] = row.figures.twin_again;
    add_origin(json["twin"], row.figures.twin_from);
    if (!measured.twin.empty()) json["twin"]["measured"] = measured.twin;
    if (!measured.twin_again.empty()) json["twin"]["measured_again"] = measured.twin_again;
  }
  json["ratio"] = row.ratio.empty() ? Json(nullptr) : ratio_of(row);
  json["noise"] = row.noise;
  json["bar"] = row.bar;
  json["met"] = row.met ? Json(*row.met) : Json(nullptr);
  if (row.by_interval) json["by_interval"] = true;
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
