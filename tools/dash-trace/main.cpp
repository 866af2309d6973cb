// Summarizes a recorded timeline: the time that each unit spent computing, in calls and in waits, and how much of its
// communication the computation hid.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>

#include "Report.h"
#include "Summary.h"
#include "Timeline.h"
#include "UnitList.h"

namespace {

using namespace dash::trace;

constexpr const char* viewers = "https://ui.perfetto.dev or https://www.speedscope.app";

struct Options {
  std::string file;
  std::string units;
  double from_ms = -HUGE_VAL;
  double to_ms = HUGE_VAL;
  bool json = false;
  bool per_unit = false;
};

void declare(CLI::App& app, Options& options) {
  app.add_option("FILE", options.file, "the timeline, recorded with DART_TRACE=FILE")->required();
  app.add_option("--from", options.from_ms, "begin of the time to summarize, in milliseconds");
  app.add_option("--to", options.to_ms, "end of the time to summarize, in milliseconds");
  app.add_option("--units", options.units, "the units to summarize, such as 0-3,8");
  app.add_flag("--per-unit", options.per_unit, "list the operations of each unit");
  app.add_flag("--json", options.json, "print the summary as JSON; times in nanoseconds");
  // Earlier versions wrote a picture of the timeline to this file.
  app.add_option_function<std::string>("-o,--output",
                                       [](const std::string&) {
                                         throw CLI::ValidationError(fmt::format(
                                             "--output: dash-trace draws no pictures; open the "
                                             "timeline in {}",
                                             viewers));
                                       })
      ->group("");
  app.footer(fmt::format("To see the timeline, open FILE in {}.", viewers));
}

Time nanoseconds(double ms) {
  constexpr double max_ms = 9e12;  // some centuries; avoids an overflow
  return std::llround(std::clamp(ms, -max_ms, max_ms) * 1e6);
}

Selection selection_of(const Options& options) {
  if (std::isnan(options.from_ms) || std::isnan(options.to_ms) || options.from_ms >= options.to_ms)
    throw Error(fmt::format("--from {} must be less than --to {}", options.from_ms, options.to_ms));
  return {{nanoseconds(options.from_ms), nanoseconds(options.to_ms)}, parse_units(options.units)};
}

void run(const Options& options) {
  const Selection selection = selection_of(options);
  const Timeline timeline = read_timeline(options.file);
  const Summary summary = summarize(timeline, select(timeline, selection));
  const std::string name = std::filesystem::path(options.file).filename().string();
  if (options.json) {
    std::cout << json_report(name, timeline, summary);
  } else {
    std::cout << text_report(name, timeline, summary, options.per_unit)
              << fmt::format("\nTo see the timeline, open {} in {}.\n", options.file, viewers);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Summarizes a timeline that was recorded with DART_TRACE=FILE.", "dash-trace");
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
