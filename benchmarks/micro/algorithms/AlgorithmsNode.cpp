// dash-bench: units=2 layouts=node
//
// What it gains that idle units take over chunks of loaded ones, and what it costs where there is
// nothing to gain: the policy par_node against par.

#include <dash/Algorithm.h>
#include <dash/Array.h>
#include <dash/ExecutionPolicy.h>
#include <dash/Init.h>
#include <dash/Pattern.h>

#include <functional>
#include <string>
#include <vector>

#include "support/Contest.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using Value = double;
using index_t = dash::default_index_t;
constexpr int rounds = 21;

/// Some hundred nanoseconds for an element that has work, and nothing for one that has none.
void work_on(Value& element, bool has_work) {
  if (!has_work) return;
  compute(200);
  element += 1;
}

template <class Run>
Contestant timed(const Run& run) {
  return [&run] {
    dash::barrier();
    return time_each(1, [&](long) { run(); });
  };
}

template <class Run>
void compare(const std::string& what, const std::string& size, const Run& run, const Bar& bar,
             Table& table) {
  const auto stealing = [&] { run(dash::par_node); };
  const auto alone = [&] { run(dash::par); };
  const auto samples = interleave(rounds, {timed(stealing), timed(alone), timed(alone)});
  table.add(row_of(what, size, "par", outcome_of(samples[0], samples[1], samples[2]), bar));
}

/// \param has_work  of the index of an element
void compare_for_each(const std::string& what, dash::Array<Value>& array,
                      const std::function<bool(index_t)>& has_work, const Bar& bar, Table& table) {
  std::vector<char> works(array.size());
  for (std::size_t i = 0; i < works.size(); ++i)
    works[i] = has_work(static_cast<index_t>(i)) ? 1 : 0;
  compare(
      what, std::to_string(array.size()) + " elements",
      [&](const auto& policy) {
        dash::for_each_with_index(policy, array.begin(), array.end(),
                                  [&](Value& element, index_t i) {
                                    work_on(element, works[static_cast<std::size_t>(i)] != 0);
                                  });
      },
      bar, table);
}

void measure_imbalance(Table& table) {
  for (const std::size_t count : {std::size_t{1} << 12, std::size_t{1} << 16}) {
    dash::Array<Value> array(count);
    const auto n = static_cast<index_t>(count);
    compare_for_each(
        "for_each, the work in one half", array, [=](index_t i) { return i < n / 2; },
        speed_at_least(1.8), table);
    compare_for_each(
        "for_each, the work in an eighth", array, [=](index_t i) { return i >= n - n / 8; },
        speed_at_least(1.8), table);
    compare_for_each(
        "for_each, work everywhere", array, [](index_t) { return true; }, speed_at_least(0.98),
        table);
  }
}

/// All elements at the first unit, and an operation that costs next to nothing.
void measure_light_work(const World& world, Table& table) {
  constexpr std::size_t count = std::size_t{1} << 25;
  std::vector<std::size_t> sizes(static_cast<std::size_t>(world.units()), 0);
  sizes[0] = count;
  dash::Array<Value, index_t, dash::CSRPattern<1>> array{dash::CSRPattern<1>(sizes)};
  dash::fill(array.begin(), array.end(), 1);
  dash::barrier();
  compare(
      "for_each x += 1, all elements at one unit", size_of(count * sizeof(Value)),
      [&](const auto& policy) {
        dash::for_each(policy, array.begin(), array.end(), [](Value& element) { element += 1; });
      },
      {}, table);
  compare(
      "inclusive_scan, all elements at one unit", size_of(count * sizeof(Value)),
      [&](const auto& policy) { dash::inclusive_scan(policy, array, array); }, {}, table);
  compare(
      "inner_product, all elements at one unit", size_of(count * sizeof(Value)),
      [&](const auto& policy) { keep(dash::inner_product(policy, array, array, Value{})); }, {},
      table);
  compare(
      "reduce, all elements at one unit", size_of(count * sizeof(Value)),
      [&](const auto& policy) { keep(dash::reduce(policy, array.begin(), array.end(), Value{})); },
      {}, table);
}

void measure_small(Table& table) {
  dash::Array<Value> array(64 * dash::size());
  compare(
      "for_each x += 1, little work", "128 elements",
      [&](const auto& policy) {
        for (int i = 0; i < 100; ++i)
          dash::for_each(policy, array.begin(), array.end(), [](Value& element) { element += 1; });
      },
      {}, table);
}

void measure(const World& world) {
  Table table;
  measure_imbalance(table);
  measure_light_work(world, table);
  measure_small(table);
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
