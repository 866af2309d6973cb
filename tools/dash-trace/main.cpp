// What a recorded timeline says: a summary of what all units did and how much of their
// communication was hidden, and a picture.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "Picture.h"
#include "Report.h"
#include "Summary.h"
#include "Timeline.h"
#include "UnitList.h"

namespace {

using namespace dash::trace;

struct Options {
  std::string file;
  std::string output;
  std::string units;
  double from_ms = -HUGE_VAL;
  double to_ms = HUGE_VAL;
  bool json = false;
  bool per_unit = false;
  bool no_picture = false;
};

void declare(CLI::App& app, Options& options) {
  app.add_option("FILE", options.file, "recorded by DART_TRACE=FILE")->required();
  app.add_option("-o,--output", options.output,
                 "where the picture goes; the name of FILE with .svg if not given");
  app.add_flag("--no-picture", options.no_picture, "draw none");
  app.add_option("--from", options.from_ms, "leave out what was before, in milliseconds");
  app.add_option("--to", options.to_ms, "leave out what was after, in milliseconds");
  app.add_option("--units", options.units, "these units only, as in 0-3,8");
  app.add_flag("--per-unit", options.per_unit, "operations of each unit, too");
  app.add_flag("--json", options.json, "the summary as JSON; times in nanoseconds");
}

Time nanoseconds(double ms) {
  constexpr double most_ms = 9e12;  // some centuries
  return std::llround(std::clamp(ms, -most_ms, most_ms) * 1e6);
}

Selection selection_of(const Options& options) {
  if (std::isnan(options.from_ms) || std::isnan(options.to_ms) || options.from_ms >= options.to_ms)
    throw Error(
        fmt::format("--from {} has to be less than --to {}", options.from_ms, options.to_ms));
  return {{nanoseconds(options.from_ms), nanoseconds(options.to_ms)}, parse_units(options.units)};
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(path + " cannot be written");
}

void run(const Options& options) {
  const Selection selection = selection_of(options);
  const Timeline timeline = read_timeline(options.file);
  const std::vector<SelectedUnit> units = select(timeline, selection);
  const Summary summary = summarize(timeline, units);
  const std::string name = std::filesystem::path(options.file).filename().string();
  std::cout << (options.json ? json_report(name, timeline, summary)
                             : text_report(name, timeline, summary, options.per_unit));
  if (options.no_picture) return;
  std::string output = options.output;
  if (output.empty())
    output = std::filesystem::path(options.file).replace_extension(".svg").string();
  if (output == options.file)
    throw Error(output + " is the timeline itself: give the picture another name by --output");
  write(output, draw(name, timeline, units, summary));
  if (!options.json) std::cout << "\nThe picture: " << output << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Summarises and draws a timeline that was recorded with DART_TRACE=FILE.",
               "dash-trace");
  Options options;
  declare(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dash-trace: %s\n", error.what());
    return 1;
  }
}
