// dash-test: serial

#include <array>
#include <cstddef>
#include <numeric>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "dash/Exception.h"
#include "dash/Pattern.h"
#include "dash/pattern/internal/PatternLogging.h"
#include "dash/tools/Colorspace.h"
#include "dash/tools/PatternVisualizer.h"
#include "dash/util/PatternMetrics.h"
#include "support/Catch.h"

using dash::BLOCKED;
using dash::DistributionSpec;
using dash::NONE;
using dash::SizeSpec;
using dash::team_unit_t;
using dash::TeamSpec;
using dash::TILE;
using index_t = dash::default_index_t;
using Coords = std::array<index_t, 2>;

namespace {

template <class Pattern>
Pattern tiles(std::size_t rows, std::size_t cols, int tile_rows, int tile_cols,
              const TeamSpec<2>& units) {
  return Pattern(SizeSpec<2>(rows, cols), DistributionSpec<2>(TILE(tile_rows), TILE(tile_cols)),
                 units);
}

}  // namespace

TEST_CASE("TilePattern: linear index and memory: tile by tile") {
  const auto pattern = tiles<dash::TilePattern<2>>(6, 4, 3, 2, TeamSpec<2>(2, 1));
  CHECK(pattern.coords(0) == Coords{0, 0});
  CHECK(pattern.coords(2) == Coords{1, 0});
  CHECK(pattern.coords(6) == Coords{0, 2});
  CHECK(pattern.coords(12) == Coords{3, 0});
  CHECK(pattern.global_at({{1, 3}}) == 9);
  CHECK(pattern.unit_at({{4, 1}}) == 1);
  CHECK(pattern.local({{4, 1}}).coords == Coords{1, 1});
  CHECK(pattern.at(4, 1) == 3);
  CHECK(pattern.local(index_t{15}).unit == 1);
  CHECK(pattern.local(index_t{15}).index == 3);
  CHECK(pattern.global(team_unit_t(1), index_t{3}) == 15);
  CHECK(pattern.global_index(team_unit_t(1), {{1, 1}}) == 15);
  CHECK(pattern.contiguous_block_at(7).length == 5);
  CHECK(pattern.blockspec().size() == 4);
  CHECK(pattern.block(index_t{3}) == dash::ViewSpec<2>({3, 2}, {3, 2}));
  CHECK(pattern.local_block(team_unit_t(1), 1) == dash::ViewSpec<2>({3, 2}, {3, 2}));
  CHECK(pattern.local_block_at({{4, 3}}).index == 1);
  CHECK(pattern.has_local_elements(0, 3, team_unit_t(1), dash::ViewSpec<2>({0, 0}, {6, 4})));
  CHECK_FALSE(pattern.has_local_elements(0, 2, team_unit_t(1), dash::ViewSpec<2>({0, 0}, {6, 4})));
}

TEST_CASE("TilePattern: partially filled tiles: memory has no gaps") {
  const auto pattern = tiles<dash::TilePattern<2>>(7, 5, 3, 2, TeamSpec<2>(2, 2));
  CHECK(pattern.underfilled_blocksize(0) == 2);
  CHECK(pattern.underfilled_blocksize(1) == 1);
  std::size_t sum = 0;
  for (int unit = 0; unit < 4; ++unit) {
    const auto extents = pattern.local_extents(team_unit_t(unit));
    CHECK(pattern.local_size(team_unit_t(unit)) == extents[0] * extents[1]);
    sum += extents[0] * extents[1];
  }
  CHECK(sum == 35);
  CHECK(pattern.local({{6, 4}}).coords == Coords{3, 2});
  CHECK(pattern.at(6, 4) == 11);
  CHECK(pattern.block(pattern.block_at({{6, 4}})) == dash::ViewSpec<2>({6, 4}, {1, 1}));
}

TEST_CASE("ShiftTilePattern: each row and column of tiles: cycles through all units") {
  const auto pattern = tiles<dash::ShiftTilePattern<2>>(8, 8, 2, 2, TeamSpec<2>(2, 2));
  CHECK(pattern.num_units() == 4);
  for (index_t row = 0; row < 4; ++row) {
    for (index_t col = 0; col < 4; ++col)
      CHECK(pattern.unit_at({{row * 2, col * 2 + 1}}) == (row + col) % 4);
  }
  CHECK(pattern.local_extents(team_unit_t(1)) == std::array<std::size_t, 2>{8, 2});
  CHECK(pattern.local_blockspec(team_unit_t(1)).size() == 4);
  CHECK(pattern.local_block(team_unit_t(1), 1) == dash::ViewSpec<2>({2, 0}, {2, 2}));
  CHECK(pattern.local({{3, 1}}).coords == Coords{3, 1});
  CHECK(pattern.at(3, 1) == 7);
}

TEST_CASE("SeqTilePattern: tiles: distributed round-robin") {
  const auto pattern = tiles<dash::SeqTilePattern<2>>(6, 9, 3, 3, TeamSpec<2>(4, 1));
  for (index_t tile = 0; tile < 6; ++tile)
    CHECK(pattern.unit_at({{tile / 3 * 3, tile % 3 * 3}}) == tile % 4);
  CHECK(pattern.local_size(team_unit_t(1)) == 18);
  CHECK(pattern.local_size(team_unit_t(2)) == 9);
  CHECK(pattern.local_capacity() == 18);
  CHECK(pattern.local_extents(team_unit_t(1)) == std::array<std::size_t, 2>{6, 3});
}

TEST_CASE("CSRPattern: sizes of ranges: as specified") {
  const dash::CSRPattern<1> pattern(std::vector<std::size_t>{3, 0, 5, 1});
  CHECK(pattern.size() == 9);
  CHECK(pattern.num_units() == 4);
  CHECK(pattern.unit_at(index_t{2}) == 0);
  CHECK(pattern.unit_at(index_t{3}) == 2);
  CHECK(pattern.local(index_t{8}).unit == 3);
  CHECK(pattern.global(team_unit_t(2), index_t{4}) == 7);
  CHECK(pattern.local_size(team_unit_t(1)) == 0);
  CHECK(pattern.block(index_t{2}).offset(0) == 3);
  CHECK(pattern.block(index_t{2}).extent(0) == 5);
  CHECK(pattern.max_blocksize() == 5);
  CHECK(pattern == dash::CSRPattern<1>(std::vector<int>{3, 0, 5, 1}));
  CHECK_FALSE(pattern == dash::CSRPattern<1>(std::vector<std::size_t>{3, 1, 4, 1}));

  const dash::CSRPattern<1> even(SizeSpec<1>(10), DistributionSpec<1>(BLOCKED), TeamSpec<1>(3));
  CHECK(even.local_size(team_unit_t(0)) == 4);
  CHECK(even.local_size(team_unit_t(2)) == 2);
  const dash::CSRPattern<1, dash::ROW_MAJOR, int> of_int(std::vector<unsigned>{2, 2});
  CHECK(of_int.unit_at(3) == 1);
  CHECK_THROWS_AS((dash::CSRPattern<1>(std::vector<int>{1, -1})), dash::exception::InvalidArgument);
  CHECK_THROWS_AS((dash::CSRPattern<1, dash::ROW_MAJOR, int>(
                      std::vector<unsigned>{2'000'000'000, 2'000'000'000})),
                  dash::exception::OutOfRange);
}

TEST_CASE("LoadBalancePattern: shares: in proportion to the weights") {
  using Pattern = dash::LoadBalancePattern<1>;
  const Pattern pattern(SizeSpec<1>(100), {1, 1, 2}, {1, 3, 2}, dash::Team::Null());
  CHECK(pattern.unit_load_weights() == std::vector<double>{1, 2, 2});
  CHECK(pattern.local_size(team_unit_t(0)) == 20);
  CHECK(pattern.local_size(team_unit_t(1)) == 40);
  CHECK(pattern.local_size(team_unit_t(2)) == 40);
  const Pattern odd(SizeSpec<1>(10), {1, 1, 1}, {1, 1, 1}, dash::Team::Null());
  CHECK(odd.local_size(team_unit_t(0)) + odd.local_size(team_unit_t(1)) +
            odd.local_size(team_unit_t(2)) ==
        10);
  CHECK(odd.local_capacity() == 4);
  CHECK_THROWS_AS(Pattern(SizeSpec<1>(10), {1}, {1, 1}, dash::Team::Null()),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(Pattern(SizeSpec<1>(10), {-1}, {-1}, dash::Team::Null()),
                  dash::exception::InvalidArgument);
  CHECK(Pattern().size() == 0);
}

TEST_CASE("Pattern properties: those of each pattern") {
  using dash::pattern_layout_traits;
  using dash::pattern_mapping_traits;
  using dash::pattern_partitioning_traits;
  using Tile = dash::TilePattern<2>;
  STATIC_REQUIRE(pattern_partitioning_traits<Tile>::type::rectangular);
  STATIC_REQUIRE(pattern_partitioning_traits<Tile>::type::balanced);
  STATIC_REQUIRE_FALSE(pattern_partitioning_traits<Tile>::type::unbalanced);
  STATIC_REQUIRE(pattern_mapping_traits<Tile>::type::balanced);
  STATIC_REQUIRE_FALSE(pattern_mapping_traits<Tile>::type::diagonal);
  STATIC_REQUIRE(pattern_layout_traits<Tile>::type::blocked);
  STATIC_REQUIRE(pattern_layout_traits<Tile>::type::linear);
  STATIC_REQUIRE_FALSE(pattern_layout_traits<Tile>::type::canonical);
  STATIC_REQUIRE(pattern_layout_traits<Tile>::type::row_major);
  STATIC_REQUIRE_FALSE(
      pattern_layout_traits<dash::TilePattern<2, dash::COL_MAJOR>>::type::row_major);
  using Shift = dash::ShiftTilePattern<2>;
  STATIC_REQUIRE(pattern_mapping_traits<Shift>::type::diagonal);
  STATIC_REQUIRE_FALSE(pattern_partitioning_traits<Shift>::type::minimal);
  using Seq = dash::SeqTilePattern<2>;
  STATIC_REQUIRE(pattern_mapping_traits<Seq>::type::diagonal);
  STATIC_REQUIRE(pattern_partitioning_traits<Seq>::type::minimal);
  using Csr = dash::CSRPattern<1>;
  STATIC_REQUIRE(pattern_partitioning_traits<Csr>::type::minimal);
  STATIC_REQUIRE(pattern_partitioning_traits<Csr>::type::unbalanced);
  STATIC_REQUIRE_FALSE(pattern_partitioning_traits<Csr>::type::dynamic);
  STATIC_REQUIRE_FALSE(pattern_mapping_traits<Csr>::type::balanced);
  STATIC_REQUIRE(pattern_layout_traits<Csr>::type::blocked);
  using Load = dash::LoadBalancePattern<1>;
  STATIC_REQUIRE(pattern_partitioning_traits<Load>::type::dynamic);
  STATIC_REQUIRE(std::is_same_v<dash::pattern_traits<Load>::index_type, index_t>);

  std::ostringstream text;
  text << Shift::mapping_properties();
  CHECK(text.str() == "dash::pattern_mapping_properties{ balanced unbalanced diagonal }");
}

namespace {

using Equal = dash::pattern_partitioning_properties<dash::pattern_partitioning_tag::rectangular,
                                                    dash::pattern_partitioning_tag::balanced>;
using Minimal = dash::pattern_partitioning_properties<dash::pattern_partitioning_tag::minimal>;
using AnyMapping = dash::pattern_mapping_properties<dash::pattern_mapping_tag::any>;
using Diagonal = dash::pattern_mapping_properties<dash::pattern_mapping_tag::diagonal>;
using Blocked = dash::pattern_layout_properties<dash::pattern_layout_tag::blocked,
                                                dash::pattern_layout_tag::linear>;
using Canonical = dash::pattern_layout_properties<dash::pattern_layout_tag::canonical>;

template <class Part, class Map, class Lay, class Pattern>
inline constexpr bool satisfied =
    dash::pattern_constraints<Part, Map, Lay, Pattern>::satisfied::value;

}  // namespace

TEST_CASE("pattern_constraints: satisfied if the pattern has all required properties") {
  STATIC_REQUIRE(satisfied<Equal, AnyMapping, Blocked, dash::TilePattern<2>>);
  STATIC_REQUIRE(satisfied<Equal, Diagonal, Blocked, dash::ShiftTilePattern<2>>);
  STATIC_REQUIRE(satisfied<Equal, AnyMapping, Canonical, dash::BlockPattern<2>>);
  STATIC_REQUIRE_FALSE(satisfied<Equal, Diagonal, Blocked, dash::TilePattern<2>>);
  STATIC_REQUIRE_FALSE(satisfied<Equal, AnyMapping, Canonical, dash::TilePattern<2>>);
  STATIC_REQUIRE_FALSE(satisfied<Minimal, AnyMapping, Blocked, dash::TilePattern<2>>);
  STATIC_REQUIRE_FALSE(satisfied<Equal, AnyMapping, Blocked, dash::BlockPattern<2>>);
  CHECK(dash::check_pattern_constraints<Equal, Diagonal, Blocked>(dash::ShiftTilePattern<2>()));
}

TEST_CASE("make_team_spec: grids: use all units and suit the extents") {
  const auto extents = [](const auto& spec) { return spec.extents(); };
  using Extents = std::array<std::size_t, 2>;
  CHECK(extents(dash::make_team_spec(SizeSpec<2>(600, 600), 6)) == Extents{3, 2});
  CHECK(extents(dash::make_team_spec(SizeSpec<2>(600, 600), 7)) == Extents{7, 1});
  CHECK(extents(dash::make_team_spec(SizeSpec<2>(100, 10000), 4)) == Extents{1, 4});
  CHECK(extents(dash::make_team_spec(SizeSpec<2>(10000, 100), 4)) == Extents{4, 1});
  CHECK(extents(dash::make_team_spec(SizeSpec<2>(10, 10), 0)) == Extents{0, 1});
  CHECK(dash::make_team_spec(SizeSpec<1>(10), 5).extent(0) == 5);
  CHECK(dash::make_team_spec(SizeSpec<3>(64, 64, 64), 8).extents() ==
        std::array<std::size_t, 3>{2, 2, 2});
  // Two nodes: the longer side is divided between them.
  CHECK(extents(dash::make_team_spec(SizeSpec<2>(600, 600), 8, 2)) == Extents{4, 2});
  for (int units = 1; units <= 30; ++units) {
    CHECK(dash::make_team_spec(SizeSpec<3>(50, 60, 70), units, 2, 2).size() ==
          static_cast<std::size_t>(units));
  }
}

TEST_CASE("make_pattern: type and blocks: as the constraints require") {
  const SizeSpec<2> sizes(12, 18);
  const TeamSpec<2> units(3, 2);
  const auto block = dash::make_pattern(sizes, units);
  STATIC_REQUIRE(std::is_same_v<decltype(block), const dash::BlockPattern<2>>);
  CHECK(block.blocksize(0) == 4);
  CHECK(block.blocksize(1) == 9);
  CHECK(block.distspec()[0] == dash::BLOCKCYCLIC(4));

  const auto tile = dash::make_pattern<Equal, AnyMapping, Blocked>(sizes, units);
  STATIC_REQUIRE(std::is_same_v<decltype(tile), const dash::TilePattern<2>>);
  CHECK(tile.distspec()[1] == TILE(9));

  const auto shift = dash::make_pattern<Equal, Diagonal, Blocked>(sizes, units);
  STATIC_REQUIRE(std::is_same_v<decltype(shift), const dash::ShiftTilePattern<2>>);
  CHECK(shift.blockspec().extents() == std::array<std::size_t, 2>{6, 6});
  for (int unit = 0; unit < 6; ++unit)
    CHECK(shift.local_size(team_unit_t(unit)) == 36);

  const auto seq = dash::make_pattern<Minimal, AnyMapping, Blocked>(sizes, units);
  STATIC_REQUIRE(std::is_same_v<decltype(seq), const dash::SeqTilePattern<2>>);
  CHECK(seq.blocksize(0) == seq.blocksize(1));

  const auto uneven =
      dash::make_pattern<dash::pattern_partitioning_default_properties, AnyMapping, Blocked>(
          SizeSpec<2>(13, 19), units);
  CHECK(uneven.blocksize(0) == 5);
  CHECK(uneven.blocksize(1) == 10);
  CHECK_THROWS_AS((dash::make_pattern<Equal, AnyMapping, Blocked>(SizeSpec<2>(13, 19), units)),
                  dash::exception::InvalidArgument);
  const auto single = dash::make_pattern(SizeSpec<1>(10), TeamSpec<1>(4));
  CHECK(single.blocksize(0) == 3);
  const auto diagonal =
      dash::make_pattern<Equal, Diagonal, Canonical>(SizeSpec<1>(12), TeamSpec<1>(4));
  STATIC_REQUIRE(std::is_same_v<decltype(diagonal), const dash::ShiftTilePattern<1>>);
}

TEST_CASE("make_distribution_spec: blocks: number required by the constraints") {
  using dash::make_distribution_spec;
  const SizeSpec<2> sizes(12, 18);
  const TeamSpec<2> units(3, 2);
  CHECK(make_distribution_spec(sizes, units) ==
        DistributionSpec<2>(dash::BLOCKCYCLIC(4), dash::BLOCKCYCLIC(9)));
  CHECK(make_distribution_spec<Equal, AnyMapping, Blocked>(sizes, units) ==
        DistributionSpec<2>(TILE(4), TILE(9)));
  CHECK(make_distribution_spec<Equal, Diagonal, Blocked>(sizes, units) ==
        DistributionSpec<2>(TILE(2), TILE(3)));
  using Neighbor = dash::pattern_mapping_properties<dash::pattern_mapping_tag::neighbor>;
  CHECK(make_distribution_spec<Equal, Neighbor, Canonical>(sizes, units) ==
        DistributionSpec<2>(dash::BLOCKCYCLIC(2), dash::BLOCKCYCLIC(3)));
  CHECK(make_distribution_spec<Minimal, AnyMapping, Blocked>(sizes, units) ==
        DistributionSpec<2>(TILE(4), TILE(4)));
  CHECK_THROWS_AS((make_distribution_spec<Equal, AnyMapping, Blocked>(SizeSpec<2>(13, 18), units)),
                  dash::exception::InvalidArgument);
}

TEST_CASE("Patterns: a grid of units with another type of indices: accepted like any other") {
  const TeamSpec<2, int> grid(2, 3);
  const dash::Pattern<2> blocks(6, 9, BLOCKED, BLOCKED, grid);
  CHECK(blocks.teamspec() == TeamSpec<2>(2, 3));
  const auto made = dash::make_pattern(SizeSpec<2, unsigned>(6, 9), grid);
  CHECK(made.num_units() == 6);
  CHECK(TeamSpec<2>(TeamSpec<2, int>(dash::Team::All())).is_linear());
}

TEST_CASE("PatternMetrics: blocks and elements: minimum and maximum per unit") {
  const dash::BlockPattern<1> pattern(SizeSpec<1>(10), DistributionSpec<1>(dash::BLOCKCYCLIC(3)),
                                      TeamSpec<1>(3));
  const dash::util::PatternMetrics<dash::BlockPattern<1>> metrics(pattern);
  CHECK(metrics.num_blocks() == 4);
  CHECK(metrics.min_blocks_per_unit() == 1);
  CHECK(metrics.max_blocks_per_unit() == 2);
  CHECK(metrics.min_elements_per_unit() == 3);
  CHECK(metrics.max_elements_per_unit() == 4);
  CHECK(metrics.num_balanced_units() == 1);
  CHECK(metrics.num_imbalanced_units() == 2);
  CHECK(metrics.unit_local_blocks(team_unit_t(0)) == 2);
  CHECK(metrics.imbalance_factor() == Approx(1.2));
}

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++result;
  return result;
}

template <class Pattern>
std::string drawn(const Pattern& pattern, bool blocked = false, dash::dim_t x = 1,
                  dash::dim_t y = 0) {
  std::ostringstream svg;
  dash::tools::PatternVisualizer<Pattern> visualizer(pattern, "tiles & <units>\x01",
                                                     "a description");
  visualizer.draw_pattern(svg, blocked, {}, x, y);
  return svg.str();
}

}  // namespace

TEST_CASE("PatternVisualizer: title and description: those set last") {
  const auto pattern = tiles<dash::TilePattern<2>>(4, 4, 2, 2, TeamSpec<2>(2, 2));
  dash::tools::PatternVisualizer<decltype(pattern)> visualizer(pattern, "first title",
                                                               "first description");
  visualizer.set_title("second title");
  visualizer.set_description("where <all> tiles are full");
  std::ostringstream svg;
  visualizer.draw_pattern(svg);
  CHECK(count(svg.str(), "first title") == 0);
  CHECK(count(svg.str(), "first description") == 0);
  CHECK(count(svg.str(), "second title") > 0);
  CHECK(count(svg.str(), "where &lt;all&gt; tiles are full") == 1);
}

TEST_CASE("PatternVisualizer: the drawing: contains each element once and a line for each unit") {
  const auto pattern = tiles<dash::ShiftTilePattern<2>>(7, 5, 3, 2, TeamSpec<2>(2, 2));
  const auto svg = drawn(pattern);
  // The legend contains a rectangle for each unit.
  CHECK(count(svg, "<rect ") == 35 + 4);
  CHECK(count(svg, "<polyline ") == 4);
  CHECK(count(svg, "tiles &amp; &lt;units&gt;<") == 2);  // XML has no control characters
  CHECK(count(svg, "a description") == 1);
  CHECK(count(svg, "dimension 1") == 1);
  CHECK(svg.rfind("<svg ", 0) == 0);
  CHECK(svg.substr(svg.size() - 7) == "</svg>\n");
  CHECK(count(drawn(pattern, true), "<rect ") == 9 + 4);
  CHECK(count(drawn(pattern, false, 0, 1), "dimension 0") == 1);
  CHECK_THROWS_AS(drawn(pattern, false, 2, 0), dash::exception::OutOfRange);

  const dash::BlockPattern<3> cube(SizeSpec<3>(2, 3, 4), DistributionSpec<3>(NONE, BLOCKED, NONE),
                                   TeamSpec<3>(1, 3, 1));
  CHECK(count(drawn(cube, false, 2, 1), "<rect ") == 12 + 3);
  CHECK(count(drawn(cube, true, 2, 1), "<rect ") == 3 + 3);
  CHECK(count(drawn(dash::CSRPattern<1>(std::vector<int>{2, 3})), "<rect ") == 5 + 2);
}

TEST_CASE("Colors: hue, saturation and value: as red, green and blue") {
  CHECK(dash::tools::color_from_hsv(0, 1, 1).hex() == "#ff0000");
  CHECK(dash::tools::color_from_hsv(120, 1, 1).hex() == "#00ff00");
  CHECK(dash::tools::color_from_hsv(240, 1, 1).hex() == "#0000ff");
  CHECK(dash::tools::color_from_hsv(60, 0, 1).hex() == "#ffffff");
  CHECK(dash::tools::color_of_unit(0, 4).hex() != dash::tools::color_of_unit(1, 4).hex());
}

TEST_CASE("ViewSpec: lists of numbers: extents, or offsets and extents") {
  CHECK(dash::ViewSpec<2>({10, 8}) == dash::ViewSpec<2>(10, 8));
  CHECK(dash::ViewSpec<2>({1, 2}, {10, 8}).offset(1) == 2);
  CHECK(dash::ViewSpec<1>({5}).extent(0) == 5);
  CHECK(dash::ViewSpec<1>({5}, {3}).offset(0) == 5);
  const int n = 4;
  CHECK(dash::ViewSpec<2>({n, n}).size() == 16);
}
