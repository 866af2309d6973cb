// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal

#include "dash/View.h"

#include <algorithm>
#include <concepts>
#include <limits>
#include <numeric>
#include <ranges>
#include <type_traits>
#include <vector>

#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "support/Catch.h"

using index_t = dash::default_index_t;

namespace {

using array_t = dash::Array<int>;
using sub_t = decltype(dash::sub(0, 1, std::declval<array_t&>()));
using local_t = decltype(dash::local(std::declval<sub_t&>()));
using strided_t = decltype(dash::strided(2, std::declval<array_t&>()));
using blocks_t = decltype(dash::blocks(std::declval<sub_t&>()));
using indices_t = decltype(dash::index(std::declval<local_t&>()));

// Concepts of the standard library.
static_assert(std::ranges::random_access_range<sub_t> && std::ranges::view<sub_t>);
static_assert(std::ranges::sized_range<sub_t> && std::ranges::borrowed_range<sub_t>);
static_assert(std::ranges::contiguous_range<local_t> && std::ranges::view<local_t>);
static_assert(std::ranges::random_access_range<strided_t> && std::ranges::view<strided_t>);
static_assert(std::ranges::random_access_range<blocks_t> && std::ranges::view<blocks_t>);
static_assert(std::ranges::random_access_range<indices_t> && std::ranges::view<indices_t>);
static_assert(std::ranges::common_range<sub_t> && std::ranges::common_range<strided_t>);
static_assert(std::same_as<std::ranges::iterator_t<local_t>, int*>);
static_assert(std::same_as<std::ranges::iterator_t<sub_t>, array_t::iterator>);

// Type properties.
static_assert(dash::view_traits<array_t>::is_origin::value);
static_assert(!dash::view_traits<array_t>::is_local::value);
static_assert(!dash::is_view<array_t>::value && dash::is_view<sub_t>::value);
static_assert(dash::view_traits<sub_t>::is_view::value &&
              !dash::view_traits<sub_t>::is_origin::value);
static_assert(!dash::view_traits<sub_t>::is_local::value &&
              dash::view_traits<local_t>::is_local::value);
static_assert(!dash::view_traits<sub_t>::is_projection::value);
static_assert(dash::view_traits<sub_t>::rank::value == 1);
static_assert(dash::view_traits<array_t::local_type>::is_local::value);
static_assert(dash::view_traits<array_t::local_type>::is_origin::value);
static_assert(std::same_as<dash::view_traits<sub_t>::domain_type, array_t>);
static_assert(std::same_as<dash::view_traits<local_t>::domain_type, sub_t>);
static_assert(std::same_as<dash::view_traits<local_t>::origin_type, array_t>);
static_assert(std::same_as<dash::view_traits<local_t>::global_type, sub_t>);
static_assert(std::same_as<dash::view_traits<sub_t>::local_type, local_t>);
static_assert(std::same_as<dash::view_traits<array_t&>::local_type, array_t::local_type>);
static_assert(std::same_as<dash::view_traits<sub_t>::pattern_type, array_t::pattern_type>);
static_assert(std::same_as<dash::view_traits<sub_t>::index_set_type, dash::IndexSet<sub_t>>);
static_assert(dash::view_traits<blocks_t>::is_view::value);
static_assert(dash::view_traits<dash::view_traits<blocks_t>::local_type>::is_local::value);
static_assert(std::same_as<sub_t, dash::ViewSubMod<array_t, 0>>);
static_assert(std::same_as<local_t, dash::ViewLocalMod<sub_t>>);
static_assert(std::same_as<indices_t, dash::IndexSetLocal<local_t>>);
static_assert(std::same_as<dash::IndexSetSub<sub_t, 0>, dash::IndexSet<sub_t>>);
static_assert(std::same_as<dash::IndexSetIdentity<array_t>, dash::IndexSet<array_t>>);
static_assert(std::same_as<decltype(dash::index(std::declval<local_t&>()).global()),
                           dash::IndexSetGlobal<local_t>>);
static_assert(dash::is_range<array_t>::value && dash::is_range<sub_t>::value);
static_assert(dash::is_range<std::vector<int>>::value && !dash::is_range<int>::value);
static_assert(dash::detail::has_type_domain_type<sub_t>::value);
static_assert(!dash::detail::has_type_domain_type<array_t>::value);

/// An array with the elements 0, 1, 2, ...
class Numbers {
 public:
  explicit Numbers(std::size_t size, const dash::Distribution& dist = dash::BLOCKCYCLIC(3))
      : array(size, dist) {
    for (std::size_t local = 0; local < array.lsize(); ++local)
      array.lbegin()[local] = static_cast<int>(array.pattern().global(static_cast<index_t>(local)));
    array.barrier();
  }
  ~Numbers() { array.barrier(); }

  array_t array;
};

template <class Range>
std::vector<int> values(const Range& range) {
  std::vector<int> result;
  for (auto&& element : range)
    result.push_back(static_cast<int>(element));
  return result;
}

std::vector<int> from_to(int first, int last) {
  std::vector<int> result(static_cast<std::size_t>(last - first));
  std::iota(result.begin(), result.end(), first);
  return result;
}

/// The elements of a list that are local to the caller.
std::vector<int> owned(const array_t& array, const std::vector<int>& elements) {
  std::vector<int> result;
  std::copy_if(elements.begin(), elements.end(), std::back_inserter(result),
               [&](int element) { return array.is_local(element); });
  return result;
}

}  // namespace

TEST_CASE("sub of an array and nested sub: elements, size, indices, domain and origin") {
  Numbers numbers(40);
  auto& array = numbers.array;
  const auto outer = dash::sub(5, 30, array);
  CHECK(outer.size() == 25);
  CHECK(values(outer) == from_to(5, 30));
  CHECK(dash::begin(outer) == array.begin() + 5);
  CHECK(dash::index(outer.begin()) == 5);
  CHECK(dash::size(outer) == 25);
  CHECK(dash::distance(dash::begin(outer), dash::end(outer)) == 25);
  CHECK(outer.offset(0) == 5);
  CHECK(outer.extent<0>() == 25);
  CHECK(&dash::domain(outer) == &array);
  CHECK(&dash::origin(outer) == &array);

  const auto inner = dash::sub(3, 10, outer);
  CHECK(values(inner) == from_to(8, 15));
  CHECK(values(dash::index(inner)) == from_to(8, 15));
  CHECK(dash::domain(inner) == outer);
  CHECK(&dash::global_origin(inner) == &array);
  CHECK(dash::index(inner).first() == 8);
  CHECK(dash::index(inner).last() == 14);
  CHECK(dash::index(inner).rel(2) == 5);
  CHECK(dash::index(inner).pre()[9] == 1);
  CHECK(dash::index(inner).pre()[20] == -1);
  CHECK(values(dash::index(inner).domain()) == from_to(5, 30));
  CHECK(values(dash::index(array)) == from_to(0, 40));
  CHECK_FALSE(dash::index(inner).is_strided());
  CHECK(values(dash::index(inner).step(3)) == std::vector<int>{8, 11, 14});
  CHECK(inner == dash::apply(dash::sub(3, 10), outer));
  CHECK(dash::apply(inner) == dash::sub(8, 15, array));
  CHECK(dash::index(7) == 7);
}

TEST_CASE("sub: an index out of range is an error that names it, an empty range is not an error") {
  Numbers numbers(20);
  CHECK(dash::sub(20, 20, numbers.array).empty());
  CHECK_THROWS_AS(dash::sub(0, 21, numbers.array), dash::exception::OutOfRange);
  CHECK_THROWS_AS(dash::sub(-1, 2, numbers.array), dash::exception::OutOfRange);
  CHECK_THROWS_WITH(
      dash::sub(4, 2, dash::sub(3, 9, numbers.array)),
      Catch::Matchers::ContainsSubstring("4 to 2") && Catch::Matchers::ContainsSubstring("0 to 6"));
  CHECK_THROWS_AS(dash::strided(0, numbers.array), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::block(99, numbers.array), dash::exception::OutOfRange);
}

TEST_CASE("local of sub, sub of local, local of local: the caller's elements, by native pointers") {
  Numbers numbers(50);
  auto& array = numbers.array;
  const auto view = dash::sub(4, 41, array);
  const auto local = dash::local(view);
  CHECK(values(local) == owned(array, from_to(4, 41)));
  CHECK(dash::local(local) == local);
  CHECK(dash::global(local) == view);
  CHECK(dash::local(array).begin() == array.lbegin());
  CHECK(values(dash::index(local).global()) == values(local));
  CHECK(values(dash::global(dash::index(local))) == values(local));
  for (index_t i = 0; i < static_cast<index_t>(local.size()); ++i) {
    CHECK(&local[i] == array.lbegin() + dash::index(local)[i]);
    CHECK(view[dash::index(local).rel(i)] == local[i]);
  }
  const auto size = static_cast<index_t>(local.size());
  if (size >= 2) {
    const auto inner = dash::sub(1, size, local);
    CHECK(values(inner) == std::vector<int>(local.begin() + 1, local.end()));
    CHECK(dash::local(inner) == inner);
    CHECK(dash::global(inner) == view);
  }
  const auto of_local = dash::sub(0, array.lsize() / 2, dash::local(array));
  CHECK(of_local.data() == array.lbegin());
  CHECK(of_local.size() == array.lsize() / 2);
  CHECK(dash::local(of_local) == of_local);
}

TEST_CASE("blocks of an array, of sub, of local, of sub of local: clipped to the view") {
  Numbers numbers(32);
  auto& array = numbers.array;
  const auto blocks = dash::blocks(array);
  CHECK(blocks.size() == 11);
  CHECK(values(blocks[0]) == from_to(0, 3));
  CHECK(values(blocks[10]) == from_to(30, 32));

  const auto view = dash::sub(4, 13, array);
  const auto in_view = dash::blocks(view);
  CHECK(values(dash::index(in_view)) == std::vector<int>{1, 2, 3, 4});
  CHECK(values(in_view[0]) == std::vector<int>{4, 5});
  CHECK(values(in_view[3]) == std::vector<int>{12});
  CHECK(values(dash::block(1, view)) == from_to(6, 9));
  CHECK(dash::domain(dash::block(1, view)) == view);
  CHECK(dash::index(in_view).rel(2) == 5);
  CHECK((in_view.begin() + 2).pos() == 2);

  int expected = 0;
  std::vector<int> elements;
  for (const auto& block : dash::blocks(dash::local(array))) {
    static_assert(std::same_as<decltype(block.begin()), int*>);
    const auto box = array.pattern().local_block(expected);
    CHECK(block.front() == box.offset(0));
    CHECK(block.size() == box.extent(0));
    const auto of_block = values(block);
    elements.insert(elements.end(), of_block.begin(), of_block.end());
    ++expected;
  }
  CHECK(expected == static_cast<int>(array.pattern().local_blockspec().size()));
  CHECK(elements == std::vector<int>(array.lbegin(), array.lend()));

  if (array.lsize() >= 5) {
    const auto local = dash::blocks(dash::sub(2, 5, dash::local(array)));
    CHECK(local.size() == 2);
    CHECK(values(dash::index(local)) == std::vector<int>{0, 1});
    CHECK(values(local[0]) == std::vector<int>{array.lbegin()[2]});
    CHECK(values(local[1]) == std::vector<int>(array.lbegin() + 3, array.lbegin() + 5));
  }
}

TEST_CASE("local of blocks: the blocks of the local part") {
  Numbers numbers(32);
  const auto blocks = dash::blocks(numbers.array);
  const auto local = dash::local(blocks);
  CHECK(local == dash::blocks(dash::local(numbers.array)));
  const auto view = dash::sub(4, 13, numbers.array);
  std::vector<int> elements;
  for (const auto& block : dash::blocks(view).local()) {
    static_assert(std::same_as<decltype(block.begin()), int*>);
    const auto of_block = values(block);
    elements.insert(elements.end(), of_block.begin(), of_block.end());
  }
  CHECK(elements == owned(numbers.array, from_to(4, 13)));
}

TEST_CASE("index_set of views: the indices returned by index") {
  Numbers numbers(32);
  const auto view = dash::sub(4, 13, numbers.array);
  CHECK(view.index_set() == dash::index(view));
  CHECK(values(view.index_set()) == from_to(4, 13));
  const auto local = dash::local(view);
  CHECK(values(local.index_set()) == values(dash::index(local)));
  CHECK(values(local.index_set().global()) == values(local));
  CHECK(values(dash::blocks(view).index_set()) == std::vector<int>{1, 2, 3, 4});
  CHECK(values(dash::strided(3, view).index_set()) == std::vector<int>{4, 7, 10});
}

TEST_CASE("Expressions chained by |, with and without a domain: as nested calls") {
  Numbers numbers(60);
  auto& array = numbers.array;
  using dash::local, dash::sub, dash::index;
  CHECK(values(array | sub(2, 48) | local() | index()) == values(index(local(sub(2, 48, array)))));
  const auto closure = sub(10, 40) | dash::strided(4) | sub(1, 5);
  CHECK(values(array | closure) == std::vector<int>{14, 18, 22, 26});
  CHECK(values(closure(array)) == values(dash::apply(closure, array)));
  CHECK(values(array | sub(6, 12) | dash::blocks() | index()) == std::vector<int>{2, 3});
  CHECK(values(array | sub(5, 12) | dash::block(1)) == from_to(6, 9));
  CHECK(values(array | sub(5, 12) | local() | dash::global()) == from_to(5, 12));
  CHECK(&(array | sub(5, 12) | local() | dash::origin()) == &array);
  CHECK((array | sub(5, 12) | sub(1, 2) | dash::domain()) == sub(5, 12, array));
}

TEST_CASE("nested intersect: common elements; of other containers an error") {
  Numbers numbers(30);
  auto& array = numbers.array;
  const auto a = dash::sub(3, 20, array);
  const auto b = dash::sub(12, 28, array);
  CHECK(values(dash::intersect(a, b)) == from_to(12, 20));
  CHECK(values(dash::intersect(dash::intersect(a, b), dash::sub(2, 15, array))) == from_to(12, 15));
  CHECK(values(a | dash::intersect(b) | dash::sub(1, 3)) == from_to(13, 15));
  CHECK(dash::intersect(dash::sub(0, 4, array), b).empty());
  CHECK(values(dash::index(dash::intersect(a, b))) == from_to(12, 20));
  CHECK(values(dash::intersect(dash::strided(4, a), dash::strided(6, b))) == std::vector<int>{});
  CHECK(values(dash::intersect(dash::strided(3, a), dash::strided(2, b))) ==
        std::vector<int>{12, 18});
  CHECK(values(dash::intersect(a, dash::local(b))) == owned(array, from_to(12, 20)));
  Numbers others(30);
  CHECK_THROWS_AS(dash::intersect(a, dash::sub(0, 5, others.array)),
                  dash::exception::InvalidArgument);
}

TEST_CASE("strided, sub: with huge numbers: no index overflows") {
  using Pattern = dash::BlockPattern<1, dash::ROW_MAJOR, int>;
  dash::Array<char, int, Pattern> array(100'000);
  const auto first = array | dash::strided(std::numeric_limits<long long>::max());
  CHECK(first.size() == 1);
  CHECK(dash::index(first | dash::strided(2'000'000'000))[0] == 0);
  CHECK_THROWS_AS(dash::sub(0, 1LL << 32, array), dash::exception::OutOfRange);
  // The common stride is more than 2^31.
  const auto a = dash::strided(46349, array);
  const auto both = dash::intersect(a, dash::strided(46351, array));
  CHECK(values(dash::index(both)) == std::vector<int>{0});
  CHECK(dash::intersect(a | dash::sub(1, 3), dash::strided(46351, array)).empty());
  array.barrier();
}

TEST_CASE("set_union: concatenation of views") {
  Numbers numbers(30);
  auto& array = numbers.array;
  const auto both = dash::set_union({dash::sub(20, 22, array), dash::sub(3, 6, array)});
  static_assert(std::ranges::random_access_range<decltype(both)>);
  CHECK(values(both) == std::vector<int>{20, 21, 3, 4, 5});
  CHECK(both.size() == 5);
  CHECK(both[3] == 4);
  CHECK(dash::set_union(std::vector<sub_t>()).empty());
}

TEST_CASE("remote: the elements of a unit, on all units") {
  Numbers numbers(40);
  auto& array = numbers.array;
  std::size_t all = 0;
  for (const auto unit : array.team()) {
    const auto view = dash::remote(dash::team_unit_t(unit), dash::sub(5, 35, array));
    for (index_t i = 0; i < static_cast<index_t>(view.size()); ++i)
      CHECK(array.pattern().unit_at(view[i].get()).id == unit);
    all += view.size();
  }
  CHECK(all == 30);
}

TEST_CASE("Writing through views: fill, and standard algorithms on views and their pipelines") {
  Numbers numbers(48, dash::BLOCKED);
  auto& array = numbers.array;
  for (int& element : array | dash::sub(8, 40) | dash::local())
    element = -element;
  array.barrier();
  CHECK(array[7] == 7);
  CHECK(array[8] == -8);
  CHECK(array[39] == -39);
  CHECK(array[40] == 40);
  const auto view = dash::sub(8, 40, array);
  CHECK(std::accumulate(view.begin(), view.end(), 0) == -(39 * 40 - 7 * 8) / 2);
  const auto every_fifth = dash::strided(5, array);
  CHECK(std::count_if(every_fifth.begin(), every_fifth.end(),
                      [](int element) { return element < 0; }) == 6);
  std::vector<int> copied(view.size());
  std::copy(view.begin(), view.end(), copied.begin());
  CHECK(std::equal(view.begin(), view.end(), copied.begin()));
  CHECK(std::ranges::count(view, -12) == 1);
#ifndef __clang__  // version 14 does not compile the adaptors of libstdc++ 12
  CHECK(std::ranges::distance(view | std::views::drop(30)) == 2);
#endif
  array.barrier();
}

TEST_CASE("Views of a const array, and of ranges of iterators: the same elements") {
  Numbers numbers(30);
  const auto& array = numbers.array;
  const auto view = dash::sub(3, 9, array);
  static_assert(std::same_as<decltype(view)::reference, dash::GlobRef<const int>>);
  static_assert(std::same_as<decltype(dash::local(view).begin()), const int*>);
  CHECK(values(view) == from_to(3, 9));
  CHECK(values(dash::local(view)) == owned(numbers.array, from_to(3, 9)));

  const auto range = dash::make_range(numbers.array.begin() + 4, numbers.array.begin() + 20);
  CHECK(range.size() == 16);
  CHECK(values(dash::sub(2, 5, range)) == from_to(6, 9));
  CHECK(values(range.local()) == owned(numbers.array, from_to(4, 20)));
  CHECK(values(range.index_set()) == from_to(4, 20));
  CHECK(values(dash::blocks(range)[0]) == from_to(4, 6));
  CHECK(dash::make_view(array.begin(), array.end()).size() == 30);

  std::vector<int> native = from_to(0, 10);
  CHECK(values(dash::sub(2, 5, native)) == from_to(2, 5));
  CHECK(values(native | dash::strided(4)) == std::vector<int>{0, 4, 8});
}

TEST_CASE("Views of empty and unallocated arrays: empty") {
  dash::Array<int> none;
  CHECK(dash::sub(0, 0, none).empty());
  CHECK(dash::local(dash::sub(0, 0, none)).empty());
  CHECK(dash::blocks(none).empty());
  CHECK(dash::blocks(dash::local(none)).empty());
  CHECK(dash::index(none).empty());
}

TEST_CASE("Iterators of a view: valid after it is destroyed, with their position") {
  Numbers numbers(40);
  auto& array = numbers.array;
  const auto first = dash::strided(3, dash::sub(1, 30, array)).begin();
  CHECK(first[4] == 13);
  const auto it = first + 2;
  CHECK(*it == 7);
  CHECK(dash::index(it) == 7);
  CHECK(it.pos() == 2);
  CHECK(it.is_local() == array.is_local(7));
  CHECK(it.lpos().unit == array.pattern().unit_at(7));
  CHECK((it.local() == nullptr) == !array.is_local(7));
  const int* const local = dash::sub(0, array.lsize(), dash::local(array)).begin();
  CHECK(local == array.lbegin());
}

TEST_CASE("CartView: coordinates for a linear range") {
  std::vector<int> cells = from_to(0, 24);
  const dash::CartView<std::vector<int>::iterator, 3> cart(cells.begin(), 2, 3, 4);
  CHECK(cart.at(1, 2, 3) == 23);
  CHECK(cart.at(0, 1, 2) == 6);
  CHECK(cart.size() == 24);
  CHECK(cart.rank() == 3);
  CHECK(cart.extent(1) == 3);
  CHECK(cart.x(17) == 1);
  CHECK(cart.y(17) == 1);
  CHECK(cart.z(17) == 1);
  const dash::CartView<std::vector<int>::iterator, 2, dash::COL_MAJOR> columns(cells, 6, 4);
  CHECK(columns.at(2, 1) == 8);
  Numbers numbers(12);
  CHECK(dash::CartView(numbers.array, 3, 4).at(2, 1) == 9);
}
