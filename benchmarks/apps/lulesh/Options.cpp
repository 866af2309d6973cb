#include "Options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace lulesh {

namespace {

/// The whole text has to be the numbers.
std::optional<Int3> three_counts(std::string_view text) {
  Int3 result{};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, result[d]);
    if (error != std::errc() || result[d] < 1) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    if (d == 2) break;
    if (text.empty() || text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
  return text.empty() ? std::optional(result) : std::nullopt;
}

void add_three(CLI::App& app, const std::string& name, Int3& target, const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [name, &target](const std::string& text) {
           const auto value = three_counts(text);
           if (!value) {
             throw UserError(fmt::format(
                 "{} takes three whole numbers X,Y,Z, each 1 or more, such as 30,30,60, not '{}'",
                 name, text));
           }
           target = *value;
         },
         help)
      ->option_text("X,Y,Z");
}

int cube_root(int units) {
  const int root = static_cast<int>(std::lround(std::cbrt(units)));
  return root * root * root == units ? root : 0;
}

std::string text_of(const Int3& grid) {
  return fmt::format("{} x {} x {}", grid[0], grid[1], grid[2]);
}

void choose(Options& options, int edge, bool has_mesh, bool has_grid, int units) {
  if (!has_mesh) {
    const int root = cube_root(units);
    if (root == 0 || has_grid) {
      throw UserError(fmt::format(
          "-s is the edge of each unit's part for a cube of units, and there are {} units{}; give "
          "the whole mesh: --mesh X,Y,Z",
          units, has_grid ? " in a grid of yours" : ", which is no cube"));
    }
    options.mesh = {edge * root, edge * root, edge * root};
    options.units = {root, root, root};
    return;
  }
  if (!has_grid) options.units = choose_grid(units, options.mesh);
  const Int3& grid = options.units;
  if (grid[0] * grid[1] * grid[2] != units) {
    throw UserError(
        has_grid ? fmt::format("a grid of {} units does not go with {} units", text_of(grid), units)
                 : fmt::format("a mesh of {} elements cannot be divided among {} units "
                               "so that each has some",
                               text_of(options.mesh), units));
  }
  for (std::size_t d = 0; d < 3; ++d) {
    if (grid[d] > options.mesh[d]) {
      throw UserError(
          fmt::format("{} units in direction {} have {} elements to share: each needs one", grid[d],
                      "xyz"[d], options.mesh[d]));
    }
  }
}

}  // namespace

CommandLine parse_command_line(int argc, char** argv, int units, bool with_exchange) {
  CommandLine line;
  Options& options = line.options;
  int edge = 30;
  CLI::App app("The Sedov blast on a moving mesh: LULESH 2.0");
  app.add_option("-s", edge, "edge of each unit's part in elements, for a cube of units (30)")
      ->check(CLI::Range(1, 1000));
  add_three(app, "--mesh", options.mesh, "elements of the whole mesh, for any number of units");
  add_three(app, "--units-grid", options.units,
            "units in each direction; by default those with the least to exchange");
  app.add_option("-i", options.cycles, "time steps at most")->check(CLI::NonNegativeNumber);
  app.add_option("-r", options.regions.regions, "materials (11)")->check(CLI::Range(1, 10000));
  app.add_option("-b", options.regions.balance, "how much their sizes differ (1)")
      ->check(CLI::Range(0, 8));
  app.add_option("-c", options.regions.cost, "how much dearer some of them are (1)")
      ->check(CLI::Range(0, 1000));
  app.add_flag("-p", options.progress, "print time and time step of each cycle");
  app.add_flag("-q", options.quiet, "print results only");
  if (with_exchange) {
    app.add_option("--exchange", options.exchange, "two-sided, rma or shared (two-sided)")
        ->check(CLI::IsMember({"two-sided", "rma", "shared"}));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.help = app.help();
    return line;
  } catch (const CLI::Error& error) {
    throw UserError(error.what());
  }
  choose(options, edge, app.count("--mesh") > 0, app.count("--units-grid") > 0, units);
  return line;
}

}  // namespace lulesh
