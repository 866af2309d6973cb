// dash-test: serial

#include <array>
#include <sstream>
#include <utility>

#include "dash/ViewSpec.h"
#include "dash/halo/GlobalBoundarySpec.h"
#include "dash/halo/HaloSpec.h"
#include "dash/halo/RegionCoords.h"
#include "dash/halo/RegionSpec.h"
#include "dash/halo/StencilPoint.h"
#include "dash/halo/StencilSpec.h"
#include "support/Catch.h"

namespace {

using namespace dash::halo;

template <dash::dim_t N>
using Point = StencilPoint<N>;

TEST_CASE("StencilPoint takes offsets, with or without a coefficient before them") {
  constexpr Point<2> plain(-1, 2);
  static_assert(plain[0] == -1 && plain[1] == 2 && plain.coefficient() == 1.0);
  constexpr Point<2> weighted(0.5, -1, 2);
  static_assert(weighted[0] == -1 && weighted[1] == 2 && weighted.coefficient() == 0.5);
  static_assert(weighted.max() == 2);
  static_assert(Point<3>().max() == 0);
  constexpr Point<1> line(3);
  static_assert(line[0] == 3 && line.coefficient() == 1.0);
  constexpr Point<1> weighted_line(0.25, -3);
  static_assert(weighted_line[0] == -3 && weighted_line.coefficient() == 0.25);
  constexpr StencilPoint<2, float> single(0.5F, 1, 1);
  static_assert(std::is_same_v<decltype(single.coefficient()), float>);
}

TEST_CASE("StencilPoint rejects offsets out of range") {
  CHECK(Point<1>(-32767)[0] == -32767);
  CHECK_THROWS_WITH(Point<1>(40000), Catch::Matchers::ContainsSubstring("40000") &&
                                         Catch::Matchers::ContainsSubstring("32767"));
  CHECK_THROWS_AS(Point<2>(0.5, 0, -40000), dash::exception::InvalidArgument);
}

TEST_CASE("specifications can be constructed from arrays") {
  constexpr std::array<Point<1>, 2> points{Point<1>(-1), Point<1>(2)};
  constexpr StencilSpec<Point<1>, 2> stencil = points;
  static_assert(stencil[1][0] == 2);
  const HaloSpec<1> halo(stencil);
  CHECK(HaloSpec<1>(halo.specs()) == halo);
  CHECK(HaloSpec<1>(halo.specs()).num_regions() == 2);
}

TEST_CASE("StencilPoint moves coordinates and reports whether they leave a view") {
  using Coords = std::array<dash::default_index_t, 2>;
  const Point<2> point(-1, 2);
  CHECK(point.stencil_coords(Coords{5, 5}) == Coords{4, 7});
  const dash::ViewSpec<2> view(10, 8);
  CHECK(point.stencil_coords_check(Coords{5, 5}, view) == std::pair(Coords{4, 7}, false));
  CHECK(point.stencil_coords_check(Coords{0, 5}, view) == std::pair(Coords{-1, 7}, true));
  CHECK(point.stencil_coords_check(Coords{5, 6}, view) == std::pair(Coords{4, 8}, true));
  const dash::ViewSpec<2> moved({100, 200}, {10, 8});
  CHECK(point.stencil_coords_check(Coords{101, 200}, moved) == std::pair(Coords{100, 202}, false));
  CHECK(point.stencil_coords_check(Coords{100, 200}, moved) == std::pair(Coords{99, 202}, true));
}

TEST_CASE("StencilSpec finds points and gives distances") {
  constexpr StencilSpec<Point<2>, 4> spec(Point<2>(0.1, -2, 0), Point<2>(0.2, 1, 0),
                                          Point<2>(0.3, 0, -1), Point<2>(0.4, 1, 3));
  static_assert(spec.num_stencil_points() == 4);
  static_assert(spec[1].coefficient() == 0.2);
  static_assert(spec.index(Point<2>(0, -1)) == std::pair<std::size_t, bool>(2, true));
  static_assert(spec.index(Point<2>(0, 1)) == std::pair<std::size_t, bool>(0, false));
  static_assert(spec.minmax_distances(0).first == -2 && spec.minmax_distances(0).second == 1);
  static_assert(spec.minmax_distances()[1].first == -1 && spec.minmax_distances()[1].second == 3);
  static_assert(spec.total_distances(0) == 3 && spec.total_distances()[1] == 4);
  constexpr StencilSpec<Point<1>, 2> wide(Point<1>(-18000), Point<1>(18000));
  static_assert(wide.total_distances(0) == 36000);
  const StencilSpec<Point<2>, 2> braces({Point<2>(1, 0), Point<2>(2, 0)});
  CHECK(braces.minmax_distances(0) == std::pair<spoint_value_t, spoint_value_t>(0, 2));
}

TEST_CASE("StencilSpecFactory makes one extreme point for each region") {
  constexpr auto spec = StencilSpecFactory<Point<3>>::full_stencil_spec(2);
  static_assert(spec.num_stencil_points() == 26);
  std::array<bool, 27> found{};
  for (const auto& point : spec.specs()) {
    found.at(RegionCoords<3>::index(point)) = true;
    CHECK(point.max() == 2);
    for (int d = 0; d < 3; ++d)
      CHECK((point[d] == -2 || point[d] == 0 || point[d] == 2));
  }
  for (region_index_t region = 0; region < 27; ++region)
    CHECK(found.at(region) == (region != 13));
  CHECK_THROWS_AS(StencilSpecFactory<Point<1>>::full_stencil_spec(40000),
                  dash::exception::InvalidArgument);
}

TEST_CASE("RegionCoords converts between index and coordinates") {
  static_assert(RegionCoords<2>(5).index() == 5);
  static_assert(RegionCoords<2>(5)[0] == 1 && RegionCoords<2>(5)[1] == 2);
  static_assert(RegionCoords<2>(0, 2).index() == 2);
  static_assert(RegionCoords<3>::center_index() == 13);
  static_assert(RegionCoords<3>().index() == 13);
  static_assert(RegionCoords<2>::index(0, RegionPos::PRE) == 1);
  static_assert(RegionCoords<2>::index(0, RegionPos::POST) == 7);
  static_assert(RegionCoords<2>::index(1, RegionPos::PRE) == 3);
  static_assert(RegionCoords<2>::index(1, RegionPos::POST) == 5);
  static_assert(RegionCoords<2>::index(Point<2>(-3, 1)) == 2);
  static_assert(RegionCoords<2>(Point<2>(1, 0)).index() == 7);
  static_assert(RegionCoords<2>::opposite_index(2) == 6);
  static_assert(RegionCoords<3>(0).level() == 3 && RegionCoords<3>(13).level() == 0);
  static_assert(RegionCoords<3>(4).level() == 1);
  for (region_index_t index = 0; index < RegionCoords<4>::MaxIndex; ++index) {
    CHECK(RegionCoords<4>::index_of(RegionCoords<4>::coords(index)) == index);
  }
}

TEST_CASE("RegionSpec knows its dimensions") {
  constexpr RegionSpec<3> face(RegionCoords<3>(1, 1, 2), 4);
  static_assert(face.index() == 14 && face.extent() == 4);
  static_assert(face.relevant_dim() == 3 && face.level() == 1);
  constexpr RegionSpec<3> edge(3, 1);  // 0 1 0
  static_assert(edge.relevant_dim() == 3 && edge.level() == 2);
  static_assert(RegionSpec<3>(RegionCoords<3>(0, 1, 1), 1).relevant_dim() == 1);
}

TEST_CASE("HaloSpec gives each stencil point the regions that it can reach") {
  SECTION("points on the axes need faces only") {
    constexpr HaloSpec<2> halo(
        StencilSpec<Point<2>, 4>(Point<2>(-1, 0), Point<2>(2, 0), Point<2>(0, -3), Point<2>(0, 1)));
    static_assert(halo.num_regions() == 4);
    static_assert(halo.extent(1) == 1 && halo.extent(7) == 2);
    static_assert(halo.extent(3) == 3 && halo.extent(5) == 1);
    static_assert(halo.extent(0) == 0 && halo.extent(4) == 0);
    static_assert(halo.halo_extension_max(0).first == 1 && halo.halo_extension_max(0).second == 2);
    static_assert(halo.halo_extension_max(1).first == 3 && halo.halo_extension_max(1).second == 1);
  }
  SECTION("a diagonal point needs a corner of its largest offset, and the adjacent faces") {
    constexpr HaloSpec<2> halo(StencilSpec<Point<2>, 1>(Point<2>(1, -2)));
    static_assert(halo.num_regions() == 3);
    static_assert(halo.extent(6) == 2);  // 2 0
    static_assert(halo.extent(7) == 1);  // 2 1
    static_assert(halo.extent(3) == 2);  // 1 0
    static_assert(halo.halo_extension_max(0).second == 2);
  }
  SECTION("all projections in three dimensions") {
    constexpr HaloSpec<3> halo(StencilSpec<Point<3>, 1>(Point<3>(-1, -2, 3)));
    static_assert(halo.num_regions() == 7);
    static_assert(halo.extent(RegionCoords<3>(0, 0, 2).index()) == 3);
    static_assert(halo.extent(RegionCoords<3>(0, 0, 1).index()) == 2);
    static_assert(halo.extent(RegionCoords<3>(0, 1, 1).index()) == 1);
    static_assert(halo.extent(RegionCoords<3>(1, 0, 2).index()) == 3);
  }
  SECTION("the widest of several stencils determines the width") {
    constexpr StencilSpec<Point<1>, 1> left(Point<1>(-1));
    constexpr StencilSpec<Point<1>, 2> both(Point<1>(-3), Point<1>(2));
    constexpr HaloSpec<1> halo(left, both);
    static_assert(halo.extent(0) == 3 && halo.extent(2) == 2 && halo.num_regions() == 2);
    static_assert(halo.covers(HaloSpec<1>(left)) && !HaloSpec<1>(left).covers(halo));
    const auto copy = halo;
    CHECK(copy == halo);
    CHECK(copy.num_regions() == 2);
    CHECK(copy.halo_extension_max(0) == halo.halo_extension_max(0));
  }
  SECTION("from regions") {
    constexpr HaloSpec<2> halo(RegionSpec<2>(1, 2), RegionSpec<2>(7, 1));
    static_assert(halo.num_regions() == 2 && halo.extent(1) == 2 && halo.extent(7) == 1);
  }
}

TEST_CASE("GlobalBoundarySpec is NONE by default") {
  static_assert(GlobalBoundarySpec<3>()[2] == BoundaryProp::NONE);
  constexpr GlobalBoundarySpec<2> spec(BoundaryProp::CYCLIC, BoundaryProp::CUSTOM);
  static_assert(spec[0] == BoundaryProp::CYCLIC && spec[1] == BoundaryProp::CUSTOM);
  std::ostringstream text;
  text << spec;
  CHECK(text.str() == "GlobalBoundarySpec<2>(CYCLIC, CUSTOM)");
}

}  // namespace
