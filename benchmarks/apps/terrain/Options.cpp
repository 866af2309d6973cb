#include "Options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>

#include "common/Error.h"

namespace terrain {

using apps::UserError;

namespace {

// The whole text must be a number: "3x" and "" are invalid.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

std::optional<std::array<int, 2>> parse_pair(std::string_view text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto rows = parse_number<int>(text.substr(0, comma));
  const auto cols = parse_number<int>(text.substr(comma + 1));
  if (!rows || !cols || *rows < 1 || *cols < 1) return std::nullopt;
  return std::array<int, 2>{*rows, *cols};
}

std::optional<double> parse_positive(std::string_view text) {
  const auto value = parse_number<double>(text);
  return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

std::optional<long> parse_count(std::string_view text) {
  const auto value = parse_number<long>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

// Adds an option whose text is converted by `parse`. Unlike the messages of CLI11's conversions,
// the error message names the expected values.
template <class Parse, class Target>
void add(CLI::App& app, const std::string& name, const std::string& placeholder, Parse parse,
         Target& target, const std::string& expected, const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [=, &target](const std::string& text) {
           const auto value = parse(text);
           if (!value) throw UserError(fmt::format("{} takes {}, not '{}'", name, expected, text));
           target = *value;
         },
         help)
      ->option_text(placeholder);
}

std::optional<std::string> parse_baseline_exchange(std::string_view text) {
  if (text == "two-sided" || text == "rma" || text == "shared") return std::string(text);
  return std::nullopt;
}

void add_options(CLI::App& app, Options& options, Program program) {
  app.add_option(
         "--input", options.input,
         "elevations in whole metres, a raw PGM file with 8 or 16 bits per sample; by default "
         "the Jacksboro fault, Tennessee")
      ->option_text("FILE.pgm");
  add(app, "--tile", "R,C (1,1)", parse_pair, options.tile,
      "two whole numbers R,C of copies, each 1 or more, such as 2,3",
      "repeat the input in R rows and C columns of copies; every second copy is mirrored so that "
      "the "
      "seams are continuous");
  add(app, "--steps", "N (25)", parse_count, options.steps,
      "a whole number of time steps, 0 or more", "number of time steps");
  add(app, "--dt", "YEARS", parse_positive, options.dt, "a number of years above 0",
      "length of a step; the maximum and default is h^2/(4 D), the largest stable step");
  add(app, "--diffusivity", "D (0.01)", parse_positive, options.diffusivity,
      "a number above 0, in square metres per year",
      "hillslope diffusivity in square metres per year");
  add(app, "--cell-size", "METRES", parse_positive, options.cell_size, "a number of metres above 0",
      "width of a cell; by default the value in the header of the input");
  add(app, "--units-grid", "R,C", parse_pair, options.units_grid,
      "two whole numbers R,C of units, each 1 or more, such as 2,3",
      "grid of units; by default the grid with the shortest borders");
  app.add_flag("--map", options.map,
               "map the grid to the machine so that neighbouring units are close to each other; "
               "DART_TOPOLOGY names a file that describes the network");
  app.add_flag_callback(
      "--overlap", [&] { options.overlap = true; },
      "exchange halos during the computation of the inner cells (default)");
  app.add_flag_callback(
      "--no-overlap", [&] { options.overlap = false; },
      "complete the exchange before the computation");
  app.add_flag(
      "--verify", options.verify,
      "compare every cell with a serial run, to the last bit; a difference gives exit code 1");
  app.add_option("--output", options.output, "write the resulting elevations")
      ->option_text("FILE.pgm");
  app.add_option("--picture", options.picture,
                 "write a picture of the terrain before and after, and of the difference")
      ->option_text("FILE.png");
  app.add_option("--report", options.report, "write the times of the steps as JSON")
      ->option_text("FILE");
  if (program == Program::baseline) {
    add(app, "--via", "NAME (two-sided)", parse_baseline_exchange, options.via,
        "two-sided, rma or shared", "how borders are exchanged: two-sided, rma or shared");
  }
}

// CLI11's messages begin with the name of the option.
std::string option_of(const CLI::ParseError& error) {
  const std::string text = error.what();
  return text.substr(0, text.find(':'));
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv, const std::string& default_input,
                               Program program) {
  CommandLine line;
  line.options.input = default_input;
  CLI::App app(
      "Hillslope diffusion of a digital elevation model, dz/dt = D lap(z), on a grid of units.\n"
      "Start it with mpiexec -n UNITS terrain [OPTIONS].",
      "terrain");
  app.get_formatter()->column_width(36);
  app.allow_extras();  // reported below, in their order
  add_options(app, line.options, program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.help = app.help();
  } catch (const CLI::ArgumentMismatch& error) {
    throw UserError(
        fmt::format("{} has a wrong number of arguments (see --help)", option_of(error)));
  } catch (const CLI::ParseError& error) {
    throw UserError(fmt::format("{} (--help lists the options)", error.what()));
  }
  if (!app.remaining().empty()) {
    throw UserError(fmt::format("'{}' is not an option of terrain: --help lists them",
                                app.remaining().front()));
  }
  return line;
}

}  // namespace terrain
