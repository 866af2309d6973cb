// dash-test: parallel ranks=quick units=1,2,3,4,6,7 full-units=8 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll smoke=yes

#include <array>
#include <cstddef>
#include <cstdint>

#include "HaloModel.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using namespace dash::halo;
using namespace dash::test;

/// Counts the wrong halo elements, each accessed in several ways.
template <dash::dim_t N, typename WrapperT>
int count_wrong(WrapperT& wrapper, const HaloShape<N>& shape, int step, int custom_step) {
  int wrong = 0;
  const auto& env = wrapper.halo_block().block_env();
  auto& memory = wrapper.halo_env().halo_memory();
  for (region_index_t region = 0; region < env.NumRegions; ++region) {
    const auto& box = env.halo_box(region);
    const auto range = memory.range_at(region);
    wrong += range.second - range.first == box.size() ? 0 : 1;
    auto* element = range.first;
    dash::halo::internal::for_each_row<dash::ROW_MAJOR>(
        box, [&](const auto& row, std::ptrdiff_t length) {
          auto local = row;
          for (std::ptrdiff_t i = 0; i < length; ++i, ++local[N - 1], ++element) {
            HaloCoords<N> global{};
            for (int d = 0; d < N; ++d)
              global[d] = local[d] + env.offsets()[d];
            const auto expected = expected_halo<N>(shape, global, step, custom_step);
            wrong += *element == expected ? 0 : 1;
            wrong += wrapper.halo_element_at_local(local) == element ? 0 : 1;
            wrong += wrapper.halo_element_at_global(global) == element ? 0 : 1;
            auto in_region = local;
            const bool is_in_region = memory.to_halo_mem_coords_check(region, in_region);
            wrong += is_in_region &&
                             memory.first_element_at(region) + memory.offset(region, in_region) ==
                                 element
                         ? 0
                         : 1;
          }
        });
  }
  return wrong;
}

/// Updates a matrix for several steps, with a stencil of full width.
template <dash::dim_t N>
void check_updates(const HaloShape<N>& shape, int width) {
  INFO(describe(shape, width));
  HaloMatrix<N> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<N>> wrapper(matrix, shape.bounds(), width);
  wrapper.set_custom_halos([](const HaloCoords<N>& coords) { return value_at<N>(coords, 100); });
  for (int step = 0; step < 4; ++step) {
    fill(matrix, step);
    wrapper.update();
    REQUIRE(count_wrong<N>(wrapper, shape, step, 100) == 0);
  }
}

/// \overload with a stencil
template <dash::dim_t N, typename StencilT>
void check_updates(const HaloShape<N>& shape, const StencilT& stencil) {
  INFO(describe(shape, stencil));
  HaloMatrix<N> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<N>> wrapper(matrix, shape.bounds(), stencil);
  for (int step = 0; step < 3; ++step) {
    fill(matrix, step);
    wrapper.update();
    REQUIRE(count_wrong<N>(wrapper, shape, step, 0) == 0);
  }
}

template <dash::dim_t N>
void check_updates(Random& random, int width) {
  check_updates<N>(random_shape<N>(random, width), width);
}

TEST_CASE("update brings each halo element from its owner, for random shapes and boundaries") {
  Random random(dash::test::seed());
  for (int round = 0; round < 6; ++round) {
    for (int width = 1; width <= 3; ++width) {
      check_updates<1>(random, width);
      check_updates<2>(random, width);
      check_updates<3>(random, width);
    }
  }
}

TEST_CASE("update brings each halo element in six dimensions, with 728 regions") {
  HaloShape<6> shape;
  shape.extents = {2 * dash::size(), 2, 1, 2, 1, 1};
  shape.units = {dash::size(), 1, 1, 1, 1, 1};
  shape.props = {BoundaryProp::NONE,   BoundaryProp::CYCLIC, BoundaryProp::CYCLIC,
                 BoundaryProp::CUSTOM, BoundaryProp::NONE,   BoundaryProp::CYCLIC};
  check_updates<6>(shape, 1);
}

TEST_CASE("update brings each halo element for random stencils, asymmetric ones too") {
  Random random(dash::test::seed() + 1);
  for (int round = 0; round < 30; ++round) {
    const auto shape = random_shape<2>(random, 3);
    const auto point = [&] { return HaloPoint<2>(random.between(-3, 3), random.between(-3, 3)); };
    const StencilSpec<HaloPoint<2>, 2> spec(point(), point());
    INFO(describe(shape, spec));
    HaloMatrix<2> matrix(shape.pattern());
    HaloMatrixWrapper<HaloMatrix<2>> wrapper(matrix, shape.bounds(), spec);
    wrapper.set_custom_halos([](const HaloCoords<2>& coords) { return value_at<2>(coords, 7); });
    for (int step = 0; step < 3; ++step) {
      fill(matrix, step);
      wrapper.update();
      REQUIRE(count_wrong<2>(wrapper, shape, step, 7) == 0);
    }
  }
}

TEST_CASE("regions are updated one by one, in any order") {
  Random random(dash::test::seed() + 2);
  Random own(dash::test::seed() + 1000 + static_cast<unsigned>(dash::myid().id));
  for (int round = 0; round < 10; ++round) {
    const auto shape = random_shape<2>(random, 2);
    INFO(describe(shape, 2));
    HaloMatrix<2> matrix(shape.pattern());
    HaloMatrixWrapper<HaloMatrix<2>> wrapper(matrix, shape.bounds(), 2);
    wrapper.set_custom_halos([](const HaloCoords<2>& coords) { return value_at<2>(coords, 9); });
    for (int step = 0; step < 6; ++step) {
      fill(matrix, step);
      auto& env = wrapper.halo_env();
      env.prepare_update();
      if (own.below(2) == 0) {
        for (region_index_t region = 0; region < 9; ++region)
          wrapper.update_at(region);
      } else {
        for (region_index_t region = 9; region-- > 0;)
          wrapper.update_async_at(region);
        if (own.below(2) == 0) {
          wrapper.wait();
        } else {
          for (region_index_t region = 0; region < 9; ++region) {
            while (own.below(2) == 0 && !env.test(region)) {
            }
            wrapper.wait(region);
          }
        }
      }
      REQUIRE(count_wrong<2>(wrapper, shape, step, 9) == 0);
    }
  }
}

TEST_CASE("regions refer to their elements in the matrix") {
  Random random(dash::test::seed() + 3);
  for (int round = 0; round < 4; ++round) {
    const auto shape = random_shape<2>(random, 2);
    INFO(describe(shape, 2));
    HaloMatrix<2> matrix(shape.pattern());
    fill(matrix, 0);
    HaloMatrixWrapper<HaloMatrix<2>> wrapper(matrix, shape.bounds(), 2);
    matrix.barrier();
    wrapper.update();
    const auto& block = wrapper.halo_block();
    int wrong = 0;
    std::size_t size = 0;
    for (const auto& region : block.halo_regions()) {
      size += region.size();
      if (region.is_custom_region()) {
        wrong += region.begin() == region.end() ? 0 : 1;
        continue;
      }
      const auto* element = wrapper.halo_env().halo_memory().first_element_at(region.index());
      for (const auto& value : region) {
        wrong += static_cast<value_t>(value) == *element++ ? 0 : 1;
      }
    }
    CHECK(wrong == 0);
    CHECK(size == block.halo_size());
    for (region_index_t region = 0; region < 9; ++region) {
      const auto* found = block.halo_region(region);
      if (region == 4) {
        CHECK(found == nullptr);
      } else {
        REQUIRE(found != nullptr);
        CHECK(found->index() == region);
        CHECK(found->is_border_region() == block.block_env().is_border_region(region));
      }
    }
    matrix.barrier();
  }
}

/// Columns distributed to all units, CUSTOM borders above and below.
HaloShape<2> between_custom_rows() {
  HaloShape<2> shape;
  shape.units = {1, dash::size()};
  shape.extents = {4, 3 * dash::size()};
  shape.props = {BoundaryProp::CUSTOM, BoundaryProp::CYCLIC};
  return shape;
}

TEST_CASE("values of CUSTOM regions persist, whether set by a function or through a pointer") {
  const auto shape = between_custom_rows();
  HaloMatrix<2> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<2>> wrapper(matrix, shape.bounds(), 1);
  const HaloCoords<2> above{-1, 1};
  const HaloCoords<2> below{4, 2};
  wrapper.set_custom_halos([](const HaloCoords<2>& coords) { return value_at<2>(coords, 1); });
  for (int step = 0; step < 3; ++step) {
    fill(matrix, step);
    wrapper.update();
    REQUIRE(count_wrong<2>(wrapper, shape, step, 1) == 0);
  }
  for (int step = 0; step < 3; ++step) {
    wrapper.update();
    *wrapper.halo_element_at_local(above) = 17;
    *wrapper.halo_element_at_local(below) = 18;
  }
  for (int step = 0; step < 3; ++step) {
    CHECK(*wrapper.halo_element_at_local(above) == 17);
    CHECK(*wrapper.halo_element_at_local(below) == 18);
    wrapper.update();
  }
  wrapper.set_custom_halos([step = 1](const HaloCoords<2>& coords) mutable {
    step = 2;
    return value_at<2>(coords, step);
  });
  for (int step = 0; step < 3; ++step) {
    fill(matrix, step);
    wrapper.update();
    REQUIRE(count_wrong<2>(wrapper, shape, step, 2) == 0);
  }
}

TEST_CASE("values of CUSTOM regions may be set through a pointer before the first update") {
  const auto shape = between_custom_rows();
  HaloMatrix<2> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<2>> wrapper(matrix, shape.bounds(), 1);
  const HaloCoords<2> above{-1, 1};
  *wrapper.halo_element_at_local(above) = 17;
  for (int step = 0; step < 3; ++step) {
    wrapper.update();
    REQUIRE(*wrapper.halo_element_at_local(above) == 17);
  }
}

TEST_CASE(
    "halo elements of a CYCLIC border are also accessible by their coordinates in the matrix") {
  const auto units = dash::size();
  if (units == 1) DASH_SKIP("needs a neighbour");
  HaloMatrix<1> matrix(dash::BlockPattern<1>(dash::SizeSpec<1>(4 * units)));
  HaloMatrixWrapper<HaloMatrix<1>> wrapper(matrix, {BoundaryProp::CYCLIC}, 1);
  fill(matrix, 0);
  wrapper.update();
  const auto last = static_cast<dash::default_index_t>(4 * units) - 1;
  if (dash::myid() == 0) {
    CHECK(wrapper.halo_element_at_global({last}) == wrapper.halo_element_at_local({-1}));
  }
  if (static_cast<std::size_t>(dash::myid()) == units - 1) {
    CHECK(wrapper.halo_element_at_global({0}) == wrapper.halo_element_at_local({4}));
  }
  CHECK(wrapper.halo_element_at_local({1}) == nullptr);
  CHECK(wrapper.halo_element_at_local({-2}) == nullptr);
  CHECK(wrapper.halo_element_at_local({5}) == nullptr);
}

TEST_CASE(
    "halo elements are accessible by their coordinates in the matrix if regions differ in width") {
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {5 * dash::size(), 8};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  // The corners have width 3; one of the faces has width 1, another 3.
  const StencilSpec<HaloPoint<2>, 2> stencil(HaloPoint<2>(1, -3), HaloPoint<2>(-3, 0));
  HaloMatrix<2> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<2>> wrapper(matrix, shape.bounds(), stencil);
  fill(matrix, 0);
  wrapper.update();
  const auto& env = wrapper.halo_block().block_env();
  int wrong = 0;
  for (region_index_t region = 0; region < env.NumRegions; ++region) {
    dash::halo::internal::for_each_row<dash::ROW_MAJOR>(
        env.halo_box(region), [&](const auto& row, std::ptrdiff_t length) {
          for (std::ptrdiff_t i = 0; i < length; ++i) {
            HaloCoords<2> global{row[0] + env.offsets()[0], row[1] + i};
            for (int d = 0; d < 2; ++d) {
              const auto extent = static_cast<dash::default_index_t>(shape.extents[d]);
              global[d] = (global[d] + extent) % extent;
            }
            const auto in_block = matrix.pattern().unit_at(global) == dash::myid().id;
            const auto* const element = wrapper.halo_element_at_global(global);
            if (in_block) {
              wrong += element == nullptr ? 0 : 1;
            } else {
              wrong += element != nullptr && *element == value_at<2>(global, 0) ? 0 : 1;
            }
          }
        });
  }
  CHECK(wrong == 0);
}

TEST_CASE("CUSTOM elements set through a pointer persist, as do those of other regions") {
  const auto shape = between_custom_rows();
  HaloMatrix<2> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<2>> wrapper(matrix, shape.bounds(), 1);
  wrapper.set_custom_halos([](const HaloCoords<2>& coords) { return value_at<2>(coords, 1); });
  const auto first = wrapper.halo_block().block_env().offsets()[1];
  for (int step = 0; step < 4; ++step) {
    wrapper.update();
    const auto value = static_cast<value_t>(100 + step);
    *wrapper.halo_element_at_local({-1, 1}) = value;
    wrapper.update();
    CHECK(*wrapper.halo_element_at_local({-1, 1}) == value);
    CHECK(*wrapper.halo_element_at_local({-1, 2}) == value_at<2>({-1, first + 2}, 1));
    CHECK(*wrapper.halo_element_at_local({4, 1}) == value_at<2>({4, first + 1}, 1));
  }
}

struct Cell {
  float height;
  std::int16_t kind[3];
};

TEST_CASE("elements may be structures, and blocks column-major") {
  using Pattern = dash::BlockPattern<2, dash::COL_MAJOR>;
  using Matrix = dash::Matrix<Cell, 2, dash::default_index_t, Pattern>;
  const Pattern pattern(dash::SizeSpec<2>(5, 3 * dash::size()),
                        dash::DistributionSpec<2>(dash::NONE, dash::BLOCKED));
  Matrix matrix(pattern);
  HaloMatrixWrapper<Matrix> wrapper(matrix, {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC}, 2);
  const auto value = [](const HaloCoords<2>& coords) {
    return Cell{static_cast<float>(100 * coords[0] + coords[1]),
                {static_cast<std::int16_t>(coords[0]), static_cast<std::int16_t>(coords[1]), 5}};
  };
  for_each_coords<2>(pattern.local_extents(), [&](const HaloCoords<2>& local) {
    matrix.lbegin()[pattern.local_at(local)] = value(pattern.global(local));
  });
  wrapper.update();
  const auto& env = wrapper.halo_block().block_env();
  int wrong = 0;
  for (region_index_t region = 0; region < 9; ++region) {
    const auto* element = wrapper.halo_env().halo_memory().first_element_at(region);
    dash::halo::internal::for_each_row<dash::COL_MAJOR>(
        env.halo_box(region), [&](const auto& row, std::ptrdiff_t length) {
          for (std::ptrdiff_t i = 0; i < length; ++i, ++element) {
            HaloCoords<2> coords{row[0] + i, row[1]};
            for (int d = 0; d < 2; ++d) {
              const auto extent = static_cast<dash::default_index_t>(pattern.extent(d));
              coords[d] = (coords[d] + env.offsets()[d] + extent) % extent;
            }
            const auto expected = value(coords);
            wrong += element->height == expected.height && element->kind[0] == expected.kind[0] &&
                             element->kind[1] == expected.kind[1] && element->kind[2] == 5
                         ? 0
                         : 1;
          }
        });
  }
  CHECK(wrong == 0);
}

TEST_CASE("indices may be of another type") {
  using Pattern = dash::BlockPattern<1, dash::ROW_MAJOR, int>;
  using Matrix = dash::Matrix<float, 1, int, Pattern>;
  using Point = StencilPoint<1, float>;
  Matrix matrix(Pattern(dash::SizeSpec<1, unsigned>(3 * static_cast<unsigned>(dash::size()))));
  const StencilSpec<Point, 2> stencil(Point(1, -1), Point(2, 1));
  HaloMatrixWrapper<Matrix> wrapper(matrix, {BoundaryProp::CYCLIC}, stencil);
  const auto op = wrapper.stencil_operator(stencil);
  const auto first = 3.0F * static_cast<float>(dash::myid().id);
  for (int i = 0; i < 3; ++i)
    matrix.lbegin()[i] = first + static_cast<float>(i);
  wrapper.update();
  const auto last = 3.0F * static_cast<float>(dash::size()) - 1;
  const auto left = dash::myid() == 0 ? last : first - 1;
  CHECK(op.boundary.get_value_at({0}, 0) == left + 2 * (first + 1));
  CHECK(op.inner.get_value_at({1}, 10) == 10 * (first + 1) + first + 2 * (first + 2));
  CHECK(op.begin().lpos() == 0);
  CHECK(*wrapper.halo_element_at_local({-1}) == left);
}

TEST_CASE("large faces arrive completely") {
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {8 * dash::size(), 20011};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  HaloMatrix<2> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<2>> wrapper(matrix, shape.bounds(), 2);
  for (int step = 0; step < 5; ++step) {
    fill(matrix, step);
    wrapper.update_async();
    wrapper.wait();
    REQUIRE(count_wrong<2>(wrapper, shape, step, 0) == 0);
  }
}

TEST_CASE("strided faces arrive completely, with long and short blocks, few and many") {
  using Point = HaloPoint<2>;
  HaloShape<2> shape;
  shape.units = {1, dash::size()};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  // Blocks of 320 B, 19 and 64 KiB in total; of 16 B; and larger than a chunk of the copy queue.
  for (const auto& [rows, cols, width] : {std::array{60, 40, 40}, std::array{200, 40, 40},
                                          std::array{3000, 3, 2}, std::array{3, 18000, 18000}}) {
    shape.extents = {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols) * dash::size()};
    check_updates<2>(shape, StencilSpec<Point, 2>(Point(0, -width), Point(0, width)));
  }
}

TEST_CASE("edges of three-dimensional blocks arrive completely: nested strides") {
  using Point = HaloPoint<3>;
  const auto units = dash::size();
  HaloShape<3> shape;
  shape.props = {BoundaryProp::NONE, BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  const StencilSpec<Point, 4> corners(Point(0, -32, -32), Point(0, -32, 32), Point(0, 32, -32),
                                      Point(0, 32, 32));
  for (const auto& grid : {std::array<std::size_t, 3>{1, 1, units}, {1, units, 1}}) {
    shape.units = grid;
    shape.extents = {3, 34 * grid[1], 33 * grid[2]};
    check_updates<3>(shape, corners);
  }
}

TEST_CASE("a wrapper may be destroyed during an update, and before or after another wrapper") {
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {3 * dash::size(), 5};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  HaloMatrix<2> matrix(shape.pattern());
  fill(matrix, 0);
  for (int round = 0; round < 5; ++round) {
    HaloMatrixWrapper<HaloMatrix<2>> first(matrix, shape.bounds(), 1);
    HaloMatrixWrapper<HaloMatrix<2>> second(matrix, shape.bounds(), 2);
    first.update_async();
    second.update_async();
    second.wait();
    CHECK(count_wrong<2>(second, shape, 0, 0) == 0);
    second.update_async();
  }
}

}  // namespace
