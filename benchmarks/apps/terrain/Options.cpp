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

// The whole text has to be the number: "3x" and "" are none.
template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

std::optional<std::array<int, 2>> pair_of_counts(std::string_view text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto rows = number<int>(text.substr(0, comma));
  const auto cols = number<int>(text.substr(comma + 1));
  if (!rows || !cols || *rows < 1 || *cols < 1) return std::nullopt;
  return std::array<int, 2>{*rows, *cols};
}

std::optional<double> positive(std::string_view text) {
  const auto value = number<double>(text);
  return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

std::optional<long> count(std::string_view text) {
  const auto value = number<long>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

// An option whose text goes through `parse`. CLI11's own conversions would say that a text cannot
// be converted, but not what would do.
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

std::optional<std::string> exchange_of_twins(std::string_view text) {
  if (text == "two-sided" || text == "rma" || text == "shared") return std::string(text);
  return std::nullopt;
}

void describe(CLI::App& app, Options& options, Program program) {
  app.add_option("--input", options.input,
                 "elevations in whole metres, a raw PGM file of 8 or 16 bits; by default the "
                 "Jacksboro fault, Tennessee")
      ->option_text("FILE.pgm");
  add(app, "--tile", "R,C (1,1)", pair_of_counts, options.tile,
      "two whole numbers R,C of copies, each 1 or more, such as 2,3",
      "repeat the input R times down and C times across, every second copy mirrored so that the "
      "seams are "
      "continuous");
  add(app, "--steps", "N (25)", count, options.steps, "a whole number of time steps, 0 or more",
      "time steps");
  add(app, "--dt", "YEARS", positive, options.dt, "a number of years above 0",
      "length of a step; at most, and by default, h^2/(4 D), the largest stable one");
  add(app, "--diffusivity", "D (0.01)", positive, options.diffusivity,
      "a number above 0, in square metres a year", "hillslope diffusivity in square metres a year");
  add(app, "--cell-size", "METRES", positive, options.cell_size, "a number of metres above 0",
      "width of a cell; by default what the header of the input says");
  add(app, "--units-grid", "R,C", pair_of_counts, options.units_grid,
      "two whole numbers R,C of units, each 1 or more, such as 2,3",
      "grid of units; by default the one with the shortest borders");
  app.add_flag("--map", options.map,
               "order the units so that neighbours on the grid are near each other on the machine; "
               "DART_TOPOLOGY names a file that describes its network");
  app.add_flag_callback(
      "--overlap", [&] { options.overlap = true; },
      "exchange halos while the inner cells are computed (the default)");
  app.add_flag_callback(
      "--no-overlap", [&] { options.overlap = false; },
      "complete the exchange before any cell is computed");
  app.add_flag("--verify", options.verify,
               "compare every cell with a serial run, to the last bit; failure is exit code 1");
  app.add_option("--output", options.output, "write the resulting elevations")
      ->option_text("FILE.pgm");
  app.add_option("--picture", options.picture,
                 "write a picture: hill-shaded before and after, and the difference")
      ->option_text("FILE.png");
  app.add_option("--report", options.report, "write the times of steps as JSON")
      ->option_text("FILE");
  if (program == Program::twin) {
    add(app, "--via", "WAY (two-sided)", exchange_of_twins, options.via, "two-sided, rma or shared",
        "how borders are exchanged: two-sided, rma or shared");
  }
}

// CLI11's messages start with the option they are about.
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
  app.allow_extras();  // reported below, in the order they were given
  describe(app, line.options, program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.help = app.help();
  } catch (const CLI::ArgumentMismatch& error) {
    throw UserError(fmt::format("{} is not used like that: --help tells how", option_of(error)));
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
