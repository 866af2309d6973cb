// dash-bench: units=2 layouts=node quick=node
//
// The time of min_element over array sizes, as in figure 7 of the DASH paper (Fuerlinger, Fuchs,
// Kowalewski: DASH: A C++ PGAS Library for Distributed Data Structures and Parallel Algorithms, 2016).
// Communication between the units dominates for small arrays, memory bandwidth for large ones.

#include <dash/Algorithm.h>
#include <dash/Array.h>
#include <dash/Init.h>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using Value = int;
constexpr int smallest = 10;
constexpr int largest = 27;
constexpr int rounds = 21;
constexpr double sample_ns = 2e6;

/// Up to 2^flat_until elements, communication dominates and the time does not double with the size. From
/// 2^linear_from elements on, the data exceed all caches.
constexpr int flat_until = 12;
constexpr int linear_from = 24;

struct Size {
  int log2;
  dash::Array<Value> array;
  std::vector<Value> plain;  // a copy of the local part

  explicit Size(int log) : log2(log), array(std::size_t{1} << log), plain(array.lsize()) {
    dash::generate_with_index(array.begin(), array.end(), [](auto i) {
      return static_cast<Value>((static_cast<unsigned>(i) * 2654435761U) >> 1);
    });
    std::copy(array.lbegin(), array.lend(), plain.begin());
    dash::barrier();
  }
};

/// \returns nanoseconds of one call, averaged over `calls`
template <class Call>
double time_calls(long calls, const Call& call) {
  dash::barrier();
  return measure_ns_per_call(calls, [&](long) { call(); });
}

/// min_element of the library.
Candidate ours(Size& size, long calls) {
  return [&size, calls] {
    return time_calls(calls, [&] {
      do_not_optimize(dash::min_element(size.array.begin(), size.array.end()).pos());
    });
  };
}
/// A loop over the local part that finds the least value, but not its position.
Candidate local_loop(Size& size, long calls) {
  return [&size, calls] {
    return time_calls(calls, [&] {
      Value least = size.plain.front();
      for (const Value value : size.plain)
        least = std::min(least, value);
      do_not_optimize(least);
    });
  };
}

long num_calls(Size& size) {
  return broadcast_from_first_unit(std::min(repetitions_within(sample_ns, ours(size, 1)()), 1000L));
}

/// The samples of neighbouring sizes, which are compared and therefore taken interleaved.
struct Series {
  int smallest;
  std::vector<Samples> ours;
  std::vector<Samples> local;

  Series(int first, int last) : smallest(first) {
    std::vector<std::unique_ptr<Size>> sizes;
    for (int log2 = first; log2 <= last; ++log2)
      sizes.push_back(std::make_unique<Size>(log2));
    std::vector<Candidate> candidates;
    for (auto& size : sizes)
      candidates.push_back(::ours(*size, num_calls(*size)));
    for (auto& size : sizes)
      candidates.push_back(local_loop(*size, num_calls(*size)));
    auto samples = interleave(rounds, candidates);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      ours.push_back(std::move(samples[i]));
      local.push_back(std::move(samples[sizes.size() + i]));
    }
    dash::barrier();
  }

  int largest() const { return smallest + static_cast<int>(ours.size()) - 1; }
  const Samples& at(int log2) const { return ours[static_cast<std::size_t>(log2 - smallest)]; }
  const Samples& local_at(int log2) const {
    return local[static_cast<std::size_t>(log2 - smallest)];
  }
};

/// The ratio of the times of two sizes.
Row growth_row(const std::string& name, int from, int to, const Samples& ours,
               const Samples& before, Goal goal) {
  return make_row(name, fmt::format("2^{} ints", to), fmt::format("2^{} ints", from),
                  compare_samples(ours, before, {}), goal);
}

/// At most doubled, or growing like the loop over the local part, whose data exceed a cache at some size.
Goal grows_as(const Samples& loop, const Samples& loop_before) {
  const double most = std::max(2.2, 1.1 * median(loop) / median(loop_before));
  return {fmt::format("<= {:.3g}", most),
          [=](const Outcome& outcome) { return outcome.ratio.low <= most; }};
}

Goal ratio_between(double least, double most) {
  return {fmt::format("{} to {}", least, most), [=](const Outcome& outcome) {
            return outcome.ratio.low <= most && outcome.ratio.high >= least;
          }};
}

void print_header() {
  fmt::print("\n{:>12} {:>10} {:>12} {:>12} {:>12}\n", "elements", "bytes", "time", "per element",
             "bandwidth");
}

/// \param first  the smallest size (log2) that has not been printed
void print_series(const Series& series, int first) {
  for (int log2 = first; log2 <= series.largest(); ++log2) {
    const std::size_t count = std::size_t{1} << log2;
    const double ns = median(series.at(log2));
    fmt::print("{:>12} {:>10} {:>12} {:>9.3f} ns {:>12}   loop over the local part: {}\n", count,
               format_size(count * sizeof(Value)), format_duration(ns),
               ns / static_cast<double>(count), format_bandwidth(count * sizeof(Value), ns),
               format_duration(median(series.local_at(log2))));
  }
}

void add_rows(const Series& series, Table& table) {
  for (int log2 = series.smallest + 1; log2 <= series.largest(); ++log2) {
    const bool is_linear = log2 > linear_from;
    table.add(
        growth_row(is_linear ? "min_element, doubled size, linear" : "min_element, doubled size",
                   log2 - 1, log2, series.at(log2), series.at(log2 - 1),
                   is_linear ? ratio_between(1.8, 2.2)
                             : grows_as(series.local_at(log2), series.local_at(log2 - 1))));
    if (log2 <= flat_until) {
      table.add(growth_row("min_element, small sizes", smallest, log2, series.at(log2),
                           series.at(smallest), ratio_at_most(2)));
    }
  }
}

void measure(const World& world) {
  Table table;
  if (world.is_first_unit()) print_header();
  int first = smallest;
  // Each series starts with the last size of the previous one, so that all neighbouring sizes are compared.
  for (const int last : {flat_until + 1, linear_from, largest}) {
    const Series series(std::max(first - 1, smallest), last);
    if (world.is_first_unit()) {
      print_series(series, first);
      add_rows(series, table);
    }
    first = last + 1;
  }
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
