// dash-test: parallel units=2,3 full-units=1,4,7 layouts=node,cliques env=DART_COPY_QUEUE_MIN:1

#include <cstddef>

#include <catch2/catch.hpp>

#include "HaloModel.h"
#include "support/Runner.h"

namespace {

using namespace dash::halo;
using namespace dash::test;

TEST_CASE("faces of any size arrive where the copy queue is asked to copy the smallest") {
  // Around what fits in a line with its signal: 56 bytes.
  const std::size_t width = GENERATE(1, 2, 6, 7, 8, 13, 14, 15, 40);
  CAPTURE(width);
  HaloShape<1> shape;
  shape.units = {dash::size()};
  shape.extents = {50 * dash::size()};
  shape.props = {BoundaryProp::CYCLIC};
  HaloMatrix<1> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<1>> wrapper(matrix, shape.bounds(), static_cast<int>(width));
  const auto first = matrix.pattern().global(HaloCoords<1>{0})[0];
  for (int step = 0; step < 6; ++step) {
    fill(matrix, step);
    wrapper.update();
    int wrong = 0;
    for (dash::default_index_t i = 0; i < static_cast<dash::default_index_t>(width); ++i) {
      const auto before = expected_halo<1>(shape, {first - 1 - i}, step, 0);
      const auto after = expected_halo<1>(shape, {first + 50 + i}, step, 0);
      wrong += *wrapper.halo_element_at_local({-1 - i}) == before ? 0 : 1;
      wrong += *wrapper.halo_element_at_local({50 + i}) == after ? 0 : 1;
    }
    REQUIRE(wrong == 0);
  }
}

}  // namespace
