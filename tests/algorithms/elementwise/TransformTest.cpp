// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/algorithm/Transform.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/Operation.h"
#include "support/Catch.h"
#include "support/OwnerCheck.h"

namespace {

void number_elements(dash::Array<long>& array) {
  dash::generate_with_index(array.begin(), array.end(), [](index_t index) { return index; });
  array.barrier();
}

}  // namespace

TEST_CASE("transform of structures between any ranges gives the standard library's results") {
  const auto change = [](const Sample& in) { return Sample{in.weights[0], {1, 2, 3}}; };
  const auto combine = [](const Sample& a, const Sample& b) {
    return Sample{a.key - 3 * b.key, {a.weights[0], b.weights[0], 5}};
  };
  const auto check = [&](const auto& policy, const auto& first, const auto& last, const auto& out) {
    const auto a = samples<Sample>(static_cast<std::size_t>(last - first));
    auto b = samples<Sample>(a.size());
    assign(first, a);
    assign(out, b);
    const auto out_last = out + (last - first);
    CHECK(dash::transform(policy, first, last, out, out, combine) == out_last);
    std::transform(a.begin(), a.end(), b.begin(), b.begin(), combine);
    CHECK(values_of(out, out_last) == b);
    CHECK(dash::transform(policy, first, last, out, change) == out_last);
    std::transform(a.begin(), a.end(), b.begin(), change);
    CHECK(values_of(out, out_last) == b);
  };
  for (const auto& to : distributions()) {
    dash::Array<Sample> out(320, to);
    for_each_array<Sample>(300, [&](const auto& first, const auto& last) {
      for_each_policy([&](const auto& policy) { check(policy, first, last, out.begin() + 20); });
    });
  }
  dash::Array<Sample> other(300, dash::BLOCKCYCLIC(7));
  for_each_matrix<Sample>([&](const auto& first, const auto& last) {
    check(dash::par, first, last, other.begin() + 4);
    check(dash::par, other.begin() + 4, other.begin() + 4 + (last - first), first);
  });
}

TEST_CASE("transform of one range for all distributions and positions") {
  for (const auto& from : distributions()) {
    for (const auto& to : distributions()) {
      // The positions differ, even with equal patterns.
      dash::Array<long> in(500, from);
      dash::Array<int> out(500, to);
      number_elements(in);
      const auto end = dash::transform(in.begin() + 10, in.begin() + 400, out.begin() + 20,
                                       [](long value) { return static_cast<int>(2 * value); });
      CHECK(end == out.begin() + 410);
      CHECK(out[409] == 2 * 399);
      CHECK(count_wrong_local(out, [](index_t index) {
              return index >= 20 && index < 410 ? 2 * (index - 10) : 0;
            }) == 0);
      dash::barrier();
    }
  }
}

TEST_CASE("transform of more remote elements than a batch prefetches input") {
  const index_t size = 150000 * static_cast<index_t>(dash::size());
  dash::Array<long> in(static_cast<std::size_t>(size), dash::BLOCKED);
  dash::Array<long> out(static_cast<std::size_t>(size), dash::BLOCKCYCLIC(1000));
  number_elements(in);
  dash::transform(in.begin(), in.end(), out.begin(), [](long value) { return value + 1; });
  CHECK(count_wrong_local(out, [](index_t index) { return index + 1; }) == 0);
  dash::barrier();
}

TEST_CASE("transform in place processes each element once") {
  for (const auto& distribution : distributions()) {
    dash::Array<long> array(1000, distribution);
    number_elements(array);
    dash::transform(array.begin(), array.end(), array.begin(), [](long value) { return -value; });
    CHECK(count_wrong_local(array, [](index_t index) { return -index; }) == 0);
    array.barrier();
  }
}

TEST_CASE("transform of native input uses the position of the output") {
  std::vector<int> in(300);
  std::iota(in.begin(), in.end(), 0);
  dash::Array<int> out(300, dash::CYCLIC);
  dash::transform(in.begin(), in.end(), out.begin(), [](int value) { return value * value; });
  CHECK(count_wrong_local(out, [](index_t index) { return index * index; }) == 0);
  out.barrier();
}

TEST_CASE("transform of two ranges, accumulating and with all distributions") {
  for (const auto& a_dist : distributions()) {
    for (const auto& b_dist : distributions()) {
      dash::Array<long> a(333, a_dist);
      dash::Array<long> b(333, b_dist);
      number_elements(a);
      number_elements(b);
      dash::transform(a.begin(), a.end(), b.begin(), b.begin(), dash::plus<long>());
      dash::barrier();  // accumulation: each unit has added its elements of a
      CHECK(count_wrong_local(b, [](index_t index) { return 2 * index; }) == 0);
      dash::barrier();
      dash::Array<long> out(333, dash::BLOCKCYCLIC(4));
      dash::transform(a.begin() + 3, a.end(), b.begin() + 1, out.begin() + 2,
                      [](long x, long y) { return 1000 * x + y; });
      CHECK(count_wrong_local(out, [](index_t index) {
              const bool written = index >= 2 && index < 332;
              return written ? 1000 * (index + 1) + 2 * (index - 1) : 0;
            }) == 0);
      dash::barrier();
    }
  }
}

TEST_CASE("transform of boxes of a matrix, element by element") {
  dash::NArray<long, 2> matrix(20, 25, dash::BLOCKED, dash::BLOCKED);
  dash::generate_with_index(matrix.begin(), matrix.end(), [](index_t index) { return index; });
  dash::barrier();
  const auto from = matrix.sub<0>(1, 6).sub<1>(2, 9);
  const auto to = matrix.sub<0>(10, 6).sub<1>(15, 9);
  dash::transform(from.begin(), from.end(), to.begin(), [](long value) { return -value; });
  CHECK(count_wrong_local(matrix, [](index_t index) {
          const index_t row = index / 25 - 10;
          const index_t col = index % 25 - 15;
          const bool inside = row >= 0 && row < 6 && col >= 0 && col < 9;
          return inside ? -((1 + row) * 25 + 2 + col) : index;
        }) == 0);
  dash::barrier();
}

TEST_CASE("transform of an unallocated container treats it as empty") {
  dash::Array<long> none;
  CHECK(dash::transform(none.begin(), none.end(), none.begin(), std::negate<long>()) == none.end());
}

TEST_CASE("transform throws on all units if the operation throws on one") {
  using Catch::Matchers::ContainsSubstring;
  dash::Array<long> in(64 * dash::size(), dash::CYCLIC);
  dash::Array<long> out(64 * dash::size(), dash::BLOCKED);
  const auto fails = [](long value) {
    if (dash::myid() == 0) throw std::invalid_argument("not a number");
    return value;
  };
  CHECK_THROWS_WITH(dash::transform(in.begin(), in.end(), out.begin(), fails),
                    ContainsSubstring("unit 0") && ContainsSubstring("not a number"));
  dash::barrier();
}
