// Tutorial, chapter 3: patterns, and a plate of temperatures that is distributed in blocks.
// dash-example: units=1,2,3,4,7
// --8<-- [start:program]
#include <libdash.h>

#include <cstdio>
#include <vector>

using Plate = dash::NArray<double, 2>;

constexpr long num_rows = 6;
constexpr long num_cols = 8;

// --8<-- [start:print_owners]
template <class Pattern>
void print_owners(const Pattern& pattern, long row) {
  std::printf("  ");
  for (long col = 0; col < num_cols; ++col)
    std::printf(" %d", static_cast<int>(pattern.unit_at({row, col})));
}
// --8<-- [end:print_owners]

// --8<-- [start:initial]
// The upper edge is hot in its middle, a spot is warm, and everything else is cold.
double initial(long row, long col) {
  if (row == 0 && col >= 2 && col < 6) return 100;
  return row >= 3 && row < 5 && col >= 1 && col < 3 ? 90 : 0;
}
// --8<-- [end:initial]

// --8<-- [start:print]
// Unit 0 copies each row from its owners and prints it.
void print(Plate& plate) {
  if (dash::myid() != 0) return;
  std::vector<double> line(num_cols);
  for (long i = 0; i < num_rows; ++i) {
    const auto row = plate.row(i);
    dash::copy(row.begin(), row.end(), line.data());
    for (const double temperature : line)
      std::printf("%5.0f", temperature);
    std::printf("\n");
  }
}
// --8<-- [end:print]

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  const int me = dash::myid();
  bool is_right = true;
  {
    // --8<-- [start:rows]
    const dash::Pattern<2> rows(num_rows, num_cols, dash::BLOCKED, dash::NONE);
    const dash::Pattern<2> columns(num_rows, num_cols, dash::NONE, dash::CYCLIC);
    // --8<-- [end:rows]

    // --8<-- [start:grid]
    dash::TeamSpec<2> grid(dash::Team::All());
    grid.balance_extents();  // 4 units form a grid of 2 x 2
    const dash::SizeSpec<2> sizes(num_rows, num_cols);
    const dash::DistributionSpec<2> blocked(dash::BLOCKED, dash::BLOCKED);
    const dash::DistributionSpec<2> tiled(dash::TILE(2), dash::TILE(2));
    const dash::Pattern<2> blocks(sizes, blocked, grid);
    const dash::TilePattern<2> tiles(sizes, tiled, grid);
    // --8<-- [end:grid]

    // --8<-- [start:owners]
    if (me == 0) {
      std::printf("   rows              columns           blocks            tiles\n");
      for (long row = 0; row < num_rows; ++row) {
        print_owners(rows, row);
        print_owners(columns, row);
        print_owners(blocks, row);
        print_owners(tiles, row);
        std::printf("\n");
      }
    }
    // --8<-- [end:owners]

    // --8<-- [start:plate]
    Plate plate(blocks);
    for (std::size_t i = 0; i < plate.local.extent(0); ++i)
      for (std::size_t j = 0; j < plate.local.extent(1); ++j) {
        const auto at = blocks.global({static_cast<long>(i), static_cast<long>(j)});
        plate.local(i, j) = initial(at[0], at[1]);
      }
    dash::barrier();  // all units have filled their blocks
    print(plate);
    // --8<-- [end:plate]

    // --8<-- [start:access]
    if (me == 0) {
      const double edge = plate(0, 5);  // any element, by its row and column
      std::printf("element (0, 5) is %g\n", edge);
      for (int n = 0; n < static_cast<int>(blocks.blockspec().size()); ++n) {
        const auto block = plate.block(n);
        const long row = block.offset(0);
        const long col = block.offset(1);
        std::printf("block %d begins at row %ld, column %ld\n", n, row, col);
      }
    }
    // --8<-- [end:access]

    // --8<-- [start:column]
    const auto column = plate.col(2);
    // All units call it, and each adds up the elements that it owns.
    const double sum = dash::reduce(column.begin(), column.end(), 0.0);
    if (me == 0) std::printf("sum of column 2: %g\n", sum);
    // --8<-- [end:column]

    // --8<-- [start:box]
    auto box = plate.sub<0>(3, 2).sub<1>(4, 3);  // rows 3 and 4, columns 4 to 6
    dash::fill(box.begin(), box.end(), 50.0);    // each unit fills its part
    // --8<-- [end:box]

    // --8<-- [start:view]
    for (double& temperature : plate | dash::sub<0>(5, 6) | dash::local())
      temperature = 10;  // the elements of row 5 that this unit owns
    dash::barrier();     // all units have changed their elements
    print(plate);
    // --8<-- [end:view]

    // --8<-- [start:blocks]
    std::size_t clipped = 0;
    if (me == 0) std::printf("rows 2 and 3, block by block:");
    for (const auto& block : plate | dash::sub<0>(2, 4) | dash::blocks()) {
      if (me == 0) std::printf(" %zu", block.size());
      clipped += block.size();
    }
    if (me == 0) std::printf(" elements\n");
    // --8<-- [end:blocks]

    const double total = dash::reduce(plate.begin(), plate.end(), 0.0);
    is_right = sum == 280 && clipped == 16 && total == 4 * 100 + 4 * 90 + 6 * 50 + 8 * 10;
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
// --8<-- [end:program]
