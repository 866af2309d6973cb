// Tutorial, chapter 4: heat spreads in a plate. The result is a picture, heat.ppm.
// dash-example: units=1,2,4,7
// --8<-- [start:program]
// --8<-- [start:includes]
#include <dash/halo/stencil/StencilLoop.h>
#include <libdash.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <vector>

using Plate = dash::NArray<double, 2>;
using Point = dash::halo::StencilPoint<2>;
// --8<-- [end:includes]

constexpr int num_rows = 120;
constexpr int num_cols = 180;

// --8<-- [start:initial]
// The upper edge is hot in its middle, a disc is warm, and everything else is cold.
double initial(long row, long col) {
  if (row == 0 && col >= num_cols / 4 && col < 3 * num_cols / 4) return 100;
  return std::hypot(row - 75, col - 50) < 25 ? 90 : 0;
}
// --8<-- [end:initial]

// --8<-- [start:picture]
// Unit 0 copies each row from its owners and writes it. Black is 0, then red and yellow, white is 100.
void write_picture(Plate& plate, const char* name) {
  if (dash::myid() == 0) {
    std::ofstream file(name, std::ios::binary);
    file << "P6 " << num_cols << ' ' << num_rows << " 255\n";
    std::vector<double> line(num_cols);
    for (int row = 0; row < num_rows; ++row) {
      const auto elements = plate.row(row);
      dash::copy(elements.begin(), elements.end(), line.data());
      for (const double heat : line)
        for (const double begin : {0.0, 33.3, 66.7})
          file.put(static_cast<char>(std::clamp((heat - begin) * 7.65, 0.0, 255.0)));
    }
  }
  dash::barrier();
}
// --8<-- [end:picture]

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool is_right = false;
  {
    // --8<-- [start:plates]
    dash::TeamSpec<2> grid(dash::Team::All());
    grid.balance_extents();  // 4 units form a grid of 2 x 2
    const Plate::pattern_type pattern(dash::SizeSpec<2>(num_rows, num_cols),
                                      dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED),
                                      grid);
    Plate first(pattern);
    Plate second(pattern);
    // --8<-- [end:plates]
    // --8<-- [start:fill]
    const auto extents = pattern.local_extents();
    for (std::size_t i = 0; i < extents[0]; ++i)
      for (std::size_t j = 0; j < extents[1]; ++j) {
        const auto at = pattern.global({static_cast<long>(i), static_cast<long>(j)});
        first.local(i, j) = initial(at[0], at[1]);
      }
    dash::barrier();
    // --8<-- [end:fill]

    // --8<-- [start:stencil]
    const dash::halo::StencilSpec<Point, 4> neighbours(Point(-1, 0), Point(1, 0), Point(0, -1),
                                                       Point(0, 1));
    dash::halo::StencilLoop loop(first, second, neighbours);
    // --8<-- [end:stencil]

    // --8<-- [start:loop]
    for (int step = 0; step <= 1200; ++step) {
      if (step % 400 == 0) {
        const double sum = dash::reduce(loop.current().begin(), loop.current().end(), 0.0);
        if (dash::myid() == 0)
          std::printf("step %4d: mean temperature %.3f\n", step, sum / (num_rows * num_cols));
      }
      loop.step([](const auto& cell) {
        return cell(0, 0) +
               0.2 * (cell(-1, 0) + cell(1, 0) + cell(0, -1) + cell(0, 1) - 4 * cell(0, 0));
      });
    }
    dash::barrier();
    // --8<-- [end:loop]
    Plate& result = loop.current();
    write_picture(result, "heat.ppm");

    // The hot edge keeps its temperature, and no element is hotter or below zero.
    const auto [coldest, hottest] = dash::minmax_element(result.begin(), result.end());
    is_right = static_cast<double>(*coldest) >= 0 && static_cast<double>(*hottest) == 100;
    dash::barrier();
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
// --8<-- [end:program]
