// dash-test: parallel units=1,2,3 layouts=node
//
// Names of containers, memory and utilities that existing programs use and no other test covers,
// with the one header that they include.

#include <cpp17/cstddef.h>
#include <cpp17/polymorphic_allocator.h>
#include <cpp17/type_traits.h>
#include <libdash.h>

#include <array>
#include <cstddef>
#include <functional>
#include <iostream>
#include <memory_resource>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/pattern/internal/PatternLogging.h"
#include "support/Catch.h"

// Deprecated names must still exist.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

using index_t = dash::default_index_t;
using Host = dash::HostSpace;
using Array = dash::Array<int>;
using Matrix = dash::Matrix<int, 2>;
using Tiles = Matrix::pattern_type;

// Template parameters: their order, number and defaults.
static_assert(std::is_same_v<Array, dash::Array<int, index_t, dash::BlockPattern<1>, Host>>);
static_assert(std::is_same_v<Matrix, dash::Matrix<int, 2, index_t, dash::TilePattern<2>, Host>>);
static_assert(std::is_same_v<dash::NArray<int, 2>,
                             dash::Matrix<int, 2, index_t, dash::BlockPattern<2>, Host>>);
static_assert(
    std::is_same_v<dash::Coarray<int[3]>, dash::Coarray<int[3], index_t, dash::ROW_MAJOR, Host>>);
static_assert(std::is_same_v<dash::List<int>, dash::List<int, Host>>);
static_assert(std::is_same_v<
              dash::UnorderedMap<int, double>,
              dash::UnorderedMap<int, double, dash::HashLocal<int>, std::equal_to<int>, Host>>);
static_assert(std::is_same_v<dash::GlobLocalMemoryPool<>, dash::GlobLocalMemoryPool<Host>>);

// Types of Array.
using Pattern1 = Array::pattern_type;
using GlobMem = dash::GlobStaticMem<Host>;
static_assert(std::is_same_v<Array::value_type, int>);
static_assert(std::is_same_v<Array::size_type, dash::default_size_t>);
static_assert(std::is_same_v<Array::difference_type, dash::default_size_t>);
static_assert(std::is_same_v<Array::memory_type, GlobMem>);
static_assert(std::is_same_v<Array::iterator, dash::GlobIter<int, Pattern1, GlobMem>>);
static_assert(std::is_same_v<Array::reference, dash::GlobRef<int>>);
static_assert(std::is_same_v<Array::const_reference, dash::GlobRef<const int>>);
static_assert(std::is_same_v<Array::const_pointer, dash::GlobPtr<const int, GlobMem>>);
static_assert(std::is_same_v<Array::const_local_pointer, const int*>);
static_assert(std::is_same_v<Array::distribution_spec, dash::DistributionSpec<1>>);
static_assert(std::is_same_v<Array::local_type, dash::LocalArrayRef<int, index_t, Pattern1, Host>>);
static_assert(std::is_same_v<Array::async_type, dash::AsyncArrayRef<int, index_t, Pattern1, Host>>);
static_assert(std::is_same_v<Array::view_type, dash::ArrayRef<int, index_t, Pattern1, Host>>);
static_assert(std::is_same_v<Array::local_type::iterator, int*>);
static_assert(Array::rank::value == 1 && Array::ndim() == 1);

// Types of Matrix and its views.
static_assert(std::is_same_v<Matrix::size_spec, dash::SizeSpec<2, Matrix::size_type>>);
static_assert(std::is_same_v<Matrix::distribution_spec, dash::DistributionSpec<2>>);
static_assert(std::is_same_v<Matrix::team_spec, dash::TeamSpec<2>>);
static_assert(std::is_same_v<Matrix::extents_type, std::array<Matrix::size_type, 2>>);
static_assert(std::is_same_v<Matrix::offsets_type, std::array<index_t, 2>>);
static_assert(std::is_same_v<Matrix::view_type<1>, dash::MatrixRef<int, 2, 1, Tiles, Host>>);
static_assert(
    std::is_same_v<Matrix::const_view_type<2>, dash::MatrixRef<const int, 2, 2, Tiles, Host>>);
static_assert(std::is_same_v<Matrix::local_type, dash::LocalMatrixRef<int, 2, 2, Tiles, Host>>);
static_assert(Matrix::rank::value == 2 && Matrix::view_type<1>::rank::value == 1);
static_assert(Matrix::local_type::rank::value == 2);

// Type properties of futures.
using Future = dash::Future<int>;
static_assert(std::is_same_v<Future::get_func_t, std::function<int()>>);
static_assert(std::is_same_v<Future::test_func_t, std::function<bool(int*)>>);
static_assert(std::is_same_v<Future::destroy_func_t, std::function<void()>>);
static_assert(std::is_same_v<dash::Future<void>::get_func_t, std::function<void()>>);
static_assert(std::is_same_v<dash::Future<void>::test_func_t, std::function<bool()>>);

// Tags of memory.
static_assert(std::is_base_of_v<dash::memory_space_noncontiguous, dash::memory_space_contiguous>);
static_assert(
    std::is_base_of_v<std::pmr::memory_resource,
                      dash::MemorySpace<dash::memory_domain_local, dash::memory_space_host_tag>>);
static_assert(!std::is_same_v<dash::memory_space_cuda_tag, dash::memory_space_pmem_tag>);
static_assert(!std::is_same_v<dash::allocation_static, dash::allocation_dynamic>);
static_assert(!std::is_same_v<dash::synchronization_single, dash::synchronization_independent>);
static_assert(sizeof(dash::global_allocation_policy) == 1);
using Policy = dash::global_allocation_policy;
using Allocator = dash::GlobalAllocator<int, GlobMem>;
static_assert(std::is_same_v<Allocator, dash::GlobalAllocator<int, GlobMem, Policy::collective,
                                                              dash::allocator::DefaultAllocator>>);
static_assert(std::is_same_v<decltype(dash::allocate_unique<int>(std::declval<Allocator>(), 3)),
                             std::unique_ptr<int, dash::DefaultDeleter<Allocator>>>);
static_assert(std::is_same_v<dash::EpochSynchronizedAllocator<int>,
                             dash::EpochSynchronizedAllocator<int, Host, Policy::epoch_synchronized,
                                                              dash::allocator::DefaultAllocator>>);

// Operations, copyable types.
static_assert(dash::internal::dart_reduce_operation<dash::plus<int>>::value == DART_OP_SUM);
static_assert(dash::internal::is_dash_copyable<int, int>::value);
static_assert(dash::detail::is_global_iterator<Array::iterator>::value);
static_assert(!dash::detail::is_global_iterator<int*>::value);

DASH__META__DEFINE_TRAIT__HAS_TYPE(tag_type);
struct Tagged {
  using tag_type = int;
};
static_assert(has_type_tag_type<Tagged>::value && !has_type_tag_type<int>::value);

/// The output of print() on std::cout.
template <class Print>
std::string printed(const Print& print) {
  std::ostringstream text;
  auto* const before = std::cout.rdbuf(text.rdbuf());
  print();
  std::cout.rdbuf(before);
  return text.str();
}

}  // namespace

TEST_CASE("Array: deprecated names and local part: equivalent to the new names and the pattern") {
  Array array(20, dash::BLOCKCYCLIC(3));
  array[dash::myid()] = dash::myid();
  array.flush_all();
  array.flush_local_all();
  array.async[dash::myid() + dash::size()] = 1;
  array.async.flush(dash::team_unit_t(0));
  array.async.flush_local(dash::team_unit_t(0));
  array.async.flush_local();
  array.barrier();
  CHECK(&array.local.pattern() == &array.pattern());
  for (index_t i = 0; i < 20; ++i)
    CHECK(array.local.is_local(i) == array.is_local(i));
  const int units = static_cast<int>(dash::size());
  CHECK(dash::accumulate(array.begin(), array.end(), 0) == units * (units - 1) / 2 + units);
  CHECK(dash::accumulate(array.begin(), array.begin() + units, 7, dash::max<int>()) == 7);
  std::vector<int> copied(15, -1);
  std::vector<dart_handle_t> handles;
  CHECK(dash::internal::copy_impl(array.begin(), array.begin() + 15, copied.data(), handles) ==
        copied.data() + 15);
  CHECK_FALSE(handles.empty());
  CHECK(dart_waitall(handles.data(), handles.size()) == DART_OK);
  for (int i = 0; i < 15; ++i)
    CHECK(copied[static_cast<std::size_t>(i)] == (i < units ? i : (i < 2 * units ? 1 : 0)));
  array.barrier();
}

TEST_CASE("Matrix: rank, parts and blocks by all their names: the same elements") {
  dash::NArray<int, 2> matrix(6, 8);
  CHECK(dash::rank(matrix) == 2);
  CHECK(dash::rank(matrix[0]) == 1);
  CHECK(dash::rank(matrix.local) == 2);
  if (dash::myid() == 0) {
    for (int row = 0; row < 6; ++row) {
      for (int col = 0; col < 8; ++col)
        matrix(row, col) = 10 * row + col;
    }
  }
  matrix.barrier();
  CHECK(matrix.rows(2, 3)[1][4] == 34);
  CHECK(matrix.cols(2, 3)[1][2] == 14);
  CHECK(matrix.rows(2, 3).cols(4, 2)[0][1] == 25);
  CHECK(matrix.block({0, 0})[0][3] == 3);
  CHECK(matrix.row(1).is_local<0>(2) == matrix.is_local<0>(1));
  const auto rows = static_cast<int>(matrix.local.extent(0));
  CHECK(matrix.local.extents() == matrix.pattern().local_extents());
  CHECK(matrix.local.offset(0) == 0);
  CHECK(matrix.local.offsets() == std::array<index_t, 2>{{0, 0}});
  for (int row = 0; row < rows; ++row) {
    CHECK(matrix.local.sub<1>(5)[row] == matrix.local[row][5]);
    CHECK(matrix.local.sub<0>(row, 1)[0][7] == matrix.local(row, 7));
  }
  matrix.barrier();
}

TEST_CASE("UnorderedMap: local part: has buckets and functions; iterators are ordered") {
  dash::UnorderedMap<int, int> map;
  const int me = dash::myid();
  map.local.insert({me, 10 * me});
  map.local.insert({me + 100, 1});
  map.barrier();
  const auto own = static_cast<std::size_t>(me);
  CHECK(map.local.bucket(me) == own);
  CHECK(map.local.bucket_count() == dash::size());
  CHECK(map.local.bucket_size(own) == 2);
  CHECK(map.local.bucket_size(own + 1) == 0);
  CHECK(map.local.key_eq()(3, 3));
  CHECK(map.local.hash_function()(3) == dash::Team::All().myid());
  CHECK(std::distance(map.clbegin(), map.clend()) == 2);
  auto before = map.begin();
  for (auto it = ++map.begin(); it != map.end(); ++it, ++before) {
    CHECK(before < it);
    CHECK(it >= before);
    CHECK_FALSE(it <= before);
  }
  CHECK(before < map.end());
  map.barrier();
}

TEST_CASE("Coevent: iterators: visit the events of all units") {
  dash::Coevent events;
  for (dash::coarray::CoEventIter it = events.begin(); it != events.end(); ++it) {
    const dash::coarray::CoEventRef event = *it;
    event.post();
  }
  events.wait(static_cast<int>(dash::size()));
  CHECK(events.test() == 0);
  dash::barrier();
}

TEST_CASE("Views: make_view, apply, block: have the documented types") {
  Array array(12);
  using Range = dash::IteratorRange<Array::iterator, Array::iterator>;
  static_assert(std::is_same_v<decltype(dash::make_range(array.begin(), array.end())), Range>);
  const dash::IteratorViewOrigin<Array::iterator, Array::iterator> origin =
      dash::make_view(array.begin(), array.end());
  CHECK(origin.size() == 12);
  const auto view = dash::sub(2, 5, array);
  CHECK(dash::apply(dash::sub(0, 2), view) == dash::sub(0, 2, view));
  const dash::CompositeView<std::remove_const_t<decltype(view)>> both =
      dash::set_union({view, dash::sub(7, 9, array)});
  CHECK(both.size() == 5);
  const dash::LocalIndexRanges<index_t> local =
      dash::local_index_ranges(array.begin(), array.end());
  CHECK(local.ranges.size() == (array.lsize() > 0 ? 1 : 0));
}

TEST_CASE("Printed patterns and matrices: each value once") {
  const dash::Pattern<1> line(4);
  CHECK(printed([&] {
          dash::internal::print_pattern_mapping(
              "line", line, 3, [](const dash::Pattern<1>&, int i) { return 10 * i; });
        }) == "line\n  0  10  20  30 \n");
  const dash::TilePattern<2> tiles(2, 2);
  CHECK(printed([&] {
          dash::internal::print_pattern_mapping(
              "tiles", tiles, 2,
              [](const dash::TilePattern<2>&, int x, int y) { return 2 * x + y; });
        }) == "tiles\n 0  1 \n 2  3 \n");
  CHECK(printed([&] { dash::internal::print_pattern_metrics(tiles); }).find("TilePattern") == 0);
  dash::Matrix<double, 2> matrix(2, 2);
  if (dash::myid() == 0) matrix(1, 0) = 2.5;
  matrix.barrier();
  CHECK(printed([&] { dash::internal::print_matrix("m", matrix); }) ==
        "m\n   0.0    0.0 \n   2.5    0.0 \n");
  matrix.barrier();
}

TEST_CASE("Utilities: contexts, settings of benchmarks, units by number") {
  dash::util::TraceStore::add_context("interface");
  CHECK(dash::util::TraceStore::context_trace("interface").empty());
  const dash::util::BenchmarkParams params("interface");
  const dash::util::BenchmarkParams::config_params_type config = params.config();
  for (const auto& [name, value] : config.env_config)
    CHECK((name.starts_with("DASH_") || name.starts_with("DART_")));
  const dash::util::UnitLocality location(0);
  CHECK(location.unit_id() == 0);
  CHECK(location.num_domain_threads() == location.num_threads());
  static_assert(std::is_same_v<std::byte, decltype(std::byte{1})>);
}
