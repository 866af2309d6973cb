#include "Results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <system_error>

namespace dash::report {

namespace {

using Json = nlohmann::ordered_json;
using Pairs = std::vector<std::pair<std::string, std::string>>;

/// A value in the file, which knows where it is.
class Place {
 public:
  Place(const Json& json, std::string path) : _json(json), _path(std::move(path)) {}

  Place at(const char* key) const {
    const auto found = expect(_json.is_object(), "an object").find(key);
    if (found == _json.end()) throw Error(fmt::format("{} has no \"{}\"", _path, key));
    return {*found, _path + "." + key};
  }
  std::vector<Place> each() const {
    expect(_json.is_array(), "an array");
    std::vector<Place> all;
    for (std::size_t i = 0; i < _json.size(); ++i)
      all.emplace_back(_json[i], fmt::format("{}[{}]", _path, i));
    return all;
  }
  std::vector<std::pair<std::string, Place>> members() const {
    std::vector<std::pair<std::string, Place>> all;
    for (const auto& [name, value] : expect(_json.is_object(), "an object").items())
      all.emplace_back(name, Place(value, _path + "." + name));
    return all;
  }
  std::string text() const { return expect(_json.is_string(), "a text").get<std::string>(); }
  double number() const { return expect(_json.is_number(), "a number").get<double>(); }
  int integer() const { return expect(_json.is_number_integer(), "a whole number").get<int>(); }
  bool yes() const { return expect(_json.is_boolean(), "true or false").get<bool>(); }
  bool is_null() const { return _json.is_null(); }
  bool has(const char* key) const { return _json.is_object() && _json.contains(key); }

  std::vector<double> numbers() const {
    std::vector<double> all;
    for (const Place& place : each())
      all.push_back(place.number());
    return all;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Place& place : each())
      all.push_back(place.text());
    return all;
  }
  /// Whatever the values are.
  Pairs pairs() const {
    Pairs all;
    for (const auto& [name, value] : expect(_json.is_object(), "an object").items()) {
      all.emplace_back(name, value.is_string()         ? value.get<std::string>()
                             : value.is_number_float() ? fmt::format("{:.3g}", value.get<double>())
                                                       : value.dump());
    }
    return all;
  }

 private:
  const Json& expect(bool is_so, const char* what) const {
    if (is_so) return _json;
    throw Error(fmt::format("{} is {}: {} was expected", _path, _json.dump().substr(0, 40), what));
  }

  const Json& _json;
  std::string _path;
};

Side side_in(const Place& place, bool has_name) {
  return {has_name ? place.at("name").text() : "", place.at("text").text(),
          place.at("samples").numbers()};
}

Ratio ratio_in(const Place& place) {
  if (place.is_null()) return {};
  Ratio ratio{place.at("text").text(), std::nullopt};
  if (place.has("low")) {
    ratio.interval = {place.at("low").number(), place.at("median").number(),
                      place.at("high").number()};
  }
  return ratio;
}

Row row_in(const Place& place) {
  Row row;
  row.what = place.at("what").text();
  row.size = place.at("size").text();
  row.unit = place.at("unit").text();
  row.ours = side_in(place.at("ours"), false);
  if (!place.at("twin").is_null()) row.twin = side_in(place.at("twin"), true);
  row.ratio = ratio_in(place.at("ratio"));
  row.noise = place.at("noise").text();
  row.bar = place.at("bar").text();
  if (!place.at("met").is_null()) row.met = place.at("met").yes();
  row.by_interval = place.has("by_interval") && place.at("by_interval").yes();
  return row;
}

Run run_in(const Place& place) {
  Run run;
  run.program = place.at("program").text();
  run.units = place.at("units").integer();
  run.layout = place.at("layout").text();
  run.mode = place.at("mode").text();
  run.seconds = place.at("seconds").number();
  run.code = place.at("code").integer();
  if (place.has("output")) run.output = place.at("output").text();
  std::string lead;
  for (const Place& each : place.at("rows").each()) {
    Row row = row_in(each);
    const std::size_t first = row.what.find_first_not_of(' ');
    if (first == 0) lead = row.what;
    row.full_name =
        first == 0 || first == std::string::npos ? row.what : lead + ": " + row.what.substr(first);
    run.rows.push_back(std::move(row));
  }
  run.notes = place.at("notes").texts();
  return run;
}

/// The commit as one value.
Pairs versions_in(const Place& place) {
  Pairs pairs = place.pairs();
  for (auto& [name, value] : pairs) {
    if (name != "commit") continue;
    value = "unknown";
    const Place commit = place.at("commit");
    if (commit.is_null()) continue;
    value = commit.at("id").text().substr(0, 12);
    if (commit.at("modified").yes()) value += ", modified";
  }
  return pairs;
}

/// Those in the environment, and of the library all that are no defaults, with their source.
Pairs settings_in(const Place& place) {
  Pairs all = place.at("settings").pairs();
  if (!place.has("library_settings")) return all;  // an older file
  for (const auto& [name, setting] : place.at("library_settings").members()) {
    std::erase_if(all, [&](const auto& pair) { return pair.first == name; });
    const std::string source = setting.at("source").text();
    if (source == "default") continue;
    all.emplace_back(name, fmt::format("{} ({})", setting.at("value").text(), source));
  }
  return all;
}

Results results_in(const Place& place) {
  if (!place.has("format") || place.at("format").text() != "dash-bench 1") {
    throw Error("it is not what ./dev bench writes: \"format\" is not \"dash-bench 1\"");
  }
  Results results;
  results.began = place.at("began").text();
  results.effort = place.at("effort").text();
  results.word = place.at("word").text();
  results.seconds = place.at("seconds").number();
  results.machine = place.at("machine").pairs();
  results.versions = versions_in(place.at("versions"));
  results.settings = settings_in(place);
  for (const Place& run : place.at("runs").each())
    results.runs.push_back(run_in(run));
  return results;
}

}  // namespace

Results read_results(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw Error(fmt::format("{} cannot be read: {}", path, std::generic_category().message(errno)));
  }
  try {
    const Json json = Json::parse(file);
    Results results = results_in({json, "the file"});
    results.file = path;
    return results;
  } catch (const Json::parse_error& error) {
    throw Error(fmt::format("{} is not JSON, or not complete: {}", path, error.what()));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

namespace {

void expect_same(const std::string& name, const std::string& value, const std::string& other,
                 const Results& results, const Results& part) {
  if (value == other) return;
  throw Error(fmt::format("{} and {} cannot be taken together: {} is {} in one, {} in the other",
                          results.file, part.file, name, value.empty() ? "nothing" : value,
                          other.empty() ? "nothing" : other));
}

std::string value_of(const Pairs& pairs, const std::string& name) {
  const auto found = std::find_if(pairs.begin(), pairs.end(),
                                  [&](const auto& pair) { return pair.first == name; });
  return found == pairs.end() ? "" : found->second;
}

/// But for the load, which is never twice the same.
void expect_same(const Pairs& pairs, const Pairs& others, const Results& results,
                 const Results& part) {
  for (const auto& [name, value] : pairs) {
    if (name != "load") expect_same(name, value, value_of(others, name), results, part);
  }
  for (const auto& [name, value] : others) {
    if (name != "load") expect_same(name, value_of(pairs, name), value, results, part);
  }
}

void join(Results& results, Results part) {
  expect_same("effort", results.effort, part.effort, results, part);
  expect_same(results.machine, part.machine, results, part);
  expect_same(results.versions, part.versions, results, part);
  expect_same(results.settings, part.settings, results, part);
  for (Run& run : part.runs) {
    std::erase_if(results.runs, [&](const Run& each) { return name_of(each) == name_of(run); });
    results.runs.push_back(std::move(run));
  }
  results.began = std::min(results.began, part.began);
  if (results.word != part.word) results.word.clear();
}

}  // namespace

Results joined(std::vector<Results> parts) {
  Results results = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i)
    join(results, std::move(parts[i]));
  if (parts.size() == 1) return results;
  std::stable_sort(results.runs.begin(), results.runs.end(),
                   [](const Run& a, const Run& b) { return a.program < b.program; });
  results.seconds = std::accumulate(results.runs.begin(), results.runs.end(), 0.0,
                                    [](double sum, const Run& run) { return sum + run.seconds; });
  return results;
}

std::string text_of(const Bars& bars) {
  std::string text = fmt::format("{} of {} bars met", bars.met, bars.all);
  if (bars.by_interval != 0) text += fmt::format(", {} by the interval only", bars.by_interval);
  return text;
}

Bars bars_of(const Run& run) {
  Bars bars;
  for (const Row& row : run.rows) {
    if (row.met) ++bars.all;
    if (row.met.value_or(false)) ++bars.met;
    if (row.by_interval) ++bars.by_interval;
  }
  return bars;
}

Bars bars_of(const Results& results) {
  Bars bars;
  for (const Run& run : results.runs) {
    const Bars some = bars_of(run);
    bars.all += some.all;
    bars.met += some.met;
    bars.by_interval += some.by_interval;
  }
  return bars;
}

std::vector<std::string> failures_in(const Run& run) {
  std::vector<std::string> failures;
  std::copy_if(run.notes.begin(), run.notes.end(), std::back_inserter(failures),
               [](const std::string& note) { return note.starts_with("failed: "); });
  return failures;
}

std::string name_of(const Run& run) {
  std::string name = run.program.starts_with("bench_") ? run.program.substr(6) : run.program;
  if (run.units > 0) name += fmt::format(", {} units", run.units);
  if (run.units > 0 && run.layout != "node") name += ", " + run.layout;
  if (run.mode != "auto") name += ", progress " + run.mode;
  return name;
}

}  // namespace dash::report
