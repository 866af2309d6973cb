// dash-test: serial

#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <type_traits>

#include "dash/Cartesian.h"
#include "dash/Dimensional.h"
#include "dash/Distribution.h"
#include "dash/Exception.h"
#include "dash/TeamSpec.h"
#include "dash/ViewSpec.h"
#include "dash/internal/util/FastDivisor.h"
#include "support/Catch.h"
#include "support/Runner.h"

#include <random>

using index_t = dash::default_index_t;

namespace {

template <class T>
std::string text_of(const T& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

TEST_CASE("FastDivisor: any divisor and dividend: the exact quotient") {
  std::mt19937_64 random(dash::test::seed());
  const auto number = [&random] {
    const auto bits = random() % 63 + 1;
    return (random() >> 1) >> (63 - bits);
  };
  std::size_t wrong = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const std::uint64_t divisor = std::max<std::uint64_t>(number(), 1);
    const std::uint64_t dividend = number();
    const dash::internal::FastDivisor fast(divisor);
    // Rounding errors would appear at multiples and their neighbours.
    const std::uint64_t multiple = dividend / divisor * divisor;
    wrong += fast.divide(dividend) == dividend / divisor ? 0 : 1;
    wrong += fast.divide(multiple) == multiple / divisor ? 0 : 1;
    wrong += multiple == 0 || fast.divide(multiple - 1) == (multiple - 1) / divisor ? 0 : 1;
  }
  CHECK(wrong == 0);
  constexpr std::uint64_t largest = ~std::uint64_t{0} >> 1;
  for (const std::uint64_t divisor : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, largest,
                                      largest - 1, std::uint64_t{1} << 62}) {
    CHECK(dash::internal::FastDivisor(divisor).divide(largest) == largest / divisor);
  }
}

TEST_CASE("FastDivisor: with a largest dividend: the exact quotient, and no shift if it is small") {
  std::mt19937_64 random(dash::test::seed());
  std::size_t wrong = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const std::uint64_t most = random() >> (random() % 62 + 1);
    const std::uint64_t divisor = std::max<std::uint64_t>(random() >> (random() % 63 + 1), 1);
    const dash::internal::FastDivisor fast(divisor, most);
    const std::uint64_t multiple = most / divisor * divisor;
    for (const std::uint64_t dividend : {most, multiple, multiple == 0 ? 0 : multiple - 1}) {
      wrong += fast.divide(dividend) == dividend / divisor ? 0 : 1;
      if (fast.needs_no_shift()) wrong += fast.multiply(dividend) == dividend / divisor ? 0 : 1;
    }
    if (most < 1U << 31 && divisor < 1U << 31) wrong += fast.needs_no_shift() ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("CartesianIndexSpace: at and coords: inverse functions, in both orders") {
  const dash::CartesianIndexSpace<3> rows(2, 3, 4);
  const dash::CartesianIndexSpace<3, dash::COL_MAJOR> cols(2, 3, 4);
  CHECK(rows.at(1, 2, 3) == 23);
  CHECK(rows.at(0, 0, 1) == 1);
  CHECK(cols.at(1, 0, 0) == 1);
  for (index_t index = 0; index < 24; ++index) {
    CHECK(rows.at(rows.coords(index)) == index);
    CHECK(cols.at(cols.coords(index)) == index);
    CHECK(rows.at<dash::COL_MAJOR>(cols.coords(index)) == index);
  }
  CHECK(rows.x(23) == 1);
  CHECK(rows.y(23) == 2);
  CHECK(rows.z(23) == 3);
  CHECK(rows.includes_index(23, 1, 2));
  CHECK_FALSE(rows.includes_index(23, 1, 1));
}

TEST_CASE("CartesianIndexSpace: with a view: its extents and its offsets") {
  const dash::CartesianIndexSpace<2> space(5, 6);
  const dash::ViewSpec<2> view({1, 2}, {2, 3});
  CHECK(space.coords(4, view) == std::array<index_t, 2>{2, 3});
  CHECK(space.at(std::array<index_t, 2>{1, 1}, view) == 2 * 6 + 3);
}

TEST_CASE("SizeSpec: resized: extents and size change") {
  dash::SizeSpec<2> spec(3, 4);
  CHECK(spec.size() == 12);
  CHECK(spec.extent(1) == 4);
  spec.resize(5, 6);
  CHECK(spec.size() == 30);
  spec.resize(std::array<std::size_t, 2>{2, 2});
  CHECK(spec.size() == 4);
  spec.resize_dim(1, 7);
  CHECK(spec == dash::SizeSpec<2>(2, 7));
  CHECK(dash::SizeSpec<1>(7).size() == 7);
  CHECK(dash::SizeSpec<3>().size() == 0);
  CHECK(dash::extent<1>(spec) == 7);
  CHECK(dash::extent(0, spec) == 2);
  CHECK_THROWS_AS(spec.extent(2), dash::exception::OutOfRange);
  CHECK_THROWS_AS(spec.extent(-1), dash::exception::OutOfRange);
}

TEST_CASE("Cartesian spaces: as specified: constructed, resized, compared and printed") {
  const std::array<std::size_t, 3> extents{{2, 3, 4}};
  dash::CartesianSpace<3> space(extents);
  CHECK(space == dash::CartesianSpace<3>(2, 3, 4));
  CHECK(space.extents() == extents);
  CHECK(space.rank() == 3);
  space.resize(1, 7);
  CHECK(space != dash::CartesianSpace<3>(extents));
  CHECK(space.size() == 56);
  STATIC_REQUIRE(std::is_same_v<dash::SizeSpec<2>::ndim, std::integral_constant<dash::dim_t, 2>>);
  const std::size_t size = 7;
  const dash::SizeSpec<1> implicit = size;
  CHECK(dash::ndim(implicit) == 1);
  CHECK(dash::rank(dash::SizeSpec<2>(3, 4)) == 2);
  // Two integers are two extents, independent of their types.
  dash::SizeSpec<2> two(3, 4);
  two.resize(1, size);
  CHECK(two == dash::SizeSpec<2>(1, 7));
  CHECK(text_of(space) == "CartesianSpace<3>(2, 7, 4)");
  CHECK(text_of(two) == "SizeSpec<2>(1, 7)");
  CHECK(text_of(dash::TeamSpec<2>(4, 2)) == "TeamSpec<2>(4, 2)");
  CHECK(text_of(dash::CartesianIndexSpace<2>(4, 2)) == "CartesianSpace<2>(4, 2)");
  const dash::CartesianIndexSpace<3, dash::ROW_MAJOR, int> narrow(2, 3, 4);
  STATIC_REQUIRE(std::is_same_v<decltype(narrow.coords(1)), std::array<int, 3>>);
  CHECK(dash::TeamSpec<2>(4, 2).at(std::array<index_t, 2>{{3, 1}}) == 7);
}

TEST_CASE("Dimensional: values: by dimension") {
  const dash::Dimensional<int, 3> values(1, 2, 3);
  CHECK(values == dash::Dimensional<int, 3>(std::array<int, 3>{{1, 2, 3}}));
  CHECK(values.values()[2] == 3);
  CHECK(values.dim(1) == values[1]);
  CHECK(values.rank() == dash::Dimensional<int, 3>::ndim());
  CHECK_THROWS_AS(values.dim(-1), dash::exception::OutOfRange);
  const dash::DistributionSpec<2> spec{dash::NONE, dash::TILE(3)};
  CHECK(spec.values()[1].type == dash::internal::DIST_TILE);
  CHECK(spec.values()[1].blocksz == 3);
  CHECK(spec.is_tiled());
  CHECK(spec != dash::DistributionSpec<2>());
  CHECK(text_of(spec) == "DistributionSpec(Distribution(NONE), Distribution(TILE(3)))");
  CHECK(dash::Distribution(dash::internal::DIST_BLOCKCYCLIC, 3) == dash::BLOCKCYCLIC(3));
}

TEST_CASE("ViewPair, ViewRange, ViewRegion: compared and printed; ViewSpec: with lower rank") {
  const dash::ViewPair<int> pair{1, 2};
  CHECK(pair == dash::ViewPair<int>{1, 2});
  CHECK(text_of(pair) == "ViewPair(offset 1, extent 2)");
  dash::ViewSpec<2> view({1, 2}, {3, 4});
  CHECK(text_of(view.range(1)) == "ViewRange(begin 2, end 6)");
  CHECK(text_of(view.region()) == "ViewRegion<2>(begin {1, 2}, end {4, 6})");
  CHECK(view.rank() == 2);
  view.set_rank(1);
  CHECK(view.rank() == 1);
  CHECK(view.size() == 3);
  CHECK(view.size(1) == 4);
  CHECK(view != dash::ViewSpec<2>({1, 2}, {3, 4}));
  view = dash::ViewSpec<2>(std::array<std::size_t, 2>{{3, 4}});
  CHECK(view.offset(1) == 0);
  view.resize(5, 6);
  CHECK(view.extents() == std::array<std::size_t, 2>{5, 6});
}

TEST_CASE("ViewSpec: resized and sliced: box and size change") {
  dash::ViewSpec<3> view({1, 2, 3}, {4, 5, 6});
  CHECK(view.size() == 120);
  CHECK(view.range(1).begin == 2);
  CHECK(view.range(1).end == 7);
  CHECK(view.region().end == std::array<index_t, 3>{5, 7, 9});
  view.resize_dim(0, 0, 2);
  CHECK(view.size() == 60);
  const auto slice = view.slice(1);
  CHECK(slice.offsets() == std::array<index_t, 2>{0, 3});
  CHECK(slice.size() == 12);
  CHECK(dash::ViewSpec<2>().size() == 0);
  CHECK(text_of(slice) == "ViewSpec<2>(offsets {0, 3}, extents {2, 6})");
  CHECK_THROWS_AS(view.extent(3), dash::exception::OutOfRange);
}

TEST_CASE("Distribution: block sizes: for each kind") {
  CHECK(dash::NONE.max_blocksize_in_range(10, 4) == 10);
  CHECK(dash::BLOCKED.max_blocksize_in_range(10, 4) == 3);
  CHECK(dash::BLOCKED.max_blocksize_in_range(10, 0) == 0);
  CHECK(dash::CYCLIC.max_blocksize_in_range(10, 4) == 1);
  CHECK(dash::BLOCKCYCLIC(3).max_blocksize_in_range(10, 4) == 3);
  CHECK(dash::TILE(30).max_blocksize_in_range(10, 4) == 10);
  CHECK(dash::NONE.local_index_to_block_coord(2, 7, 4) == 0);
  CHECK(dash::BLOCKED.local_index_to_block_coord(2, 7, 4) == 2);
  CHECK(dash::CYCLIC.local_index_to_block_coord(2, 7, 4) == 30);
  CHECK(dash::BLOCKCYCLIC(3).local_index_to_block_coord(2, 7, 4) == 10);
  CHECK_THROWS_AS(dash::Distribution().max_blocksize_in_range(10, 4),
                  dash::exception::InvalidArgument);
  CHECK(text_of(dash::TILE(4)) == "Distribution(TILE(4))");
  CHECK(text_of(dash::BLOCKED) == "Distribution(BLOCKED)");
}

TEST_CASE("DistributionSpec: default and tiled: as documented") {
  const dash::DistributionSpec<3> spec;
  CHECK(spec[0] == dash::BLOCKED);
  CHECK(spec[1] == dash::NONE);
  CHECK_FALSE(spec.is_tiled());
  CHECK(dash::DistributionSpec<2>(dash::TILE(2), dash::TILE(2)).is_tiled());
  CHECK_FALSE(dash::DistributionSpec<1>(dash::TILE(2)).is_tiled());
  CHECK(dash::DistributionSpec<1>(dash::TILE(2)).is_tiled_in_dimension(0));
  CHECK(dash::ndim(spec) == 3);
  CHECK(dash::rank(spec) == 3);
  CHECK_THROWS_AS(spec.dim(3), dash::exception::OutOfRange);
}

TEST_CASE("TeamSpec: balanced: factors as equal as possible, descending") {
  const auto balanced = [](auto... extents) {
    dash::TeamSpec<sizeof...(extents)> spec(extents...);
    spec.balance_extents();
    return spec.extents();
  };
  using Two = std::array<std::size_t, 2>;
  using Three = std::array<std::size_t, 3>;
  CHECK(balanced(6, 1) == Two{3, 2});
  CHECK(balanced(8, 1) == Two{4, 2});
  CHECK(balanced(7, 1) == Two{7, 1});
  CHECK(balanced(1, 1) == Two{1, 1});
  CHECK(balanced(36, 1) == Two{6, 6});
  CHECK(balanced(12, 1, 1) == Three{3, 2, 2});
  CHECK(balanced(64, 1, 1) == Three{4, 4, 4});
  CHECK(balanced(72, 1, 1) == Three{6, 4, 3});
  for (std::size_t units = 1; units <= 500; ++units) {
    const auto factors = dash::internal::balanced_factors<std::size_t, 3>(units);
    CHECK(factors[0] * factors[1] * factors[2] == units);
    CHECK((factors[0] >= factors[1] && factors[1] >= factors[2]));
  }
}

TEST_CASE("TeamSpec: rank and extents: of dimensions with several units") {
  dash::TeamSpec<3> spec(4, 1, 2);
  CHECK(spec.rank() == 2);
  CHECK(spec.num_units(0) == 4);
  CHECK(spec.size() == 8);
  spec.resize_dim(0, 1);
  CHECK(spec.rank() == 1);
  CHECK(spec.coords(1) == std::array<index_t, 3>{0, 0, 1});
}

TEST_CASE("TeamSpec: from a distribution with several dimensions: an error") {
  CHECK_THROWS_AS(dash::TeamSpec<2>(dash::DistributionSpec<2>(dash::BLOCKED, dash::CYCLIC)),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::TeamSpec<2>(dash::DistributionSpec<2>(dash::NONE, dash::NONE)),
                  dash::exception::InvalidArgument);
}
