// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
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

using index_t = dash::default_index_t;

namespace {

/// Elements of each unit.
constexpr index_t length = 60;

/// Who calls a function for elements of unit 0. That unit itself waits until another one has.
class Helpers {
 public:
  Helpers() : _called(dash::size()) {
    const auto here =
        dash::internal::units_in_scope(dash::Team::All(), dash::util::Locality::Scope::Node);
    _neighbours = static_cast<int>(std::count(here.begin(), here.end(), true)) - 1;
    dash::broadcast(&_neighbours, &_neighbours + 1, dash::team_unit_t(0));
    expect(true);
    _called.barrier();
  }

  /// \param is_input_near  where it needs input that another node might have
  void expect(bool is_input_near) {
    const bool is_near = is_input_near || _neighbours + 1 == static_cast<int>(dash::size());
    _expected = is_near && _neighbours > 0 ? 1 : 0;
  }

  /// \param index  of an element that a function is called for
  void note(index_t index) {
    if (index >= length || _expected == 0) return;
    if (dash::myid() != 0) {
      _called[0] = 1;
      return;
    }
    const std::atomic_ref<int> called(_called.local[0]);
    for (; called == 0 && _patience_ms > 0; --_patience_ms)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  /// Checks that there was one, where there can be, and begins anew.
  void check() {
    _called.barrier();
    if (dash::myid() == 0) {
      CHECK(_called.local[0] == _expected);
      _called.local[0] = 0;
      _patience_ms = most_patience_ms;
    }
    _called.barrier();
  }

 private:
  static constexpr int most_patience_ms = 10'000;

  dash::Array<int> _called;
  int _neighbours = 0;  // of unit 0
  int _expected = 0;
  std::atomic<int> _patience_ms = most_patience_ms;
};

/// Arrays of 0, 1, 2, ..., whose elements lie with the same and with other units.
struct Numbers {
  Numbers() : blocked(size()), alike(size()), cyclic(size(), dash::CYCLIC), native(size()) {
    dash::iota(blocked.begin(), blocked.end(), index_t{0});
    dash::iota(alike.begin(), alike.end(), index_t{0});
    dash::iota(cyclic.begin(), cyclic.end(), index_t{0});
    std::iota(native.begin(), native.end(), index_t{0});
  }
  static std::size_t size() { return static_cast<std::size_t>(length) * dash::size(); }

  dash::Array<index_t> blocked;
  dash::Array<index_t> alike;
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

TEST_CASE("par_node of searches: other units look at the elements of a loaded one") {
  Helpers helpers;
  Numbers numbers;
  const auto& range = numbers.blocked;
  const auto is_negative = [&](index_t value) {
    helpers.note(value);
    return value < 0;
  };
  CHECK(dash::find_if(dash::par_node, range.begin(), range.end(), is_negative) == range.end());
  helpers.check();
  CHECK(dash::none_of(dash::par_node, range.begin(), range.end(), is_negative));
  helpers.check();
  // Matches of several units and in several pieces: the first one, whoever finds it.
  const auto is_late = [&](index_t value) {
    helpers.note(value);
    return value > length / 2 && value % 3 == 1;
  };
  CHECK(dash::find_if(dash::par_node, range.begin(), range.end(), is_late) - range.begin() ==
        length / 2 + 1);
  helpers.check();
  CHECK(dash::find(dash::par_node, numbers.cyclic.begin(), numbers.cyclic.end(), length - 1) ==
        numbers.cyclic.begin() + (length - 1));
  range.team().barrier();
}

TEST_CASE("par_node of comparisons: of ranges that lie alike, otherwise, and of native ones") {
  Helpers helpers;
  Numbers numbers;
  const auto first = numbers.blocked.begin();
  const auto last = numbers.blocked.end();
  const auto check = [&](const auto& other, bool is_near) {
    helpers.expect(is_near);
    const auto same = [&](index_t a, index_t b) {
      helpers.note(a);
      return a == b;
    };
    CHECK(dash::equal(dash::par_node, first, last, other, same));
    helpers.check();
    const auto same_but_late = [&](index_t a, index_t b) {
      helpers.note(a);
      return a == b && a < length - 2;
    };
    const auto [at, at_other] = dash::mismatch(dash::par_node, first, last, other, same_but_late);
    CHECK(at - first == length - 2);
    CHECK(at_other - other == length - 2);
    helpers.check();
  };
  check(numbers.alike.begin(), true);
  check(numbers.native.begin(), true);
  check(numbers.cyclic.begin(), false);
  const auto less = [&](index_t a, index_t b) {
    helpers.note(std::min(a, b));
    return a < b;
  };
  CHECK_FALSE(dash::lexicographical_compare(dash::par_node, first, last, numbers.cyclic.begin(),
                                            numbers.cyclic.end(), less));
  helpers.check();
}

TEST_CASE("par_node of transform and adjacent_difference with input of other units") {
  Helpers helpers;
  Numbers numbers;
  dash::Array<index_t> out(Numbers::size());
  const auto twice = [&](index_t value) {
    helpers.note(value);
    return 2 * value;
  };
  auto expected = numbers.native;
  std::transform(expected.begin(), expected.end(), expected.begin(),
                 [](index_t i) { return 2 * i; });
  const auto check = [&](const auto& first, const auto& last, bool is_near) {
    helpers.expect(is_near);
    CHECK(dash::transform(dash::par_node, first, last, out.begin(), twice) == out.end());
    helpers.check();
    CHECK(values_of(out) == expected);
  };
  check(numbers.native.begin(), numbers.native.end(), true);
  check(numbers.cyclic.begin(), numbers.cyclic.end(), false);
  const auto product = [&](index_t a, index_t b) {
    helpers.note(a);
    return a * b + 1;
  };
  dash::transform(dash::par_node, numbers.blocked, numbers.cyclic.begin(), out.begin(), product);
  helpers.check();
  std::transform(numbers.native.begin(), numbers.native.end(), expected.begin(),
                 [](index_t i) { return i * i + 1; });
  CHECK(values_of(out) == expected);
  dash::adjacent_difference(dash::par_node, numbers.blocked, out.begin(), product);
  helpers.check();
  std::adjacent_difference(numbers.native.begin(), numbers.native.end(), expected.begin(),
                           [](index_t a, index_t b) { return a * b + 1; });
  CHECK(values_of(out) == expected);
}

TEST_CASE("par_node of copy_if: who has selected elements copies them, in their order") {
  Helpers helpers;
  Numbers numbers;
  dash::Array<index_t> out(Numbers::size(), dash::BLOCKCYCLIC(7));
  const auto is_odd = [&](index_t value) {
    helpers.note(value);
    return value % 2 == 1;
  };
  for (int round = 0; round < 3; ++round) {
    const auto end = dash::copy_if(dash::par_node, numbers.blocked, out.begin(), is_odd);
    helpers.check();
    CHECK(end - out.begin() == static_cast<index_t>(Numbers::size()) / 2);
    auto values = values_of(out);
    values.resize(values.size() / 2);
    std::vector<index_t> expected;
    std::copy_if(numbers.native.begin(), numbers.native.end(), std::back_inserter(expected),
                 [](index_t i) { return i % 2 == 1; });
    CHECK(values == expected);
  }
}

TEST_CASE("par_node of scans: other units take over chunks of both passes, one run a unit") {
  Helpers helpers;
  // What the operation is given says in which pass: only in the second one, what comes before the
  // range is in the first argument. No sum is as small as an element.
  constexpr index_t smallest = 100'000;
  constexpr index_t init = 1'000'000'000;
  dash::Array<index_t> in(Numbers::size());
  dash::Array<index_t> out(Numbers::size());
  dash::iota(in.begin(), in.end(), smallest);
  std::vector<index_t> model(in.size());
  std::iota(model.begin(), model.end(), smallest);
  for (const bool in_second : {false, true}) {
    const auto add = [&](index_t a, index_t b) {
      if ((a >= init) == in_second) helpers.note(b - smallest);
      return a + b;
    };
    auto expected = model;
    std::inclusive_scan(model.begin(), model.end(), expected.begin(), std::plus<>(), init);
    dash::inclusive_scan(dash::par_node, in, out, add, init);
    helpers.check();
    CHECK(values_of(out) == expected);
    // A part that does not begin with the first element, in place. No chunk of unit 0 has one element
    // only, whose sum would be an element.
    dash::copy(in.lbegin(), in.lend(), out.begin() + in.pattern().global(0));
    out.barrier();
    expected = model;
    std::exclusive_scan(model.begin() + 4, model.end() - 4, expected.begin() + 4, init);
    dash::exclusive_scan(dash::par_node, out.begin() + 4, out.end() - 4, out.begin() + 4, init,
                         add);
    helpers.check();
    CHECK(values_of(out) == expected);
  }
  // Where units have several runs, each scans its own.
  dash::Array<index_t> cyclic(Numbers::size(), dash::CYCLIC);
  dash::inclusive_scan(dash::par_node, in, cyclic);
  std::inclusive_scan(model.begin(), model.end(), model.begin());
  CHECK(values_of(cyclic) == model);
}

TEST_CASE("par_node of transform_reduce of two ranges that lie alike") {
  Helpers helpers;
  Numbers numbers;
  const auto product = [&](index_t a, index_t b) {
    helpers.note(a);
    return a * b;
  };
  const auto expected = std::inner_product(numbers.native.begin(), numbers.native.end(),
                                           numbers.native.begin(), index_t{1});
  CHECK(dash::transform_reduce(dash::par_node, numbers.blocked, numbers.alike, index_t{1},
                               std::plus<>(), product) == expected);
  helpers.check();
  // What lies otherwise each unit fetches for itself.
  CHECK(dash::inner_product(dash::par_node, numbers.blocked, numbers.cyclic, index_t{1}) ==
        expected);
  CHECK(dash::inner_product(dash::par_node, numbers.blocked, numbers.native.begin(), index_t{1}) ==
        expected);
  numbers.blocked.team().barrier();
}
