// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal

#include "dash/HView.h"

#include <algorithm>
#include <concepts>
#include <ranges>
#include <sstream>
#include <vector>

#include "dash/Array.h"
#include "dash/Domain.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/View.h"
#include "dash/dart/Placement.h"
#include "dash/util/Locality.h"
#include "support/Catch.h"

using index_t = dash::default_index_t;

namespace {

static_assert(std::ranges::random_access_range<dash::HView<dash::Array<int>, 1>>);

void number_elements(dash::Array<int>& array) {
  for (std::size_t local = 0; local < array.lsize(); ++local)
    array.lbegin()[local] = static_cast<int>(array.pattern().global(static_cast<index_t>(local)));
  array.barrier();
}

/// Compares the elements of a level with the owners of all elements.
template <int Level>
void check_level(dash::Array<int>& array) {
  const dash::HView<dash::Array<int>, Level> view(array);
  const auto& team = array.team().sub(Level);
  std::vector<int> expected;
  std::size_t own = 0;
  for (index_t i = 0; i < static_cast<index_t>(array.size()); ++i) {
    const auto owner = array.pattern().unit_at(i);
    if (!team.is_member(array.team().global_id(owner))) continue;
    expected.push_back(static_cast<int>(i));
    own += owner == array.team().myid() ? 1 : 0;
  }
  CHECK(std::vector<int>(view.begin(), view.end()) == expected);
  const auto indices = dash::index(view);
  CHECK(std::vector<int>(indices.begin(), indices.end()) == expected);
  CHECK(dash::local(view).size() == own);
  CHECK(view.team() == team);
  if (!expected.empty())
    CHECK(dash::sub(expected.size() - 1, expected.size(), view)[0] == expected.back());
}

}  // namespace

TEST_CASE("HView: the elements of the caller's team at each level of a hierarchy") {
  dash::Team& half = dash::Team::All().split(2);
  {
    for (const auto& dist : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(4)}) {
      dash::Array<int> array(53, dist);
      number_elements(array);
      check_level<0>(array);
      check_level<1>(array);
      const dash::HView<dash::Array<int>, -1> own(array);
      CHECK(own.begin() == array.lbegin());
      CHECK(own.size() == array.lsize());
      array.barrier();
    }
  }
  CHECK((half.is_null() || half.size() < dash::size()));
}

TEST_CASE("HView: of a one-dimensional matrix") {
  dash::Team& half = dash::Team::All().split(2);
  dash::NArray<int, 1> matrix(29);
  std::fill(matrix.lbegin(), matrix.lend(), static_cast<int>(dash::myid().id));
  matrix.barrier();
  const auto view = matrix.hview<1>();
  const bool is_split = !half.is_null();
  CHECK((is_split ? view.size() < 29 : view.size() == 29));
  for (const int owner : view)
    CHECK(view.team().is_member(dash::global_unit_t(owner)));
  CHECK(matrix.hview<-1>().size() == matrix.local_size());
  matrix.barrier();
}

TEST_CASE("Array::local_in: the elements of the units in a hardware domain") {
  using dash::util::Locality;
  for (const auto& dist : {dash::BLOCKED, dash::CYCLIC}) {
    dash::Array<int> array(53, dist);
    number_elements(array);
    const auto placements = dash::dart::unit_placements();
    const auto node_of = [&](dash::team_unit_t unit) {
      return placements[static_cast<std::size_t>(unit.id)].node;
    };
    std::vector<int> of_node;
    std::vector<int> all;
    for (int i = 0; i < 53; ++i) {
      all.push_back(i);
      if (node_of(array.pattern().unit_at(i)) == node_of(array.team().myid())) of_node.push_back(i);
    }
    const auto in = [&](Locality::Scope scope) {
      const auto view = array.local_in(scope);
      return std::vector<int>(view.begin(), view.end());
    };
    CHECK(in(Locality::Global) == all);
    CHECK(in(Locality::Node) == of_node);
    CHECK(in(Locality::Unit) == std::vector<int>(array.lbegin(), array.lend()));
    CHECK(dash::local(array.local_in(Locality::Node)).size() == array.lsize());
    const auto& constant = array;
    CHECK(constant.local_in(Locality::Node).size() == of_node.size());
    array.barrier();

    for (auto element : array.local_in(Locality::Unit))
      element = -1;
    array.barrier();
    CHECK(std::all_of(array.begin(), array.end(), [](int element) { return element == -1; }));
    array.barrier();
  }
}

TEST_CASE("Views of the same listed elements: equal, independent of the position in their lists") {
  dash::Array<int> array(53, dash::BLOCKCYCLIC(4));
  const dash::HView<dash::Array<int>> view(array);
  const auto part = dash::apply(dash::sub(5, 20, view));
  CHECK(part == dash::intersect(view, dash::sub(5, 20, array)));
  CHECK(part == dash::apply(dash::sub(1, 16, dash::sub(4, 20, view))));
  CHECK_FALSE(part == dash::intersect(view, dash::sub(6, 21, array)));
  CHECK_FALSE(part == dash::apply(dash::sub(6, 21, view)));
  array.barrier();
}

TEST_CASE("Domain: a box that is translated and resized") {
  dash::Domain<3> domain({{-1, 2}, {0, 10}, {5, 5}});
  CHECK(domain.extents() == std::array<index_t, 3>{3, 10, 0});
  CHECK(domain.offset(0) == -1);
  domain.translate({{1, 1, 1}}).expand({{0, 2, 4}});
  CHECK(domain.offsets() == std::array<index_t, 3>{0, 1, 6});
  CHECK(domain.extent(2) == 4);
  domain.resize({{1, 2, 3}});
  std::ostringstream text;
  text << domain;
  CHECK(text.str() == "Domain<3>(offsets {0, 1, 6}, extents {1, 2, 3})");
  CHECK_THROWS_AS(dash::Domain<2>({{1, 2}}), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::Domain<1>({{2, 1}}), dash::exception::InvalidArgument);
}
