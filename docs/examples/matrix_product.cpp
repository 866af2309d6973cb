// Matrix products: with tiles that suit the algorithm, and into a matrix with another distribution.
// dash-example: units=1,3,4
#include <libdash.h>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    // Tiles of equal size: the extents are multiples of the number of units.
    const std::size_t n = 60 * dash::size();
    const auto tiles =
        dash::make_pattern<dash::summa_pattern_partitioning_constraints,
                           dash::summa_pattern_mapping_constraints,
                           dash::summa_pattern_layout_constraints>(dash::SizeSpec<2>(n, n));
    using Pattern = std::decay_t<decltype(tiles)>;
    dash::Matrix<double, 2, Pattern::index_type, Pattern> a(tiles);
    dash::Matrix<double, 2, Pattern::index_type, Pattern> b(tiles);

    // A permutation of the rows, and elements that contain their coordinates.
    for (std::size_t i = static_cast<std::size_t>(dash::myid()); i < n; i += dash::size())
      a(i, n - 1 - i) = 1;
    dash::for_each_with_index(b.begin(), b.end(), [&](double& element, auto index) {
      const auto at = b.pattern().coords(index);
      element = static_cast<double>(at[0]) * 1000 + static_cast<double>(at[1]);
    });

    // Waits until all units have completed their previous assignments, and then for the whole product.
    dash::NArray<double, 2> c(n, n, dash::BLOCKED, dash::NONE);
    dash::summa(a, b, c);
    wrong += c(0, 5) == 1000.0 * static_cast<double>(n - 1) + 5 ? 0 : 1;
    wrong += c(n - 1, 7) == 7 ? 0 : 1;
    c.barrier();

    // As a task, which runs in the background.
    dash::Future<void> done = dash::mmult_async(a, c, b);
    done.wait();
    wrong += b(3, 4) == 3004 ? 0 : 1;
    b.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
