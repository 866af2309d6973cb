// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <numeric>
#include <ranges>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/Init.h"
#include "dash/Onesided.h"

using index_t = dash::default_index_t;

namespace {

using Iter = dash::Array<int>::iterator;
using ConstIter = dash::Array<int>::const_iterator;

struct Base {
  int x;
};
struct Derived : Base {};

/// A CYCLIC array with element i at i, the same for every test.
dash::Array<int> counted(std::size_t size, const dash::Distribution& distribution = dash::CYCLIC) {
  dash::Array<int> array(size, distribution);
  for (std::size_t local = 0; local < array.lsize(); ++local) {
    array.local[local] = static_cast<int>(array.pattern().global(static_cast<index_t>(local)));
  }
  array.barrier();
  return array;
}

}  // namespace

TEST_CASE("GlobIter: as a type: models the standard's concepts") {
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

TEST_CASE("GlobIter: with algorithms of the standard library: as on a vector") {
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
    const auto place = it.lpos();
    CHECK(place == array.pattern().local(it.pos()));
    CHECK(it.is_local() == (place.unit == dash::myid().id));
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

TEST_CASE("GlobRef: reads and writes: as a value would") {
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

TEST_CASE("GlobRef: assigned and swapped: the elements are") {
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
  STATIC_REQUIRE_FALSE(std::is_constructible_v<dash::GlobRef<int>, dash::GlobRef<const int>>);
  STATIC_REQUIRE(std::is_convertible_v<dash::GlobRef<Derived>, dash::GlobRef<Base>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<dash::GlobRef<Base>, dash::GlobRef<Derived>>);
  STATIC_REQUIRE(std::is_constructible_v<dash::GlobRef<Derived>, dash::GlobRef<Base>>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<dash::GlobRef<int>>);
  STATIC_REQUIRE(std::is_move_constructible_v<dash::GlobRef<int>>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<dash::GlobRef<const int>, int>);
}

TEST_CASE("GlobPtr: arithmetic: counts elements over the units' borders") {
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

TEST_CASE("GlobPtr: null and conversions: as of native pointers") {
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

TEST_CASE("One-sided helpers: values put and got: after the fence") {
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
