// dash-test: parallel units=3 full-units=2,4,7 layouts=node,cliques
//
// Failed allocations on one unit throw on all units, and no unit hangs.

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <new>
#include <thread>
#include <utility>

#include "dash/Array.h"
#include "dash/Collectives.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/algorithm/CopyIf.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/Histogram.h"
#include "dash/algorithm/NthElement.h"
#include "dash/algorithm/Partition.h"
#include "dash/algorithm/Scan.h"
#include "dash/algorithm/Sort.h"
#include "dash/algorithm/Transpose.h"
#include "dash/algorithm/Unique.h"
#include "support/Catch.h"
#include "support/FailAllocations.h"

using index_t = dash::default_index_t;
using dash::test::FailAllocation;

namespace {

/// Only allocations of at least this number of bytes fail: those that grow with the range, but not
/// those of a few bytes per unit for exchanges.
constexpr std::size_t min_failing_bytes = 512;

/// Calls f() repeatedly for n = 1, 2, ...: on the last unit, its n-th allocation fails. Ends when
/// f() has fewer than n allocations.
template <class F>
void for_each_failure(F f) {
  f();  // allocates the memory that is kept between calls
  int failures = 0;
  for (std::size_t n = 1;; ++n) {
    CAPTURE(n);
    std::array<int, 2> own{};  // calls that threw, and allocations that failed
    {
      const bool is_last = dash::myid() == static_cast<int>(dash::size()) - 1;
      const FailAllocation fails(is_last ? n : 0, min_failing_bytes);
      try {
        f();
      } catch (const std::exception&) {
        own[0] = 1;
      }
      own[1] = is_last && fails.has_failed() ? 1 : 0;
    }
    const int threw = dash::allreduce_async(own[0], dash::plus<int>()).get();
    const int failed = dash::allreduce_async(own[1], dash::plus<int>()).get();
    CHECK((threw == 0 || threw == static_cast<int>(dash::size())));
    failures += failed;
    if (failed == 0) break;
    REQUIRE(n < 200);
  }
  CHECK(failures > 0);
}

/// Like the above for f(first, last), with an array of one block per unit, one of many blocks, and
/// a box of many blocks.
template <class F>
void for_each_range(F f) {
  const auto run = [&f](auto&& range) { for_each_failure([&] { f(range.begin(), range.end()); }); };
  const auto rows = static_cast<index_t>(16 * dash::size());
  dash::NArray<int, 2> matrix(rows, 40);
  dash::generate_with_index(matrix.begin(), matrix.end(),
                            [](index_t i) { return static_cast<int>(i * 7919 % 1009); });
  matrix.barrier();
  run(matrix.sub<1>(3, 30));
  dash::Array<int> blocked(3000 * dash::size());
  dash::Array<int> cyclic(6000 * dash::size(), dash::CYCLIC);
  for (auto* const array : {&blocked, &cyclic}) {
    dash::generate_with_index(*array, [](index_t i) { return static_cast<int>(i * 7919 % 1009); });
    array->barrier();
    run(*array);
  }
}

}  // namespace

TEST_CASE("a unit that waits for a long time allocates no memory for messages") {
  const bool is_last = dash::myid() == static_cast<int>(dash::size()) - 1;
  const FailAllocation fails(is_last ? 1 : 0, min_failing_bytes);
  if (!is_last) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  dash::barrier();
  if (is_last) CHECK_FALSE(fails.has_failed());
}

TEST_CASE("a failed allocation in unique or partition throws on all units") {
  for_each_range([](auto first, auto last) { dash::unique(dash::seq, first, last); });
  for_each_range([](auto first, auto last) {
    dash::partition(dash::seq, first, last, [](int x) { return x % 2 == 0; });
  });
}

TEST_CASE("a failed allocation in nth_element throws on all units") {
  for_each_range([](auto first, auto last) {
    dash::nth_element(dash::seq, first, first + (last - first) / 3, last);
  });
}

TEST_CASE("a failed allocation in sort throws on all units") {
  for_each_range([](auto first, auto last) { dash::sort(dash::seq, first, last); });
}

TEST_CASE("a failed allocation in histogram throws on all units") {
  for_each_range([](auto first, auto last) {
    dash::histogram(dash::seq, first, last, 1009, [](int x) { return x; });
  });
}

TEST_CASE("a failed allocation in inclusive_scan throws on all units") {
  for_each_range([](auto first, auto last) {
    dash::inclusive_scan(dash::seq, first, last, first, [](int a, int b) { return a ^ b; });
  });
  dash::Array<int> few(60 * dash::size(), dash::BLOCKCYCLIC(3));
  for_each_failure([&] { dash::inclusive_scan(dash::seq, few.begin(), few.end(), few.begin()); });
}

TEST_CASE("a failed allocation in copy_if throws on all units") {
  dash::Array<int> out(6000 * dash::size());
  for_each_range([&](auto first, auto last) {
    dash::copy_if(dash::seq, first, last, out.begin(), [](int x) { return x % 3 != 0; });
  });
}

TEST_CASE("a failed allocation in transpose throws on all units") {
  dash::NArray<int, 2> in(100, 130, dash::BLOCKED, dash::CYCLIC, dash::Team::All(),
                          dash::TeamSpec<2>(dash::Team::All()));
  dash::NArray<int, 2> out(130, 100, dash::CYCLIC, dash::NONE);
  for_each_failure([&] { dash::transpose(dash::seq, in, out); });
}

TEST_CASE("a failed allocation while a call is queued does not affect later calls") {
  dash::Team& own = dash::size() > 1 ? dash::Team::All().split(dash::size()) : dash::Team::All();
  const auto start = [&] {
    return dash::internal::start_collectively(own, "a test",
                                              [](dash::internal::Call&) { return 7; });
  };
  CHECK(start().get() == 7);
  bool has_failed = true;
  for (std::size_t n = 1; has_failed; ++n) {
    CAPTURE(n);
    dash::Future<int> result;
    {
      const FailAllocation fails(n);
      try {
        result = start();
      } catch (const std::bad_alloc&) {
      }
      has_failed = fails.has_failed();
    }
    if (result.valid()) CHECK(result.get() == 7);
    CHECK(start().get() == 7);
    REQUIRE(n < 100);
  }
  dash::barrier();
}
