// dash-test: parallel units=1,2,4 layouts=node,nolocal

// Overloads and types that programs for DASH 0.4 use.

#include <array>
#include <iostream>
#include <sstream>
#include <type_traits>
#include <vector>

#include "dash/Allocator.h"
#include "dash/Array.h"
#include "dash/Atomic.h"
#include "dash/Coarray.h"
#include "dash/Domain.h"
#include "dash/Init.h"
#include "dash/List.h"
#include "dash/Matrix.h"
#include "dash/UnorderedMap.h"
#include "dash/View.h"
#include "dash/algorithm/Copy.h"
#include "dash/dart/if/dart_locality.h"
#include "dash/halo/RegionCoords.h"
#include "dash/memory/GlobStaticMem.h"
#include "dash/memory/SimpleMemoryPoolResource.h"
#include "dash/util/BenchmarkParams.h"
#include "dash/util/StaticConfig.h"
#include "dash/util/UniversalMember.h"
#include "support/Catch.h"

namespace {

struct Body {
  double mass = 0;
};
struct Star : Body {
  double brightness() const { return 2 * mass; }
};

template <class A, class B>
concept EqualityComparable = requires(A a, B b) {
  a == b;
};
template <class A, class B>
concept LessThanComparable = requires(A a, B b) {
  a < b;
};

/// A hasher whose call operator is not const.
struct ModuloHash {
  explicit ModuloHash(dash::Team&) {}
  dash::team_unit_t operator()(const int& key) {
    return dash::team_unit_t(key % static_cast<int>(dash::size()));
  }
};

}  // namespace

TEST_CASE("Ids of units of different teams can be compared with != only") {
  const dash::team_unit_t in_team(2);
  CHECK(in_team != dash::global_unit_t(3));
  CHECK_FALSE(in_team != dash::global_unit_t(2));
  CHECK((in_team <= dash::global_unit_t(2) && dash::global_unit_t(2) >= in_team));
  static_assert(!EqualityComparable<dash::team_unit_t, dash::global_unit_t>);
  static_assert(!LessThanComparable<dash::team_unit_t, dash::global_unit_t>);
}

TEST_CASE("The coordinates of a halo region can be a list in braces") {
  const dash::halo::RegionCoords<3> region({1, 0, 1});
  CHECK(region == dash::halo::RegionCoords<3>(1, 0, 1));
}

TEST_CASE("distance of native pointers") {
  const int values[5] = {};
  const int* const first = values;
  CHECK(dash::distance(first, first + 5) == 5);
}

TEST_CASE("copy with an explicit element type, between all kinds of memory") {
  dash::Array<int> from(20);
  dash::Array<int> to(20);
  for (std::size_t i = 0; i < from.lsize(); ++i)
    from.lbegin()[i] = static_cast<int>(from.pattern().global(static_cast<long>(i)));
  dash::barrier();
  if (dash::myid() == 0) {
    CHECK(dash::copy<int>(from.begin(), from.end(), to.begin()) == to.end());
    std::vector<int> values(20);
    dash::copy<int>(to.begin(), to.end(), values.data());
    CHECK(values[19] == 19);
    dash::copy<int>(values.data(), values.data() + 5, to.begin() + 5);
    CHECK(static_cast<int>(to[5]) == 0);
  }
  dash::barrier();
}

TEST_CASE("References lose const explicitly, and atomic references gain it") {
  dash::Array<int> array(dash::size());
  array.local[0] = 7;
  const dash::GlobRef<const int> reads(array.begin()[dash::myid()]);
  const dash::GlobRef<int> writes(reads);
  writes = 8;
  CHECK(array.local[0] == 8);
  const dash::GlobAsyncRef<const int> async_reads(writes);
  dash::GlobAsyncRef<int> async_writes(async_reads);
  async_writes = 9;
  async_writes.flush();
  CHECK(array.local[0] == 9);
  static_assert(!std::is_convertible_v<dash::GlobRef<const int>, dash::GlobRef<int>>);

  dash::Array<dash::Atomic<int>> counters(dash::size());
  const dash::GlobRef<dash::Atomic<int>> counter(counters.begin()[dash::myid()]);
  counter.store(5);
  const dash::GlobRef<dash::Atomic<const int>> value(counter);
  const dash::GlobRef<const dash::Atomic<int>> const_counter(counter);
  const dash::GlobRef<dash::Atomic<const int>> same = const_counter;
  CHECK(value.load() == 5);
  CHECK(same.load() == 5);
  dash::barrier();
}

TEST_CASE("A global pointer to a base class converts to one to a derived class") {
  dash::Array<Star> stars(dash::size());
  stars.local[0].mass = 3;
  const dash::GlobPtr<Star> star(stars.begin()[dash::myid()].dart_gptr());
  const dash::GlobPtr<Body> body = star;
  const dash::GlobPtr<Star> implicit = body;
  const dash::GlobPtr<Star> explicitly(body);
  CHECK(static_cast<Star>(*implicit).brightness() == 6);
  CHECK(explicitly == star);
  static_assert(!std::is_convertible_v<dash::GlobPtr<int>, dash::GlobPtr<double>>);
  dash::barrier();
}

TEST_CASE("Arrays with an index type other than that of the pattern") {
  dash::Array<double, int, dash::Pattern<1>> array(10 * dash::size());
  array.local[0] = 2.5;
  dash::barrier();
  CHECK(static_cast<double>(array[0]) == 2.5);
  dash::barrier();
}

TEST_CASE("Extents of a domain have its index type, and sizes may be floating-point numbers") {
  const dash::Domain<2> domain({{0, 5}, {2, 9}});
  const std::array<dash::default_index_t, 2> extents = domain.extents();
  CHECK((extents[0] == 5 && extents[1] == 7));
  const dash::SizeSpec<2> sizes(10.9, 20.0);
  CHECK((sizes.extent(0) == 10 && sizes.extent(1) == 20));
}

TEST_CASE("Iterators can be elements") {
  static_assert(std::is_standard_layout_v<dash::Array<int>::iterator>);
  dash::Array<int> array(10);
  dash::Array<dash::Array<int>::iterator> iterators(dash::size());
  iterators.local[0] = array.begin() + 3;
  CHECK(static_cast<dash::Array<int>::iterator>(iterators[dash::myid()]) == array.begin() + 3);
  dash::barrier();
}

TEST_CASE("A map with a hasher that is not const") {
  dash::UnorderedMap<int, double, ModuloHash> map(10);
  if (dash::myid() == 0) {
    for (int key = 0; key < 20; ++key)
      map.insert({key, 0.5 * key});
  }
  dash::barrier();
  CHECK(map.find(7)->second == 3.5);
  dash::barrier();
}

TEST_CASE("Local iterators of lists can be advanced, and co-arrays have reverse iterators") {
  dash::List<int> list(10);
  for (int value = 0; value < 4; ++value)
    list.local.push_back(value);
  CHECK(*(list.local.begin() + 2) == 2);
  CHECK(*(list.local.begin() + 3 - 1) == 2);
  using Coarray = dash::Coarray<int[10]>;
  static_assert(
      std::is_same_v<Coarray::reverse_iterator, std::reverse_iterator<Coarray::iterator>>);
  static_assert(std::is_same_v<Coarray::const_reverse_iterator,
                               std::reverse_iterator<Coarray::const_iterator>>);
  dash::barrier();
}

TEST_CASE("Traits and domains of views") {
  dash::NArray<double, 2> matrix(10, 10);
  const auto rows = dash::sub<0>(2, 5, matrix);
  const auto blocks = dash::blocks(rows);
  static_assert(dash::view_traits<decltype(blocks)>::rank::value == 2);
  dash::Array<int> array(10);
  const auto part = dash::sub(2, 5, array);
  const auto indices = dash::index(part);
  static_assert(dash::view_traits<decltype(indices)>::is_origin::value);
  auto& domain = dash::domain(part);
  CHECK(&domain == &array);
  dash::barrier();
}

TEST_CASE("Allocators can be rebound and constructed with a memory space after the team") {
  using Allocator = dash::EpochSynchronizedAllocator<int>;
  using Traits = dash::allocator_traits<Allocator>;
  using Doubles = dash::EpochSynchronizedAllocator<double>;
  static_assert(std::is_same_v<Traits::rebind_alloc<double>, Doubles>);
  static_assert(std::is_same_v<Traits::rebind_traits<double>::allocator_type, Doubles>);
  dash::HostSpace* const space = nullptr;
  Allocator allocator(dash::Team::All(), space);
  int* const values = allocator.allocate_local(3);
  values[2] = 1;
  allocator.deallocate_local(values, 3);
  using Pool = dash::SimpleMemoryPoolResource<dash::HostSpace>;
  dash::EpochSynchronizedAllocator<int, Pool> of_pool(dash::Team::All());
  int* const of_resource = of_pool.allocate_local(2);
  of_pool.deallocate_local(of_resource, 2);
  using Memory = dash::GlobStaticMem<dash::HostSpace>;
  static_assert(std::is_same_v<Memory::local_void_pointer, void*>);
  static_assert(std::is_same_v<dash::GlobalAllocator<int, Memory>::memory_resource, Memory>);
}

TEST_CASE("Configuration, and parameters of benchmarks from a stream") {
  static_assert(dash::util::DashConfig.avail_algo_summa);
  static_assert(!dash::util::DashConfig.avail_memkind);
  std::stringstream lines("a line\nanother one\n");
  const dash::util::BenchmarkParams params("compat");
  std::ostringstream printed;
  std::streambuf* const output = std::cout.rdbuf(printed.rdbuf());
  params.print(lines, "-- ");
  std::cout.rdbuf(output);
  CHECK(printed.str() == (dash::myid() == 0 ? "-- a line\n-- another one\n" : ""));
}

TEST_CASE("UniversalMember assigns to the object that it refers to") {
  std::vector<int> values{1, 2};
  dash::UniversalMember<std::vector<int>> member(values);
  member = std::vector<int>{3};
  CHECK(values == std::vector<int>{3});
}

TEST_CASE("dart_domain_find returns a null pointer if there is no such domain") {
  dart_domain_locality_t* root = nullptr;
  REQUIRE(dart_domain_team_locality(DART_TEAM_ALL, ".", &root) == DART_OK);
  dart_domain_locality_t* found = root;
  CHECK(dart_domain_find(root, ".999", &found) == DART_ERR_NOTFOUND);
  CHECK(found == nullptr);
}
