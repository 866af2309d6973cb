// dash-test: parallel units=2,3 full-units=1,4,7,8 layouts=node,cliques
// dash-test: env=DART_COPY_QUEUE_MIN:1,DART_COPY_CHUNK:4K

#include <cstddef>

#include "HaloModel.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using namespace dash::halo;
using namespace dash::test;

TEST_CASE("faces of any size arrive if the copy queue copies even the smallest") {
  // Around the size that fits into a cache line with its signal: 56 bytes.
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

TEST_CASE("a block may be written after a wait for the only region of an update that was started") {
  constexpr int width = 20'000;  // queued, and in flight for a while
  HaloShape<1> shape;
  shape.units = {dash::size()};
  shape.extents = {width * dash::size()};
  shape.props = {BoundaryProp::CYCLIC};
  HaloMatrix<1> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<1>> wrapper(matrix, shape.bounds(), width);
  const auto first = matrix.pattern().global(HaloCoords<1>{0})[0];
  auto& env = wrapper.halo_env();
  for (int step = 0; step < 6; ++step) {
    const region_index_t region = step % 2 == 0 ? 0 : 2;
    fill(matrix, step);
    env.prepare_update();
    wrapper.update_at(region);
    fill(matrix, 1000);
    int wrong = 0;
    const auto [begin, end] = env.halo_memory().range_at(region);
    for (const auto* element = begin; element != end; ++element) {
      const auto at = first + (region == 0 ? -width : width) + (element - begin);
      wrong += *element == expected_halo<1>(shape, {at}, step, 0) ? 0 : 1;
    }
    REQUIRE(wrong == 0);
  }
}

/// Updates of faces that are strided in several dimensions.
template <dash::dim_t N>
void check_faces(const HaloShape<N>& shape, int width) {
  INFO(describe(shape, width));
  HaloMatrix<N> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<N>> wrapper(matrix, shape.bounds(), width);
  const auto& env = wrapper.halo_block().block_env();
  for (int step = 0; step < 3; ++step) {
    fill(matrix, step);
    wrapper.update();
    int wrong = 0;
    for (region_index_t region = 0; region < env.NumRegions; ++region) {
      const auto* element = wrapper.halo_env().halo_memory().first_element_at(region);
      dash::halo::internal::for_each_row<dash::ROW_MAJOR>(
          env.halo_box(region), [&](const auto& row, std::ptrdiff_t length) {
            for (std::ptrdiff_t i = 0; i < length; ++i, ++element) {
              HaloCoords<N> global{};
              for (int d = 0; d < N; ++d)
                global[d] = row[d] + env.offsets()[d] + (d == N - 1 ? i : 0);
              wrong += *element == expected_halo<N>(shape, global, step, 0) ? 0 : 1;
            }
          });
    }
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("the copy queue copies faces that are strided in several dimensions") {
  const auto bounds = BoundaryProp::CYCLIC;
  HaloShape<3> solid;
  solid.units = {1, 1, dash::size()};
  solid.extents = {12, 40, 8 * dash::size()};
  solid.props.fill(bounds);
  check_faces<3>(solid, 2);
  solid.units = {1, dash::size(), 1};
  solid.extents = {40, 6 * dash::size(), 30};
  check_faces<3>(solid, 1);
  HaloShape<4> hyper;
  hyper.units = {1, 1, dash::size(), 1};
  hyper.extents = {8, 6, 4 * dash::size(), 9};
  hyper.props.fill(bounds);
  check_faces<4>(hyper, 2);
}

}  // namespace
