#include "Options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace lulesh {

namespace {

/// Upper bound of the elements in a direction, so that their product, in bytes, fits into an
/// integer.
constexpr long max_elements_per_direction = 1'000'000;

std::optional<long> parse_whole_number(std::string_view text, long least, long most) {
  long value = 0;
  const auto* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value < least || value > most) return std::nullopt;
  return value;
}

std::optional<Int3> parse_three_counts(std::string_view text) {
  Int3 result{};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto comma = d < 2 ? text.find(',') : text.size();
    if (comma == std::string_view::npos) return std::nullopt;
    const auto count = parse_whole_number(text.substr(0, comma), 1, max_elements_per_direction);
    if (!count) return std::nullopt;
    result[d] = static_cast<int>(*count);
    if (d < 2) text.remove_prefix(comma + 1);
  }
  return result;
}

/// Adds an option whose text is converted by `parse`. Unlike the messages of CLI11's conversions,
/// the error message names the expected values.
template <class Parse, class Target>
void add(CLI::App& app, const std::string& name, const std::string& placeholder, Parse parse,
         Target& target, const std::string& expected, const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [=, &target](const std::string& text) {
           const auto value = parse(text);
           if (!value) throw UserError(fmt::format("{} takes {}, not '{}'", name, expected, text));
           target = static_cast<Target>(*value);
         },
         help)
      ->option_text(placeholder);
}

template <class Target>
void add_number(CLI::App& app, const std::string& name, const std::string& placeholder, long least,
                long most, Target& target, const std::string& help) {
  add(
      app, name, placeholder,
      [=](const std::string& t) { return parse_whole_number(t, least, most); }, target,
      fmt::format("a whole number from {} to {}", least, most), help);
}

void add_three(CLI::App& app, const std::string& name, const char* example, Int3& target,
               const std::string& help) {
  add(app, name, "X,Y,Z", parse_three_counts, target,
      fmt::format("three whole numbers X,Y,Z from 1 to {}, such as {}", max_elements_per_direction,
                  example),
      help);
}

int cube_root(int units) {
  const int root = static_cast<int>(std::lround(std::cbrt(units)));
  return root * root * root == units ? root : 0;
}

std::string text_of(const Int3& grid) {
  return fmt::format("{} x {} x {}", grid[0], grid[1], grid[2]);
}

std::string units_in_words(long units) {
  return units == 1 ? "1 unit" : fmt::format("{} units", units);
}

/// Chooses the mesh for the option -s.
void choose_cube(Options& options, int edge, int units) {
  const int root = cube_root(units);
  if (root == 0) {
    throw UserError(fmt::format(
        "-s is the edge of each unit's subdomain for a cube of units (1, 8, 27, ...), but "
        "there are {}: specify the whole mesh with --mesh X,Y,Z",
        units));
  }
  options.mesh = {edge * root, edge * root, edge * root};
  options.units = {root, root, root};
}

void check_grid(const Options& options, int units) {
  const Int3& grid = options.units;
  const long needed = static_cast<long>(grid[0]) * grid[1] * grid[2];
  if (needed != units) {
    throw UserError(fmt::format("--units-grid {},{},{} needs {}, but there are {}", grid[0],
                                grid[1], grid[2], units_in_words(needed), units));
  }
  for (std::size_t d = 0; d < 3; ++d) {
    if (grid[d] > options.mesh[d]) {
      throw UserError(
          fmt::format("{} in direction {} share {} elements of a mesh of {}: each unit needs at "
                      "least one",
                      units_in_words(grid[d]), "xyz"[d], options.mesh[d], text_of(options.mesh)));
    }
  }
}

void choose(Options& options, int edge, bool has_mesh, bool has_grid, int units) {
  if (!has_mesh) {
    if (has_grid) throw UserError("--units-grid needs the whole mesh: --mesh X,Y,Z");
    choose_cube(options, edge, units);
  } else if (!has_grid) {
    options.units = choose_grid(units, options.mesh);
    if (options.units[0] == 0) {
      throw UserError(
          fmt::format("--mesh {},{},{} cannot be divided among {} so that each unit has elements: "
                      "start fewer units, or enlarge the mesh",
                      options.mesh[0], options.mesh[1], options.mesh[2], units_in_words(units)));
    }
  }
  check_grid(options, units);
  const Mesh mesh(options.units, options.mesh, 0);
  if (mesh.element_capacity() > std::numeric_limits<std::uint32_t>::max()) {
    throw UserError(
        fmt::format("a mesh of {} elements has {} elements on each unit, but at most 2^32 - 1 are "
                    "supported: start more units",
                    text_of(options.mesh), mesh.element_capacity()));
  }
}

void describe(CLI::App& app, Options& options, int& edge, Program program) {
  add_number(app, "-s", "N (30)", 1, 10'000, edge,
             "edge of each unit's subdomain in elements, for a cube of units");
  add_three(app, "--mesh", "30,30,60", options.mesh,
            "elements of the whole mesh, for any number of units");
  add_three(app, "--units-grid", "2,2,1", options.units,
            "units in each direction; by default the grid with the least communication");
  add_number(app, "-i", "N", 0, options.cycles, options.cycles, "maximum number of time steps");
  add_number(app, "-r", "N (11)", 1, 10'000, options.regions.regions, "number of materials");
  add_number(app, "-b", "N (1)", 0, 8, options.regions.balance,
             "imbalance of the materials' sizes (exponent)");
  add_number(app, "-c", "N (1)", 0, 1000, options.regions.cost,
             "additional cost of the expensive materials");
  app.add_flag("-p", options.progress, "print time and time step of each cycle");
  app.add_flag("-q", options.quiet, "print only the results, neither cycles nor a progress bar");
  add_number(app, "--repeat", "N (1)", 1, 1'000'000, options.repeat, "number of runs");
  app.add_option("--report", options.report, "write times as JSON")->option_text("FILE");
  if (program == Program::dash) {
    app.add_option("--plot", options.plot,
                   "write a picture of the energy in the plane z = 0 on the deformed mesh")
        ->option_text("FILE.png");
    return;
  }
  options.via = "two-sided";
  const auto known = [](const std::string& text) -> std::optional<std::string> {
    for (const char* const name : {"two-sided", "rma", "shared", "none"}) {
      if (text == name) return text;
    }
    return std::nullopt;
  };
  add(app, "--via", "NAME (two-sided)", known, options.via,
      "two-sided, rma, shared (within a node) or none (one unit)", "how units exchange data");
}

}  // namespace

CommandLine parse_command_line(int argc, char** argv, int units, Program program) {
  CommandLine line;
  Options& options = line.options;
  int edge = 30;
  CLI::App app("The Sedov blast on a moving mesh: LULESH 2.0.",
               program == Program::dash ? "lulesh" : "lulesh_mpi");
  app.get_formatter()->column_width(32);
  describe(app, options, edge, program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.help = app.help();
    return line;
  } catch (const CLI::Error& error) {
    throw UserError(fmt::format("{} (--help lists the options)", error.what()));
  }
  if (app.count("-s") > 0 && app.count("--mesh") > 0) {
    throw UserError("-s and --mesh both specify the mesh: give only one of them");
  }
  if (options.via == "none" && units != 1) {
    throw UserError(fmt::format("--via none is for one unit, but there are {}", units));
  }
  options.has_limit = app.count("-i") > 0;
  if (!has_valid_weights(options.regions)) {
    throw UserError(fmt::format(
        "-r {} -b {}: the sum of the weights 1^b ... r^b of the materials must be below "
        "2^31: use fewer materials, or a smaller -b",
        options.regions.regions, options.regions.balance));
  }
  choose(options, edge, app.count("--mesh") > 0, app.count("--units-grid") > 0, units);
  return line;
}

}  // namespace lulesh
