// dash-bench: units=2 layouts=node
//
// The policy par_node compared with par: the gain if idle units take over chunks of loaded ones, and the
// overhead if there is nothing to gain.

#include <dash/Algorithm.h>
#include <dash/Array.h>
#include <dash/ExecutionPolicy.h>
#include <dash/Init.h>
#include <dash/Pattern.h>

#include <functional>
#include <string>
#include <vector>

#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using Value = double;
using index_t = dash::default_index_t;
constexpr int rounds = 21;

/// Takes a few hundred nanoseconds for an element that has work, and no time for one that has none.
void work_on(Value& element, bool has_work) {
  if (!has_work) return;
  compute(200);
  element += 1;
}

template <class Run>
Candidate timed(const Run& run) {
  return [&run] {
    dash::barrier();
    return measure_ns_per_call(1, [&](long) { run(); });
  };
}

template <class Run>
void add_comparison(const std::string& name, const std::string& size, const Run& run,
                    const Goal& goal, Table& table) {
  const auto par_node = [&] { run(dash::par_node); };
  const auto par = [&] { run(dash::par); };
  const auto samples = interleave(rounds, {timed(par_node), timed(par), timed(par)});
  table.add(make_row(name, size, "par", compare_samples(samples[0], samples[1], samples[2]), goal));
}

/// \param has_work  whether the element at an index has work
void compare_for_each(const std::string& name, dash::Array<Value>& array,
                      const std::function<bool(index_t)>& has_work, const Goal& goal,
                      Table& table) {
  std::vector<char> work_flags(array.size());
  for (std::size_t i = 0; i < work_flags.size(); ++i)
    work_flags[i] = has_work(static_cast<index_t>(i)) ? 1 : 0;
  add_comparison(
      name, std::to_string(array.size()) + " elements",
      [&](const auto& policy) {
        dash::for_each_with_index(policy, array.begin(), array.end(),
                                  [&](Value& element, index_t i) {
                                    work_on(element, work_flags[static_cast<std::size_t>(i)] != 0);
                                  });
      },
      goal, table);
}

void measure_imbalance(Table& table) {
  for (const std::size_t count : {std::size_t{1} << 12, std::size_t{1} << 16}) {
    dash::Array<Value> array(count);
    const auto n = static_cast<index_t>(count);
    compare_for_each(
        "for_each, work in one half", array, [=](index_t i) { return i < n / 2; },
        speed_at_least(1.8), table);
    compare_for_each(
        "for_each, work in one eighth", array, [=](index_t i) { return i >= n - n / 8; },
        speed_at_least(1.8), table);
    compare_for_each(
        "for_each, balanced work", array, [](index_t) { return true; }, speed_at_least(0.98),
        table);
  }
}

/// All elements are at the first unit, and the operation takes almost no time.
void measure_light_work(const World& world, Table& table) {
  constexpr std::size_t count = std::size_t{1} << 25;
  std::vector<std::size_t> sizes(static_cast<std::size_t>(world.units()), 0);
  sizes[0] = count;
  dash::Array<Value, index_t, dash::CSRPattern<1>> array{dash::CSRPattern<1>(sizes)};
  dash::fill(array.begin(), array.end(), 1);
  dash::barrier();
  add_comparison(
      "for_each x += 1, all elements at one unit", format_size(count * sizeof(Value)),
      [&](const auto& policy) {
        dash::for_each(policy, array.begin(), array.end(), [](Value& element) { element += 1; });
      },
      {}, table);
  add_comparison(
      "inclusive_scan, all elements at one unit", format_size(count * sizeof(Value)),
      [&](const auto& policy) { dash::inclusive_scan(policy, array, array); }, {}, table);
  add_comparison(
      "inner_product, all elements at one unit", format_size(count * sizeof(Value)),
      [&](const auto& policy) {
        do_not_optimize(dash::inner_product(policy, array, array, Value{}));
      },
      {}, table);
  add_comparison(
      "reduce, all elements at one unit", format_size(count * sizeof(Value)),
      [&](const auto& policy) {
        do_not_optimize(dash::reduce(policy, array.begin(), array.end(), Value{}));
      },
      {}, table);
}

void measure_small(Table& table) {
  dash::Array<Value> array(64 * dash::size());
  add_comparison(
      "for_each x += 1, few elements", "128 elements",
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
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
