// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <ranges>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Onesided.h"
#include "support/Catch.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;

namespace {

using Iter = dash::Array<int>::iterator;
using ConstIter = dash::Array<int>::const_iterator;

struct Base {
  int x;
};
struct Derived : Base {};

/// A CYCLIC array with value i at index i.
dash::Array<int> counted(std::size_t size, const dash::Distribution& distribution = dash::CYCLIC) {
  dash::Array<int> array(size, distribution);
  for (std::size_t local = 0; local < array.lsize(); ++local) {
    array.local[local] = static_cast<int>(array.pattern().global(static_cast<index_t>(local)));
  }
  array.barrier();
  return array;
}

}  // namespace

TEST_CASE("GlobIter: type properties: models the concepts of the standard library") {
  STATIC_REQUIRE(std::random_access_iterator<Iter>);
  STATIC_REQUIRE(std::random_access_iterator<ConstIter>);
  STATIC_REQUIRE(std::sized_sentinel_for<ConstIter, Iter>);
  STATIC_REQUIRE(std::sortable<Iter>);
  STATIC_REQUIRE(std::indirectly_writable<Iter, int>);
  STATIC_REQUIRE_FALSE(std::indirectly_writable<ConstIter, int>);
  STATIC_REQUIRE(std::is_convertible_v<Iter, ConstIter>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<ConstIter, Iter>);
  STATIC_REQUIRE(dash::iterator_traits<Iter>::is_global_iterator::value);
  STATIC_REQUIRE_FALSE(dash::iterator_traits<int*>::is_global_iterator::value);
  STATIC_REQUIRE(
      std::is_same_v<dash::GlobIter<int, dash::Pattern<1>, dash::GlobStaticMem<dash::HostSpace>>,
                     Iter>);
  STATIC_REQUIRE_FALSE(Iter::has_view::value);
}

TEST_CASE("GlobIter: with algorithms of the standard library: same results as on a vector") {
  auto array = counted(97);
  std::vector<int> model(97);
  std::iota(model.begin(), model.end(), 0);
  CHECK(std::accumulate(array.begin(), array.end(), 0) == 97 * 96 / 2);
  CHECK(std::equal(array.begin(), array.end(), model.begin()));
  CHECK(std::find(array.begin(), array.end(), 50) - array.begin() == 50);
  CHECK(std::ranges::find(array, 51).pos() == 51);
  CHECK(std::lower_bound(array.begin(), array.end(), 33).pos() == 33);
  std::vector<int> copied(97);
  std::copy(array.begin(), array.end(), copied.begin());
  CHECK(copied == model);
  CHECK(std::count_if(array.cbegin(), array.cend(), [](int value) { return value % 2 == 0; }) ==
        49);
  CHECK(std::distance(array.begin(), array.end()) == 97);
  CHECK(dash::distance(array.begin() + 3, array.end()) == 94);
  CHECK(std::equal(array.rbegin(), array.rend(), model.rbegin()));
  array.barrier();
  if (dash::myid() == 0) {
    std::reverse(array.begin(), array.end());
    CHECK(array[0] == 96);
    std::sort(array.begin(), array.end());
    std::ranges::sort(array, std::greater<int>());
    CHECK(std::is_sorted(array.begin(), array.end(), std::greater<int>()));
    std::copy(model.begin(), model.end(), array.begin());
  }
  array.barrier();
  CHECK(std::ranges::equal(array, model));
  array.barrier();
}

TEST_CASE("GlobIter: positions: global, local and native agree") {
  auto array = counted(50, dash::BLOCKCYCLIC(3));
  for (auto it = array.begin(); it != array.end(); ++it) {
    const auto location = it.lpos();
    CHECK(location == array.pattern().local(it.pos()));
    CHECK(it.is_local() == (location.unit == dash::myid().id));
    CHECK((it.local() == nullptr) == !it.is_local());
    if (it.local() != nullptr) CHECK(*it.local() == it.gpos());
    CHECK(dash::index(it) == it - array.begin());
    CHECK(it[-it.pos()] == 0);
  }
  CHECK(array.begin() < array.cend());
  CHECK(array.cbegin() + 50 == array.end());
  CHECK(array.end() - array.cbegin() == 50);
  array.barrier();
}

TEST_CASE("GlobIter: moved at random: refers to the element at its position") {
  std::mt19937 random(dash::test::seed());
  const index_t size = 3000;
  for (const auto& distribution :
       {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(3), dash::BLOCKCYCLIC(700)}) {
    auto array = counted(static_cast<std::size_t>(size), distribution);
    auto it = array.begin();
    index_t position = 0;
    int wrong = 0;
    for (int step = 0; step < 1500; ++step) {
      const auto choice = random() % 100;
      if (choice < 75 && position + 1 < size) {
        ++it;
        ++position;
      } else if (choice < 80 && position > 0) {
        it--;
        --position;
      } else if (choice < 82) {
        const index_t to = static_cast<index_t>(random() % static_cast<unsigned>(size));
        it += to - position;
        position = to;
      } else if (choice < 84) {
        const auto copy = it;
        it = copy;
      }
      wrong += *it == static_cast<int>(position) ? 0 : 1;
      wrong += it[-position] == 0 ? 0 : 1;
      wrong += it.pos() == position ? 0 : 1;
      wrong += dash::GlobPtr<int>((*it).dart_gptr()) == dash::GlobPtr<int>(it) ? 0 : 1;
      wrong += (*it).is_local() == it.is_local() ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(std::accumulate(array.rbegin(), array.rend(), index_t{0}) == size * (size - 1) / 2);
    array.barrier();
  }
}

TEST_CASE("GlobIter: with more algorithms: same results as on a vector") {
  auto array = counted(61, dash::BLOCKCYCLIC(4));
  std::vector<int> model(61);
  std::iota(model.begin(), model.end(), 0);
  if (dash::myid() == 0) {
    const auto both = [&](auto algorithm) {
      algorithm(array.begin(), array.end());
      algorithm(model.begin(), model.end());
      CHECK(std::equal(array.begin(), array.end(), model.begin(), model.end()));
    };
    both([](auto first, auto last) { std::rotate(first, first + 7, last); });
    both([](auto first, auto last) { std::partition(first, last, [](int v) { return v > 9; }); });
    both([](auto first, auto last) { std::stable_sort(first, last); });
    both([](auto first, auto last) { std::reverse(first, last); });
    both([](auto first, auto last) { std::transform(first, last, first, std::negate<int>()); });
    both([](auto first, auto last) { std::partial_sort(first, first + 9, last); });
    both([](auto first, auto last) { std::nth_element(first, first + 20, last); });
    both([](auto first, auto last) { std::make_heap(first, last); });
    both([](auto first, auto last) { std::sort_heap(first, last); });
    both([](auto first, auto last) { std::replace(first, last, -3, 77); });
    both([](auto first, auto last) { std::fill_n(first, last - first - 5, 8); });
    both([](auto first, auto last) { std::iota(first, last, 5); });
    both([](auto first, auto last) { std::partial_sum(first, last, first); });
    both([](auto first, auto last) { static_cast<void>(std::remove(first, last, 11)); });
    both([](auto first, auto last) { static_cast<void>(std::unique(first, last)); });
    both([](auto first, auto last) { std::ranges::sort(first, last, std::greater<>()); });
    both([](auto first, auto last) { std::for_each(first, last, [](auto&& v) { v = v + 1; }); });
    CHECK(std::ranges::max(array) == std::ranges::max(model));
    CHECK(std::ranges::equal(array | std::views::drop(3) | std::views::take(9),
                             model | std::views::drop(3) | std::views::take(9)));
    int seen = 0;
    std::for_each(array.begin(), array.end(), [&](dash::GlobRef<int> element) {
      element += 1;
      seen += element > 0 ? 1 : 0;
    });
    CHECK(std::inner_product(array.begin(), array.end(), model.begin(), 0L) ==
          std::inner_product(model.begin(), model.end(), model.begin(), 0L) +
              std::accumulate(model.begin(), model.end(), 0L));
  }
  array.barrier();
}

TEST_CASE("GlobRef: reads and writes: like a value") {
  dash::Array<int> array(dash::size());
  const auto mine = static_cast<index_t>(dash::myid());
  const auto other = static_cast<index_t>((dash::myid() + 1) % dash::size());
  array[other] = 5;
  array.barrier();
  auto ref = array[mine];
  ref += 2;
  ref *= 3;
  ref -= 1;
  ref /= 4;
  CHECK(ref == 5);
  ref ^= 1;
  CHECK(4 == ref);
  CHECK(ref++ == 4);
  CHECK(++ref == 6);
  CHECK(ref-- == 6);
  CHECK(--ref == 4);
  ref |= 3;
  CHECK(ref == 7);
  ref &= 6;
  CHECK(ref == 6);
  ref %= 4;
  CHECK(ref == 2);
  ref += array[mine];
  CHECK(ref == 4);
  CHECK(ref != 5);
  CHECK(ref % 3 == 1);
  CHECK(ref < 5);
  CHECK(ref == array[mine]);
  CHECK(ref == 4.0);
  const auto& constant = array;
  const dash::GlobRef<const int> read = constant[mine];
  CHECK(read.get() == 4);
  int got = 0;
  ref.get(&got);
  CHECK(got == 4);
  ref.set(9);
  ref.get(got);
  CHECK(got == 9);
  int source = 10;
  ref.put(&source);
  CHECK(static_cast<int>(ref) == 10);
  CHECK(ref.is_local());
  CHECK(array[other].is_local() == (dash::size() == 1));
  array.barrier();
}

TEST_CASE("GlobRef: assigned and swapped: the elements are assigned and swapped") {
  dash::Array<int> array(4);
  array.barrier();
  if (dash::myid() == 0) {
    array[0] = 1;
    array[3] = 4;
    array[1] = array[3];
    CHECK(array[1] == 4);
    swap(array[0], array[3]);
    CHECK(array[0] == 4);
    CHECK(array[3] == 1);
    auto a = array[0];
    auto b = array[3];
    using std::swap;
    swap(a, b);
    CHECK(array[0] == 1);
    a = b;
    CHECK(array[0] == 4);
    std::iter_swap(array.begin() + 2, array.begin() + 3);
    CHECK(array[2] == 4);
  }
  array.barrier();
}

TEST_CASE("GlobRef: conversions: adding const and to a base, not back") {
  STATIC_REQUIRE(std::is_convertible_v<dash::GlobRef<int>, dash::GlobRef<const int>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<dash::GlobRef<const int>, dash::GlobRef<int>>);
  STATIC_REQUIRE(std::is_convertible_v<dash::GlobRef<Derived>, dash::GlobRef<Base>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<dash::GlobRef<Base>, dash::GlobRef<Derived>>);
  STATIC_REQUIRE(std::is_constructible_v<dash::GlobRef<Derived>, dash::GlobRef<Base>>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<dash::GlobRef<int>>);
  STATIC_REQUIRE(std::is_move_constructible_v<dash::GlobRef<int>>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<dash::GlobRef<const int>, int>);
}

TEST_CASE("GlobPtr: arithmetic: crosses from unit to unit") {
  const std::size_t size = 10 * dash::size() - 3;
  auto array = counted(size, dash::BLOCKED);
  const dash::GlobPtr<int> begin(array.begin());
  auto p = begin;
  for (std::size_t i = 0; i < size; ++i, ++p) {
    CHECK(*p == static_cast<int>(i));
    CHECK(p - begin == static_cast<index_t>(i));
    CHECK(begin + static_cast<index_t>(i) == p);
    CHECK(p.get_unit() == array.pattern().unit_at(static_cast<index_t>(i)));
    CHECK(p.is_local() == (p.get_unit() == dash::myid().id));
    CHECK((p.local() == nullptr) != p.is_local());
  }
  CHECK(p == begin + static_cast<index_t>(size));
  CHECK(dash::GlobPtr<int>(array.end()) == p);
  for (std::size_t i = size; i > 0; --i)
    CHECK(*--p == static_cast<int>(i) - 1);
  CHECK(p == begin);
  CHECK(begin < begin + 1);
  CHECK(dash::distance(begin, begin + 7) == 7);
  CHECK(begin[static_cast<index_t>(size) - 1] == static_cast<int>(size) - 1);
  CHECK(dash::local_begin(begin, dash::Team::All().myid()) == array.lbegin());
  array.barrier();
}

TEST_CASE(
    "GlobPtr: arithmetic across parts of random sizes: like an index into their concatenation") {
  std::mt19937 random(dash::test::seed());
  std::vector<std::size_t> sizes(dash::size());
  std::vector<std::pair<int, std::uint64_t>> locations;  // unit and offset of each element
  for (std::size_t unit = 0; unit < sizes.size(); ++unit) {
    sizes[unit] = random() % 3 == 0 ? 0 : random() % 20;
    for (std::size_t i = 0; i < sizes[unit]; ++i)
      locations.emplace_back(static_cast<int>(unit), i * sizeof(int));
  }
  dash::GlobStaticMem<dash::HostSpace> memory;
  memory.allocate(sizes[static_cast<std::size_t>(dash::myid())] * sizeof(int));
  const auto size = static_cast<index_t>(locations.size());
  const dash::GlobPtr<int> first = dash::GlobPtr<int>(memory.begin()) + 0;
  int wrong = 0;
  for (int i = 0; i < 500 && size > 0; ++i) {
    const auto from = static_cast<index_t>(random() % locations.size());
    const auto to = static_cast<index_t>(random() % locations.size());
    // Starts at the first byte of unit 0, which may have no elements.
    const auto a = first + from;
    const auto b = a + (to - from);
    const dart_gptr_t gptr = b.dart_gptr();
    const auto& [unit, offset] = locations[static_cast<std::size_t>(to)];
    wrong += gptr.unitid == unit && gptr.addr_or_offs.offset == offset ? 0 : 1;
    wrong += b - a == to - from ? 0 : 1;
    wrong += (b == a) == (to == from) && (a < b) == (from < to) ? 0 : 1;
  }
  CHECK(wrong == 0);
  dash::barrier();
  memory.deallocate();
}

TEST_CASE("GlobPtr: null and conversions: like native pointers") {
  dash::GlobPtr<int> null;
  CHECK(null == nullptr);
  CHECK_FALSE(null);
  CHECK(dash::GlobPtr<int>(nullptr) == null);
  dash::Array<int> array(dash::size());
  dash::GlobPtr<int> p(array.begin());
  CHECK(p);
  const dash::GlobPtr<const int> constant = p;
  CHECK(constant == p);
  const dash::GlobPtr<void> untyped = p;
  CHECK(dash::GlobPtr<int>(untyped) == p);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<dash::GlobPtr<int>, dash::GlobPtr<const int>>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<dash::GlobPtr<int>, dash::GlobPtr<double>>);
  CHECK(dash::addressof(array[0]) == p);
  p = nullptr;
  CHECK(p == nullptr);
  STATIC_REQUIRE(sizeof(p) == 16);
  STATIC_REQUIRE(dash::is_container_compatible<dash::GlobPtr<int>>::value);
  p = dash::GlobPtr<int>(array.begin());
  p.set_unit(dash::Team::All().myid());
  *p = 100 + dash::myid();
  array.barrier();
  CHECK(array[static_cast<index_t>(dash::size()) - 1] == 99 + static_cast<int>(dash::size()));
  std::ostringstream text;
  text << p << ' ' << array[0] << ' ' << array.begin();
  CHECK(text.str().find("GlobRef(unit 0") != std::string::npos);
  array.barrier();
}

TEST_CASE(
    "on_node_address: elements of all units: addresses of those on the node, as far as "
    "contiguous") {
  const dash::Team& all = dash::Team::All();
  for (const auto& distribution : {dash::Distribution(dash::BLOCKED),
                                   dash::Distribution(dash::CYCLIC), dash::BLOCKCYCLIC(3)}) {
    auto array = counted(5 * dash::size() + 2, distribution);
    const auto& pattern = array.pattern();
    const auto size = static_cast<index_t>(array.size());
    for (index_t i = 0; i < size; ++i) {
      const auto owner = pattern.unit_at(i);
      const bool is_on_node = all.is_on_node(owner);
      const auto it = array.begin() + i;
      const int* const address = it.on_node_address();
      CHECK((address != nullptr) == is_on_node);
      CHECK(dash::GlobPtr<int>(it).on_node_address() == address);
      CHECK(array[i].on_node_address() == address);
      CHECK(array.async[i].on_node_address() == address);
      CHECK(it.on_node_address(0) == address);
      if (is_on_node) CHECK(*address == static_cast<int>(i));
      if (owner == all.myid()) CHECK(address == it.local());
      // The elements that are contiguous there, and no more.
      index_t length = 1;
      while (i + length < size && pattern.unit_at(i + length) == owner &&
             pattern.local(i + length).index == pattern.local(i).index + length)
        ++length;
      CHECK(it.on_node_address(static_cast<std::size_t>(length)) == address);
      CHECK(it.on_node_address(static_cast<std::size_t>(length) + 1) == nullptr);
      // Pointers follow the memory order.
      const auto behind =
          pattern.local_size(owner) - static_cast<std::size_t>(pattern.local(i).index);
      const dash::GlobPtr<const int> pointer = dash::GlobPtr<int>(it);
      CHECK(pointer.on_node_address(behind) == address);
      CHECK(pointer.on_node_address(behind + 1) == nullptr);
      CHECK(pointer.on_node_address(SIZE_MAX) == nullptr);
      CHECK(pointer.on_node_address(SIZE_MAX / sizeof(int) + 2) == nullptr);
    }
    CHECK(array.end().on_node_address() == nullptr);
    CHECK((array.begin() - 1).on_node_address() == nullptr);
    array.barrier();
  }
  CHECK(dash::GlobPtr<int>().on_node_address() == nullptr);
  CHECK(dash::Array<int>::iterator().on_node_address() == nullptr);
}

TEST_CASE("Array::on_node, Matrix::on_node: the elements of a unit: the unit's own values") {
  const dash::Team& all = dash::Team::All();
  auto array = counted(5 * dash::size() + 2);
  dash::Matrix<int, 2> matrix(7, 9, dash::BLOCKED, dash::BLOCKED);
  std::iota(matrix.lbegin(), matrix.lend(), 1000 * (1 + dash::myid()));
  matrix.barrier();
  const auto& constant = array;
  for (const int id : all) {
    const dash::team_unit_t unit(id);
    const auto elements = array.on_node(unit);
    const auto of_matrix = matrix.on_node(unit);
    CHECK((elements.data() != nullptr) == all.is_on_node(unit));
    CHECK((of_matrix.data() != nullptr) == all.is_on_node(unit));
    CHECK(constant.on_node(unit).data() == elements.data());
    if (!all.is_on_node(unit)) continue;
    CHECK(elements.size() == array.pattern().local_size(unit));
    for (std::size_t i = 0; i < elements.size(); ++i) {
      CHECK(elements[i] == static_cast<int>(array.pattern().global(unit, static_cast<index_t>(i))));
    }
    CHECK(of_matrix.size() == matrix.pattern().local_size(unit));
    for (std::size_t i = 0; i < of_matrix.size(); ++i)
      CHECK(of_matrix[i] == 1000 * (1 + id) + static_cast<int>(i));
  }
  CHECK(array.on_node(all.myid()).data() == array.lbegin());
  CHECK_THROWS_AS(array.on_node(dash::team_unit_t(static_cast<int>(all.size()))),
                  dash::exception::OutOfRange);
  CHECK_THROWS_AS(array.on_node(dash::team_unit_t(-1)), dash::exception::OutOfRange);
  // A box of rows, which are contiguous if the unit owns all columns.
  const auto box = matrix.sub<0>(1, 3);
  for (auto it = box.begin(); it != box.end(); ++it) {
    const int* const address = it.on_node_address();
    CHECK((address != nullptr) == all.is_on_node(it.lpos().unit));
    if (address != nullptr)
      CHECK(address == matrix.on_node(it.lpos().unit).data() + it.lpos().index);
  }
  array.barrier();
  array.deallocate();
  CHECK(array.on_node(all.myid()).data() == nullptr);
}

TEST_CASE("One-sided helpers: values put and got: complete after the fence") {
  dash::Array<double> array(dash::size());
  const auto right = array.begin() + static_cast<index_t>((dash::myid() + 1) % dash::size());
  dash::put_value(1.5 + dash::myid(), right);
  double got = 0.0;
  dash::get_value(&got, right);
  CHECK(got == 1.5 + dash::myid());
  array.barrier();
  const double source = 100.5 + dash::myid();
  dash::put_value_async(source, right);
  dash::fence<double>(right);
  dash::get_value_async(&got, right);
  dash::fence_local<double>(right);
  CHECK(got == source);
  array.barrier();
  dash::internal::put_blocking(right.dart_gptr(), &source, 1);
  dash::internal::get_blocking(right.dart_gptr(), &got, 1);
  CHECK(got == source);
  array.barrier();
}
