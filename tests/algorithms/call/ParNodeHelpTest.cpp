// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <thread>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/algorithm/AdjacentDifference.h"
#include "dash/algorithm/AllOf.h"
#include "dash/algorithm/Bcast.h"
#include "dash/algorithm/Copy.h"
#include "dash/algorithm/CopyIf.h"
#include "dash/algorithm/Equal.h"
#include "dash/algorithm/Find.h"
#include "dash/algorithm/Iota.h"
#include "dash/algorithm/Mismatch.h"
#include "dash/algorithm/Scan.h"
#include "dash/algorithm/Transform.h"
#include "dash/algorithm/TransformReduce.h"
#include "dash/util/TeamLocality.h"
#include "support/Catch.h"

using index_t = dash::default_index_t;

namespace {

/// Number of elements of each unit.
constexpr index_t length = 60;

/// Checks that another unit calls the function for elements of unit 0. In its own calls of the
/// function, unit 0 waits until another unit has called it.
class HelpMonitor {
 public:
  HelpMonitor() : _called(dash::size()) {
    const auto on_node =
        dash::internal::units_in_scope(dash::Team::All(), dash::util::Locality::Scope::Node);
    _neighbours = static_cast<int>(std::count(on_node.begin(), on_node.end(), true)) - 1;
    dash::broadcast(&_neighbours, &_neighbours + 1, dash::team_unit_t(0));
    expect(true);
    _called.barrier();
  }

  /// \param is_input_on_node  whether all required input is on the node of unit 0
  void expect(bool is_input_on_node) {
    const bool can_help = is_input_on_node || _neighbours + 1 == static_cast<int>(dash::size());
    _expected = can_help && _neighbours > 0 ? 1 : 0;
  }

  /// \param index  of the element for which a function is called
  void record_call(index_t index) {
    if (index >= length || _expected == 0) return;
    if (dash::myid() != 0) {
      _called[0] = 1;
      return;
    }
    const std::atomic_ref<int> called(_called.local[0]);
    for (; called == 0 && _remaining_ms > 0; --_remaining_ms)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  /// Checks that another unit has helped if that is possible, and resets the state.
  void check() {
    _called.barrier();
    if (dash::myid() == 0) {
      CHECK(_called.local[0] == _expected);
      _called.local[0] = 0;
      _remaining_ms = timeout_ms;
    }
    _called.barrier();
  }

 private:
  static constexpr int timeout_ms = 10'000;

  dash::Array<int> _called;
  int _neighbours = 0;  // other units on the node of unit 0
  int _expected = 0;
  std::atomic<int> _remaining_ms = timeout_ms;
};

/// Arrays of 0, 1, 2, ... with equal and different distributions.
struct Numbers {
  Numbers() : blocked(size()), same_layout(size()), cyclic(size(), dash::CYCLIC), native(size()) {
    dash::iota(blocked.begin(), blocked.end(), index_t{0});
    dash::iota(same_layout.begin(), same_layout.end(), index_t{0});
    dash::iota(cyclic.begin(), cyclic.end(), index_t{0});
    std::iota(native.begin(), native.end(), index_t{0});
  }
  static std::size_t size() { return static_cast<std::size_t>(length) * dash::size(); }

  dash::Array<index_t> blocked;
  dash::Array<index_t> same_layout;
  dash::Array<index_t> cyclic;
  std::vector<index_t> native;
};

std::vector<index_t> values_of(const dash::Array<index_t>& array) {
  std::vector<index_t> values(array.size());
  dash::copy(array.begin(), array.end(), values.data());
  array.team().barrier();
  return values;
}

}  // namespace

TEST_CASE("par_node of searches: other units search elements of a loaded unit") {
  HelpMonitor monitor;
  Numbers numbers;
  const auto& range = numbers.blocked;
  const auto is_negative = [&](index_t value) {
    monitor.record_call(value);
    return value < 0;
  };
  CHECK(dash::find_if(dash::par_node, range.begin(), range.end(), is_negative) == range.end());
  monitor.check();
  CHECK(dash::none_of(dash::par_node, range.begin(), range.end(), is_negative));
  monitor.check();
  // Matches of several units and in several chunks: the result is the first one, on any unit.
  const auto is_late = [&](index_t value) {
    monitor.record_call(value);
    return value > length / 2 && value % 3 == 1;
  };
  CHECK(dash::find_if(dash::par_node, range.begin(), range.end(), is_late) - range.begin() ==
        length / 2 + 1);
  monitor.check();
  CHECK(dash::find(dash::par_node, numbers.cyclic.begin(), numbers.cyclic.end(), length - 1) ==
        numbers.cyclic.begin() + (length - 1));
  range.team().barrier();
}

TEST_CASE(
    "par_node of comparisons with equal and different distributions, and with native ranges") {
  HelpMonitor monitor;
  Numbers numbers;
  const auto first = numbers.blocked.begin();
  const auto last = numbers.blocked.end();
  const auto check = [&](const auto& other, bool can_help) {
    monitor.expect(can_help);
    const auto same = [&](index_t a, index_t b) {
      monitor.record_call(a);
      return a == b;
    };
    CHECK(dash::equal(dash::par_node, first, last, other, same));
    monitor.check();
    const auto same_but_late = [&](index_t a, index_t b) {
      monitor.record_call(a);
      return a == b && a < length - 2;
    };
    const auto [at, at_other] = dash::mismatch(dash::par_node, first, last, other, same_but_late);
    CHECK(at - first == length - 2);
    CHECK(at_other - other == length - 2);
    monitor.check();
  };
  check(numbers.same_layout.begin(), true);
  check(numbers.native.begin(), true);
  check(numbers.cyclic.begin(), false);
  const auto less = [&](index_t a, index_t b) {
    monitor.record_call(std::min(a, b));
    return a < b;
  };
  CHECK_FALSE(dash::lexicographical_compare(dash::par_node, first, last, numbers.cyclic.begin(),
                                            numbers.cyclic.end(), less));
  monitor.check();
}

TEST_CASE("par_node of transform and adjacent_difference with input of other units") {
  HelpMonitor monitor;
  Numbers numbers;
  dash::Array<index_t> out(Numbers::size());
  const auto twice = [&](index_t value) {
    monitor.record_call(value);
    return 2 * value;
  };
  auto expected = numbers.native;
  std::transform(expected.begin(), expected.end(), expected.begin(),
                 [](index_t i) { return 2 * i; });
  const auto check = [&](const auto& first, const auto& last, bool can_help) {
    monitor.expect(can_help);
    CHECK(dash::transform(dash::par_node, first, last, out.begin(), twice) == out.end());
    monitor.check();
    CHECK(values_of(out) == expected);
  };
  check(numbers.native.begin(), numbers.native.end(), true);
  check(numbers.cyclic.begin(), numbers.cyclic.end(), false);
  const auto product = [&](index_t a, index_t b) {
    monitor.record_call(a);
    return a * b + 1;
  };
  dash::transform(dash::par_node, numbers.blocked, numbers.cyclic.begin(), out.begin(), product);
  monitor.check();
  std::transform(numbers.native.begin(), numbers.native.end(), expected.begin(),
                 [](index_t i) { return i * i + 1; });
  CHECK(values_of(out) == expected);
  dash::adjacent_difference(dash::par_node, numbers.blocked, out.begin(), product);
  monitor.check();
  std::adjacent_difference(numbers.native.begin(), numbers.native.end(), expected.begin(),
                           [](index_t a, index_t b) { return a * b + 1; });
  CHECK(values_of(out) == expected);
}

TEST_CASE("par_node of copy_if: the unit that has selected elements copies them, in order") {
  HelpMonitor monitor;
  Numbers numbers;
  dash::Array<index_t> out(Numbers::size(), dash::BLOCKCYCLIC(7));
  const auto is_odd = [&](index_t value) {
    monitor.record_call(value);
    return value % 2 == 1;
  };
  for (int round = 0; round < 3; ++round) {
    const auto end = dash::copy_if(dash::par_node, numbers.blocked, out.begin(), is_odd);
    monitor.check();
    CHECK(end - out.begin() == static_cast<index_t>(Numbers::size()) / 2);
    auto values = values_of(out);
    values.resize(values.size() / 2);
    std::vector<index_t> expected;
    std::copy_if(numbers.native.begin(), numbers.native.end(), std::back_inserter(expected),
                 [](index_t i) { return i % 2 == 1; });
    CHECK(values == expected);
  }
}

TEST_CASE(
    "par_node of scans with one block per unit: other units take over chunks of both passes") {
  HelpMonitor monitor;
  // The first argument of the operation identifies the pass: it contains the initial value only in
  // the second one. Sums are larger than any element, so the second argument identifies an element.
  constexpr index_t smallest = 100'000;
  constexpr index_t init = 1'000'000'000;
  dash::Array<index_t> in(Numbers::size());
  dash::Array<index_t> out(Numbers::size());
  dash::iota(in.begin(), in.end(), smallest);
  std::vector<index_t> model(in.size());
  std::iota(model.begin(), model.end(), smallest);
  for (const bool in_second : {false, true}) {
    const auto add = [&](index_t a, index_t b) {
      if ((a >= init) == in_second) monitor.record_call(b - smallest);
      return a + b;
    };
    auto expected = model;
    std::inclusive_scan(model.begin(), model.end(), expected.begin(), std::plus<>(), init);
    dash::inclusive_scan(dash::par_node, in, out, add, init);
    monitor.check();
    CHECK(values_of(out) == expected);
    // In place, on a part that does not begin with the first element. No chunk of unit 0 has a
    // single element, whose sum would be an element.
    dash::copy(in.lbegin(), in.lend(), out.begin() + in.pattern().global(0));
    out.barrier();
    expected = model;
    std::exclusive_scan(model.begin() + 4, model.end() - 4, expected.begin() + 4, init);
    dash::exclusive_scan(dash::par_node, out.begin() + 4, out.end() - 4, out.begin() + 4, init,
                         add);
    monitor.check();
    CHECK(values_of(out) == expected);
  }
  // If units own several contiguous blocks, each unit scans its own elements.
  dash::Array<index_t> cyclic(Numbers::size(), dash::CYCLIC);
  dash::inclusive_scan(dash::par_node, in, cyclic);
  std::inclusive_scan(model.begin(), model.end(), model.begin());
  CHECK(values_of(cyclic) == model);
}

TEST_CASE("par_node of transform_reduce of two ranges with equal distributions") {
  HelpMonitor monitor;
  Numbers numbers;
  const auto product = [&](index_t a, index_t b) {
    monitor.record_call(a);
    return a * b;
  };
  const auto expected = std::inner_product(numbers.native.begin(), numbers.native.end(),
                                           numbers.native.begin(), index_t{1});
  CHECK(dash::transform_reduce(dash::par_node, numbers.blocked, numbers.same_layout, index_t{1},
                               std::plus<>(), product) == expected);
  monitor.check();
  // If the distributions differ, each unit fetches its input itself.
  CHECK(dash::inner_product(dash::par_node, numbers.blocked, numbers.cyclic, index_t{1}) ==
        expected);
  CHECK(dash::inner_product(dash::par_node, numbers.blocked, numbers.native.begin(), index_t{1}) ==
        expected);
  numbers.blocked.team().barrier();
}
