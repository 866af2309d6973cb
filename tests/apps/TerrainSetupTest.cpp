// dash-test: serial

#include <string>
#include <vector>

#include "Options.h"
#include "Setup.h"
#include "common/Error.h"
#include "support/Catch.h"

namespace {

using apps::UserError;
using Catch::Matchers::ContainsSubstring;
using terrain::Options;
using Extents = std::array<std::size_t, 2>;
using Grid = std::array<int, 2>;

Options parse(std::vector<const char*> words) {
  words.insert(words.begin(), "terrain");
  return terrain::parse_command_line(static_cast<int>(words.size()), words.data(), "default.pgm")
      .options;
}

std::string failure(const std::vector<const char*>& words) {
  try {
    parse(words);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST_CASE("terrain options: without arguments the options have their defaults") {
  const auto options = parse({});
  CHECK(options.input == "default.pgm");
  CHECK(options.tile == Grid{1, 1});
  CHECK(options.steps > 0);
  CHECK_FALSE(options.dt);
  CHECK_FALSE(options.cell_size);
  CHECK_FALSE(options.units_grid);
  CHECK(options.overlap);
  CHECK_FALSE(options.verify);
  CHECK(options.output.empty());
  CHECK(options.picture.empty());
}

TEST_CASE("terrain options: every option is parsed") {
  const auto options =
      parse({"--input", "a.pgm", "--tile", "2,3", "--steps", "7", "--dt", "1e3", "--diffusivity",
             "0.02", "--cell-size", "30", "--units-grid=4,1", "--no-overlap", "--verify",
             "--output", "o.pgm", "--picture", "p.png"});
  CHECK(options.input == "a.pgm");
  CHECK(options.tile == Grid{2, 3});
  CHECK(options.steps == 7);
  CHECK(options.dt.value() == 1000);
  CHECK(options.diffusivity == 0.02);
  CHECK(options.cell_size.value() == 30);
  CHECK(options.units_grid.value() == Grid{4, 1});
  CHECK_FALSE(options.overlap);
  CHECK(options.verify);
  CHECK(options.output == "o.pgm");
  CHECK(options.picture == "p.png");
  CHECK(parse({"--overlap"}).overlap);
  CHECK(parse({"--steps", "0"}).steps == 0);
}

TEST_CASE("terrain options: the text of --help names every option") {
  const char* words[] = {"terrain", "--help"};
  const auto help = terrain::parse_command_line(2, words, "default.pgm").help;
  for (const auto* name :
       {"--input", "--tile", "--steps", "--dt", "--diffusivity", "--cell-size", "--units-grid",
        "--overlap", "--no-overlap", "--verify", "--output", "--picture"}) {
    CHECK_THAT(help, ContainsSubstring(name));
  }
}

TEST_CASE("terrain options: the error for an invalid value names the value and the expectation") {
  CHECK_THAT(failure({"--steps", "-5"}), ContainsSubstring("--steps") &&
                                             ContainsSubstring("0 or more") &&
                                             ContainsSubstring("'-5'"));
  CHECK_THAT(failure({"--steps=-5"}), ContainsSubstring("'-5'"));
  CHECK_THAT(failure({"--steps", "3.5"}),
             ContainsSubstring("whole number") && ContainsSubstring("'3.5'"));
  CHECK_THAT(failure({"--steps", "99999999999999999999"}), ContainsSubstring("--steps"));
  CHECK_THAT(failure({"--steps", ""}), ContainsSubstring("--steps"));
  for (const char* bad : {"2", "2,", ",2", "2x3", "0,1", "1,-1", "2,3,4", "1.5,2"}) {
    CHECK_THAT(failure({"--tile", bad}), ContainsSubstring("--tile") &&
                                             ContainsSubstring("such as 2,3") &&
                                             ContainsSubstring(bad));
    CHECK_THAT(failure({"--units-grid", bad}),
               ContainsSubstring("--units-grid") && ContainsSubstring(bad));
  }
  for (const char* bad : {"0", "-1", "nan", "inf", "ten", "1e999"}) {
    CHECK_THAT(failure({"--dt", bad}),
               ContainsSubstring("--dt") && ContainsSubstring("above 0") && ContainsSubstring(bad));
    CHECK_THAT(failure({"--diffusivity", bad}),
               ContainsSubstring("--diffusivity") && ContainsSubstring(bad));
    CHECK_THAT(failure({"--cell-size", bad}),
               ContainsSubstring("--cell-size") && ContainsSubstring(bad));
  }
}

TEST_CASE("terrain options: the error for an unknown or incomplete option is one line") {
  for (const auto& words : std::vector<std::vector<const char*>>{
           {"--stepps", "3"}, {"stray"}, {"--steps"}, {"--input"}, {"--verify=perhaps"}}) {
    const auto text = failure(words);
    CHECK_FALSE(text.empty());
    CHECK_THAT(text, !ContainsSubstring("\n"));
  }
}

TEST_CASE(
    "terrain setup: the default step is the largest stable one, and a larger one is rejected") {
  Options options;
  options.diffusivity = 0.01;
  const auto largest = terrain::choose_time_step(options, 100);
  CHECK(largest.dt == Approx(250000));
  CHECK(largest.alpha == 0.25);
  options.dt = 250000;
  CHECK(terrain::choose_time_step(options, 100).alpha == Approx(0.25));
  options.dt = 250001;
  CHECK_THROWS_WITH(terrain::choose_time_step(options, 100),
                    ContainsSubstring("unstable") && ContainsSubstring("250000"));
}

TEST_CASE("terrain setup: the option overrides the file's cell size, and one of them is required") {
  Options options;
  CHECK(terrain::choose_cell_size(options, 92.6) == 92.6);
  CHECK_THROWS_WITH(terrain::choose_cell_size(options, std::nullopt),
                    ContainsSubstring("--cell-size"));
  options.cell_size = 30;
  CHECK(terrain::choose_cell_size(options, 92.6) == 30);
  CHECK(terrain::choose_cell_size(options, std::nullopt) == 30);
}

TEST_CASE("terrain setup: tiling multiplies extents and rejects overflow") {
  Options options;
  options.tile = {2, 3};
  CHECK(terrain::tiled_extents(options, 344, 403) == Extents{688, 1209});
  options.tile = {2147483647, 2147483647};
  CHECK_THROWS_WITH(terrain::tiled_extents(options, 344, 403), ContainsSubstring("--tile"));
}

TEST_CASE("terrain setup: a division that leaves a unit without cells is detected") {
  CHECK(terrain::gives_cells_to_all(8, 4));
  CHECK(terrain::gives_cells_to_all(7, 4));
  CHECK_FALSE(terrain::gives_cells_to_all(5, 4));  // 2 2 1 0
  CHECK_FALSE(terrain::gives_cells_to_all(3, 4));
  CHECK(terrain::gives_cells_to_all(1, 1));
}

TEST_CASE("terrain setup: a requested grid is used or rejected with a reason") {
  Options options;
  options.units_grid = Grid{2, 3};
  CHECK(terrain::choose_units_grid(options, 6, {10, 10}) == Grid{2, 3});
  CHECK_THROWS_WITH(
      terrain::choose_units_grid(options, 4, {10, 10}),
      ContainsSubstring("2,3") && ContainsSubstring("6 units") && ContainsSubstring("4 were"));
  options.units_grid = Grid{1, 7};
  CHECK_THROWS_WITH(terrain::choose_units_grid(options, 7, {10, 5}),
                    ContainsSubstring("too fine") && ContainsSubstring("columns"));
  options.units_grid = Grid{4, 1};
  CHECK_THROWS_WITH(terrain::choose_units_grid(options, 4, {5, 5}),
                    ContainsSubstring("too fine") && ContainsSubstring("rows"));
  options.units_grid = Grid{2147483647, 2147483647};
  CHECK_THROWS_AS(terrain::choose_units_grid(options, 1, {5, 5}), UserError);
}

TEST_CASE("terrain setup: the default grid has the shortest borders") {
  const Options options;
  CHECK(terrain::choose_units_grid(options, 1, {344, 403}) == Grid{1, 1});
  CHECK(terrain::choose_units_grid(options, 4, {344, 403}) == Grid{2, 2});
  CHECK(terrain::choose_units_grid(options, 6, {1000, 100}) == Grid{6, 1});
  CHECK(terrain::choose_units_grid(options, 6, {100, 1000}) == Grid{1, 6});
  CHECK(terrain::choose_units_grid(options, 7, {344, 403}) == Grid{1, 7});
  CHECK_THROWS_WITH(terrain::choose_units_grid(options, 7, {5, 5}),
                    ContainsSubstring("fewer units"));
}

TEST_CASE("terrain setup: the default grid uses all units, and all of them have cells") {
  const Options options;
  for (int units = 1; units <= 32; ++units) {
    const auto grid = terrain::choose_units_grid(options, units, {344, 403});
    CHECK(grid[0] * grid[1] == units);
    CHECK(terrain::gives_cells_to_all(344, grid[0]));
    CHECK(terrain::gives_cells_to_all(403, grid[1]));
  }
}

}  // namespace
