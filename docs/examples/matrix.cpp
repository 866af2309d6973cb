// A matrix of tiles: any unit accesses any element, and its own tiles as native memory.
// dash-example: units=1,4
#include <libdash.h>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    // Arranges the units in a grid that is as square as possible.
    dash::TeamSpec<2> units(dash::Team::All());
    units.balance_extents();
    const auto rows = 8 * units.extent(0);
    const auto cols = 6 * units.extent(1);
    dash::NArray<int, 2> matrix(dash::SizeSpec<2>(rows, cols),
                                dash::DistributionSpec<2>(dash::TILE(4), dash::TILE(3)),
                                dash::Team::All(), units);

    for (std::size_t i = 0; i < matrix.local.extent(0); ++i) {
      for (std::size_t j = 0; j < matrix.local.extent(1); ++j)
        matrix.local[i][j] = dash::myid();
    }
    dash::barrier();

    // Two notations for an access, and the owner of an element.
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        const int owner = matrix.pattern().unit_at({static_cast<long>(i), static_cast<long>(j)});
        wrong += matrix(i, j) == owner ? 0 : 1;
        wrong += matrix[i][j] == owner ? 0 : 1;
      }
    }
    // Each block belongs to one unit.
    auto block = matrix.block(0);
    for (auto element : block)
      wrong += element == 0 ? 0 : 1;
    wrong += block.size() == 12 ? 0 : 1;
    dash::barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
