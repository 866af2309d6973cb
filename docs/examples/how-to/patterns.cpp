// Distributions: constructs the patterns of docs/how-to/choose-a-pattern.md and draws the owners of elements.
// dash-example: units=1,3,4
#include <dash/tools/PatternVisualizer.h>
#include <libdash.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using Drawing = std::vector<std::string>;  // lines
constexpr long extent = 8;

/// Draws one line of text for each row of a matrix.
template <class Pattern, class Text>
Drawing draw(const std::string& title, const std::string& subtitle, const Pattern& pattern,
             Text text_of) {
  Drawing lines{title, subtitle};
  for (long i = 0; i < static_cast<long>(pattern.extent(0)); ++i) {
    std::string line;
    for (long j = 0; j < static_cast<long>(pattern.extent(1)); ++j)
      line += text_of(std::array<long, 2>{i, j});
    lines.push_back(line);
  }
  return lines;
}

template <class Pattern>
Drawing owners(const std::string& title, const std::string& subtitle, const Pattern& pattern) {
  return draw(title, subtitle, pattern, [&](const std::array<long, 2>& at) {
    return std::to_string(pattern.unit_at(at).id) + ' ';
  });
}

/// The positions of the elements of unit 0 in its memory.
template <class Pattern>
Drawing positions(const std::string& title, const std::string& subtitle, const Pattern& pattern) {
  return draw(title, subtitle, pattern, [&](const std::array<long, 2>& at) {
    const auto location = pattern.local_index(at);
    const std::string text = location.unit.id == 0 ? std::to_string(location.index) : ".";
    return std::string(2 - std::min<std::size_t>(text.size(), 2), ' ') + text + ' ';
  });
}

/// The owners of the elements of an array, with a space between different owners.
template <class Pattern>
std::string row(const char* title, const Pattern& pattern) {
  std::string line = title;
  line.resize(20, ' ');
  for (long i = 0; i < static_cast<long>(pattern.size()); ++i) {
    if (i > 0 && pattern.unit_at(i) != pattern.unit_at(i - 1)) line += ' ';
    line += std::to_string(pattern.unit_at(i).id);
  }
  return line;
}

void print(const std::vector<Drawing>& drawings) {
  if (dash::myid() != 0) return;
  for (std::size_t line = 0; line < drawings[0].size(); ++line) {
    std::string text;
    for (std::size_t i = 0; i < drawings.size(); ++i) {
      text.resize(26 * i, ' ');
      text += drawings[i][line];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    std::puts(text.c_str());
  }
  std::puts("");
}

/// Whether the elements of all units, together, are those of the range.
template <class Pattern>
bool covers_all(const Pattern& pattern) {
  std::size_t sum = 0;
  for (const int unit : pattern.team())
    sum += pattern.local_size(dash::team_unit_t(unit));
  return sum == pattern.size();
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool right = true;
  {
    const long num_rows = extent;
    const long num_cols = extent;

    // --8<-- [start:rows]
    const dash::Pattern<2> rows(num_rows, num_cols, dash::BLOCKED, dash::NONE);
    const dash::Pattern<2> columns(num_rows, num_cols, dash::NONE, dash::BLOCKED);
    // --8<-- [end:rows]

    // --8<-- [start:grid]
    dash::TeamSpec<2> units(dash::Team::All());
    units.balance_extents();  // 4 units: 2 x 2, 6 units: 3 x 2
    const dash::Pattern<2> blocks(dash::SizeSpec<2>(num_rows, num_cols),
                                  dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED), units);
    // --8<-- [end:grid]
    print({owners("A  rows", "BLOCKED, NONE", rows), owners("B  columns", "NONE, BLOCKED", columns),
           owners("C  grid of blocks", "BLOCKED, BLOCKED", blocks)});

    // --8<-- [start:cyclic]
    const dash::Pattern<2> cyclic_rows(num_rows, num_cols, dash::CYCLIC, dash::NONE);
    // --8<-- [end:cyclic]

    // --8<-- [start:tiles]
    const dash::SizeSpec<2> sizes(num_rows, num_cols);
    const dash::DistributionSpec<2> tiled(dash::TILE(2), dash::TILE(2));
    const dash::TilePattern<2> tiles(sizes, tiled, units);
    const dash::ShiftTilePattern<2> shifted(sizes, tiled, units);
    // --8<-- [end:tiles]
    // --8<-- [start:sequential]
    const dash::DistributionSpec<2> uneven(dash::TILE(2), dash::TILE(3));
    const dash::SeqTilePattern<2> sequential(sizes, uneven, units);
    // --8<-- [end:sequential]
    print({owners("D  rows in turn", "CYCLIC, NONE", cyclic_rows),
           owners("E  TilePattern", "TILE(2), TILE(2)", tiles),
           owners("F  ShiftTilePattern", "TILE(2), TILE(2)", shifted)});

    const dash::Pattern<2> joined(
        sizes, dash::DistributionSpec<2>(dash::BLOCKCYCLIC(2), dash::BLOCKCYCLIC(2)), units);
    print({owners("G  SeqTilePattern", "TILE(2), TILE(3)", sequential),
           positions("H  memory of unit 0", "BLOCKCYCLIC(2) twice", joined),
           positions("I  memory of unit 0", "TILE(2), TILE(2)", tiles)});

    // --8<-- [start:ranges]
    // The sizes must be equal on all units: each unit contributes its own one.
    const std::size_t own_size = 1 + static_cast<std::size_t>(dash::myid()) * 2;
    const std::vector<std::size_t> local_sizes = dash::allgather_async(own_size).get();
    const dash::CSRPattern<1> ranges(local_sizes);
    dash::Array<double, long, dash::CSRPattern<1>> values(ranges);
    // --8<-- [end:ranges]
    right = right && values.lsize() == own_size;

    // --8<-- [start:weights]
    // Without weights, the library measures the processors and the memory of the units.
    std::vector<double> weights(dash::size(), 1.0);
    weights.back() = 3;
    const dash::LoadBalancePattern<1> balanced(dash::SizeSpec<1>(16), weights, weights);
    // --8<-- [end:weights]
    if (dash::myid() == 0) {
      std::puts(row("BLOCKED", dash::Pattern<1>(16, dash::BLOCKED)).c_str());
      std::puts(row("CYCLIC", dash::Pattern<1>(16, dash::CYCLIC)).c_str());
      std::puts(row("BLOCKCYCLIC(2)", dash::Pattern<1>(16, dash::BLOCKCYCLIC(2))).c_str());
      std::puts(row("CSRPattern", ranges).c_str());
      std::puts(row("LoadBalancePattern", balanced).c_str());
    }
    right = right && covers_all(rows) && covers_all(blocks) && covers_all(tiles) &&
            covers_all(shifted) && covers_all(sequential) && covers_all(joined) &&
            covers_all(ranges) && covers_all(balanced);

    // --8<-- [start:query]
    const auto owner = tiles.unit_at({5, 2});         // of the element in row 5, column 2
    const auto location = tiles.local_index({5, 2});  // .unit and .index in its memory
    const auto coords = tiles.global_coords(location.unit, location.index);  // {5, 2} again
    const std::size_t mine = tiles.local_size();  // number of elements of the caller
    const std::size_t of_unit_0 = tiles.local_size(dash::team_unit_t(0));
    // --8<-- [end:query]
    right = right && owner == location.unit && coords[0] == 5 && coords[1] == 2 && mine > 0 &&
            of_unit_0 >= mine;

    // --8<-- [start:container]
    dash::Matrix<double, 2, long, dash::ShiftTilePattern<2>> matrix(shifted);
    matrix(3, 4) = 1.5;  // global coordinates
    // --8<-- [end:container]
    right = right && static_cast<double>(matrix(3, 4)) == 1.5;
    matrix.barrier();

    // --8<-- [start:make]
    using namespace dash;
    using Partitioning = pattern_partitioning_properties<pattern_partitioning_tag::rectangular>;
    using Mapping = pattern_mapping_properties<pattern_mapping_tag::diagonal>;
    using Layout = pattern_layout_properties<pattern_layout_tag::blocked>;
    const auto pattern = make_pattern<Partitioning, Mapping, Layout>(SizeSpec<2>(400, 400));
    // --8<-- [end:make]
    static_assert(std::is_same_v<std::remove_const_t<decltype(pattern)>, ShiftTilePattern<2>>);
    // --8<-- [start:require]
    static_assert(
        pattern_constraints<Partitioning, Mapping, Layout, ShiftTilePattern<2>>::satisfied::value);
    check_pattern_constraints<Partitioning, Mapping, Layout>(pattern);  // names what is missing
    // --8<-- [end:require]

    // --8<-- [start:svg]
    std::ostringstream svg;  // or a std::ofstream
    tools::PatternVisualizer<ShiftTilePattern<2>>(shifted, "tiles along diagonals")
        .draw_pattern(svg);
    // --8<-- [end:svg]
    right = right && svg.str().find("<svg") != std::string::npos;
    dash::barrier();
  }
  dash::finalize();
  return right ? 0 : 1;
}
